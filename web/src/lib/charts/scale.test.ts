import { describe, expect, test } from 'vitest';
import {
	gapPath,
	knownRuns,
	linePath,
	place,
	roundUp,
	stretchOf,
	thin,
	timeTicks,
	valueAxis
} from './scale.ts';

const box = { time: { from: 0, to: 100 }, value: { from: 0, to: 10 }, width: 100, height: 50 };

describe('chart geometry', () => {
	test('a line breaks where nothing is known', () => {
		expect(linePath([0, 50, 75, 100], [0, 10, null, 5], box)).toBe('M0 50L50 0M100 25h2');
		expect(knownRuns([1, 2, 3], [null, null, null])).toEqual([]);
	});

	test('values above the axis stay inside the picture', () => {
		expect(linePath([0, 100], [0, 99], box)).toBe('M0 50L100 0');
	});

	test('the gap is drawn where more join than may book, and nowhere else', () => {
		expect(gapPath([0, 100], [10, 10], [5, 5], box)).toBe('M0 0L100 0L100 25L0 25Z');
		expect(gapPath([0, 100], [1, 1], [5, 5], box)).toBe('M0 25L100 25L100 25L0 25Z');
		expect(gapPath([0, 100], [null, 1], [5, 5], box)).toBe('');
	});

	test('axes end at round numbers that hold every value', () => {
		expect([0, 0.3, 1, 345, 400, 401, 7_900].map(roundUp)).toEqual([1, 0.3, 1, 400, 400, 500, 8_000]);
		const axis = valueAxis([3, null, 345], 0);
		expect(axis).toEqual({ range: { from: 0, to: 400 }, ticks: [0, 200, 400] });
		expect(valueAxis([], 2).range.to).toBe(2);
		expect(valueAxis([1, 300], 1, 2, 2).range.to).toBe(2);
		expect(valueAxis([1, 300], 4, 2, 2).range.to).toBe(4);
	});

	test('time ticks are round and not too many', () => {
		const from = Date.UTC(2027, 1, 25, 17, 47);
		const ticks = timeTicks({ from, to: from + 30 * 60_000 }, 7);
		expect(ticks.length).toBeGreaterThan(2);
		expect(ticks.length).toBeLessThanOrEqual(7);
		for (const tick of ticks) expect(tick % 300_000).toBe(0);
	});

	test('thinning keeps a spike of one second', () => {
		const run = Array.from({ length: 3_600 }, (_, i) => ({ at: i, value: i === 1_234 ? 99 : 1 }));
		const kept = thin(run, 100);
		expect(kept.length).toBeLessThanOrEqual(201);
		expect(kept.some((point) => point.value === 99)).toBe(true);
		expect(kept.at(-1)!.at).toBe(3_599);
	});

	test('a range without width is drawn in the middle', () => {
		expect(place(5, { from: 5, to: 5 }, 80)).toBe(40);
	});
});

describe('a stretch drawn by hand', () => {
	test('runs forward however it was drawn, and is none where it is too short to be meant', () => {
		expect(stretchOf(90_000, 30_000)).toEqual({ from: 30_000, to: 90_000 });
		expect(stretchOf(40_000, 41_000)).toBeNull();
	});
});
