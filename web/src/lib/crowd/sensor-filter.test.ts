import type { SensorState } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { countByFilter, filterSensors, hasTrouble, isClockOff, reasonsOf } from './sensor-filter.ts';

const sensor = (change: Partial<SensorState>): SensorState => ({
	device: 'd',
	adapter: 'own',
	counters: ['c'],
	zones: ['plaza-5'],
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
const name = (id: string) => (id === 'plaza-5' ? 'ساحة 5' : id);

test('a speaking device can be in trouble, and a door that may be silent is not', () => {
	expect(hasTrouble(sensor({}))).toBe(false);
	expect(hasTrouble(sensor({ counters: ['a', 'b'], heard: 1 }))).toBe(true);
	expect(hasTrouble(sensor({ hints: [{ counter: 'c', kind: 'flat', since: 0 }] }))).toBe(true);
	expect(hasTrouble(sensor({ state: 'offline', heard: 0, optional: true }))).toBe(false);
	expect(hasTrouble(sensor({ state: 'never', heard: 0 }))).toBe(true);
});

test('a clock is off by the server’s word or by its offset', () => {
	expect([
		isClockOff(sensor({})),
		isClockOff(sensor({ clock: 'bad', clockOffsetMs: null })),
		isClockOff(sensor({ clockOffsetMs: -31_000 })),
		isClockOff(sensor({ clock: 'none', clockOffsetMs: null }))
	]).toEqual([false, true, true, false]);
});

test('filters and words work together, and trouble stands first, the longest silent before', () => {
	const all = [
		sensor({ device: 'a-10' }),
		sensor({ device: 'a-9' }),
		sensor({ device: 'b', state: 'stale', heard: 0, silentSince: 900 }),
		sensor({
			device: 'c',
			state: 'offline',
			heard: 0,
			silentSince: 100,
			zones: ['hall'],
			rejects: { late: 1 }
		})
	];
	const ids = (filter: Parameters<typeof filterSensors>[1], text: string) =>
		filterSensors(all, filter, text, name).map(({ device }) => device);
	expect(ids('all', '')).toEqual(['c', 'b', 'a-9', 'a-10']);
	expect(ids('all', 'ساحة')).toEqual(['b', 'a-9', 'a-10']);
	expect(ids('trouble', ' PLAZA ')).toEqual(['b']);
	expect(ids('rejects', '')).toEqual(['c']);
	expect(countByFilter(all)).toMatchObject({
		all: 4,
		trouble: 2,
		online: 2,
		stale: 1,
		offline: 1,
		rejects: 1
	});
});

test('reasons of a device stand most first, and what never happened is left out', () => {
	expect(reasonsOf(sensor({ rejects: { late: 2, duplicate: 5, bad_json: 0 } }))).toEqual([
		['duplicate', 5],
		['late', 2]
	]);
});
