import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import { createClock, createLog, createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import type {
	Account,
	LevelRulesNow,
	LevelsFile,
	LevelsState,
	SpikeHistory,
	SpikeNow
} from '../../../contract/index.ts';
import { historySeries } from '../../../contract/index.ts';
import { createConductor } from '../../conductor/conductor.ts';
import type { Clock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { buildHttp, openStaffScope } from '../../platform/http/build.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createHub } from '../../platform/realtime/hub.ts';
import { createRecord } from '../record/index.ts';
import { createLevels, loadLevels, type LevelSwitch, type LevelsDeps } from './index.ts';

const log = createLog('silent');
export const duty: Account = {
	id: 'a',
	email: 'duty@example.org',
	name: 'Duty manager',
	role: 'duty-manager'
};
const second: Account = {
	id: 'b',
	email: 'second@example.org',
	name: 'Second duty manager',
	role: 'duty-manager'
};
const oncall: Account = { id: 'c', email: 'oncall@example.org', name: 'On call', role: 'on-call-engineer' };
const people = { duty, second, oncall };
export const patience = { timeout: 30_000, interval: 20 };

/** The clock of the machine, moved forward by hand; frozen it moves by hand alone. */
function createShiftedClock(): Clock & { shiftMs: number; frozenAt: number | null } {
	const clock = createClock();
	const shifted = {
		...clock,
		shiftMs: 0,
		frozenAt: null as number | null,
		now: () => (shifted.frozenAt ?? clock.now()) + shifted.shiftMs
	};
	return shifted;
}

/** Spike health that a test moves by hand: figures of one second, and what was stored of them. */
export function createFigures(clock: Clock) {
	const quality = 'live' as SpikeNow['work']['quality'];
	const figures = {
		p95Ms: 300 as number | null,
		offered: 6_000,
		served: 6_000,
		quality,
		waiting: 40,
		isOld: false
	};
	const stored: { at: number; p95Ms: number | null; offered: number; served: number }[] = [];
	const now = (): SpikeNow => {
		const { p95Ms, offered, served, quality } = figures;
		const from = { at: clock.now(), quality, mark: 'none' as const };
		const ratio = offered === 0 ? null : served / offered;
		return {
			at: clock.now() - (figures.isOld ? 6_000 : 0),
			room: { joined: 60_000, admitted: 15_000, depth: figures.waiting, called: 5, active: 10, ...from },
			work: { offered, served, ratio, belowOneSeconds: 0, ...from },
			booking: { p50Ms: p95Ms, p95Ms, p99Ms: p95Ms, count: served, ...from },
			outcomes: { booked: served, faults: 0, ...from },
			pool: { waitP95Ms: 1, ...from },
			rate: { perSecond: 250, ...from },
			process: { pollsPerSecond: 9, ...from }
		} as SpikeNow;
	};
	return {
		figures,
		/** Keeps the second as it stands, as the store of spike health does. */
		store() {
			const { p95Ms, offered, served } = figures;
			stored.push({ at: clock.now(), p95Ms, offered, served });
		},
		spike: {
			now,
			async history({ from, to }: { from: number; to?: number }): Promise<SpikeHistory> {
				const rows = stored.filter(({ at }) => at > from && at <= (to ?? clock.now()));
				const series = Object.fromEntries(
					historySeries.map((name) => [name, rows.map((): number | null => null)])
				);
				rows.forEach((row, index) => {
					series['p95Ms']![index] = row.p95Ms;
					series['p50Ms']![index] = row.p95Ms;
					series['offeredPerSecond']![index] = row.offered / 60;
					series['servedPerSecond']![index] = row.served / 60;
					series['workRatio']![index] = row.offered === 0 ? null : row.served / row.offered;
				});
				return {
					stepSeconds: 1,
					at: rows.map(({ at }) => at),
					series: series as SpikeHistory['series'],
					words: { limitedBy: [], mode: [], breaker: [] },
					mark: 'none'
				};
			}
		}
	};
}

/** Body of a switch. */
export const to = (level: number, expectedVersion: number, reason = 'booking p95 above 2 s') => ({
	level,
	reason,
	expectedVersion
});

export type LevelsBench = Awaited<ReturnType<typeof createBench>>;

/** Instances of the levels feature, each with its own pool, hub and HTTP, on one database. */
export async function createBench() {
	const test = await createTestDatabase();
	const file = await loadLevels();
	const clock = createShiftedClock();
	const running = new Set<() => Promise<void>>();
	const closeInstances = async () => {
		for (const close of [...running]) await close();
	};
	return {
		test,
		clock,
		file: async () => file,
		startInstance: async (instance: string, options: Partial<LevelsDeps> = {}) => {
			const started = await startInstance({ test, file, clock, instance, options });
			const close = async () => {
				running.delete(close);
				await started.close();
			};
			running.add(close);
			return { ...started, close };
		},
		/** Ends every instance and forgets every level. */
		async clear() {
			await closeInstances();
			Object.assign(clock, { shiftMs: 0, frozenAt: null });
			const { db } = test.database;
			await sql`truncate levels_current, levels_history, levels_proposals, levels_rule_proposals, levels_drills, levels_seen, flag_mirror, command_keys`.execute(
				db
			);
		},
		async close() {
			await closeInstances();
			await test.close();
		}
	};
}

async function startInstance(given: {
	test: TestDatabase;
	file: LevelsFile;
	clock: Clock;
	instance: string;
	options: Partial<LevelsDeps>;
}) {
	const { test, file, clock, instance } = given;
	const database = openDatabase({ url: test.url, directUrl: test.url, poolMax: 4, clock, log });
	const record = createRecord({ db: database.db, clock });
	const hub = createHub(clock);
	const metrics = createMetrics();
	const flags = given.options.flags ?? createFlags(null);
	const conductor = createConductor({ clock, log });
	conductor.register({ name: 'test', limits: () => [{ source: 'manager', perSecond: 250 }] });
	const levels = createLevels({
		...{ database, clock, log, hub, flags, record, conductor, file, instance },
		season: 's',
		room: 'main',
		people: { holdsRole: async () => true },
		alarms: { define: () => undefined, feed: () => undefined },
		spike: { now: () => null, history: async () => Promise.reject(new Error('none')) },
		metrics,
		mark: 'none',
		...given.options
	});
	const switches: LevelSwitch[] = [];
	levels.onSwitch.on((event) => switches.push(event));
	const app = buildHttp(log);
	await openStaffScope(app, {
		authenticate: async (request) => people[request.headers['x-who'] as keyof typeof people] ?? null,
		register: (staff) => levels.staffRoutes?.(staff)
	});
	await levels.start?.();
	const url = '/api/v1/levels';
	return {
		...{ levels, flags, conductor, switches },
		async post(who: keyof typeof people, payload: object, key: string = crypto.randomUUID()) {
			const headers = { 'x-who': who, 'idempotency-key': key };
			const answer = await app.inject({ method: 'POST', url: `${url}/current`, payload, headers });
			return { status: answer.statusCode, body: answer.json<LevelsState & { code?: string }>() };
		},
		async restore(who: keyof typeof people, reason: string) {
			const headers = { 'x-who': who, 'idempotency-key': crypto.randomUUID() };
			const answer = await app.inject({
				...{ method: 'POST', url: `${url}/flags/restore`, headers },
				payload: { reason }
			});
			return { status: answer.statusCode, body: answer.json<LevelsState & { code?: string }>() };
		},
		look: levels.look,
		/** Resolves when this instance may act on its rules. */
		leads: () => vi.waitFor(() => expect(levels.leads()).toBe(true), patience),
		/** Any call under /api/v1/levels. */
		async call<T = LevelsState & { code?: string; why?: string }>(
			who: keyof typeof people,
			method: 'GET' | 'POST',
			path: string,
			payload?: object
		) {
			const headers = { 'x-who': who, 'idempotency-key': crypto.randomUUID() };
			const answer = await app.inject({
				method,
				url: `${url}${path}`,
				headers,
				...(payload ? { payload } : {})
			});
			return { status: answer.statusCode, body: answer.json<T>() };
		},
		/** What the screens see of the rules. */
		rules: () => hub.snapshot('levels').state['rules'] as LevelRulesNow | undefined,
		async get() {
			const answer = await app.inject({ method: 'GET', url, headers: { 'x-who': 'duty' } });
			return answer.json<LevelsState>();
		},
		shown: () => hub.snapshot('levels').state['state'] as LevelsState | undefined,
		async close() {
			await levels.stop?.();
			await app.close();
			hub.stop();
			metrics.stop();
			await database.close();
		}
	};
}
