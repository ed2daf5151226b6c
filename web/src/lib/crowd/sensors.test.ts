import type { SensorState } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { directionOf, summarizeSensors } from './sensors.ts';

const sensor = (change: Partial<SensorState>): SensorState => ({
	device: 'd',
	adapter: 'own',
	counters: ['c'],
	zones: [],
	state: 'online',
	heard: 1,
	silentSince: null,
	optional: false,
	lastReadingAt: 1,
	ageSeconds: 1,
	readings: 1,
	rejects: {},
	missed: 0,
	clockOffsetMs: 0,
	clock: 'good',
	hints: [],
	troubles: [],
	simulated: false,
	totals: { in: 0, out: 0 },
	...change
});

test('silent devices are listed, longest silent first, and never heard ones apart', () => {
	const summary = summarizeSensors([
		sensor({ device: 'a', state: 'stale', heard: 0, silentSince: 980 }),
		sensor({ device: 'b', state: 'offline', heard: 0, silentSince: 700 }),
		sensor({ device: 'c', state: 'never', heard: 0, ageSeconds: null }),
		sensor({ device: 'd', clockOffsetMs: -31_000 })
	]);
	expect(summary.silent.map((each) => each.device)).toEqual(['b', 'a']);
	expect([summary.counters, summary.never.length, summary.clocksOff]).toEqual([
		{ heard: 1, expected: 4 },
		1,
		1
	]);
});

test('counters are counted, not devices, and a door that counts only when it speaks is not missed', () => {
	const host = sensor({ counters: ['1', '2', '3'], state: 'stale', heard: 2, silentSince: 500 });
	const door = sensor({ device: 'door', optional: true, state: 'offline', heard: 0, silentSince: 5 });
	const summary = summarizeSensors([host, sensor({}), door]);
	expect(summary.counters).toEqual({ heard: 3, expected: 4 });
	expect([summary.devices, summary.silent.map(({ device }) => device)]).toEqual([2, ['d']]);
	const speaking = summarizeSensors([{ ...door, state: 'online', heard: 1, silentSince: null }]);
	expect(speaking.counters).toEqual({ heard: 1, expected: 1 });
});

test('what was not counted is added up by reason', () => {
	const summary = summarizeSensors([
		sensor({ rejects: { late: 2, duplicate: 1 } }),
		sensor({ rejects: { duplicate: 4, bad_json: 0 } })
	]);
	expect(summary.rejected).toBe(7);
	expect(summary.reasons).toEqual([
		['duplicate', 5],
		['late', 2]
	]);
});

test('a few people either way are steady', () => {
	expect([null, 2, -2.9, 12, -12].map((net) => directionOf(net, 10_000))).toEqual([
		null,
		'steady',
		'steady',
		'up',
		'down'
	]);
	expect(directionOf(5, 1_000)).toBe('up');
});
