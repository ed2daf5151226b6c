import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { EntryBatch } from '../../../contract/index.ts';
import {
	clockOf,
	contactOf,
	correctTime,
	withContact,
	type Contact,
	type CorrectedTime,
	type KnownClock
} from './entry-clock.ts';

const minutes = 60_000;
const hours = 60 * minutes;
const now = Date.UTC(2026, 2, 5, 18);
const since = now - 24 * hours;
const nothingKnown: KnownClock = { contacts: [], since };
const batchAt = (deviceAt: number, uptimeMs: number, roundTripMs?: number, boot = 'b'): EntryBatch => ({
	device: 's-1',
	entries: [],
	clock: { deviceAt, uptimeMs, boot, ...(roundTripMs === undefined ? {} : { roundTripMs }) }
});
/** Boot `a` began two hours ago and spoke an hour ago; its clock was right then. */
const spoke: Contact = {
	...{ boot: 'a', at: now - hours, deviceAt: now - hours, uptimeMs: hours, uncertaintyMs: 50, setMs: 0 }
};
const known: KnownClock = { contacts: [spoke], since };

describe('the time of an entry', () => {
	it('is right by a clock three hours wrong', () => {
		const batch = batchAt(now - 3 * hours, 900_000, 0);
		expect(clockOf(batch, now)).toEqual({ offsetMs: -3 * hours, uncertaintyMs: 0, state: 'skewed' });
		const entry = { boot: 'b', deviceAt: now - 3 * hours - 600_000, uptimeMs: 300_000 };
		expect(correctTime(entry, batch, nothingKnown, now)).toEqual({ at: now - 600_000, uncertaintyMs: 60 });
	});

	it('does not care that the clock was set back between scan and sending', () => {
		const entry = { boot: 'b', deviceAt: now + 3 * hours - 600_000, uptimeMs: 300_000 };
		expect(correctTime(entry, batchAt(now, 900_000, 0), nothingKnown, now)).toEqual({
			at: now - 600_000,
			uncertaintyMs: 60
		});
	});

	it('is as uncertain as the device may have slept, and less where we know how long it did', () => {
		const entry = { boot: 'b', deviceAt: now - 900_000, uptimeMs: 300_000 };
		const batch = batchAt(now, 900_000, 0);
		const { at, uncertaintyMs } = correctTime(entry, batch, nothingKnown, now);
		expect([now - at, uncertaintyMs]).toEqual([600_000, 300_060]);
		// Both clocks went on together from contact to contact: the other one was set, nobody slept.
		const before = { ...spoke, boot: 'b', at: now - 700_000, deviceAt: now - hours, uptimeMs: 200_000 };
		const sure = correctTime(entry, batch, { contacts: [before], since }, now);
		expect(sure.at).toBe(now - 600_000);
		expect(sure.uncertaintyMs).toBeLessThan(5_000);
	});

	it('of an earlier boot is told by its steady clock, although the other one was set after the last contact', () => {
		const entry = { boot: 'a', deviceAt: now - 5 * hours, uptimeMs: hours + 20 * minutes };
		const time = correctTime(entry, batchAt(now - 4 * hours - 20 * minutes, 9, 0), known, now);
		expect(now - time.at).toBe(40 * minutes);
		expect(time.uncertaintyMs).toBeLessThan(10_000);
		// Set forward it may as well have slept: not beyond the start of the next boot.
		const ahead = { ...entry, deviceAt: now + 2 * hours };
		const unsure = correctTime(ahead, batchAt(now + 2 * hours + 40 * minutes, 10 * minutes, 0), known, now);
		expect(now - unsure.at).toBe(40 * minutes);
		expect(unsure.uncertaintyMs).toBeGreaterThan(30 * minutes);
		expect(unsure.uncertaintyMs).toBeLessThan(31 * minutes);
	});

	it('of a boot that never spoke is as uncertain as its clock was set since', () => {
		const entry = { boot: 'between', deviceAt: now - 10 * minutes, uptimeMs: 5 };
		const calm = correctTime(entry, batchAt(now, 9, 0), known, now);
		expect([now - calm.at, calm.uncertaintyMs]).toEqual([10 * minutes, 10 * minutes]);
		const set = correctTime(entry, batchAt(now + 2 * hours, 9, 0), known, now);
		expect(now - set.at).toBe(2 * hours + 10 * minutes);
		expect(set.uncertaintyMs).toBeGreaterThan(2 * hours);
		// A clock that begins in 1970 says nothing.
		const lost = correctTime({ ...entry, deviceAt: 5 }, batchAt(now, 9, 0), known, now);
		expect(lost.at).toBeGreaterThanOrEqual(since);
		expect(lost.uncertaintyMs).toBeGreaterThan(23 * hours);
	});

	it('is never in the future, whatever a device says', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 8.64e15 }),
				fc.integer({ min: 0, max: 1e12 }),
				fc.integer({ min: 0, max: 8.64e15 }),
				fc.integer({ min: 0, max: 1e12 }),
				fc.constantFrom('a', 'b', 'c'),
				fc.constantFrom(nothingKnown, known),
				(sentAt, sentUp, at, up, boot, before) => {
					const entry = { boot, deviceAt: at, uptimeMs: up };
					const time = correctTime(entry, batchAt(sentAt, sentUp), before, now);
					expect(time.at).toBeLessThanOrEqual(now);
					expect(Number.isSafeInteger(time.at) && time.at >= 0).toBe(true);
					expect(Number.isSafeInteger(time.uncertaintyMs) && time.uncertaintyMs >= 0).toBe(true);
				}
			),
			{ numRuns: 300 }
		);
	});
});

