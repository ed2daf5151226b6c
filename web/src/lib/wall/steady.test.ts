import { expect, test } from 'vitest';
import type { Abnormal } from './abnormal.ts';
import { createSteadyList } from './steady.ts';

const blind: Abnormal = { key: 'blind', kind: 'blind', priority: 'high' };
const level: Abnormal = {
	key: 'level',
	kind: 'level',
	priority: 'low',
	level: 1,
	since: 0,
	isExercise: false
};
const said = (lines: readonly { key: string; endedAt: number | null }[]) =>
	lines.map(({ key, endedAt }) => [key, endedAt]);

test('a line that comes and goes between two looks stays its least time, and is marked as over', () => {
	const steady = createSteadyList(20_000);
	expect(said(steady([blind, level], 0))).toEqual([
		['blind', null],
		['level', null]
	]);
	expect(said(steady([level], 1_000))).toEqual([
		['level', null],
		['blind', 1_000]
	]);
	expect(said(steady([level], 19_999)).length).toBe(2);
	expect(said(steady([level], 20_000))).toEqual([['level', null]]);
});

test('a line that has been seen long enough goes at once; one that comes back is not over', () => {
	const steady = createSteadyList(20_000);
	steady([blind], 0);
	steady([], 5_000);
	expect(said(steady([blind], 6_000))).toEqual([['blind', null]]);
	expect(said(steady([], 21_000))).toEqual([]);
	expect(said(steady([blind], 30_000))).toEqual([['blind', null]]);
	expect(said(steady([], 31_000))).toEqual([['blind', 31_000]]);
});

test('holds nothing over a clock that was set back', () => {
	const steady = createSteadyList(20_000);
	steady([blind], 50_000);
	expect(said(steady([], 1_000))).toEqual([]);
});
