import type { DrillEffect } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { createFormat } from '#lib/format.ts';
import { changeOf, changeWords, figureValue, headline, readGuard } from './drill-view.ts';

const format = createFormat('en', 'UTC');
const effect = (figures: DrillEffect['figures']): DrillEffect => ({
	before: { from: 0, to: 1 },
	during: { from: 1, to: 2 },
	figures
});

test('a change is told only where both were measured', () => {
	expect(changeOf({ name: 'p95Ms', before: 2_400, during: 940 })).toBeCloseTo(-0.608, 3);
	expect(changeOf({ name: 'p95Ms', before: null, during: 940 })).toBeNull();
	expect(changeOf({ name: 'p95Ms', before: 0, during: 940 })).toBeNull();
	expect(changeWords(-0.608, format)).toBe('−61%');
	expect(changeWords(0.04, format)).toBe('+4%');
	expect(changeWords(0.001, format)).toBe('±0%');
});

test('the ladder tells the first figure that moved', () => {
	const figures = [
		{ name: 'pollsPerSecond', before: 400, during: 200 },
		{ name: 'p95Ms', before: 1_000, during: 1_010 }
	] satisfies DrillEffect['figures'];
	expect(headline(effect(figures))).toEqual({ name: 'pollsPerSecond', change: -0.5 });
	expect(headline(effect([figures[1]!]))?.name).toBe('p95Ms');
	expect(headline(null)).toBeNull();
});

test('figures carry their unit', () => {
	expect(figureValue('p95Ms', 2_400, format)).toMatch(/^2\.40 \S+$/);
	expect(figureValue('loopP99Ms', 42, format)).toMatch(/^42 \S+/);
	expect(figureValue('depth', null, format)).toBe('–');
});

test('a guard is read in either digits, and refused out of its range', () => {
	const form = { p95Seconds: '2', workRatio: '0.8', depth: '' };
	expect(readGuard(form)).toEqual({ p95MsMax: 2_000, workRatioMin: 0.8, depthMax: null });
	expect(readGuard({ ...form, depth: '٥٠٠٠' })?.depthMax).toBe(5_000);
	expect(readGuard({ ...form, workRatio: '٠٫٩' })?.workRatioMin).toBe(0.9);
	for (const bad of [{ workRatio: '1.2' }, { p95Seconds: '' }, { p95Seconds: '0' }, { depth: '2.5' }])
		expect(readGuard({ ...form, ...bad })).toBeNull();
});
