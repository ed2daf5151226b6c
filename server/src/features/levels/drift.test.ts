import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { flagNames, type Flag } from '../../../contract/index.ts';
import { findDrift, pendingFlags, unheededFlags, type MirrorView } from './drift.ts';

const settleMs = 1_000;
const written = (...rows: [Flag, boolean, number | null][]) =>
	new Map(rows.map(([flag, enabled, writtenAt]) => [flag, { flag, enabled, writtenAt }]));
const view = (change: Partial<MirrorView> = {}): MirrorView => ({
	source: { state: 'in-step', at: 100_000 },
	there: () => true,
	written: written(...flagNames.map((flag): [Flag, boolean, number] => [flag, true, 0])),
	off: new Set(),
	since: 0,
	guarded: new Set(['booking']),
	settleMs,
	writes: true,
	...change
});
const off =
	(...flags: Flag[]) =>
	(flag: Flag) =>
		!flags.includes(flag);
const drift = (change: Partial<MirrorView>, now = 7) => findDrift(view(change), new Map(), now);

describe('what Unleash says against what the level says', () => {
	it('a flag flipped there is drift, and acts where one person may switch it', () => {
		expect(drift({ there: off('images', 'booking') })).toEqual([
			{ flag: 'images', here: true, there: false, since: 7, acts: true },
			{ flag: 'booking', here: true, there: false, since: 7, acts: false }
		]);
	});

	it('a flag that was taken away there is drift; one that was never there is still to be made', () => {
		const gone = (flag: Flag) => (flag === 'images' || flag === 'joins' ? undefined : true);
		const rows = written(
			...flagNames.filter((flag) => flag !== 'joins').map((flag): [Flag, boolean, number] => [flag, true, 0])
		);
		const change = { there: gone, written: rows };
		expect(drift(change)).toMatchObject([{ flag: 'images', there: null, acts: false }]);
		expect(pendingFlags(view(change))).toEqual(['joins']);
	});

	it('our own writing is no drift: not before it is seen there, and not while it waits', () => {
		const rows = written(['images', false, 99_500]);
		// Back at normal: the flag waits to be switched on there, what stands there is our own.
		expect(drift({ written: rows, there: off('images') })).toEqual([]);
		expect(pendingFlags(view({ written: rows }))).toContain('images');
		expect(unheededFlags(view({ written: rows })).has('images')).toBe(true);
		// Written on just now: an older answer says nothing.
		const on = written(['images', true, 99_500]);
		expect(drift({ written: on, there: off('images') })).toEqual([]);
		expect(unheededFlags(view({ written: on })).has('images')).toBe(true);
		const seen = { written: on, there: off('images'), source: { state: 'in-step' as const, at: 101_000 } };
		expect(drift(seen)).toMatchObject([{ flag: 'images', acts: true }]);
	});

	it('a level that was just switched had no time to show there', () => {
		const change = { off: new Set(['images']), since: 99_800, writes: false, written: new Map() };
		expect(drift(change)).toEqual([]);
		expect(drift({ ...change, since: 90_000 })).toMatchObject([{ flag: 'images', here: false, there: true }]);
	});

	it('keeps since when, and forgets it when it is over', () => {
		const first = new Map<string, number>();
		const now = view({ there: off('images') });
		findDrift(now, first, 5);
		expect(findDrift(now, first, 9)).toMatchObject([{ since: 5 }]);
		findDrift(view(), first, 10);
		expect(findDrift(now, first, 11)).toMatchObject([{ since: 11 }]);
	});

	it('whatever is written, flipped or away: what needs two people is never heeded, and a waiting flag is no drift', () => {
		const flagSet = fc.subarray([...flagNames]);
		fc.assert(
			fc.property(flagSet, flagSet, flagSet, fc.integer({ min: 0, max: 100_000 }), (a, b, c, at) => {
				const one = view({
					there: off(...a),
					off: new Set(b),
					written: written(...c.map((flag): [Flag, boolean, number] => [flag, !a.includes(flag), at]))
				});
				expect(unheededFlags(one).has('booking')).toBe(true);
				const waiting = new Set(pendingFlags(one));
				for (const { flag, acts } of findDrift(one, new Map(), 0)) {
					expect(waiting.has(flag as Flag)).toBe(false);
					if (acts) expect(b.includes(flag as Flag)).toBe(false);
				}
			})
		);
	});
});
