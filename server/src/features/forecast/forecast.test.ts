import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KeptForecast, SpikeHistory, SpikeNow } from '../../../contract/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { decide, type Decision } from '../../conductor/decide.ts';
import type { ConductorPart } from '../../conductor/conductor.ts';
import { createTestClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createForecast } from './index.ts';
import { accuracyOf, judgeForecast } from './judge.ts';
import { reasonOf, type InForce } from './keep-forecasts.ts';
import { outlookOf } from './outlook.ts';
import { ratePath } from './rate-path.ts';
import { roomPlan, whyUnknown } from './room-plan.ts';

const start = 1_772_000_000_000;
const inForce = (managerPerSecond: number, levelCapPerSecond: number | null = null): Decision =>
	decide({
		at: start,
		limits: [
			{ source: 'manager', perSecond: managerPerSecond },
			...(levelCapPerSecond === null ? [] : [{ source: 'level' as const, perSecond: levelCapPerSecond }])
		],
		health: [],
		previous: null
	});
const nowOf = (room: Partial<SpikeNow['room']> = {}): SpikeNow =>
	({
		at: start,
		room: {
			...{ joinedPerSecond: 20, admittedPerSecond: 10, depth: 6_000, called: 50, active: 200 },
			...{ placesMax: 20_000, noShow: 0, mode: 'open', quality: 'live', ...room }
		},
		work: { served: 600 },
		mark: 'live'
	}) as unknown as SpikeNow;
const premise = { levelCapPerSecond: null, joinsOff: false, releasesOff: false };
const situation = (decision = inForce(10), room: Partial<SpikeNow['room']> = {}) => ({
	...{ now: nowOf(room), decision, claimWithinSeconds: 600 }
});
const outlook = (managerPerSecond: number, more: Partial<typeof premise> = {}) =>
	outlookOf(roomPlan(situation(), { ...premise, ...more, managerPerSecond }, 1_800, 10), start);

describe('the rate that a press would bring', () => {
	it('falls at once and rises as the conductor lets it', () => {
		const path = (perSecond: number) =>
			ratePath(inForce(100), { managerPerSecond: perSecond, levelCapPerSecond: null }, 600, 10);
		expect(path(20)).toEqual([{ second: 0, kind: 'rate', perSecond: 20 }]);
		const rising = path(400) as { second: number; perSecond: number }[];
		expect(rising[0]!.perSecond).toBeLessThan(105);
		for (const [index, change] of rising.entries())
			if (index > 0) expect(change.perSecond).toBeLessThan(rising[index - 1]!.perSecond * 1.1001);
		expect(rising.at(-1)!.perSecond).toBe(400);
	});
});

describe('what is expected of the room', () => {
	it('grows by what comes too much, and empties when more are let in than come', () => {
		expect(outlook(10).waitingAtEnd).toBe(6_000 + 10 * 1_800);
		expect(outlook(10).emptiesAt).toBeNull();
		const quick = outlook(60);
		expect(quick.emptiesAt).toBeGreaterThan(start + 150_000);
		expect(quick.emptiesAt).toBeLessThan(start + 400_000);
	});

	it('knows that a level caps the rate, closes the door, or lets nobody in', () => {
		expect(outlook(60, { levelCapPerSecond: 20 } as never).waitingMost).toBeLessThan(6_300);
		expect(outlook(10, { joinsOff: true }).emptiesAt).toBe(start + 600_000);
		expect(outlook(60, { releasesOff: true }).waitingAtEnd).toBe(6_000 + 20 * 1_800);
	});

	it('is nothing where nobody can know', () => {
		expect(whyUnknown(situation())).toBeNull();
		expect(whyUnknown(situation(inForce(10), { mode: 'queue-all' }))).toBe('mode');
		expect(whyUnknown(situation(inForce(10), { quality: 'stale' }))).toBe('no-figures');
		expect(whyUnknown(situation({ ...inForce(10), blind: true }))).toBe('blind');
	});
});

describe('when one is kept', () => {
	const base: InForce = { managerPerSecond: 10, levelCapPerSecond: null, level: 0, mode: 'open' };
	it('at each press, and now and then without one', () => {
		expect(reasonOf(base, base, 1_000)).toBeNull();
		expect(reasonOf(base, base, 600_000)).toBe('regular');
		expect(reasonOf(null, base, Infinity)).toBe('regular');
		expect(reasonOf(base, { ...base, managerPerSecond: 20 }, 0)).toBe('rate');
		expect(reasonOf(base, { ...base, level: 2, levelCapPerSecond: 5 }, 0)).toBe('level');
		expect(reasonOf(base, { ...base, mode: 'reject' }, 0)).toBe('mode');
	});
});

/** Ten-second cells from `start` on. */
const historyOf = (depth: (number | null)[], admitted = depth.map(() => 10)): SpikeHistory =>
	({
		stepSeconds: 10,
		at: depth.map((_, index) => start + index * 10_000),
		series: { depth, admittedPerSecond: admitted }
	}) as unknown as SpikeHistory;
const kept = (change: Partial<KeptForecast> = {}): KeptForecast => ({
	...{ at: start, reason: 'rate', until: start + 60_000, stepSeconds: 10 },
	waiting: [100, 110, 120, 130, 140, 150, 160],
	admittedPerSecond: [10, 10, 10, 10, 10, 10, 10],
	...{ judgedAt: null, points: 0, waitingError: null, waitingShare: null, waitingBias: null },
	...{ admittedError: null, ...change }
});

