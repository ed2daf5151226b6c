import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SiteFile } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createCrowd } from './crowd.ts';
import { readCrowdSite } from './crowd-site.ts';
import { chooseFaults, sensorScenarios, type SensorScenario } from './sensors-faults.ts';
import { createFleet } from './sensors-fleet.ts';
import type { Link } from './session-link.ts';

const siteFile = JSON.parse(
	readFileSync(new URL('../../server/sites/demo.geojson', import.meta.url), 'utf8')
) as SiteFile;
const counters = siteFile.features.flatMap(({ properties }) =>
	properties.kind === 'counter' ? [properties] : []
);

interface Counted {
	ts: number;
	seq: number;
	in: number;
	out: number;
}
interface Said {
	device: string;
	kind: string;
	text: string;
	second: number;
}

/** Plays a scenario over a link that takes everything. */
async function play(scenario: SensorScenario | undefined, seconds: number, seed = 5) {
	const said: Said[] = [];
	let second = 0;
	const link: Link = {
		session: () => {
			throw new Error('no session');
		},
		isUp: () => true,
		whenUp: () => Promise.resolve(),
		say: (topic, text) => {
			const [, , device = '', kind = ''] = topic.split('/');
			said.push({ device, kind, text, second });
			return Promise.resolve(true);
		},
		close: () => Promise.resolve(),
		failed: new Promise(() => undefined)
	};
	const crowd = createCrowd(readCrowdSite(siteFile), { random: createRandom(seed), startShare: () => 0.5 });
	const fleet = createFleet({ siteFile, crowd, boot: 'b', scenario, random: createRandom(seed + 1) });
	const faulty = scenario ? chooseFaults(scenario, counters, createRandom(seed + 1)) : new Map();
	for (; second < seconds; second += 0.5) {
		if (second % 1 === 0) crowd.step(1, () => 0.5);
		fleet.turn(link, second);
		await Promise.resolve();
	}
	const readings = (device: string) =>
		said
			.filter((one) => one.device === device && one.kind === 'reading')
			.map(({ text, second: at }) => ({ ...(JSON.parse(text) as Counted), at }));
	const sumOf = (device: string) =>
		readings(device).reduce((sum, one) => ({ in: sum.in + one.in, out: sum.out + one.out }), {
			...{ in: 0, out: 0 }
		});
	return { said, crowd, faulty, readings, sumOf, ids: [...faulty.keys()] as string[] };
}
const scenario = (name: string) => sensorScenarios[name]!;

describe('counters that fail or lie', () => {
	it('are chosen by the seed alone, none twice', () => {
		const choose = (seed: number) => [...chooseFaults(scenario('lies'), counters, createRandom(seed))];
		expect(choose(1)).toEqual(choose(1));
		expect(choose(1)).not.toEqual(choose(2));
		expect(new Set(choose(1).map(([, fault]) => fault)).size).toBe(9);
	});

	it('miss 2 % of those who leave, say nothing, swap the directions, or jump once', async () => {
		const drift = await play(scenario('drift'), 90);
		for (const id of drift.ids.slice(0, 20)) {
			const { out } = drift.crowd.passed(id);
			expect(drift.sumOf(id).out).toBeGreaterThanOrEqual(Math.floor((out - 60) * 0.98) - 1);
			expect(drift.sumOf(id).out).toBeLessThanOrEqual(out);
		}
		const silent = await play(scenario('silent'), 60);
		expect(silent.readings(silent.ids[0]!).filter(({ at }) => at >= 30)).toEqual([]);
		const offline = await play(scenario('offline'), 60);
		expect(offline.said.filter(({ kind }) => kind === 'state').map(({ text }) => text)).toEqual(
			offline.ids.map(() => 'offline')
		);
		const jump = await play(scenario('jump'), 90);
		expect(jump.readings(jump.ids[0]!).filter((one) => one.in >= 190_000)).toHaveLength(1);
		const swapped = await play(scenario('swapped'), 200);
		const honest = await play(undefined, 200);
		const id = swapped.ids[0]!;
		const late = (run: typeof honest) => run.readings(id).filter(({ at }) => at >= 30);
		expect(late(swapped).map((one) => one.in)).toEqual(late(honest).map((one) => one.out));
	});

	it('bring a backlog with its own times, stay stuck, go ahead, repeat, or fall back to 0', async () => {
		const flapping = await play(scenario('flapping'), 62);
		const id = flapping.ids[0]!;
		expect(flapping.readings(id).filter(({ at }) => at >= 30 && at < 50)).toEqual([]);
		const backlog = flapping.readings(id).filter(({ at }) => at >= 50);
		expect(backlog.length).toBeGreaterThanOrEqual(5);
		const states = flapping.said.filter((one) => one.device === id && one.kind === 'state');
		expect(states.slice(0, 2).map(({ text }) => text)).toEqual(['offline', 'online']);
		const stuck = await play(scenario('stuck'), 90);
		const same = stuck.readings(stuck.ids[0]!).filter(({ at }) => at >= 30);
		expect(new Set(same.map((one) => `${one.in} ${one.out}`)).size).toBe(1);
		const clock = await play(scenario('clock'), 60);
		const ahead = clock.readings(clock.ids[0]!).at(-1)!;
		expect(ahead.ts - Date.now()).toBeGreaterThan(25 * 60_000);
		const doubled = await play(scenario('duplicates'), 60);
		const seqs = doubled.readings(doubled.ids[0]!).map((one) => one.seq);
		expect(seqs.length).toBe(new Set(seqs).size * 2);
		const reset = await play(scenario('reset'), 140);
		const totals = reset.readings(reset.ids[0]!).map((one) => one.in + one.out);
		expect(totals.some((total, at) => at > 0 && total < totals[at - 1]!)).toBe(true);
		expect(reset.readings(reset.ids[0]!)[0]).toMatchObject({ total: true });
	});

	it('send 20 messages each in 3 s, and nobody is lost or counted twice', async () => {
		const { crowd, readings, sumOf } = await play(scenario('burst'), 40);
		const own = counters.filter((one) => one.measures === 'crossing' && !one.optional);
		for (const { device, id } of own) {
			const inBurst = readings(device).filter(({ at }) => at >= 30 && at <= 33);
			expect(inBurst.length).toBeGreaterThanOrEqual(20);
			const seqs = readings(device).map((one) => one.seq);
			expect(new Set(seqs).size).toBe(seqs.length);
			expect(sumOf(device).in).toBeLessThanOrEqual(crowd.passed(id).in);
		}
	});
});
