import { sql } from 'kysely';
import type {
	GeneratorSecond,
	RunBeat,
	RunEnd,
	RunReport,
	RunRequest,
	RunSummary
} from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { BuiltReport } from './report.ts';

export interface Scope {
	season: string;
	room: string;
}
/** One run as it is stored, without its report. Times are epoch ms. */
export interface StoredRun extends RunSummary {
	beatAt: number | null;
	clockOffMs: number | null;
	told: Omit<RunEnd, 'seconds'> | null;
}
/** A run as it is asked for. */
export type NewRun = Pick<
	RunSummary,
	| 'id'
	| 'kind'
	| 'profile'
	| 'state'
	| 'parameters'
	| 'model'
	| 'seed'
	| 'reason'
	| 'by'
	| 'byId'
	| 'at'
	| 'expiresAt'
	| 'build'
	| 'config'
	| 'schema'
	| 'ratePerSecond'
	| 'level'
	| 'mark'
>;

const openStates = ['proposed', 'ready', 'running', 'settling'] as const;
/** Everything but the report, which is long. */
const columns = [
	...([
		'id',
		'kind',
		'profile',
		'state',
		'parameters',
		'model',
		'seed',
		'reason',
		'by_id',
		'by_name'
	] as const),
	...(['at', 'expires_at', 'confirmed_by', 'stopped_by', 'build', 'config', 'schema_name', 'rate'] as const),
	...(['level', 'mark', 'started_at', 'beat_at', 'ended_at', 'clock_off_ms', 'progress', 'told'] as const),
	...(['verdict', 'invalid_by', 'broken', 'narrowest', 'proven', 'recovery_seconds'] as const)
] as const;