describe('how right it was', () => {
	it('is told step by step, up to where another press ended it', () => {
		const actual = historyOf([90, 100, 110, 120, 130, 140, 150, 160]);
		expect(judgeForecast(kept(), actual)).toMatchObject({ points: 6, waitingError: 0, waitingBias: 0 });
		const less = historyOf([90, 80, 90, 100, 110, 120, 130, 140]);
		const judged = judgeForecast(kept(), less);
		expect(judged).toMatchObject({ waitingError: 20, waitingBias: 20, admittedError: 0 });
		expect(judged.waitingShare).toBeCloseTo(20 / 150);
		expect(judgeForecast(kept({ until: start + 40_000 }), less).points).toBe(4);
	});

	it('is not told where the figures are missing: missing is no success', () => {
		const gaps = historyOf([90, null, null, null, 130, 140, null, null]);
		expect(judgeForecast(kept(), gaps)).toMatchObject({ waitingError: null, waitingShare: null });
		expect(judgeForecast(kept(), historyOf([])).points).toBe(0);
		expect(accuracyOf([kept()])).toMatchObject({ judged: 0, waitingShare: null });
		const off = (waitingShare: number) =>
			kept({ waitingError: 1, waitingShare, waitingBias: 1, admittedError: 1 });
		expect(accuracyOf([off(0.1), off(0.5), off(0.2)])).toMatchObject({ judged: 3, waitingShare: 0.2 });
	});
});

describe('over the database', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	const createStand = (room: string) => {
		const clock = createTestClock(start);
		let part: ConductorPart | undefined;
		const state = { decision: inForce(10), now: nowOf(), level: 0, leads: true };
		const forecast = createForecast({
			...{
				db: test.database.db,
				clock,
				log: createLog('silent'),
				season: 'demo',
				room,
				mark: 'none' as const
			},
			claimWithinSeconds: 600,
			conductor: {
				register: (given) => void (part = given),
				decision: () => state.decision,
				leads: () => state.leads
			},
			spike: {
				now: () => state.now,
				// As if it had grown by ten a second, as was to be expected, and a tenth more.
				history: async ({ from }) =>
					historyOf(Array.from({ length: 70 }, (_, index) => (from === 0 ? 0 : 6_000 + index * 110)))
			},
			levels: {
				current: () => ({ level: state.level }) as never,
				effect: (level) =>
					level > 4
						? null
						: { off: new Set(level > 2 ? ['releases'] : []), rateCapPerSecond: level > 0 ? 5 : null }
			}
		});
		const second = async () => {
			state.now = { ...state.now, at: clock.now() };
			await part!.tick!({ ...state.decision, at: clock.now() });
			await new Promise((resolve) => setTimeout(resolve, 30));
		};
		return { forecast, clock, state, second };
	};
	const listKept = async (forecast: ReturnType<typeof createForecast>) => {
		let kept: (() => Promise<{ kept: KeptForecast[] }>) | undefined;
		forecast.staffRoutes?.({
			get: (path: string, _options: unknown, handler: never) => {
				if (path.endsWith('/kept')) kept = handler;
			}
		} as never);
		return (await kept!()).kept;
	};

	it('previews a press, keeps it when it is made, judges it, and says how right it was', async () => {
		const { forecast, clock, state, second } = createStand('kept');
		const preview = await forecast.press({ kind: 'rate', perSecond: 100 });
		expect(preview).toMatchObject({ unknown: null, accuracy: { judged: 0, waitingShare: null } });
		expect(preview.after!.waitingAtEnd).toBeLessThan(preview.before!.waitingAtEnd);
		expect((await forecast.press({ kind: 'level', level: 1 })).after!.waitingAtEnd).toBe(6_000 + 15 * 1_800);
		await expect(forecast.press({ kind: 'level', level: 9 })).rejects.toMatchObject({ code: 'bad_request' });

		await second();
		clock.advance(1_000);
		await second();
		clock.advance(60_000);
		state.level = 1;
		await second();
		expect(
			(await listKept(forecast)).map(({ reason, at, until }) => [reason, at - start, until - start])
		).toEqual([
			['level', 61_000, 661_000],
			['regular', 0, 61_000]
		]);
		clock.advance(100_000);
		expect(await forecast.judge()).toBe(1);
		expect(await forecast.judge()).toBe(0);
		clock.advance(600_000);
		expect(await forecast.judge()).toBe(1);
		const [level] = await listKept(forecast);
		expect(level).toMatchObject({ points: 60, reason: 'level' });
		expect(level!.waitingError).toBeGreaterThan(0);
		expect((await forecast.press({ kind: 'rate', perSecond: 5 })).accuracy.judged).toBe(2);
	});

	it('keeps nothing where another instance decides, nor what nobody can foresee', async () => {
		const { forecast, state, second } = createStand('follower');
		state.leads = false;
		await second();
		state.leads = true;
		state.now = nowOf({ quality: 'stale' });
		await second();
		expect(await listKept(forecast)).toEqual([]);
		expect(await forecast.press({ kind: 'rate', perSecond: 5 })).toMatchObject({
			...{ unknown: 'no-figures', before: null, after: null, quality: 'stale' }
		});
	});
});
