import { describe, expect, it } from 'vitest';
import { profileFacts, type RunEnd, type RunParameters } from '../../../contract/index.ts';
import { runInModel } from './model-run.ts';
import { buildReport, type ReportInput } from './report.ts';
import type { RunSecond } from './run-seconds.ts';

/** 100/s, in 30 s up to 600/s against 400/s, held for a minute, down again; confirmations drain at 150/s. */
const flashSale: RunParameters = {
	...profileFacts['five-stages'].defaults,
	...{ basePerSecond: 100, peakPerSecond: 600, baselineSeconds: 60, rampSeconds: 30, holdSeconds: 60 },
	...{ dropSeconds: 30, recoverySeconds: 1_500, confirmationsPerSecond: 150 }
};
const facts = { profile: 'five-stages', interrupted: false, stopped: false, sameBuild: true } as const;
const inModel = (parameters: RunParameters, capacityPerSecond = 400): ReportInput => ({
	...{ ...facts, kind: 'model', parameters, end: null, oversold: null, databaseMax: null },
	seconds: runInModel(parameters, { capacityPerSecond, ratePerSecond: null })
});

const people: RunEnd['people'] = {
	...{ endings: { booked: 100 }, bookedTwice: 0, inversions: 0, withoutWord: 0, botsThrough: 0 },
	...{ waits: { p50: 1, p95: 2, most: 3 }, told: null }
};
const goodEnd: Omit<RunEnd, 'seconds'> = {
	...{
		stopped: false,
		people,
		refusals: {},
		faults: {},
		stats: { booked: 100, capacity: 200 },
		sockets: null
	},
	generator: {
		...{
			workers: 2,
			cores: 4,
			offered: 10_000,
			started: 10_000,
			notStarted: 0,
			startedLate: 0,
			latestMs: 10
		},
		...{ notSent: 0, cpuShare: 0.4, loopDelayP99Ms: 20, memoryMb: 200, clockOffMs: 3, bots: 0 },
		botsNotStarted: 0
	}
};
/** A service wide enough, as people over the network would find it. */
const asLoad = (change: Partial<ReportInput> = {}): ReportInput => {
	const parameters = { ...flashSale, confirmationsPerSecond: null };
	return {
		...inModel(parameters, 700),
		kind: 'load',
		end: goodEnd,
		oversold: 0,
		databaseMax: 100,
		...change
	};
};
const markOf = ({ marks }: { marks: { mark: string; second: number | null }[] }, name: string) =>
	marks.find(({ mark }) => mark === name)?.second;

describe('the flash sale', () => {
	const { report, narrowest, verdict, broken } = buildReport(inModel(flashSale));

	it('grows by what comes too much, and says how long the last one waits', () => {
		expect(report.backlog.growthPerSecond).toBeCloseTo(200, 0);
		expect(report.backlog.most).toBeGreaterThan(14_000);
		expect(report.backlog.waitSecondsMost).toBeGreaterThan(30);
	});

	it('is not over before the last queue is empty', () => {
		const [queue] = report.queues;
		expect(queue).toMatchObject({ name: 'confirmations', drainPerSecondMost: 150 });
		expect(queue?.emptyAtSecond).toBeGreaterThan(700);
		expect(markOf(report, 'recovered')).toBe(queue?.emptyAtSecond);
		expect(report.recoverySeconds).toBe(queue!.emptyAtSecond! - 150);
		// The service itself was through long before.
		expect(report.rows.find(({ second, inHand }) => second > 180 && inHand === 0)?.second).toBeLessThan(400);
	});

	it('has not recovered where the run ends before that', () => {
		const short = { ...flashSale, recoverySeconds: 120 };
		const early = buildReport(inModel(short));
		expect(early.report.recoverySeconds).toBeNull();
		expect(early.broken).toContain('recovery');
		expect(early.verdict).toBe('failed');
	});

	it('names what gave way first, and 80 % of what it takes', () => {
		expect(narrowest).toMatchObject({ part: 'queue', id: 'confirmations', mostPerSecond: 150 });
		expect(narrowest?.suggestedPerSecond).toBeCloseTo(120);
		const wide = buildReport(inModel({ ...flashSale, confirmationsPerSecond: null }));
		expect(wide.narrowest).toMatchObject({ part: 'work', mostPerSecond: 400, suggestedPerSecond: 320 });
		expect(wide.narrowest?.second).toBeGreaterThanOrEqual(70);
	});

	it('fails by the rule that was broken, with its margin', () => {
		expect(verdict).toBe('failed');
		expect(broken).toContain('booking-p95');
		const rule = report.rules.find(({ rule: name }) => name === 'booking-p95')!;
		expect(rule).toMatchObject({ limit: 2_000, bound: 'at-most', holds: false });
		expect(rule.margin).toBeLessThan(-5);
	});

	it('blames the admission rate only where nothing behind the room gave way', () => {
		const seconds = runInModel(flashSale, { capacityPerSecond: 700, ratePerSecond: 140 });
		const held = buildReport({ ...inModel(flashSale), seconds });
		expect(held.narrowest).toMatchObject({ part: 'admission', id: 'manager', suggestedPerSecond: null });
		expect(held.report.backlog.growthPerSecond).toBeCloseTo(460, 0);
		expect(held.provenPerSecond).toBeCloseTo(140, 0);
	});
});

