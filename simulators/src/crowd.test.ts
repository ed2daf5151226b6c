import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SiteFile } from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { createCrowd, type CrowdSite, type Orders } from './crowd.ts';
import { readCrowdSite } from './crowd-site.ts';
import { createGateOrders } from './gate-orders.ts';
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
		expect(ids.filter((id) => !id.startsWith('open side'))).toHaveLength(473);
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

	/** People a minute as the signs of a demo gate say. */
	const signs = (gate: string, sign: object, more: readonly [string, object][] = []) => {
		const orders = createGateOrders('demo');
		orders.hear(`marsad/demo/gate/${gate}/state`, JSON.stringify(sign));
		for (const [topic, other] of more) orders.hear(`marsad/demo/${topic}`, JSON.stringify(other));
		return orders;
	};
	const gateIn = (crowd: ReturnType<typeof createCrowd>, gate: string) =>
		demo.borders
			.filter(({ gates }) => gates?.includes(gate))
			.flatMap(({ counters }) => counters)
			.reduce((people, { id }) => people + crowd.passed(id).in, 0);
	const start = (seed: number) =>
		createCrowd(demo, { random: createRandom(seed), startShare: storyAt(demoStory, 0).zoneShare });
	const walk = (crowd: ReturnType<typeof createCrowd>, seconds: number, orders: Orders) => {
		for (let second = 0; second < seconds; second++) crowd.step(1, storyAt(demoStory, 200).zoneShare, orders);
	};

	it('says which entries keep people out, and nothing of exits that are what they are', () => {
		expect(signs('exit-north', { state: 'open', shows: 'exit' }).describe()).toEqual([]);
		expect(signs('gate-3', { state: 'closed', shows: 'exit' }).describe()).toEqual(['gate-3 lets nobody in']);
	});

	it('stops at a held gate and grows before it, passes a metered one in its measure, and goes in afterwards', () => {
		const crowd = start(11);
		const open = signs('gate-3', { state: 'open', shows: 'entry' });
		walk(crowd, 120, open);
		const before = { in: gateIn(crowd, 'gate-3'), outside: crowd.present('forecourt-east') };
		expect(before.in).toBeGreaterThan(120);
		walk(crowd, 300, signs('gate-3', { state: 'held', ratePerMinute: null, shows: 'entry' }));
		expect(gateIn(crowd, 'gate-3')).toBe(before.in);
		const held = crowd.present('forecourt-east');
		expect(held - before.outside).toBeGreaterThan(500);
		walk(crowd, 180, signs('gate-3', { state: 'metered', ratePerMinute: 60, shows: 'entry' }));
		const metered = gateIn(crowd, 'gate-3') - before.in;
		expect(metered).toBeGreaterThan(150);
		expect(metered).toBeLessThanOrEqual(190);
		walk(crowd, 600, open);
		expect(crowd.present('forecourt-east')).toBeLessThan(held - 400);
		expect(crowd.heldUp('forecourt-east')).toBeLessThan(20);
	});

	it('leaves the zones that are evacuated, and comes in nowhere', () => {
		const crowd = start(12);
		const gates = [...new Set(demo.borders.flatMap(({ gates: names }) => names ?? []))];
		const zones = [...demo.capacities.keys()];
		const orders = signs('gate-1', { state: 'closed', shows: 'exit' }, [
			...gates.map((gate) => [`gate/${gate}/state`, { state: 'closed', shows: 'exit' }] as [string, object]),
			['evacuation', { active: true, zones }]
		]);
		const before = sum(crowd.presentByZone());
		const entered = gates.map((gate) => gateIn(crowd, gate));
		walk(crowd, 900, orders);
		expect(sum(crowd.presentByZone())).toBeLessThan(before * 0.05);
		expect(gates.map((gate) => gateIn(crowd, gate))).toEqual(entered);
		expect(sum(crowd.presentByZone())).toBe(before + crowd.net());
	});

	it('conserves everybody whatever the gates are told', () => {
		const sign = fc.record({
			state: fc.constantFrom('open', 'metered', 'held', 'closed', 'nonsense'),
			ratePerMinute: fc.option(fc.integer({ min: 0, max: 900 })),
			shows: fc.constantFrom('entry', 'exit')
		});
		const turn = fc.record({
			gate: fc.integer({ min: 1, max: 8 }),
			sign,
			left: fc.subarray([...demo.capacities.keys()]),
			seconds: fc.integer({ min: 1, max: 10 })
		});
		fc.assert(
			fc.property(fc.integer(), fc.array(turn, { minLength: 1, maxLength: 12 }), (seed, turns) => {
				const crowd = start(seed);
				const before = crowd.presentByZone();
				const orders = createGateOrders('demo');
				for (const { gate, sign: said, left, seconds } of turns) {
					orders.hear(`marsad/demo/gate/gate-${gate}/state`, JSON.stringify(said));
					orders.hear('marsad/demo/evacuation', JSON.stringify({ active: left.length > 0, zones: left }));
					orders.hear('marsad/demo/evacuation', 'no json');
					crowd.step(seconds, storyAt(demoStory, 300).zoneShare, orders);
					const now = crowd.presentByZone();
					expect(Math.min(...Object.values(now))).toBeGreaterThanOrEqual(0);
					expect(sum(now)).toBe(sum(before) + crowd.net());
					for (const zone of demo.capacities.keys())
						expect(now[zone]).toBe((before[zone] ?? 0) + counted(demo, crowd, zone));
				}
			}),
			{ numRuns: 40 }
		);
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
