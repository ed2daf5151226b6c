import { sql } from 'kysely';
import { createClock, createLog, createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import type { Account, LevelsFile, LevelsState, Trend } from '../../../contract/index.ts';
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
const people = { duty, second };
export const patience = { timeout: 30_000, interval: 20 };

const noTrend = { stepSeconds: 1, at: [], series: {} as Trend['series'] };

/** The clock of the machine, moved forward by hand. */
function createShiftedClock(): Clock & { shiftMs: number } {
	const clock = createClock();
	const shifted = { ...clock, shiftMs: 0, now: () => clock.now() + shifted.shiftMs };
	return shifted;
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
			clock.shiftMs = 0;
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
		alarms: { define: () => undefined, feed: () => undefined, list: () => [], link: async () => true },
		spike: { now: () => null, trend: () => noTrend, history: async () => Promise.reject(new Error('none')) },
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
