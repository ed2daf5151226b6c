import type { LevelsState } from '@marsad/server/contract';
import { describe, expect, test } from 'vitest';
import { changesOf, findAbnormal, type Known } from './abnormal.ts';
import { judgeP95, judgeWork } from './figures.ts';
import { byHand, sampleLevels, sampleSpike, sampleTotal, sampleZone } from '../../../dev/samples.ts';

const quiet: Known = {
	now: 1_000_500,
	link: { isLive: true, heardAt: 1_000_000 },
	lostSince: null,
	spike: sampleSpike(),
	zones: [sampleZone()],
	total: sampleTotal(),
	levels: sampleLevels(),
	p95AboveSeconds: 0
};
const step = (percent: number) => ({ percent, action: { ar: 'أ', en: 'a' }, why: 'occupancy' as const });

describe('what is abnormal now', () => {
	test('a normal minute is an empty list', () => {
		expect(findAbnormal(quiet)).toEqual([]);
	});

	test('the most urgent stands first, whatever it is about', () => {
		const work = { ...sampleSpike().work, ratio: 0.91, belowOneSeconds: 130 };
		const found = findAbnormal({
			...quiet,
			spike: sampleSpike({ work }),
			levels: sampleLevels({ current: { level: 1, version: 2, since: 5, by: 'a', reason: 'b', ...byHand } }),
			zones: [
				sampleZone({ id: 'a', occupancy: 0.78, step: step(75) }),
				sampleZone({ id: 'b', occupancy: 0.97, step: step(95) }),
				sampleZone({ id: 'c', occupancy: 0.62, step: step(60) }),
				sampleZone({ id: 'd', occupancy: 0.87, step: step(85) })
			]
		});
		expect(found.map(({ key, priority }) => [key, priority])).toEqual([
			['zone:b', 'critical'],
			['zone:d', 'high'],
			['work', 'high'],
			['zone:a', 'medium'],
			['zone:c', 'low'],
			['level', 'low']
		]);
	});

	test('a level that waits for a person is told on every screen, also at normal', () => {
		const asked = { id: 'p1', level: 3, at: 9 } as NonNullable<LevelsState['proposal']>;
		const ruled = { id: 'r1', level: 2, at: 8, why: 'rule', direction: 'up' } as LevelsState['ruleProposal'];
		const levels = sampleLevels({ proposal: asked, ruleProposal: ruled });
		expect(findAbnormal({ ...quiet, levels })).toEqual([
			{ key: 'asks:p1', kind: 'level-asks', priority: 'medium', level: 3, at: 9, by: 'person' },
			{ key: 'asks:r1', kind: 'level-asks', priority: 'medium', level: 2, at: 8, by: 'up' }
		]);
	});

	test('a zone that nobody sees is on the list even below every step', () => {
		const zone = sampleZone({ quality: 'unknown', present: null, occupancy: null, step: null });
		expect(findAbnormal({ ...quiet, zones: [zone] })).toMatchObject([
			{ kind: 'zone-unknown', priority: 'medium' }
		]);
		expect(findAbnormal({ ...quiet, zones: [{ ...zone, step: step(95) }] })[0]!.priority).toBe('critical');
	});

	test('an action step in force is abnormal, the first one at its own low priority', () => {
		const zone = sampleZone({ occupancy: 0.63, step: step(60) });
		expect(findAbnormal({ ...quiet, zones: [zone] })).toMatchObject([{ kind: 'zone', priority: 'low' }]);
	});

	test('a zone that is known to count wrongly is on the list, however empty it looks', () => {
		const zone = sampleZone({ present: 0, occupancy: 0, drift: true });
		expect(findAbnormal({ ...quiet, zones: [zone] })).toMatchObject([
			{ kind: 'zone-wrong', priority: 'medium' }
		]);
		expect(
			findAbnormal({ ...quiet, zones: [{ ...zone, quality: 'unknown', step: step(60) }] })
		).toMatchObject([{ kind: 'zone-unknown', priority: 'medium' }]);
	});

	test('blind, parts down, faults and old figures are said; a lost link does not repeat itself', () => {
		const rate = { ...sampleSpike().rate, blind: true };
		const spike = sampleSpike({
			rate,
			outcomes: { ...sampleSpike().outcomes, faults: 3 },
			dependencies: [
				{ name: 'eligibility', state: 'slow', breaker: 'open', detail: null, at: 0 },
				{ name: 'broker', state: 'unknown', breaker: null, detail: null, at: 0 }
			]
		});
		const kinds = findAbnormal({ ...quiet, spike, now: 1_030_000 }).map(
			(item) => `${item.priority} ${item.key}`
		);
		expect(kinds).toEqual([
			'high figures',
			'high blind',
			'high part:eligibility',
			'medium faults',
			'medium part:broker'
		]);
		const lost = findAbnormal({
			...quiet,
			now: 1_030_000,
			lostSince: 1_000_000,
			link: { isLive: false, heardAt: 1_000_000 }
		});
		expect(lost.map((item) => item.key)).toEqual(['link']);
	});

	test('the digest tells what came, what grew worse and what went', () => {
		const before = findAbnormal({
			...quiet,
			zones: [sampleZone({ id: 'a', step: step(85) }), sampleZone({ id: 'b', step: step(75) })]
		});
		const after = findAbnormal({
			...quiet,
			zones: [sampleZone({ id: 'a', step: step(95) }), sampleZone({ id: 'c', step: step(75) })]
		});
		const { critical, appeared, gone } = changesOf(before, after);
		expect([critical, appeared, gone].map((items) => items.map((item) => item.key))).toEqual([
			['zone:a'],
			['zone:c'],
			['zone:b']
		]);
		expect(changesOf(after, after)).toEqual({ critical: [], appeared: [], gone: [] });
	});
});

describe('the headline figures', () => {
	const work = sampleSpike().work;
	test('the work ratio has colour only after two minutes, or past the kill line', () => {
		expect(judgeWork({ ...work, ratio: null })).toMatchObject({ priority: null, state: 'no-inflow' });
		expect(judgeWork({ ...work, ratio: 1 })).toMatchObject({ priority: null, state: 'keeping-up' });
		expect(judgeWork({ ...work, ratio: 0.9, belowOneSeconds: 119 })).toMatchObject({
			priority: null,
			state: 'below'
		});
		expect(judgeWork({ ...work, ratio: 0.9, belowOneSeconds: 120 })).toMatchObject({
			priority: 'high',
			state: 'losing'
		});
		expect(judgeWork({ ...work, ratio: 0.59, belowOneSeconds: 1 })).toMatchObject({
			priority: 'critical',
			state: 'kill-line'
		});
		expect(judgeWork({ ...work, ratio: 0.6, belowOneSeconds: 1 }).priority).toBeNull();
	});
	test('slow bookings are medium, and high once the written rule is due', () => {
		expect([judgeP95(null, 900), judgeP95(2_000, 900), judgeP95(2_001, 299), judgeP95(2_001, 300)]).toEqual([
			null,
			null,
			'medium',
			'high'
		]);
	});
});