/** What happens to a device, one thing after the other. */
type Step =
	| { do: 'wait' | 'sleep'; ms: number }
	| { do: 'set'; ms: number }
	| { do: 'restart' | 'scan' }
	| { do: 'speak'; most: number; up: number };

/** Lives through it: every entry with its true time and what the server made of it. */
function live(steps: readonly Step[]): { truth: number; time: CorrectedTime; told: string }[] {
	const device = { at: since, offMs: 0, steadyMs: 0, boot: 0 };
	let known: KnownClock = { contacts: [], since };
	let wasSet = false;
	let queue: { truth: number; boot: string; deviceAt: number; uptimeMs: number }[] = [];
	const out: ReturnType<typeof live> = [];
	const roundTripMs = 2_000;
	const clocks = () => ({
		...{ deviceAt: device.at + device.offMs, uptimeMs: device.steadyMs, boot: `b${device.boot}` }
	});
	const pass = (ms: number, isAsleep = false) => {
		device.at += ms;
		if (!isAsleep) device.steadyMs += ms;
	};
	const speak = (most: number, up: number) => {
		const batch = { ...batchAt(0, 0), clock: { ...clocks(), roundTripMs } };
		const receivedAt = device.at + Math.round(roundTripMs * up);
		for (const { truth, ...entry } of queue.slice(0, most))
			out.push({ truth, time: correctTime(entry, batch, known, receivedAt), told: JSON.stringify(entry) });
		queue = queue.slice(most);
		known = { ...known, contacts: withContact(known.contacts, contactOf(batch, receivedAt)) };
		wasSet = false;
		pass(roundTripMs);
	};
	// It is set up while it speaks with us.
	speak(0, 0.5);
	for (const step of steps) {
		pass(1);
		if (step.do === 'wait' || step.do === 'sleep') pass(step.ms, step.do === 'sleep');
		if (step.do === 'set' && !wasSet) {
			device.offMs += step.ms;
			wasSet = true;
		}
		if (step.do === 'restart') Object.assign(device, { boot: device.boot + 1, steadyMs: 0 });
		if (step.do === 'scan') queue.push({ truth: device.at, ...clocks() });
		if (step.do === 'speak') speak(step.most, step.up);
	}
	speak(Infinity, 0.5);
	return out;
}

describe('the time of an entry, whatever happened to the device', () => {
	it('is never further off than it says', () => {
		const span = fc.integer({ min: minutes, max: 5 * hours });
		const step: fc.Arbitrary<Step> = fc.oneof(
			{ weight: 4, arbitrary: fc.constant({ do: 'scan' as const }) },
			{
				weight: 2,
				arbitrary: fc.record({ do: fc.constantFrom('wait' as const, 'sleep' as const), ms: span })
			},
			{
				weight: 2,
				arbitrary: fc
					.tuple(span, fc.constantFrom(1, -1))
					.map(([ms, way]) => ({ do: 'set' as const, ms: ms * way }))
			},
			{ weight: 2, arbitrary: fc.constant({ do: 'restart' as const }) },
			{
				weight: 2,
				arbitrary: fc.record({
					...{ do: fc.constant('speak' as const), most: fc.constantFrom(0, 1, 3, 99) },
					up: fc.double({ min: 0, max: 1, noNaN: true })
				})
			}
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
				for (const { truth, time, told } of live(steps))
					expect(Math.abs(time.at - truth), told).toBeLessThanOrEqual(time.uncertaintyMs);
			}),
			{ numRuns: 3_000 }
		);
	});

	it('is known to seconds where nobody set the clock and nothing slept, after any restart that spoke', () => {
		const steps: Step[] = [
			...([
				{ do: 'wait', ms: hours },
				{ do: 'speak', most: 9, up: 0.5 },
				{ do: 'wait', ms: hours }
			] as const),
			...([{ do: 'scan' }, { do: 'set', ms: -7 * hours }, { do: 'scan' }, { do: 'restart' }] as const)
		];
		for (const { truth, time } of live(steps)) {
			expect(Math.abs(time.at - truth)).toBeLessThan(2_000);
			expect(time.uncertaintyMs).toBeLessThan(15_000);
		}
	});
});
