// Features of a site are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { existsSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SensorState, SiteFile, Zone } from '@marsad/server/contract';
import { createTestApp, type TestApp } from '../../server/test/kit/index.ts';
import { makeDemoSite } from './make-demo-site.ts';
import { runReplay } from './replay.ts';
import type { RecordingChoice } from './replay-formats.ts';
import { checkServer } from './session.ts';

/** Recordings of real counters; they stand beside the repository, not in it. */
const folder = fileURLToPath(new URL('../../../shared/samples/data/', import.meta.url));
const calit2 = 'uci-calit2-building-30min-in-out.csv';
const patience = { timeout: 60_000, interval: 100 };
/** Who of a library passes its gate in a day, at the very most, and where its register rolls over. */
const library = { peoplePerSecondMax: 0.01, modulus: 1_000_000 };
const doors: Record<string, object> = {
	...{ mta: {}, library, sydney: {}, zurich: {}, basel: {}, juelich: {}, eth: {}, years: {}, building: {} }
};

/** The demo site with a zone behind each door. */
function siteOfDoors(): SiteFile {
	const site = makeDemoSite();
	const pick = (kind: string, id: string) =>
		site.features.find(({ properties }) => properties.kind === kind && properties.id === id) as any;
	for (const [name, more] of Object.entries(doors)) {
		const zone = structuredClone(pick('zone', 'plaza-5'));
		Object.assign(zone.properties, { id: `zone-${name}`, feeds: [], approach: [], release: [] });
		const door = structuredClone(pick('counter', 'recorded-door'));
		Object.assign(door.properties, { id: name, device: name, to: `zone-${name}`, optional: false, ...more });
		site.features.push(zone, door);
	}
	return site;
}

/** What a file holds, by hand. */
const cellsOf = (name: string) =>
	readFileSync(folder + name, 'utf8')
		.trim()
		.split('\n')
		.slice(1)
		.map((line) => line.split(',').map((cell) => cell.trim()));

