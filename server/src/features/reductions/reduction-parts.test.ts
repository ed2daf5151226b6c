import { describe, expect, it } from 'vitest';
import { candidatesFor, termsOf } from './reduction-plan.ts';
import { honouredUntil } from './settle.ts';

const hourMs = 3_600_000;
const now = 1_000 * hourMs;

describe('slots that somebody is offered', () => {
	const slot = (id: number, inHours: number, place = 'north') => ({
		...{ id, place, startsAt: now + inHours * hourMs, endsAt: now + (inHours + 1) * hourMs },
		...{ capacity: 10, booked: 0, sharded: false }
	});
	const terms = termsOf({ target: { kind: 'slot', slot: 1, capacity: 0 } }, true);
	const offered = (slots: ReturnType<typeof slot>[]) =>
		candidatesFor(slot(1, 5), slots, { terms, now, shrinking: new Set([1]) });

	it('are the nearest, and of two as near the later one comes first', () => {
		expect(offered([slot(2, 4), slot(3, 6)])).toEqual([3, 2]);
		expect(offered([slot(3, 6), slot(2, 4)])).toEqual([3, 2]);
		expect(offered([slot(2, 4), slot(3, 7), slot(4, 3)])).toEqual([2, 3, 4]);
	});
});

describe('gates honour the old permit', () => {
	const graceMs = hourMs / 2;
	const old = { startsAt: now + 3 * hourMs };
	const until = (...[state, to]: [Parameters<typeof honouredUntil>[0], { startsAt: number } | null]) =>
		honouredUntil(state, old, to, { now, graceMs });
	const earlier = { startsAt: now + 2 * hourMs };
	const later = { startsAt: now + 4 * hourMs };

	it('beyond the beginning of the old slot where its holder was moved unasked to an earlier one', () => {
		expect(until('moved', earlier)).toBe(old.startsAt + graceMs);
		expect(
			honouredUntil('moved', { startsAt: now - hourMs }, { startsAt: now - 2 * hourMs }, { now, graceMs })
		).toBe(now + graceMs);
	});

	it('for the grace alone where they know, or come early for the new one', () => {
		expect(until('moved', later)).toBe(now + graceMs);
		expect(until('accepted', earlier)).toBe(now + graceMs);
		expect(until('revoked', null)).toBe(now + graceMs);
	});
});
