import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CounterProperties } from '../../../contract/index.ts';
import {
	describeDevice,
	isHeard,
	newDevice,
	restoreMessageKey,
	takeReading,
	takeState,
	type Device
} from './device.ts';
import { oneCounter, reading, startAt, takeAll, totalsOf } from './device.fixture.ts';
import { newReading, type Reading, type Value } from './reading.ts';

const rules = { simulatedAllowed: true };
const crossing = (seconds: number, value: Value, more: Partial<Reading> = {}): Reading =>
	newReading(
		'door-1',
		null,
		value,
		{ receivedAt: startAt + seconds * 1_000, retained: false },
		{ deviceAt: startAt + seconds * 1_000, ...more }
	);
const total = (seconds: number, into: number, more: Partial<Reading> & { epoch?: string } = {}) => {
	const { epoch = null, ...rest } = more;
	return crossing(seconds, { kind: 'total', in: into, out: 0, epoch, modulus: null }, rest);
};
const delta = (seconds: number, into: number, more: Partial<Reading> = {}) =>
	crossing(seconds, { kind: 'delta', in: into, out: 0, from: null }, more);

/** What the store keeps of a device, written and read again as JSON, as a restart does. */
function restarted(device: Device, keys: readonly string[], properties: CounterProperties): Device {
	const kept = JSON.parse(
		JSON.stringify({
			states: device.counters.map(({ state }) => state),
			...{ seen: device.seen, clock: device.clock, rejects: device.rejects, readings: device.readings }
		})
	);
	const next = newDevice('door-1', [properties], device.onChangeOnly);
	Object.assign(next, { seen: kept.seen, clock: kept.clock, rejects: kept.rejects, readings: kept.readings });
	next.counters.forEach((counter, index) => (counter.state = kept.states[index]));
	for (const key of keys) restoreMessageKey(next, key);
	return next;
}

describe('the same people, however their messages come', () => {
	const people = fc.array(fc.nat({ max: 8 }), { minLength: 1, maxLength: 30 });

	it('deltas give the same in any order, twice each', () => {
		const shuffled = people.chain((counts) =>
			fc.tuple(
				fc.constant(counts),
				fc.shuffledSubarray([...counts.keys(), ...counts.keys()], { minLength: counts.length * 2 })
			)
		);
		fc.assert(
			fc.property(shuffled, ([counts, order]) => {
				const device = oneCounter();
				const order1 = (seq: number) => ({ session: 'a', seq });
				order.forEach((index, place) =>
					takeReading(device, delta(place, counts[index] ?? 0, { order: order1(index) }), rules)
				);
				expect(totalsOf(device).in).toBe(counts.reduce((a, b) => a + b, 0));
			})
		);
	});

	it('totals with a sequence give the same when any of them are late, doubled or lost between first and last', () => {
		const scrambled = people.chain((counts) =>
			fc.tuple(fc.constant(counts), fc.array(fc.nat({ max: counts.length - 1 }), { maxLength: 60 }))
		);
		fc.assert(
			fc.property(scrambled, ([counts, between]) => {
				const device = oneCounter();
				let sum = 0;
				const sums = counts.map((count) => (sum += count));
				const say = (seconds: number, index: number) =>
					takeReading(
						device,
						total(seconds, sums[index] ?? 0, { order: { session: 'a', seq: index + 1 } }),
						rules
					);
				takeReading(device, total(0, 0, { order: { session: 'a', seq: 0 } }), rules);
				between.forEach((index, place) => say((place + 1) * 60, index));
				say(6_000, counts.length - 1);
				expect(totalsOf(device).in).toBe(sum);
			})
		);
	});

	it('a restart between any two messages changes nothing', () => {
		const said = fc.array(
			fc.record({
				people: fc.nat({ max: 40 }),
				by: fc.constantFrom('seq' as const, 'key' as const, 'time' as const),
				again: fc.boolean()
			}),
			{ minLength: 1, maxLength: 20 }
		);
		fc.assert(
			fc.property(said, fc.nat({ max: 20 }), (messages, cut) => {
				const properties = oneCounter().counters[0]!.properties;
				const readings = messages.flatMap(({ people: count, by, again }, index) => {
					const more: Partial<Reading> =
						by === 'seq' ? { order: { session: 'a', seq: index } } : by === 'key' ? { key: `m${index}` } : {};
					const one = delta(index * 5, count, more);
					return again ? [one, { ...one, receivedAt: one.receivedAt + 1_000 }] : [one];
				});
				const whole = oneCounter();
				takeAll(whole, readings);
				let device = oneCounter();
				const keys: string[] = [];
				readings.forEach((one, index) => {
					if (index === cut) device = restarted(device, keys, properties);
					const { messageKey } = takeReading(device, one, rules);
					if (messageKey !== null) keys.push(messageKey);
				});
				expect(device.counters[0]!.state).toEqual(whole.counters[0]!.state);
				expect(device.rejects).toEqual(whole.rejects);
			})
		);
	});
});

