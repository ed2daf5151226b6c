import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteFile } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createCrowd, readCrowdSite, type CrowdSite } from './crowd.ts';
import { demoStory, storyAt } from './story.ts';

const demo = readCrowdSite(
	JSON.parse(readFileSync(new URL('../../server/sites/demo.geojson', import.meta.url), 'utf8')) as SiteFile
);

/** People of a zone as perfect counters at its borders know them. */
function counted(site: CrowdSite, crowd: ReturnType<typeof createCrowd>, zone: string): number {
	return site.borders.reduce((sum, { from, to, counters }) => {
		const sign = (to === zone ? 1 : 0) - (from === zone ? 1 : 0);
		return (
			sum +
			counters.reduce((net, { id }) => {
				const passed = crowd.passed(id);
				return net + sign * (passed.in - passed.out);
			}, 0)
		);
	}, 0);
}

const sum = (present: Record<string, number>) => Object.values(present).reduce((a, b) => a + b, 0);

describe('the crowd', () => {
	it('reads zones and borders of the demo site, and leaves out what is optional', () => {
		expect(demo.capacities.size).toBe(17);
		const ids = demo.borders.flatMap(({ counters }) => counters.map(({ id }) => id));
		expect(ids).toHaveLength(473);
		expect(ids).not.toContain('recorded-door');
	});

	it('is never negative, loses and invents nobody, and is what perfect counters count', () => {
		const small: CrowdSite = {
			capacities: new Map([
				['a', 60],
				['b', 400],
				['c', 5]
			]),
			borders: [
				{ from: null, to: 'a', counters: [{ id: 'na1', perSecondMax: 2 }] },
				{
					from: 'a',
					to: 'b',
					counters: [
						{ id: 'ab1', perSecondMax: 12 },
						{ id: 'ab2', perSecondMax: 1 }
					]
				},
				{ from: 'b', to: 'c', counters: [{ id: 'bc1', perSecondMax: 12 }] },
				{ from: 'c', to: null, counters: [{ id: 'cn1', perSecondMax: 12 }] }
			]
		};
		const steps = fc.array(
			fc.record({
				seconds: fc.double({ min: 0, max: 12, noNaN: true }),
				share: fc.double({ min: -0.5, max: 1.5, noNaN: true })
			}),
			{ minLength: 1, maxLength: 40 }
		);
		fc.assert(
			fc.property(fc.integer(), fc.double({ min: 0, max: 1.2, noNaN: true }), steps, (seed, start, moves) => {
				const crowd = createCrowd(small, { random: createRandom(seed), startShare: () => start });
				const before = crowd.presentByZone();
				for (const { seconds, share } of moves) {
					const earlier = crowd.passed('ab1');
					crowd.step(seconds, (zone) => (zone === 'b' ? 1 - share : share));
					const now = crowd.presentByZone();
					expect(Math.min(...Object.values(now))).toBeGreaterThanOrEqual(0);
					expect(sum(now)).toBe(sum(before) + crowd.net());
					for (const zone of ['a', 'b', 'c'])
						expect(now[zone]).toBe((before[zone] ?? 0) + counted(small, crowd, zone));
					const { in: into, out } = crowd.passed('ab1');
					expect(into - earlier.in).toBeLessThanOrEqual(12 * Math.ceil(seconds));
					expect(out - earlier.out).toBeLessThanOrEqual(12 * Math.ceil(seconds));
				}
			}),
			{ numRuns: 200 }
		);
	});

	it('follows the story through two rounds on the demo site, within what each counter can let pass', () => {
		const crowd = createCrowd(demo, {
			random: createRandom(7),
			startShare: storyAt(demoStory, 0).zoneShare
		});
		const share = (zone: string) => crowd.present(zone) / (demo.capacities.get(zone) ?? 1);
		let most = 0;
		const counters = demo.borders.flatMap((border) => border.counters);
		let last = new Map(counters.map(({ id }) => [id, crowd.passed(id)]));
		const seen = new Map<number, number>();
		for (let second = 1; second <= 1_800; second++) {
			const moment = storyAt(demoStory, second);
			crowd.step(1, moment.zoneShare);
			seen.set(second, share('plaza-5'));
			for (const zone of demo.capacities.keys())
				expect(Math.abs(share(zone) - moment.zoneShare(zone))).toBeLessThan(0.12);
			if (second % 5 > 0) continue;
			const now = new Map(counters.map(({ id }) => [id, crowd.passed(id)]));
			for (const [id, { in: into }] of now) most = Math.max(most, into - (last.get(id)?.in ?? 0));
			last = now;
		}
		expect(most).toBeLessThanOrEqual(60);
		for (const second of [360, 370, 1_260]) expect(seen.get(second)).toBeGreaterThan(0.87);
		for (const second of [60, 800, 960, 1_700]) expect(seen.get(second)).toBeLessThan(0.62);
		const capacity = [...demo.capacities.values()].reduce((a, b) => a + b, 0);
		expect(sum(crowd.presentByZone()) / capacity).toBeGreaterThan(0.45);
		expect(sum(crowd.presentByZone()) / capacity).toBeLessThan(0.6);
	});

	it('is the same for the same seed', () => {
		const run = (seed: number) => {
			const crowd = createCrowd(demo, { random: createRandom(seed), startShare: () => 0.5 });
			for (let second = 0; second < 20; second++) crowd.step(1, () => 0.6);
			return crowd.presentByZone();
		};
		expect(run(3)).toEqual(run(3));
		expect(run(3)).not.toEqual(run(4));
	});
});
