import { describe, expect, it } from 'vitest';
import type { Zone } from '../../../contract/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { buildSite, type SiteZone } from '../site/index.ts';
import { disagreementOf } from './disagreement.ts';
import { holdPoint, upstreamOf } from './hold-point.ts';
import { levelOfService, movementOf, walkingSpeed } from './level-of-service.ts';
import { dueAnchors } from './nightly.ts';
import { watchZone } from './zones.fixture.ts';

describe('the level of service', () => {
	it('goes by the use of the zone, and is null where nobody knows', () => {
		expect([0.3, 0.4, 0.7, 1, 2, 3].map((density) => levelOfService('walkway', density)).join('')).toBe(
			'ABCDEF'
		);
		expect([0.8, 1, 1.5, 3, 5, 6].map((density) => levelOfService('queue', density)).join('')).toBe('ABCDEF');
		expect(levelOfService('stairs', 2.6)).toBe('E');
		expect(levelOfService('open', null)).toBeNull();
	});
	it('rests on a walking speed whose flow peaks at 73.5 people per metre and minute', () => {
		const flow = (density: number) => walkingSpeed(density) * density * 60;
		expect(flow(1.75)).toBeCloseTo(73.5, 0);
		expect([3, 4, 5].map((density) => Math.floor(flow(density)))).toEqual([59, 37, 11]);
	});
});

describe('flow read with density', () => {
	it('calls little flow in a dense crowd a jam, never quiet', () => {
		expect(movementOf('walkway', 4.5, 20)).toBe('jammed');
		expect(movementOf('open', 4.5, 20)).toBe('jammed');
	});
	it('calls little flow in an empty place empty, and people who stand neither', () => {
		expect(movementOf('walkway', 0.02, 1)).toBe('empty');
		expect(movementOf('open', 1, 0)).toBeNull();
		expect(movementOf('walkway', 1, 50)).toBe('moving');
		expect(movementOf('walkway', null, 50)).toBeNull();
	});
});

describe('cameras against doors', () => {
	it('contradict each other when the camera sees nobody and the doors hold forty', () =>
		expect(disagreementOf(0, 40, null)).toEqual({ camera: 0, doors: 40 }));
	it('agree within a quarter, and a contradiction stands until it has halved', () => {
		expect(disagreementOf(90, 100, null)).toBeNull();
		expect(disagreementOf(80, 100, { camera: 0, doors: 100 })).toEqual({ camera: 80, doors: 100 });
		expect(disagreementOf(95, 100, { camera: 0, doors: 100 })).toBeNull();
		expect(disagreementOf(null, 40, null)).toBeNull();
	});
	it('say both in the zone, which is not called empty and is judged by the more', () => {
		const { say, lookUntil } = watchZone('yard-doors');
		say(1, 'frigate', { present: 40 }, 'yard_1');
		say(1, 'door-3', { in: 320, out: 0 });
		say(6, 'frigate', { present: 0 }, 'yard_1');
		say(6, 'door-3', { in: 1, out: 1 });
		const zone = lookUntil(7);
		expect(zone).toMatchObject({ present: 0, disagreement: { camera: 0, doors: 320 } });
		expect(zone.movement).not.toBe('empty');
		expect(zone.step).toMatchObject({ percent: 60, why: 'occupancy' });
	});
});

describe('a camera that dies at forty people', () => {
	it('is stale after three of its periods and unknown at 60 s, with its last value and a bound', () => {
		const { say, lookUntil } = watchZone('yard');
		say(1, 'frigate', { present: 40 }, 'yard_1');
		expect(lookUntil(16)).toMatchObject({ present: 40, quality: 'live' });
		expect(lookUntil(17)).toMatchObject({ present: 40, quality: 'stale' });
		const dead = lookUntil(62);
		expect(dead).toMatchObject({
			present: null,
			quality: 'unknown',
			lastKnown: { present: 40 },
			at: 1_772_359_201_000
		});
		// No door of the yard is counted: nobody knows who has come since, and forty to forty would say that they do.
		expect(dead.worstCase).toEqual({ low: 0, high: 500 });
		expect(dead.step).toMatchObject({ percent: 60, why: 'blind' });
	});
	it('is unknown at once on its state message', () => {
		const { say, state, lookUntil } = watchZone('yard');
		say(1, 'frigate', { present: 40 }, 'yard_1');
		state(3, 'frigate', false);
		expect(lookUntil(3)).toMatchObject({ present: null, quality: 'unknown', lastKnown: { present: 40 } });
	});
});

