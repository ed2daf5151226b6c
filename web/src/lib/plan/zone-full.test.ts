import { expect, test } from 'vitest';
import { sampleZone } from '../../../dev/samples.ts';
import { fullOf } from './zone-full.ts';

const estimate = { fromSeconds: 540, toSeconds: 840, since: 1_000_000 };
const silent = { quality: 'unknown' as const, present: null, occupancy: null };

test('a live estimate counts down, and stops at nothing left', () => {
	const zone = sampleZone({ timeToCapacity: estimate });
	expect(fullOf(zone, 'live', 1_060_000)).toEqual({ kind: 'range', fromSeconds: 480, toSeconds: 780 });
	expect(fullOf(zone, 'partial', 1_600_000)).toEqual({ kind: 'range', fromSeconds: 0, toSeconds: 240 });
});

test('no estimate is said while people leave, for one far away, or from a count that is wrong', () => {
	expect(fullOf(sampleZone(), 'live', 0).kind).toBe('not-filling');
	const far = { ...estimate, fromSeconds: 9_000, toSeconds: 9_900 };
	expect(fullOf(sampleZone({ timeToCapacity: far }), 'live', 1_000_000).kind).toBe('far');
	expect(fullOf(sampleZone({ drift: true, timeToCapacity: estimate }), 'live', 1_000_000).kind).toBe(
		'not-known'
	);
	expect(fullOf(sampleZone({ occupancy: 1.02 }), 'live', 0).kind).toBe('now');
});

test('the estimate of a zone that is not heard becomes the moment from when it is taken for full', () => {
	const zone = sampleZone({ ...silent, timeToCapacity: estimate });
	const was = { fromSeconds: 540, toSeconds: 840, at: 1_000_000 };
	for (const now of [1_030_000, 1_500_000, 9_000_000])
		expect(fullOf(zone, 'unknown', now)).toEqual({ kind: 'assumed', was, at: 1_540_000 });
	expect(fullOf(sampleZone({ timeToCapacity: estimate }), 'stale', 1_030_000).kind).toBe('assumed');
});

test('a zone whose worst case is full is taken for full now, whatever the estimate said', () => {
	const worstCase = { low: 4_000, high: 10_000 };
	const zone = sampleZone({ ...silent, worstCase, timeToCapacity: estimate });
	expect(fullOf(zone, 'unknown', 1_030_000)).toMatchObject({ kind: 'assumed', at: null });
	expect(fullOf(zone, 'unknown', 1_600_000)).toMatchObject({ kind: 'assumed', at: 1_540_000 });
	expect(fullOf(sampleZone({ ...silent, worstCase }), 'unknown', 0)).toEqual({
		kind: 'assumed',
		was: null,
		at: null
	});
});

test('a silent zone without an estimate is not known, never "not filling"', () => {
	expect(fullOf(sampleZone(silent), 'unknown', 0)).toEqual({ kind: 'not-known' });
});
