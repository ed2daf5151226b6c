import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultSteps, type Quality, type Zone } from '../../../contract/index.ts';
import { actionStep } from './action-step.ts';
import { sumZones } from './crowd-total.ts';
import { createFlowWindow } from './flow-window.ts';
import { timeToCapacity } from './time-to-capacity.ts';
import { createTrendMemory } from './trend.ts';
import { worstCase } from './worst-case.ts';
import { peopleInside } from './zone-sources.ts';
import type { Counter } from '../sensors/index.ts';
import type { SiteZone } from '../site/index.ts';

const at = (second: number) => Date.UTC(2026, 2, 1) + second * 1_000;
const plain = { capacity: 1_000, areaSquareMetres: null, secondsToCapacity: null };

describe('the flow window', () => {
	it('measures over what it has, and over nothing less than a third of what was asked', () => {
		const window = createFlowWindow(300);
		for (let second = 0; second <= 400; second++) {
			window.push({ at: at(second), in: second * 3, out: second });
			if (second === 19) expect(window.rate(60)).toBeNull();
			if (second === 20) expect(window.rate(60)).toEqual({ in: 3, out: 1 });
		}
		expect(window.rate(300)).toEqual({ in: 3, out: 1 });
	});

	it('forgets the old: a burst of five minutes ago is no inflow now', () => {
		const window = createFlowWindow(300);
		for (let second = 0; second <= 900; second++)
			window.push({ at: at(second), in: second < 100 ? second * 50 : 5_000, out: 0 });
		expect(window.rate(60)).toEqual({ in: 0, out: 0 });
		expect(window.rate(300)).toEqual({ in: 0, out: 0 });
	});
});

describe('time to capacity', () => {
	it('is a range from both windows', () =>
		expect(timeToCapacity(600, { in: 2, out: 0 }, { in: 2, out: 1 }, 7)).toEqual({
			fromSeconds: 300,
			toSeconds: 600,
			since: 7
		}));
	it('is none when the newest net is not positive', () => {
		expect(timeToCapacity(600, { in: 1, out: 1 }, { in: 9, out: 0 }, 0)).toBeNull();
		expect(timeToCapacity(600, null, { in: 9, out: 0 }, 0)).toBeNull();
	});
	it('is none beyond what anybody acts on', () =>
		expect(timeToCapacity(60_000, { in: 1, out: 0 }, null, 0)).toBeNull());
	it('is 0 in a full zone, never negative', () =>
		expect(timeToCapacity(-50, { in: 1, out: 0 }, { in: 1, out: 0 }, 0)).toEqual({
			fromSeconds: 0,
			toSeconds: 0,
			since: 0
		}));
	it('never has its ends crossed', () => {
		const rate = fc.record({
			in: fc.double({ min: 0, max: 50, noNaN: true }),
			out: fc.double({ min: 0, max: 50, noNaN: true })
		});
		fc.assert(
			fc.property(fc.integer({ min: -100, max: 100_000 }), rate, fc.option(rate), (left, short, long) => {
				const range = timeToCapacity(left, short, long, 0);
				if (range) {
					expect(range.fromSeconds).toBeGreaterThanOrEqual(0);
					expect(range.toSeconds).toBeGreaterThanOrEqual(range.fromSeconds);
				}
			})
		);
	});
});

describe('the worst case', () => {
	const zone = {
		present: 300,
		movedIn: 0,
		movedOut: 0,
		silentShare: 0,
		silentSeconds: 0,
		rate: null,
		capacity: 500
	};
	it('follows what the neighbours saw passing, give or take the counting error', () =>
		expect(worstCase({ ...zone, movedIn: 100, movedOut: 50 }, true)).toEqual({ low: 347, high: 353 }));
	it('is up to full where nothing is known', () =>
		expect(worstCase({ ...zone, silentShare: 1, silentSeconds: 5 }, true)).toEqual({ low: 0, high: 500 }));
	it('only grows with the silence, holds the last value, and stays within the zone', () => {
		const rate = fc.record({
			in: fc.double({ min: 0, max: 20, noNaN: true }),
			out: fc.double({ min: 0, max: 20, noNaN: true })
		});
		const share = fc.double({ min: 0, max: 1, noNaN: true });
		fc.assert(
			fc.property(
				fc.nat(500),
				rate,
				share,
				fc.nat(3_600),
				fc.nat(600),
				(present, flow, silentShare, silent, longer) => {
					const early = worstCase({ ...zone, present, rate: flow, silentShare, silentSeconds: silent }, true);
					const late = worstCase(
						{ ...zone, present, rate: flow, silentShare, silentSeconds: silent + longer },
						true
					);
					if (!early || !late) throw new Error('bounds are missing');
					expect(late.high).toBeGreaterThanOrEqual(early.high);
					expect(late.low).toBeLessThanOrEqual(early.low);
					expect(early.low).toBeLessThanOrEqual(present);
					expect(early.high).toBeGreaterThanOrEqual(Math.min(present, 500));
					expect(late.low).toBeGreaterThanOrEqual(0);
					expect(late.high).toBeLessThanOrEqual(Math.max(500, present));
				}
			)
		);
	});
});

