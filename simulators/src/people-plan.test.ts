import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRandom } from './chance.ts';
import { drawArrivals, profileSeconds } from './people-arrivals.ts';
import { botCall, botKinds, createBots } from './people-bots.ts';
import { createCallCounts } from './people-calls.ts';
import { readScenario, scenarioHelp } from './people-options.ts';
import { brokenRules, buildReport, writeReport } from './people-report.ts';
import { scenarios } from './people-scenarios.ts';
import { createSendGate } from './people-sending.ts';
import { drawTemper, mixes } from './people-temper.ts';
import { createWatch } from './people-watch.ts';

const server = new URL('http://127.0.0.1:3000');

describe('arrivals', () => {
	it('lie inside the profile, in order, and are the same for the same seed', () => {
		const part = fc.record({
			seconds: fc.double({ min: 0.1, max: 100, noNaN: true }),
			from: fc.double({ min: 0.01, max: 50, noNaN: true }),
			to: fc.double({ min: 0, max: 50, noNaN: true })
		});
		fc.assert(
			fc.property(fc.array(part, { minLength: 1, maxLength: 4 }), fc.nat(), (profile, seed) => {
				const moments = drawArrivals(50, profile, createRandom(seed));
				expect(moments).toEqual(drawArrivals(50, profile, createRandom(seed)));
				expect(moments.every((at, index) => at >= 0 && (index === 0 || at >= moments[index - 1]!))).toBe(
					true
				);
				expect(moments.at(-1)!).toBeLessThanOrEqual(profileSeconds(profile) * 1_000 + 1e-6);
			})
		);
	});

	it('follow the profile: a straight rise brings three quarters in its second half', () => {
		const moments = drawArrivals(20_000, [{ seconds: 10, from: 0, to: 1 }], createRandom(1));
		const late = moments.filter((at) => at > 5_000).length / 20_000;
		expect(late).toBeGreaterThan(0.73);
		expect(late).toBeLessThan(0.77);
	});

	it('come by themselves: as many in the same moment as chance has it', () => {
		const moments = drawArrivals(10_000, [{ seconds: 1_000, from: 1, to: 1 }], createRandom(2));
		const perSecond = Array.from({ length: 1_000 }, () => 0);
		for (const at of moments) perSecond[Math.min(999, Math.floor(at / 1_000))]! += 1;
		const variance = perSecond.reduce((sum, count) => sum + (count - 10) ** 2, 0) / 1_000;
		// Of a Poisson process the variance is the mean; of a metronome it is 0.
		expect(variance).toBeGreaterThan(7);
		expect(variance).toBeLessThan(13);
	});
});

describe('tempers', () => {
	it('are drawn in the shares of the mix', () => {
		const random = createRandom(3);
		const crowd = Array.from({ length: 5_000 }, () => drawTemper(mixes.mixed, random));
		const share = (is: (one: (typeof crowd)[number]) => boolean) => crowd.filter(is).length / crowd.length;
		expect(share(({ absent }) => absent)).toBeCloseTo(0.03, 1);
		expect(share(({ traits }) => !traits!.obeys)).toBeCloseTo(0.1, 1);
		expect(share(({ traits }) => traits!.tabs === 5)).toBeCloseTo(0.1, 1);
		expect(share(({ traits }) => traits!.losesNetworkAt !== null)).toBeCloseTo(0.05, 1);
		expect(new Set(crowd.map(({ traits }) => traits!.losesNetworkAt)).size).toBe(5);
	});

	it('change in one thing alone when one share changes', () => {
		const draw = (mix: Parameters<typeof drawTemper>[0]) => {
			const random = createRandom(4);
			return Array.from({ length: 200 }, () => drawTemper(mix, random));
		};
		const plain = draw(mixes.mixed);
		const rude = draw({ ...mixes.mixed, ignores: 1 });
		expect(rude.map(({ traits }) => ({ ...traits!, obeys: 0 }))).toEqual(
			plain.map(({ traits }) => ({ ...traits!, obeys: 0 }))
		);
		expect(rude.every(({ traits }) => !traits!.obeys)).toBe(true);
	});
});

describe('options of a scenario', () => {
	it('are named in the help, as every scenario is', () => {
		const help = scenarioHelp().join('\n');
		for (const name of Object.keys(scenarios)) expect(help).toContain(name);
		for (const name of ['--people', '--seed', '--time-scale', '--json']) expect(help).toContain(name);
	});

	it('give what the scenario has where nothing is said, and a command to play it again', () => {
		const options = readScenario(server, 'bots', { people: '50', 'time-scale': '10' });
		expect(options).toMatchObject({ people: 50, timeScale: 10, botsPerPerson: 9, aliveMax: 15_000 });
		expect(options.replay).toBe(
			`npm run sim -- people bots --server http://127.0.0.1:3000 --people 50 --seed ${options.seed} --time-scale 10`
		);
		expect(readScenario(server, 'returners', {}).mix.losesNetwork).toBe(0.1);
	});

	it.each([
		[{ people: '0' }, '--people takes a whole number from 1 to 100000, not "0"'],
		[{ people: '' }, '--people takes a whole number from 1 to 100000, not ""'],
		[{ people: '1e9' }, '--people takes'],
		[{ people: '2.5' }, '--people takes a whole number'],
		[{ bots: '-1' }, '--bots takes a number from 0 to 20, not "-1"'],
		[{ sockets: '99999' }, '--sockets takes a whole number from 1 to 2000'],
		[{ mix: 'toString' }, '--mix takes obedient, mixed, rude, not "toString"']
	])('refuse %j', (given, message) => {
		expect(() => readScenario(server, 'steady', given)).toThrow(message);
	});

	it('refuse a scenario that nobody knows', () => {
		expect(() => readScenario(server, 'constructor', {})).toThrow('there is no scenario "constructor"');
	});
});