describe('the error of a zone', () => {
	it('is the correction by the people who came in (drift-to-nightly-anchor): a clinic that holds 140 at midnight counts wrong by a fifth', () => {
		const { say, lookUntil, watch } = watchZone('court');
		say(10, 'door-2', { in: 400, out: 300 });
		say(100, 'door-2', { in: 278, out: 238 });
		expect(lookUntil(101).present).toBe(140);
		const error = watch.errorOf(0 - 140);
		expect(error).toBeCloseTo(0.206, 2);
		const now = { at: 1_772_359_300_000, present: 0, netFlow: watch.netFlow(), flowIn: watch.flowIn() };
		watch.setAnchor({ ...now, error, night: '2026-03-01' });
		expect(lookUntil(102)).toMatchObject({ present: 0, error, anchor: { present: 0, by: 'nightly' } });
		expect(watch.errorOf(5)).toBeNull();
	});
});

it('a door that only lets out while its zone falls far below 0 may be the wrong way round', () => {
	const { say, lookUntil, watch } = watchZone('court');
	say(1, 'door-2', { in: 0, out: 0 });
	say(60, 'door-2', { in: 2, out: 180 });
	expect(lookUntil(61)).toMatchObject({ present: 0, drift: true, hints: [{ kind: 'direction-suspect' }] });
	expect(watch.signed()).toBe(-178);
});

describe('the nightly anchor', () => {
	const zone = { id: 'hall', anchor: { at: '03:00', present: 7 } } as SiteZone;
	const due = (iso: string, at = '03:00') =>
		dueAnchors([{ ...zone, anchor: { at, present: 7 } }], 'Asia/Riyadh', Date.parse(iso));
	it('is due from its minute on by the time of the site, for ten minutes', () => {
		expect(due('2026-02-28T23:59:59Z')).toEqual([]);
		expect(due('2026-03-01T00:00:30Z')).toEqual([
			{ zone: 'hall', present: 7, night: '2026-03-01', dueAt: Date.parse('2026-03-01T00:00:00Z') }
		]);
		expect(due('2026-03-01T00:09:59Z')).toHaveLength(1);
		expect(due('2026-03-01T00:10:00Z')).toEqual([]);
	});
	it('belongs to the night it was due in, also across midnight', () =>
		expect(due('2026-02-28T21:03:00Z', '23:58')[0]).toMatchObject({ night: '2026-02-28' }));
});

describe('the hold point', () => {
	const site = buildSite(smallSite());
	const zone = {
		...site.zones.get('court')!,
		capacity: 1_000,
		approach: ['hall'],
		closeSeconds: 60,
		fedBy: ['hall', 'yard']
	};
	const base = watchZone('court').watch.figures('en');
	const known = (present: number): Zone => ({ ...base, present, capacity: 500, quality: 'live' });
	const near = (zones: Record<string, Zone>) => (id: string) => zones[id];
	const court = { ...known(700), capacity: 1_000, flowPerMinute: { in: 120, out: 10 } };
	it('leaves room for who cannot be turned round, and for who comes while it is closed', () => {
		expect(holdPoint(zone, court, { corridors: [] }, near({ hall: known(180) }))).toEqual({
			people: 700,
			committed: 180,
			reached: true
		});
	});
	it('is not worked out for a zone that nobody has ever seen: no feed is held for it', () => {
		const never: Zone = { ...base, present: null, quality: 'unknown', lastKnown: null, worstCase: null };
		expect(holdPoint(zone, never, { corridors: [] }, near({}))).toBeNull();
	});
	it('takes an approach that nobody sees as full', () => {
		const hall: Zone = { ...base, capacity: 500, present: null, quality: 'unknown', worstCase: null };
		expect(holdPoint(zone, court, { corridors: [] }, near({ hall }))).toMatchObject({
			people: 380,
			committed: null
		});
	});
	it('names the feeder that holds the most first', () =>
		expect(upstreamOf(zone, near({ hall: known(10), yard: known(200) }))).toEqual(['yard', 'hall']));
});
