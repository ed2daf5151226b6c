import { describe, expect, it } from 'vitest';
import type { CrowdOutside, GateProperties, Zone } from '../../../contract/index.ts';
import { fillAtPace, fillOf } from '../booking/index.ts';
import { buildSite } from '../site/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { gateConditions } from './conditions.ts';
import { crowdOutside } from './crowd-outside.ts';
import { affectedSlots, entryPace } from './entry-pace.ts';
import { placesOf } from './evacuation-plan.ts';
import type { StoredGate } from './gate-decide.ts';
import { viewGate } from './gate-view.ts';
import { findProposals } from './proposals.ts';

const start = Date.UTC(2026, 2, 1, 18);
const site = buildSite(smallSite());
const properties: GateProperties = { ...site.gates[0]!, outside: 'yard' };
const stored = (more: Partial<StoredGate> = {}): StoredGate => ({
	...{ id: 'gate-1', direction: 'in', version: 1, revision: 1, state: 'held', ratePerMinute: null },
	...{
		hold: { since: start, until: start + 600_000 },
		reopening: null,
		by: 'Somebody',
		reason: 'full',
		at: start
	},
	...{ confirmed: { state: 'held', version: 1, at: start, by: 'Steward', byRadio: false } },
	...more
});
const outside = (people: number | null, growthPerMinute: number | null, capacity = 500): CrowdOutside => ({
	...{ people, growthPerMinute, capacity, zone: 'yard', at: start, mark: 'none' },
	quality: people === null ? 'unknown' : 'live'
});
const gateAt = (seconds: number, crowd: CrowdOutside, row = stored()) =>
	viewGate(properties, row, {
		now: start + seconds * 1_000,
		outside: crowd,
		evacuating: false,
		mark: 'none'
	});
const calm = { version: 0, active: null, last: null, mark: 'none' } as const;
const onAt = (seconds: number, crowd: CrowdOutside, row = stored()) =>
	gateConditions([gateAt(seconds, crowd, row)], calm, start + seconds * 1_000)
		.filter(({ state }) => state === 'on')
		.map(({ key }) => key);

describe('a held gate', () => {
	it('says before its maximum that the crowd outside grows', () => {
		const growing = outside(100, 10);
		expect(onAt(290, growing)).toEqual([]);
		expect(onAt(300, growing)).toEqual(['gate-hold-grows']);
		expect(onAt(480, growing)).toEqual(['gate-hold-grows', 'gate-hold-ends']);
		expect(onAt(601, growing)).toEqual(['gate-hold-grows', 'gate-hold-over']);
		expect(onAt(300, outside(100, 0))).toEqual([]);
	});

	it('says at once when the zone outside will not bear it to the end', () => {
		expect(onAt(10, outside(100, 50))).toContain('gate-outside-full');
		expect(onAt(10, outside(100, 20))).not.toContain('gate-outside-full');
		expect(onAt(10, outside(500, 0))).toContain('gate-outside-full');
	});

	it('takes a crowd that nobody sees as unknown, and as growing; never as nobody', () => {
		const zones = new Map<string, Zone>();
		expect(crowdOutside(properties, zones, 'none')).toMatchObject({ people: null, quality: 'unknown' });
		expect(onAt(300, outside(null, null))).toEqual(['gate-hold-grows', 'gate-outside-unknown']);
	});

	it('is overdue when nobody at the gate confirms, and while they say something else', () => {
		const unheard = stored({ confirmed: null });
		expect(onAt(119, outside(0, 0), unheard)).toEqual([]);
		expect(onAt(120, outside(0, 0), unheard)).toEqual(['gate-difference']);
		const other = stored({
			confirmed: { state: 'open', version: 1, at: start, by: 'Steward', byRadio: false }
		});
		expect(onAt(120, outside(0, 0), other)).toContain('gate-difference');
	});
});

describe('the place of a held gate', () => {
	it('stops its soon-starting slots and lists their people', () => {
		const place = placesOf(site)[0]!;
		const held = gateAt(0, outside(0, 0));
		expect(entryPace(place, [held])).toBe(0);
		expect(fillOf([0.2, fillAtPace(0)])).toBe(1);
		// A zone that nobody sees does not hide it.
		expect(fillOf([null, fillAtPace(0)])).toBe(1);
		const half = stored({ state: 'metered', ratePerMinute: 22, hold: null, confirmed: null });
		expect(entryPace(place, [gateAt(0, outside(0, 0), half)])).toBe(0.5);
		const slot = {
			id: 7,
			place: 'whole',
			startsAt: start,
			endsAt: start + 1,
			capacity: 9,
			booked: 5,
			overbooked: 0
		};
		expect(affectedSlots([slot], [place], [held])).toMatchObject([
			{ slot: 7, people: 5, pace: 0, gates: ['gate-1'] }
		]);
		const open = stored({ state: 'open', hold: null, confirmed: null });
		expect(affectedSlots([slot], [place], [gateAt(0, outside(0, 0), open)])).toEqual([]);
	});
});

describe('a step that asks', () => {
	const zone = (id: string, upstream: string[], asks?: 'hold' | 'meter' | 'dispatch') =>
		({
			...{
				id,
				names: site.zones.get(id)!.names,
				quality: 'live',
				mark: 'none',
				upstream,
				flowPerMinute: null
			},
			step: asks ? { percent: 95, action: { ar: 'أوقف', en: 'Hold' }, asks, why: 'occupancy' } : null
		}) as unknown as Zone;
	const find = (row: StoredGate, zones: Zone[], dismissed = new Map<string, number>()) =>
		findProposals({
			...{ site, zones, gates: [gateAt(0, outside(0, 0), row)], dismissed, now: start },
			...{ sinceOf: () => start, mark: 'none' }
		});
	const open = stored({ state: 'open', hold: null, confirmed: null });

	it('is proposed at the gate that feeds the full zone, upstream, until it is done or set aside', () => {
		const zones = [zone('hall', []), zone('court', ['hall'], 'hold')];
		expect(find(open, zones)).toMatchObject([
			{
				id: 'court.95.hold',
				feeds: [{ kind: 'zone', id: 'hall' }],
				gates: [{ gate: 'gate-1', state: 'held' }]
			}
		]);
		expect(find(stored(), zones)).toEqual([]);
		expect(find(open, zones, new Map([['court.95.hold', start - 599_999]]))).toEqual([]);
		expect(find(open, zones, new Map([['court.95.hold', start - 600_000]]))).toHaveLength(1);
		expect(find(open, [zone('court', [], 'dispatch')])).toEqual([]);
	});

	it('stays without a gate when none feeds the zone, and never turns in a circle', () => {
		const zones = [zone('court', ['yard'], 'meter'), zone('yard', ['court'])];
		expect(find(open, zones)).toMatchObject([{ gates: [] }]);
	});
});