describe('the gate in front of the connections', () => {
	it('lets as many through as there are, in order, and gives up whoever waited too long', async () => {
		const gate = createSendGate(1, 50);
		expect(await gate.enter()).toBe(0);
		const second = gate.enter();
		const third = gate.enter();
		gate.leave();
		expect(await second).not.toBeNull();
		await new Promise((resolve) => setTimeout(resolve, 80));
		gate.leave();
		expect(await third).toBeNull();
		expect(await gate.enter()).toBe(0);
	});
});

describe('the watch', () => {
	it('sees who has two permits, and one permit of two people', () => {
		const watch = createWatch();
		expect([watch.booked('a', 'P1'), watch.booked('a', 'P1'), watch.booked('b', 'P2')]).toEqual([
			true,
			true,
			true
		]);
		expect(watch.figures().faults).toMatchObject({ bookedTwice: 0, permitOfTwo: 0 });
		expect(watch.booked('a', 'P3')).toBe(false);
		watch.booked('c', 'P2');
		expect(watch.figures().faults).toMatchObject({ bookedTwice: 1, permitOfTwo: 1 });
	});

	it('forgets who was called when the room starts anew', () => {
		const watch = createWatch();
		watch.seeEpoch(1);
		watch.called(90);
		watch.called(20);
		expect(watch.calledUpTo()).toBe(90);
		watch.seeEpoch(2);
		expect(watch.calledUpTo()).toBe(0);
	});
});

describe('the report', () => {
	const refused = (status: number, code: string, retryAfterSeconds: number | null) => ({
		...{ name: 'book', ms: 12, waitedMs: 0 },
		answer: {
			...{ ok: false as const, lost: null, remainingMs: null },
			...{ status, retryAfterSeconds, problem: { code: code as 'busy' } }
		}
	});
	const parts = () => {
		const calls = createCallCounts();
		const watch = createWatch();
		const generator = {
			...{ offered: 1_000, started: 1_000, notStarted: 0, startedLate: 0, latestMs: 0 },
			...{ loopDelayP99Ms: 1, cpuShare: 0.5, memoryMb: 100 }
		};
		const about = { scenario: 'opening', seed: 1, replay: 'npm run sim', seconds: 3, interrupted: false };
		const build = () =>
			buildReport({
				...{ about, generator, bots: null, people: { 'booked once': 1_000 } },
				watch: watch.figures(),
				calls: calls.figures(),
				server: { numbersGiven: null, stats: null }
			});
		return { calls, watch, generator, build };
	};

	it('keeps designed refusals apart from faults, and fails for faults alone', () => {
		const { calls, build } = parts();
		calls.see(refused(503, 'busy', 2));
		calls.see(refused(409, 'slot_full', null));
		expect(brokenRules(build())).toEqual([]);
		calls.see(refused(503, 'busy', null));
		expect(build()).toMatchObject({
			refusals: { busy: 1, slot_full: 1 },
			faults: { 'book: 503 without Retry-After': 1 }
		});
		expect(brokenRules(build())).toEqual([]);
		calls.see(refused(500, 'internal', null));
		expect(brokenRules(build())).toEqual(['faults (5xx other than 503): 1']);
	});

	it('fails when somebody was booked twice, or a shared pass worked', () => {
		const { watch, build } = parts();
		watch.booked('a', 'P1');
		watch.booked('a', 'P2');
		watch.fault('sharedPassWorked');
		expect(brokenRules(build())).toEqual([
			'people booked twice: 1',
			'shared passes that worked for another: 1'
		]);
		expect(writeReport(build())).toContain('BROKEN people booked twice: 1');
	});

	it('says so when this machine could not offer what was asked', () => {
		const { generator, build } = parts();
		expect(build().generator.valid).toBe(true);
		generator.notStarted = 6;
		expect(build().generator.valid).toBe(false);
		expect(writeReport(build())).toContain('NOT VALID');
	});

	it('gives waits and the error of the time told', () => {
		const { watch, build } = parts();
		for (let second = 1; second <= 100; second++) watch.passed(second * 1_000);
		watch.told({ errorSeconds: 2, inRange: true });
		watch.told({ errorSeconds: 10, inRange: false });
		expect(build()).toMatchObject({
			waits: { count: 100, p50: 51, p95: 96, max: 100 },
			told: { count: 2, max: 10, inRangeShare: 0.5 }
		});
	});
});

describe('bots', () => {
	it('make every kind of call, and count what got through', async () => {
		for (const kind of botKinds) expect(botCall(kind, 3).path).toMatch(/^\/(queue|book)/);
		const bots = createBots({
			raw: async (call) =>
				call.name === 'junk join'
					? { ok: true, body: {} }
					: {
							...{ ok: false, status: 403, lost: null, retryAfterSeconds: null, remainingMs: null },
							problem: { code: 'not_yours' }
						}
		});
		await Promise.all(botKinds.map(() => bots.live(new AbortController().signal)));
		expect(bots.figures()).toMatchObject({ bots: 6, gotThrough: 5, refused: { not_yours: 25 }, faults: 0 });
	});
});