describe('the action step', () => {
	const step = (people: number | null, quality: Quality, worst: number | null = null) =>
		actionStep(defaultSteps, { ...plain, people, worst, quality })?.percent ?? null;
	it('is the highest reached', () => {
		expect([599, 600, 749, 750, 870, 900, 950, 1_000, 1_400].map((people) => step(people, 'live'))).toEqual([
			null,
			60,
			60,
			75,
			85,
			90,
			95,
			100,
			100
		]);
	});
	it('is one worse where nobody hears, or what the worst case says', () => {
		expect(step(300, 'unknown')).toBe(60);
		expect(step(300, 'unknown', 960)).toBe(95);
		expect(step(760, 'stale')).toBe(85);
		expect(step(1_000, 'unknown')).toBe(100);
	});
	it('stands within its deadband, and comes only at its edge', () => {
		const [watch, meter] = [defaultSteps[0]!, defaultSteps[1]!];
		const next = (people: number, before: typeof watch | null, quality: Quality = 'live') =>
			actionStep(defaultSteps, { ...plain, people, worst: null, quality }, before)?.percent ?? null;
		expect([next(599, null), next(599, watch), next(590, watch), next(589, watch)]).toEqual([
			null,
			60,
			60,
			null
		]);
		expect([next(745, watch), next(745, meter), next(700, meter)]).toEqual([60, 75, 60]);
		// One worse for being blind, and not worse again at each look.
		expect([next(745, meter, 'unknown'), next(745, defaultSteps[2]!, 'unknown')]).toEqual([75, 75]);
	});
	it('is the first where nothing was ever known', () => expect(step(null, 'unknown')).toBe(60));
});

describe('the total', () => {
	const zone = (id: string, present: number | null, quality: Quality): Zone =>
		({ id, present, quality, capacity: 100, at: at(0) }) as unknown as Zone;
	const sum = (...zones: Zone[]) =>
		sumZones(zones, { sources: { heard: 1, expected: 2 }, mark: 'none', now: at(5) });
	it('names what it leaves out, and is partial then', () =>
		expect(sum(zone('a', 40, 'live'), zone('b', null, 'unknown'))).toMatchObject({
			present: 40,
			capacity: 200,
			missing: ['b'],
			quality: 'partial'
		}));
	it('names the zones whose count is known to be wrong, and is partial then', () => {
		const wrong = { ...zone('a', 0, 'live'), drift: true };
		expect(sum(wrong, zone('b', 7, 'live'))).toMatchObject({
			present: 7,
			drift: ['a'],
			missing: [],
			quality: 'partial'
		});
	});
	it('is unknown, not 0, when every part is', () =>
		expect(sum(zone('a', null, 'unknown'))).toMatchObject({ present: null, quality: 'unknown' }));
	it('is live when every part is', () =>
		expect(sum(zone('a', 0, 'live'), zone('b', 3, 'live'))).toMatchObject({ present: 3, quality: 'live' }));
});

describe('the trend', () => {
	const sample = (second: number, present: number | null) => ({
		zone: 'hall',
		at: at(second),
		present,
		netPerMinute: present === null ? null : 6,
		quality: 'live' as const
	});
	it('shows a gap where nobody knew or nobody looked', () => {
		const trend = createTrendMemory(['hall', 'court'], 120);
		trend.add([sample(0, 5)]);
		trend.add([sample(10, null)]);
		trend.add([sample(41, 0)]);
		expect(trend.ofZone('hall', 0)).toEqual({
			stepSeconds: 10,
			at: [0, 10, 20, 30, 40].map(at),
			series: { present: [5, null, null, null, 0], netInflowPerMinute: [6, null, null, null, 6] }
		});
		expect(trend.ofAll(at(20)).series).toMatchObject({ total: [0], hall: [0], court: [null] });
	});
	it('keeps two hours and no more', () => {
		const trend = createTrendMemory(['hall'], 120);
		for (let second = 0; second < 3 * 3_600; second += 10) trend.add([sample(second, 1)]);
		expect(trend.ofZone('hall', 0).at.length).toBe(721);
	});
});

describe('several views of one zone', () => {
	it.each([
		['sum', 7],
		['max', 4]
	] as const)('by the policy %s are %i people', (sourcePolicy, people) => {
		const view = (present: number) =>
			({ properties: { measures: 'present' }, state: { present } }) as unknown as Counter;
		const sources = { mode: 'present' as const, boundary: [], deciding: [view(4), view(3)] };
		expect(peopleInside(sources, { sourcePolicy, areaSquareMetres: 100 } as unknown as SiteZone)).toBe(
			people
		);
	});
	it('as densities stand for the whole by their mean', () => {
		const view = (density: number) =>
			({ properties: { measures: 'density' }, state: { density } }) as unknown as Counter;
		const sources = { mode: 'present' as const, boundary: [], deciding: [view(1), view(2)] };
		expect(peopleInside(sources, { sourcePolicy: 'sum', areaSquareMetres: 200 } as unknown as SiteZone)).toBe(
			300
		);
	});
});