/** Commands about runs come one after the other. */
export async function lockRuns(tx: Tx, { season, room }: Scope): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtext(${`runs ${season} ${room}`}))`.execute(tx);
}

/** The run that is proposed, waits, runs, or is being judged; at most one. */
export async function findOpenRun(db: Db | Tx, scope: Scope): Promise<StoredRun | null> {
	const row = await selectRuns(db, scope).where('state', 'in', openStates).executeTakeFirst();
	return row ? toRun(row) : null;
}

export async function findRun(db: Db | Tx, scope: Scope, id: string): Promise<StoredRun | null> {
	const row = await selectRuns(db, scope).where('id', '=', id).executeTakeFirst();
	return row ? toRun(row) : null;
}

/** Newest first. */
export async function listRuns(db: Db, scope: Scope, limit: number): Promise<StoredRun[]> {
	const rows = await selectRuns(db, scope).orderBy('at', 'desc').limit(limit).execute();
	return rows.map(toRun);
}

/** The last finished run of the same profile and kind that began before it. */
export async function findPrevious(db: Db, scope: Scope, run: RunSummary): Promise<StoredRun | null> {
	const row = await selectRuns(db, scope)
		.where('profile', '=', run.profile)
		.where('kind', '=', run.kind)
		.where('state', '=', 'finished')
		.where('at', '<', new Date(run.at))
		.where('id', '!=', run.id)
		.orderBy('at', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row ? toRun(row) : null;
}

export async function readReport(db: Db, id: string): Promise<RunReport | null> {
	const row = await db.selectFrom('runs').select('report').where('id', '=', id).executeTakeFirst();
	return (row?.report as RunReport | null | undefined) ?? null;
}

export async function insertRun(tx: Tx, { season, room }: Scope, run: NewRun): Promise<void> {
	await tx
		.insertInto('runs')
		.values({
			...{ id: run.id, season, room, kind: run.kind, profile: run.profile, state: run.state },
			...{ parameters: JSON.stringify(run.parameters), model: run.model && JSON.stringify(run.model) },
			...{ seed: run.seed, reason: run.reason, by_id: run.byId, by_name: run.by, at: new Date(run.at) },
			expires_at: momentOf(run.expiresAt),
			...{ build: run.build, config: run.config, schema_name: run.schema, rate: run.ratePerSecond },
			...{ level: run.level, mark: run.mark }
		})
		.execute();
}

/** Moves a run on, from one of these states only. @returns false when it was in none of them any more */
export async function moveRun(
	db: Db | Tx,
	id: string,
	from: readonly RunSummary['state'][],
	change: {
		state?: RunSummary['state'];
		expiresAt?: number | null;
		confirmedBy?: string;
		stoppedBy?: string;
		startedAt?: number;
		beatAt?: number;
		endedAt?: number;
		clockOffMs?: number;
		rate?: number;
		level?: number;
		build?: string;
		config?: string;
		schema?: string;
		told?: Omit<RunEnd, 'seconds'>;
	}
): Promise<boolean> {
	const { state, told, ...rest } = change;
	const result = await db
		.updateTable('runs')
		.set({
			...(state === undefined ? {} : { state }),
			...(rest.expiresAt === undefined ? {} : { expires_at: momentOf(rest.expiresAt) }),
			...(rest.confirmedBy === undefined ? {} : { confirmed_by: rest.confirmedBy }),
			...(rest.stoppedBy === undefined ? {} : { stopped_by: rest.stoppedBy }),
			...(rest.startedAt === undefined ? {} : { started_at: new Date(rest.startedAt) }),
			...(rest.beatAt === undefined ? {} : { beat_at: new Date(rest.beatAt) }),
			...(rest.endedAt === undefined ? {} : { ended_at: new Date(rest.endedAt) }),
			...(rest.clockOffMs === undefined ? {} : { clock_off_ms: rest.clockOffMs }),
			...(rest.rate === undefined ? {} : { rate: rest.rate }),
			...(rest.level === undefined ? {} : { level: rest.level }),
			...(rest.build === undefined ? {} : { build: rest.build }),
			...(rest.config === undefined ? {} : { config: rest.config }),
			...(rest.schema === undefined ? {} : { schema_name: rest.schema }),
			...(told === undefined ? {} : { told: JSON.stringify(told) })
		})
		.where('id', '=', id)
		.where('state', 'in', from)
		.executeTakeFirst();
	return result.numUpdatedRows > 0n;
}

/** The generator's word of how it goes. @returns who stopped the run; null: nobody, `gone`: it is not running */
export async function saveBeat(
	db: Db,
	id: string,
	beat: Omit<RunBeat, 'seconds'>,
	at: number
): Promise<{ stoppedBy: string | null } | 'gone'> {
	const row = await db
		.updateTable('runs')
		.set({ beat_at: new Date(at), progress: JSON.stringify({ ...beat, at }) })
		.where('id', '=', id)
		.where('state', '=', 'running')
		.returning('stopped_by')
		.executeTakeFirst();
	return row ? { stoppedBy: row.stopped_by } : 'gone';
}

/** Told again, a second stands as it was told last. */
export async function saveSeconds(
	db: Db | Tx,
	run: string,
	seconds: readonly GeneratorSecond[]
): Promise<void> {
	if (seconds.length === 0) return;
	await db
		.insertInto('run_seconds')
		.values(seconds.map((told) => ({ run, second: told.second, told: JSON.stringify(told) })))
		.onConflict((conflict) =>
			conflict.columns(['run', 'second']).doUpdateSet({ told: (eb) => eb.ref('excluded.told') })
		)
		.execute();
}

export async function readSeconds(db: Db | Tx, run: string): Promise<GeneratorSecond[]> {
	const rows = await db
		.selectFrom('run_seconds')
		.select('told')
		.where('run', '=', run)
		.orderBy('second')
		.execute();
	return rows.map(({ told }) => told as GeneratorSecond);
}

/** Writes what a run proved, once. @returns false when somebody else had done so */
export async function finishRun(
	tx: Tx,
	id: string,
	from: RunSummary['state'],
	built: BuiltReport,
	endedAt: number
): Promise<boolean> {
	const { report, verdict, narrowest, provenPerSecond, invalidBy, broken } = built;
	const result = await tx
		.updateTable('runs')
		.set({
			...{ state: 'finished', verdict, invalid_by: invalidBy, broken: JSON.stringify(broken) },
			...{ narrowest: narrowest && JSON.stringify(narrowest), proven: provenPerSecond },
			...{ recovery_seconds: report.recoverySeconds, report: JSON.stringify(report) },
			ended_at: new Date(endedAt)
		})
		.where('id', '=', id)
		.where('state', '=', from)
		.executeTakeFirst();
	return result.numUpdatedRows > 0n;
}

/** The newest migration, and how many connections the database accepts. */
export async function readDatabaseFacts(db: Db): Promise<{ schema: string; connectionsMax: number | null }> {
	const schema = await sql<{ name: string }>`select name from migrations order by id desc limit 1`.execute(
		db
	);
	const most = await sql<{ free: number }>`
		select current_setting('max_connections')::int
			- current_setting('superuser_reserved_connections')::int as free`.execute(db);
	return { schema: schema.rows[0]?.name ?? 'none', connectionsMax: most.rows[0]?.free ?? null };
}

function selectRuns(db: Db | Tx, { season, room }: Scope) {
	return db.selectFrom('runs').select(columns).where('season', '=', season).where('room', '=', room);
}

const momentOf = (at: number | null) => (at === null ? null : new Date(at));

function toRun(row: Pick<Row<'runs'>, (typeof columns)[number]>): StoredRun {
	const parameters = row.parameters as RunSummary['parameters'];
	return {
		...{ id: row.id, kind: row.kind, profile: row.profile as RunRequest['profile'] },
		...{ state: row.state as RunSummary['state'], parameters, model: row.model as RunSummary['model'] },
		...{ seed: Number(row.seed), reason: row.reason, by: row.by_name, byId: row.by_id },
		...{ at: row.at.getTime(), expiresAt: row.expires_at?.getTime() ?? null },
		...{ confirmedBy: row.confirmed_by, stoppedBy: row.stopped_by },
		...{ build: row.build, config: row.config, schema: row.schema_name },
		peakPerSecond: Math.max(parameters.peakPerSecond, ...parameters.curve),
		...{ ratePerSecond: row.rate, level: row.level, mark: row.mark as RunSummary['mark'] },
		startedAt: row.started_at?.getTime() ?? null,
		finishedAt: row.ended_at?.getTime() ?? null,
		...{ beatAt: row.beat_at?.getTime() ?? null, clockOffMs: row.clock_off_ms },
		told: row.told as StoredRun['told'],
		progress: row.progress as RunSummary['progress'],
		...{ verdict: row.verdict as RunSummary['verdict'], invalidBy: row.invalid_by },
		broken: row.broken as string[],
		narrowest: row.narrowest as RunSummary['narrowest'],
		...{ provenPerSecond: row.proven, recoverySeconds: row.recovery_seconds }
	};
}