describe.runIf(existsSync(folder))(
	'recordings of real counters, through the broker',
	{ timeout: 300_000 },
	() => {
		let app: TestApp;
		let scratch: string;
		let cookie = '';
		beforeAll(async () => {
			scratch = await mkdtemp(path.join(tmpdir(), 'marsad-data-'));
			const siteFile = path.join(scratch, 'site.geojson');
			await writeFile(siteFile, JSON.stringify(siteOfDoors()));
			app = await createTestApp({ env: { SITE_FILE: siteFile } });
			cookie = await app.signIn('crowd');
		}, 120_000);
		afterAll(async () => {
			await app?.close();
			await rm(scratch, { recursive: true, force: true });
		});

		const replay = async (
			device: string,
			name: string,
			choice: RecordingChoice = {}
		): Promise<SensorState> => {
			const file = path.isAbsolute(name) ? name : folder + name;
			const options = { server: checkServer(app.url), file, speed: Infinity, device, choice };
			await runReplay({ ...options, print: () => undefined }, new AbortController().signal);
			return (await app.call('GET', `/api/v1/sensors?device=${device}`, { cookie })).body.sensors[0];
		};
		const zoneOf = async (device: string): Promise<Zone> =>
			(await app.call('GET', `/api/v1/zones/zone-${device}`, { cookie })).body;

		it('a turnstile whose file goes back in time: the older batch is late, not a reset of millions', async () => {
			const { totals, rejects } = await replay('mta', 'mta-turnstile-cumulative.csv');
			expect(totals).toEqual({ in: 82, out: 62 });
			expect(rejects['late']).toBe(cellsOf('mta-turnstile-cumulative.csv').length - 7);
		});

		it('a gate that jumps by hundreds of thousands: held, re-based after three, and counted on', async () => {
			const { totals, rejects, hints } = await replay('library', 'library-gate-cumulative.csv');
			const numbers = cellsOf('library-gate-cumulative.csv').flatMap(([, count = '']) =>
				/^\d+$/.test(count) ? [Number(count)] : []
			);
			const rises = numbers.slice(1).map((count, index) => count - numbers[index]!);
			const believable = rises.filter((rise) => rise >= 0 && rise <= 870).reduce((a, b) => a + b, 0);
			expect(totals.in).toBeLessThanOrEqual(believable);
			expect(totals.in).toBeGreaterThan(believable * 0.8);
			expect(totals.out).toBe(0);
			// Two of every jump wait for the third; without an end of holding it would be 228.
			expect(rejects['held_jump']).toBeLessThanOrEqual(14);
			expect(hints.map(({ kind }) => kind)).toContain('re-based');
		});

		it.each([
			['Belmore Rd', 35_670],
			['Middle St A', 3_252]
		])('a street with more gaps than hours, %s: what is empty is not there', async (series, people) => {
			const before = (await replay('sydney', 'sydney-hourly-with-gaps.csv', { series: 'Concord Rd West' }))
				.totals;
			const { totals } = await replay('sydney', 'sydney-hourly-with-gaps.csv', { series });
			expect(totals.in - before.in).toBe(people);
		});

		it.each(['zurich', 'basel'])('one station of a city, %s', async (city) => {
			const name = `${city}-foot-daily.csv`;
			const cells = cellsOf(name);
			const series = cells[0]![2]!;
			const people = cells
				.filter(([, , id, count]) => id === series && count !== '')
				.reduce((sum, [, , , count]) => sum + Number(count), 0);
			expect((await replay(city, name, { series })).totals).toEqual({ in: people, out: 0 });
		});

		it('people who walk: 75 through a bottleneck, 186 and 128 along a street', async () => {
			const bottleneck = { line: { axis: 'y', at: 0 } } as const;
			const { totals } = await replay('juelich', 'juelich-bottleneck-trajectories.txt', bottleneck);
			expect(totals).toEqual({ in: 0, out: 75 });
			const street = await replay('eth', 'eth-biwi-trajectories.txt', { line: { axis: 'x', at: 5 } });
			expect(street.totals).toEqual({ in: 186, out: 128 });
		});

		it('sums of whole years are no recording, and it is said', () =>
			expect(replay('years', 'hajj-totals-1444-1445.csv')).rejects.toThrow('sums of whole years'));

		it('days of a building that end below zero: nobody is shown, with the drift, and its error after each anchor', async () => {
			const days = Map.groupBy(cellsOf(calit2), ([time = '']) => time.slice(0, 10));
			const netOf = (rows: string[][]) =>
				rows.reduce((sum, [, into, out]) => sum + Number(into) - Number(out), 0);
			const lowestOf = (rows: string[][]) =>
				Math.min(...rows.map((_row, index) => netOf(rows.slice(0, index + 1))));
			const ends = [...days].map(([day, rows]) => ({ day, rows, net: netOf(rows) }));
			expect([ends.length, ends.filter(({ net }) => net < 0).length]).toEqual([105, 38]);
			// Four that end below zero and three that do not stand for all: the counting itself takes all 105 in its own test.
			const some = [
				...ends.filter(({ net }) => net < 0).slice(0, 4),
				// Far below zero on its way, a day is wrong however it ends, if the zone is looked at just then.
				...ends.filter(({ net, rows }) => net > 0 && lowestOf(rows) >= -10).slice(0, 3)
			];
			expect(some).toHaveLength(7);
			for (const { day, rows, net } of some) {
				const file = path.join(scratch, `${day}.csv`);
				await writeFile(file, ['time_local,in,out', ...rows.map((row) => row.join())].join('\n'));
				await replay('building', file);
				await expect.poll(async () => (await zoneOf('building')).drift, patience).toBe(net < 0);
				// Its recording is over and the door silent: what it last said stands, with its age.
				await expect
					.poll(async () => (await zoneOf('building')).lastKnown?.present, patience)
					.toBe(Math.max(0, net));
				const anchor = { present: 0, reason: 'the building is empty at night' };
				await app.call('POST', '/api/v1/zones/zone-building/recount', { cookie, body: anchor });
				const into = rows.reduce((sum, [, count]) => sum + Number(count), 0);
				await expect
					.poll(async () => (await zoneOf('building')).error, patience)
					.toBeCloseTo(Math.abs(net) / into, 3);
				expect((await zoneOf('building')).drift).toBe(false);
			}
		});
	}
);