describe('a run of people', () => {
	it('passes where everything held', () => {
		const { verdict, broken, invalidBy, report } = buildReport(asLoad());
		expect({ verdict, broken, invalidBy }).toEqual({ verdict: 'passed', broken: [], invalidBy: null });
		expect(report.rules.length).toBeGreaterThan(8);
	});

	it('is invalid, not green, where the generator could not keep its rate', () => {
		const generator = { ...goodEnd.generator, notStarted: 30, startedLate: 21 };
		const late = buildReport(asLoad({ end: { ...goodEnd, generator } }));
		expect(late).toMatchObject({ verdict: 'invalid', invalidBy: 'offered', broken: [] });
		expect(late.report.validity[0]).toEqual({ check: 'offered', limit: 0.005, value: 0.0051, holds: false });
	});

	it.each([
		['the generator never ended', { end: null }, 'invalid', 'offered'],
		['another build runs at the end', { sameBuild: false }, 'invalid', 'build'],
		['it broke off in the middle', { interrupted: true }, 'interrupted', 'uninterrupted'],
		['somebody stopped it', { stopped: true }, 'stopped', null]
	] as const)('is never green when %s', (_name, change, verdict, invalidBy) => {
		expect(buildReport(asLoad(change))).toMatchObject({ verdict, invalidBy });
	});

	it('that broke off in its baseline tells of no spike, no recovery and nothing proven', () => {
		const whole = asLoad();
		const { baselineSeconds } = whole.parameters;
		const early = buildReport({
			...whole,
			...{ seconds: whole.seconds.slice(0, baselineSeconds - 5), end: null, interrupted: true }
		});
		for (const mark of ['spike-begins', 'hold-begins', 'load-drops', 'last-queue-empty', 'recovered'])
			expect(markOf(early.report, mark), mark).toBeNull();
		expect(early.report).toMatchObject({ recoverySeconds: null, backlog: { growthPerSecond: null } });
		expect(early.report.rules.find(({ rule }) => rule === 'recovery')).toMatchObject({ holds: false });
		expect(early).toMatchObject({ verdict: 'interrupted', provenPerSecond: null });
	});

	it('is invalid where the server did not store its seconds', () => {
		const whole = asLoad();
		const holes = (every: number): RunSecond[] =>
			whole.seconds.map((one) => (one.second % every === 0 ? { ...one, server: null } : one));
		expect(buildReport({ ...whole, seconds: holes(30) }).invalidBy).toBe('seconds');
		expect(buildReport({ ...whole, seconds: holes(100) }).verdict).toBe('passed');
	});

	it('fails for what nobody knows: it is no good news', () => {
		const unknown = { ...goodEnd, people: { ...people, bookedTwice: null } };
		const { verdict, broken } = buildReport(asLoad({ end: unknown, oversold: null }));
		expect(verdict).toBe('failed');
		expect(broken).toEqual(['booked-twice', 'oversold']);
	});

	it('refuses more instances than the database has connections for', () => {
		const parameters = { ...flashSale, confirmationsPerSecond: null, plannedInstances: 8 };
		const whole = asLoad({ parameters, profile: 'connection-ceiling', databaseMax: 150 });
		const seconds = whole.seconds.map((one) => ({
			...one,
			server: one.server && { ...one.server, instances: 1, poolSize: 20 }
		}));
		const { report, broken } = buildReport({ ...whole, seconds });
		expect(broken).toEqual(['connections']);
		expect(report.rules.at(-1)).toMatchObject({ rule: 'connections', limit: 150, value: 160, holds: false });
	});

	it('says what a switch did, and lets the level move only where that is tried', () => {
		const whole = asLoad();
		const seconds = whole.seconds.map((one) => ({
			...one,
			server: one.server && { ...one.server, level: one.second > 100 && one.second <= 130 ? 1 : 0 }
		}));
		expect(buildReport({ ...whole, seconds }).invalidBy).toBe('level');
		const drill = buildReport({ ...whole, seconds, profile: 'level-drill' });
		expect(drill.invalidBy).toBeNull();
		expect(drill.report.switches).toMatchObject([
			{ second: 101, from: 0, to: 1 },
			{ second: 131, from: 1, to: 0 }
		]);
	});
});
