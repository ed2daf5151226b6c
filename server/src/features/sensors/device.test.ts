import { describe, expect, it } from 'vitest';
import { oneCounter, reading, startAt, takeAll } from './device.fixture.ts';
import {
	breakOnChangeOnly,
	describeDevice,
	isHeard,
	keepAlive,
	takeReading,
	takeState,
	type Device
} from './device.ts';

const at = (seconds: number) => startAt + seconds * 1_000;
const heard = (device: Device, seconds: number) => isHeard(device.counters[0]!, at(seconds));

describe('a device', () => {
	it('is heard for three of its periods', () => {
		const device = oneCounter();
		expect(heard(device, 0)).toBe(false);
		takeAll(device, [reading(0, { in: 1 })]);
		expect(heard(device, 15)).toBe(true);
		expect(heard(device, 15.1)).toBe(false);
		expect(describeDevice(device, at(60)).state).toBe('stale');
	});

	it('says which of its counters are silent and since when, and whether it is missed at all', () => {
		const device = oneCounter();
		expect(describeDevice(device, at(0))).toMatchObject({ heard: 0, silentSince: null, optional: false });
		takeAll(device, [reading(0, { in: 1 })]);
		expect(describeDevice(device, at(10))).toMatchObject({ heard: 1, silentSince: null });
		expect(describeDevice(device, at(60))).toMatchObject({ heard: 0, silentSince: at(0) });
		expect(describeDevice(oneCounter({ optional: true }), at(0)).optional).toBe(true);
	});

	it('is silent at once when it says so, until it counts again', () => {
		const device = oneCounter();
		takeAll(device, [reading(0, { in: 1 })]);
		takeState(device, null, false, at(1));
		expect(heard(device, 1)).toBe(false);
		takeState(device, null, true, at(2));
		expect(heard(device, 2)).toBe(false);
		takeAll(device, [reading(3, { in: 1 })]);
		expect(heard(device, 3)).toBe(true);
		expect(describeDevice(device, at(3))).toMatchObject({
			state: 'online',
			totals: { in: 2, out: 0 },
			readings: 2
		});
	});

	it('is ignored, and counted, when it is simulated in a live run', () => {
		const device = oneCounter();
		const taken = takeReading(device, reading(0, { in: 5 }, { simulated: true }), {
			simulatedAllowed: false
		});
		expect(taken).toMatchObject({ accepted: 0, reason: 'simulated_not_allowed' });
		expect(describeDevice(device, at(0))).toMatchObject({
			state: 'never',
			rejects: { simulated_not_allowed: 1 },
			totals: { in: 0, out: 0 }
		});
	});

	it('has no counter for a channel or a kind that the site file does not name', () => {
		const device = oneCounter();
		expect(
			takeAll(device, [reading(0, { present: 4 }), reading(1, { in: 1 }, { channel: 'line-2' })]).map(
				({ reason }) => reason
			)
		).toEqual(['unknown_channel', 'unknown_channel']);
	});

	it('shows how far its clock is off', () => {
		const device = oneCounter();
		takeAll(
			device,
			[0, 5, 10].map((seconds) => reading(seconds, { in: 1 }, { deviceAt: at(seconds + 1_800) }))
		);
		expect(describeDevice(device, at(10)).clockOffsetMs).toBe(1_800_000);
	});
});

describe('a device that speaks on change only', () => {
	const frigate = () => oneCounter({ adapter: 'frigate', measures: 'present', channel: 'yard_1' });
	const count = (seconds: number, present: number) =>
		reading(seconds, { present }, { channel: 'yard_1', deviceAt: null });

	it('vouches for its last value by any sign of life', () => {
		const device = frigate();
		takeAll(device, [count(0, 4)]);
		keepAlive(device, at(60));
		expect(heard(device, 70)).toBe(true);
	});

	it('has no value before its first change, whatever else it says', () => {
		const device = frigate();
		takeState(device, null, true, at(0));
		keepAlive(device, at(1));
		expect(heard(device, 1)).toBe(false);
		expect(device.counters[0]?.state.present).toBeNull();
	});

	it('keeps its last value as last known only, once it or we were away', () => {
		for (const leave of [
			(device: Device) => takeState(device, null, false, at(5)),
			(device: Device) => takeState(device, 'yard_1', false, at(5)),
			(device: Device) => breakOnChangeOnly(device, at(5))
		]) {
			const device = frigate();
			takeAll(device, [count(0, 37)]);
			leave(device);
			takeState(device, null, true, at(6));
			keepAlive(device, at(7));
			expect(heard(device, 7)).toBe(false);
			expect(device.counters[0]?.state.present).toBe(37);
			takeAll(device, [count(8, 36)]);
			expect(heard(device, 8)).toBe(true);
		}
	});
});
