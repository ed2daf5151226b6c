import { expect, test } from 'vitest';
import { sampleZone } from '../../../dev/samples.ts';
import { byUrgency, viewZone } from './zone-view.ts';

const link = { isLive: true, heardAt: 0 };

test('an unknown zone shows its bounds, else its last value, else nothing: never a number as if known', () => {
	const unknown = { quality: 'unknown' as const, occupancy: null, present: null };
	const bounds = viewZone(sampleZone({ ...unknown, worstCase: { low: 6_100, high: 7_400 } }), link, 0);
	expect(bounds.fullness).toEqual({ kind: 'bounds', low: 0.61, high: 0.74 });
	expect(bounds.priority).toBe('medium');
	expect(viewZone(sampleZone(unknown), link, 0).fullness).toEqual({ kind: 'last', share: 0.4 });
	expect(viewZone(sampleZone({ ...unknown, lastKnown: null }), link, 0).fullness).toEqual({
		kind: 'nothing'
	});
	expect(viewZone(sampleZone({ ...unknown, occupancy: 0.2 }), link, 0).fullness.kind).not.toBe('share');
});

test('when the link dies every live zone becomes stale, and an unknown one stays unknown', () => {
	const dead = { isLive: false, heardAt: 0 };
	expect(viewZone(sampleZone(), dead, 14_999).quality).toBe('live');
	expect(viewZone(sampleZone(), dead, 15_000).quality).toBe('stale');
	expect(viewZone(sampleZone({ quality: 'unknown' }), dead, 15_000).quality).toBe('unknown');
	expect(viewZone(sampleZone(), link, 900_000).quality).toBe('live');
});

test('the list begins with what is most urgent, then fullest', () => {
	const step = { percent: 75, action: { ar: 'أ', en: 'a' }, why: 'occupancy' as const };
	const zones = [
		sampleZone({ id: 'a', occupancy: 0.2 }),
		sampleZone({ id: 'b', occupancy: 0.7 }),
		sampleZone({ id: 'c', occupancy: 0.76, step }),
		sampleZone({ id: 'd', quality: 'unknown', occupancy: null, worstCase: { low: 1, high: 9_000 } })
	];
	expect(zones.sort(byUrgency).map((zone) => zone.id)).toEqual(['d', 'c', 'b', 'a']);
});
