import { describe, expect, test } from 'vitest';
import { appendPoint, columnsOf, noColumns, secondsAbove, since } from './trend.ts';

const options = { everyMs: 1_000, gapMs: 15_000, keepMs: 60_000 };

describe('trends on the screens', () => {
	test('a pause in what we know is a hole in the line, never a bridge over it', () => {
		let columns = appendPoint(noColumns, 1_000, { depth: 5 }, options);
		columns = appendPoint(columns, 2_000, { depth: 6 }, options);
		columns = appendPoint(columns, 40_000, { depth: 9 }, options);
		expect(columns.series['depth']).toEqual([5, 6, null, 9]);
		expect(columns.at).toEqual([1_000, 2_000, 2_001, 40_000]);
	});

	test('points that come too fast are left out, and old ones go', () => {
		let columns = noColumns;
		for (let at = 0; at <= 120_000; at += 500) columns = appendPoint(columns, at, { depth: at }, options);
		expect(columns.at[0]).toBe(60_000);
		expect(columns.at).toHaveLength(61);
		expect(columns.series['depth']).toHaveLength(61);
	});

	test('a series that begins later has nothing before, not zero', () => {
		let columns = appendPoint(noColumns, 1_000, { a: 1 }, options);
		columns = appendPoint(columns, 2_000, { b: 2 }, options);
		expect(columns.series).toEqual({ a: [1, null], b: [null, 2] });
	});

	test('columns of a wrong length are not drawn', () => {
		expect(columnsOf({ stepSeconds: 1, at: [1, 2], series: { a: [1, 2], b: [1] } }).series).toEqual({
			a: [1, 2]
		});
	});

	test('the time above a limit ends at the first value that was not, or was not known', () => {
		const at = [0, 10_000, 20_000, 30_000];
		expect(secondsAbove({ at, series: { p: [3, 1, 3, 3] } }, 'p', 2)).toBe(10);
		expect(secondsAbove({ at, series: { p: [3, null, 3, 3] } }, 'p', 2)).toBe(10);
		expect(secondsAbove({ at, series: { p: [3, 3, 3, 3] } }, 'p', 2)).toBe(30);
		expect(secondsAbove({ at, series: { p: [3, 3, 3, 1] } }, 'p', 2)).toBe(0);
		expect(secondsAbove(noColumns, 'p', 2)).toBe(0);
	});

	test('a window keeps columns in step', () => {
		const part = since({ at: [1, 2, 3], series: { a: [1, 2, 3] } }, 2);
		expect(part).toEqual({ at: [2, 3], series: { a: [2, 3] } });
		expect(since({ at: [1], series: { a: [1] } }, 5)).toEqual({ at: [], series: { a: [] } });
	});
});
