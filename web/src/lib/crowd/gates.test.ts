import type { Gate } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { sampleGate } from '../../../dev/samples.ts';
import { byGateUrgency, commandsFor, holdClock, priorityOfGate, troublesOf } from './gates.ts';

const hold = { since: 0, until: 600_000, secondsMax: 600, warning: null, outsideFullAt: null } as const;

test('a fresh hold whose crowd stands still is no trouble, one that nobody sees outside is', () => {
	expect(troublesOf(sampleGate({ hold }))).toEqual([]);
	const outside = { ...sampleGate().crowdOutside!, people: null, quality: 'unknown' as const };
	expect(troublesOf(sampleGate({ hold, crowdOutside: outside }))).toMatchObject([
		{ kind: 'outside-unknown' }
	]);
	expect(troublesOf(sampleGate({ crowdOutside: outside }))).toEqual([]);
});

test('a hold says so before it ends: by growth at half, at four fifths whatever grows, and past its end', () => {
	const growing = { ...sampleGate().crowdOutside!, growthPerMinute: 40 };
	const unknown = { ...growing, growthPerMinute: null };
	const still = { ...growing, growthPerMinute: -3 };
	const at = (warning: 'half' | 'most' | 'over', crowdOutside: Gate['crowdOutside'] = still) =>
		troublesOf(sampleGate({ hold: { ...hold, warning }, crowdOutside }))[0]?.kind;
	expect([at('half'), at('half', growing), at('half', unknown)]).toEqual([
		undefined,
		'hold-grows',
		'hold-grows'
	]);
	expect([at('most'), at('over')]).toEqual(['hold-ends', 'hold-over']);
	const full = sampleGate({ hold: { ...hold, warning: 'most', outsideFullAt: 5 } });
	expect(troublesOf(full).map(({ kind }) => kind)).toEqual(['outside-full', 'hold-ends']);
});

test('what is commanded and not confirmed is abnormal only once it is overdue', () => {
	const waits = (overdue: boolean) => priorityOfGate(sampleGate({ difference: { since: 0, overdue } }));
	expect([waits(false), waits(true)]).toEqual(['low', 'high']);
});

test('the most urgent gate stands first, then what is not open, and gate 10 behind gate 9', () => {
	const gates = [
		sampleGate({ id: 'gate-10' }),
		sampleGate({ id: 'gate-9' }),
		sampleGate({ id: 'gate-8', commanded: { ...sampleGate().commanded, state: 'metered' } }),
		sampleGate({ id: 'gate-7', hold: { ...hold, warning: 'over' } })
	];
	expect(gates.sort(byGateUrgency).map(({ id }) => id)).toEqual(['gate-7', 'gate-8', 'gate-9', 'gate-10']);
});

test('an exit has no buttons', () => {
	expect(commandsFor({ direction: 'out' })).toEqual([]);
	expect(commandsFor({ direction: 'in' })).toContain('closed');
});

test('the clock of a hold never goes below 0, and counts on over its end', () => {
	expect(holdClock(hold, 150_000)).toEqual({ secondsLeft: 450, secondsOver: 0, share: 0.25 });
	expect(holdClock(hold, 700_000)).toEqual({ secondsLeft: 0, secondsOver: 100, share: 1 });
	expect(holdClock({ since: 5, until: 5 }, 5).share).toBe(0);
});
