import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteFile } from '../../../contract/index.ts';
import { createSite } from '../site/index.ts';
import { createSitePaths } from './site-paths.ts';
import { crowdFactor, metreCosts, walkMinutes, type ZoneWalk } from './walking.ts';

const { site } = createSite({});
const zones = [...site.zones.keys()];
const paths = createSitePaths(site.file);
const free = () => 1;

describe('ways over the demo site', () => {
	const anyZone = fc.constantFrom(...zones);
	/** Any crowding of any zone. */
	const anyCosts = fc
		.array(fc.double({ min: 1, max: 10, noNaN: true }), { minLength: zones.length, maxLength: zones.length })
		.map((costs) => (zone: string | null) => (zone === null ? 1 : costs[zones.indexOf(zone)]!));

	it('reach every zone from every other', () => {
		for (const zone of zones)
			expect([...paths.waysTo(zone, free).keys()].toSorted()).toEqual(zones.toSorted());
	});

	it('are as long there as back', () => {
		fc.assert(
			fc.property(anyZone, anyZone, anyCosts, (a, b, costs) => {
				const there = paths.waysTo(b, costs).get(a)!;
				const back = paths.waysTo(a, costs).get(b)!;
				expect(there.cost).toBeCloseTo(back.cost, 6);
			})
		);
	});

	it('are never shorter by way of a third zone', () => {
		fc.assert(
			fc.property(anyZone, anyZone, anyZone, anyCosts, (a, b, c, costs) => {
				const direct = paths.waysTo(c, costs).get(a)!.cost;
				const over = paths.waysTo(b, costs).get(a)!.cost + paths.waysTo(c, costs).get(b)!.cost;
				expect(direct).toBeLessThanOrEqual(over + 1e-6);
			})
		);
	});

	it('are nothing from a zone to itself, and something to every other', () => {
		for (const a of zones)
			for (const [b, way] of paths.waysTo(a, free)) {
				if (a === b) expect(way.metres).toBe(0);
				else expect(way.metres).toBeGreaterThan(5);
				expect([way.zones[0], way.zones.at(-1)]).toEqual([b, a]);
				expect(way.legs.reduce((sum, { metres }) => sum + metres, 0)).toBeCloseTo(way.metres, 6);
			}
	});

	it('go round a crowd that is slower than the way round', () => {
		const straight = paths.waysTo('core', free).get('plaza-1')!;
		const [, middle] = straight.zones;
		const around = paths.waysTo('core', (zone) => (zone === middle ? 50 : 1)).get('plaza-1')!;
		expect(straight.zones).toEqual(['plaza-1', middle, 'core']);
		expect(around.zones).not.toContain(middle);
		expect(around.metres).toBeGreaterThan(straight.metres);
	});
});

describe('a way that is not there', () => {
	it('is not made up', () => {
		const features = site.file.features.map((feature) =>
			feature.properties.kind === 'counter'
				? { ...feature, properties: { ...feature.properties, from: null } }
				: feature.properties.kind === 'zone'
					? { ...feature, properties: { ...feature.properties, feeds: [] } }
					: feature
		);
		const apart = createSitePaths({ ...site.file, features: features as SiteFile['features'] });
		expect([...apart.waysTo('core', free).keys()]).toEqual(['core']);
		expect([...apart.waysTo('nowhere', free).keys()]).toEqual([]);
	});
});

describe('minutes of walking', () => {
	const zone = (more: Partial<ZoneWalk> = {}): ZoneWalk => ({
		...{ use: 'open', areaSquareMetres: 1_000, capacity: 2_000, present: 100, worst: null, quality: 'live' },
		...more
	});
	const way = paths.waysTo('core', free).get('plaza-1')!;
	const minutes = (more: Partial<ZoneWalk> = {}) => walkMinutes(way, () => zone(more));

	it('grow with the crowd and on stairs, and are a range', () => {
		const thin = minutes();
		for (const more of [{ present: 3_500 }, { use: 'stairs' as const }])
			expect(minutes(more).to).toBeGreaterThan(thin.to);
		expect(thin.from).toBeLessThanOrEqual(thin.to);
	});

	it('are wider where the crowd is not known, never better', () => {
		const unknown = minutes({ present: null, quality: 'unknown' });
		expect(unknown.to).toBeGreaterThan(minutes().to);
		expect(unknown.from).toBeLessThanOrEqual(minutes().from);
		expect(minutes({ present: 100, quality: 'stale' }).to).toBe(unknown.to);
	});

	it('never end: a jam is slow, not infinite', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 50, noNaN: true }), (density) => {
				const factor = crowdFactor(density);
				expect(factor).toBeGreaterThanOrEqual(1);
				expect(factor).toBeLessThan(10);
				expect(crowdFactor(density + 0.5)).toBeGreaterThanOrEqual(factor);
			})
		);
		const { low, high } = metreCosts(zone({ areaSquareMetres: 0 }));
		expect(low).toBeLessThan(high);
	});
});
