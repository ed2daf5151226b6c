import { createHistogram } from 'node:perf_hooks';
import { Kysely, PostgresDialect, type Transaction } from 'kysely';
import pg from 'pg';
import { limits } from '../../limits.ts';
import type { Clock } from '../clock.ts';
import type { Log } from '../log.ts';
import type { Schema } from './schema.ts';

// int8 and numeric arrive as text by default; our counts stay below 2^53.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
pg.types.setTypeParser(pg.types.builtins.NUMERIC, Number);

export type Db = Kysely<Schema>;
export type Tx = Transaction<Schema>;

/** Pool figures of the last second: connections in use, their number, people waiting for one, wait p95 in ms. */
export interface PoolFigures {
	inUse: number;
	size: number;
	waitingForOne: number;
	waitP95Ms: number | null;
}

export interface Database {
	db: Db;
	poolFigures(): PoolFigures;
	/** How long the one who waits longest for a connection has waited, ms; 0 while nobody waits. */
	oldestWaitMs(): number;
	/** A connection past any pooler, for leaders and notices. The caller ends it. */
	connectDirect(name: string): Promise<pg.Client>;
	/** True when a trivial query answers within `withinMs`. */
	isUp(withinMs: number): Promise<boolean>;
	close(): Promise<void>;
}

/** Opens the pool. Connections are made when first needed; a lost one is replaced by the pool. */
export function openDatabase(options: {
	url: string;
	directUrl: string;
	poolMax: number;
	clock: Clock;
	log: Log;
}): Database {
	const { clock, log } = options;
	const pool = new pg.Pool({
		connectionString: options.url,
		max: options.poolMax,
		connectionTimeoutMillis: limits.database.connectTimeoutMs,
		idleTimeoutMillis: limits.database.idleTimeoutMs,
		statement_timeout: limits.database.statementTimeoutMs,
		keepAlive: true,
		application_name: 'marsad'
	});
	pool.on('error', (error) => log.warn({ error: error.message }, 'a pooled database connection was lost'));
	// A connection lost between two statements of a transaction speaks through the client alone: unheard, it ends the process.
	pool.on('connect', (client) => client.on('error', () => undefined));
	const waits = measureWaits(pool, clock);
	const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
	return {
		db,
		poolFigures: () => ({
			inUse: pool.totalCount - pool.idleCount,
			size: options.poolMax,
			waitingForOne: pool.waitingCount,
			waitP95Ms: waits.takeP95Ms()
		}),
		oldestWaitMs: () => waits.oldestMs(),
		async connectDirect(name) {
			const client = new pg.Client({
				connectionString: options.directUrl,
				keepAlive: true,
				keepAliveInitialDelayMillis: 5_000,
				connectionTimeoutMillis: limits.database.connectTimeoutMs,
				application_name: `marsad ${name}`
			});
			client.on('error', (error) =>
				log.warn({ name, error: error.message }, 'a direct database connection was lost')
			);
			await client.connect();
			return client;
		},
		async isUp(withinMs) {
			const probe = pool.query('select 1').then(
				() => true,
				() => false
			);
			return Promise.race([probe, clock.sleep(withinMs).then(() => false)]);
		},
		async close() {
			await db.destroy();
		}
	};
}

/** Times how long callers wait for a connection: the pool tells only how many wait. */
function measureWaits(pool: pg.Pool, clock: Clock): { takeP95Ms(): number | null; oldestMs(): number } {
	const histogram = createHistogram();
	const connect = pool.connect.bind(pool) as (callback?: unknown) => unknown;
	/** Who waits, in order of arrival. */
	const waiting = new Set<{ startedMs: number }>();
	const note = (wait: { startedMs: number }) => {
		waiting.delete(wait);
		histogram.record(Math.max(1, Math.round((clock.elapsedMs() - wait.startedMs) * 1_000)));
	};
	pool.connect = ((callback?: (...answer: unknown[]) => void) => {
		const wait = { startedMs: clock.elapsedMs() };
		waiting.add(wait);
		if (callback) {
			return connect((...answer: unknown[]) => {
				note(wait);
				callback(...answer);
			});
		}
		return (connect() as Promise<pg.PoolClient>).finally(() => note(wait));
	}) as typeof pool.connect;
	return {
		oldestMs() {
			const [oldest] = waiting;
			return oldest ? clock.elapsedMs() - oldest.startedMs : 0;
		},
		takeP95Ms() {
			if (histogram.count === 0) return null;
			const value = histogram.percentile(95) / 1_000;
			histogram.reset();
			return value;
		}
	};
}
