import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { SitePlan } from '../../../contract/index.ts';
import { Value } from 'typebox/value';
import { createSite, SiteFileError } from './index.ts';
import { loadSite } from './load-site.ts';

describe('the demo site', () => {
	const site = loadSite();

	it('has thirteen zones for 96,000 people, forecourts before its entrances, exits, and 500 counters', () => {
		expect(site.zones.size).toBe(17);
		const entries = site.gates.filter(({ direction }) => direction === 'in');
		expect([entries.length, site.gates.length - entries.length]).toEqual([8, 2]);
		for (const { outside } of entries) expect(site.zones.get(outside ?? '')?.feeds).not.toEqual([]);
		const counters = [...site.counters.values()];
		expect(counters.filter(({ optional }) => !optional)).toHaveLength(500);
		expect(counters.filter(({ adapter }) => adapter === 'frigate').length).toBeGreaterThan(10);
		const inside = [...site.zones.values()].filter(({ id }) => !id.startsWith('forecourt'));
		expect(inside.reduce((sum, { capacity }) => sum + capacity, 0)).toBe(96_000);
	});

	it('draws every zone and gate inside its bounds, named in both languages', () => {
		const { plan } = site;
		expect(Value.Check(SitePlan, plan)).toBe(true);
		const points = [
			...plan.zones.flatMap(({ rings, label }) => [...rings.flat(), label]),
			...plan.gates.map(({ point }) => point)
		];
		for (const [x, y] of points) {
			expect(x).toBeGreaterThanOrEqual(-0.1);
			expect(y).toBeGreaterThanOrEqual(-0.1);
			expect(x).toBeLessThanOrEqual(plan.bounds.width + 0.1);
			expect(y).toBeLessThanOrEqual(plan.bounds.height + 0.1);
		}
		expect(plan.zones.find(({ id }) => id === 'plaza-1')?.names).toEqual({ ar: 'ساحة 1', en: 'Plaza 1' });
	});

	it('knows which counters a device carries', () => {
		expect(site.countersByDevice.get('frigate')).toHaveLength(16);
		expect(site.countersByDevice.get('gate-5-01')?.[0]).toMatchObject({ from: null, to: 'plaza-5' });
	});
});

describe('a site file', () => {
	it('that cannot be used stops the start, with the reason', async () => {
		const file = path.join(tmpdir(), `marsad-site-${process.pid}.geojson`);
		expect(() => loadSite(file)).toThrow(/cannot be read \(ENOENT\)/);
		await writeFile(file, '{"type":');
		expect(() => loadSite(file)).toThrow(/is not JSON/);
		await writeFile(file, '{"type":"FeatureCollection","features":[]}');
		expect(() => createSite({ siteFile: file })).toThrow(SiteFileError);
	});
});

describe('GET /api/v1/site', () => {
	it('answers the plan', async () => {
		const app = Fastify();
		createSite({}).staffRoutes?.(app as never);
		const answer = await app.inject('/api/v1/site');
		expect(answer.statusCode).toBe(200);
		expect(answer.json()).toMatchObject({ site: 'demo', timeZone: 'Asia/Riyadh' });
		expect(answer.json().zones).toHaveLength(17);
	});
});