describe('starts, series and histories', () => {
	it('a named other start counts whole, whatever the level; the same start goes on', () => {
		const device = oneCounter();
		const flags = takeAll(device, [
			total(0, 10, { epoch: 'monday' }),
			total(60, 14, { epoch: 'monday' }),
			total(120, 20, { epoch: 'tuesday' }),
			total(180, 21, { epoch: 'tuesday' })
		]).map((taken) => taken.flags);
		expect(totalsOf(device).in).toBe(4 + 20 + 1);
		expect(flags[2]).toContain('reset');
	});

	it('a reset that the device announces is no fall', () => {
		const device = oneCounter();
		takeAll(device, [total(0, 500), crossing(10, { kind: 'reset' }), total(60, 7)]);
		expect(totalsOf(device).in).toBe(7);
		expect(device.rejects).toEqual({});
	});

	it('where a device sends totals and periods, totals lead and periods are a check', () => {
		const device = oneCounter();
		takeAll(device, [total(0, 18), delta(0, 19), total(60, 21), delta(60, 3)]);
		expect(totalsOf(device).in).toBe(3);
	});

	it('the site file may name the other one', () => {
		const device = oneCounter({ series: 'period' });
		takeAll(device, [total(0, 18), delta(0, 2), total(60, 21), delta(60, 3)]);
		expect(totalsOf(device).in).toBe(5);
	});

	it('a backfill besides totals adds nobody; where periods lead they are real people', () => {
		const totals = oneCounter();
		takeAll(totals, [total(0, 18), total(600, 29), delta(603, 7, { historical: true, deviceAt: startAt })]);
		expect(totalsOf(totals).in).toBe(11);
		const periods = oneCounter();
		takeAll(periods, [
			delta(0, 4),
			delta(600, 5),
			delta(603, 7, { historical: true, deviceAt: startAt - 5_000 })
		]);
		expect(totalsOf(periods).in).toBe(16);
	});

	it('a calibration counts whole people, and loses none of the parts', () => {
		const device = oneCounter({ factor: 1.05 });
		for (let index = 0; index < 100; index++) takeAll(device, [delta(index * 5, 2)]);
		expect(totalsOf(device).in).toBe(210);
	});

	it('a vendor key is known for good, whatever the clock says', () => {
		const device = oneCounter();
		takeAll(device, [
			delta(0, 3, { key: 'a' }),
			delta(7_200, 3, { key: 'a' }),
			delta(7_300, 3, { key: 'b' })
		]);
		expect(totalsOf(device).in).toBe(6);
		expect(device.rejects.duplicate).toBe(1);
	});
});

describe('clocks that cannot be right', () => {
	it('a reading 400 days ahead counts, is said, and holds up none that follow', () => {
		const device = oneCounter({ measures: 'present' });
		const ahead = startAt + 400 * 86_400_000;
		takeAll(device, [reading(0, { present: 5 }, { deviceAt: ahead })]);
		expect(describeDevice(device, startAt)).toMatchObject({ clock: 'bad' });
		takeAll(device, [reading(5, { present: 6 }), reading(10, { present: 7 })]);
		expect(device.counters[0]!.state.present).toBe(7);
		expect(device.rejects).toEqual({});
		expect(describeDevice(device, startAt + 10_000)).toMatchObject({ clock: 'good', clockOffsetMs: 0 });
	});

	it('a clock of 1980 orders nothing: what arrives is the newest', () => {
		const device = oneCounter({ measures: 'present' });
		takeAll(device, [
			reading(0, { present: 5 }),
			reading(5, { present: 6 }, { deviceAt: Date.UTC(1980, 0, 6) }),
			reading(10, { present: 8 }, { deviceAt: Date.UTC(1980, 0, 6, 0, 1) })
		]);
		expect(device.counters[0]!.state.present).toBe(8);
		expect(describeDevice(device, startAt + 10_000)).toMatchObject({ clock: 'bad' });
	});

	it('half an hour ahead is skewed, and ordered', () => {
		const device = oneCounter({ measures: 'present' });
		takeAll(device, [reading(0, { present: 50 }, { deviceAt: startAt + 1_800_000 })]);
		expect(describeDevice(device, startAt)).toMatchObject({ clock: 'skewed', clockOffsetMs: 1_800_000 });
	});
});

it('a number above 0 that stands still for hours is said to be flat', () => {
	const device = oneCounter({ measures: 'present' });
	for (let minute = 0; minute <= 130; minute += 10) takeAll(device, [reading(minute * 60, { present: 1 })]);
	expect(describeDevice(device, startAt + 7_800_000).hints).toEqual([
		{ counter: 'door-1', kind: 'flat', since: startAt }
	]);
});

it('a zone of several cameras is heard no more when one of them says that it is gone, until it counts again', () => {
	const device = oneCounter({
		adapter: 'frigate',
		device: 'door-1',
		measures: 'present',
		channel: 'yard',
		cameras: ['north', 'south']
	});
	const say = (seconds: number, people: number) =>
		takeAll(device, [reading(seconds, { present: people }, { channel: 'yard' })]);
	const heard = (seconds: number) => isHeard(device.counters[0]!, startAt + seconds * 1_000);
	say(0, 40);
	takeState(device, 'other', false, startAt + 1_000);
	expect(heard(2)).toBe(true);
	takeState(device, 'south', false, startAt + 3_000);
	expect(heard(3)).toBe(false);
	takeState(device, 'south', true, startAt + 4_000);
	expect(heard(4)).toBe(false);
	say(5, 38);
	expect(heard(6)).toBe(true);
});
