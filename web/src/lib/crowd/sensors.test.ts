import type { SensorState } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { directionOf, summarizeSensors } from './sensors.ts';

const sensor = (change: Partial<SensorState>): SensorState => ({
	device: 'd',
	adapter: 'own',
	counters: [],
	zones: [],
	state: 'online',
	heard: 1,
	silentSince: null,
	optional: false,
	lastReadingAt: 1,
	ageSeconds: 1,
	readings: 1,
	rejects: {},
	clockOffsetMs: 0,
	simulated: false,
	totals: { in: 0, out: 0 },
	...change
});

test('silent devices are listed, longest silent first, and never heard ones apart', () => {
	const summary = summarizeSensors([
		sensor({ device: 'a', state: 'stale', ageSeconds: 20 }),
		sensor({ device: 'b', state: 'offline', ageSeconds: 300 }),
		sensor({ device: 'c', state: 'never', ageSeconds: null }),
		sensor({ device: 'd', clockOffsetMs: -31_000 })
	]);
	expect(summary.silent.map((each) => each.device)).toEqual(['b', 'a']);
	expect([summary.online, summary.never.length, summary.clocksOff]).toEqual([1, 1, 1]);
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
