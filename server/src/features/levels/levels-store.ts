import { sql } from 'kysely';
import type pg from 'pg';
import type { LevelProposal, LevelsState } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

/** Which season and room a level holds for. */
export interface Scope {
	season: string;
	room: string;
}
export type CurrentLevel = LevelsState['current'];
/** What is stored about levels, as one reading. */
export type StoredLevels = Pick<LevelsState, 'current' | 'proposal' | 'instances' | 'history'>;
export type OpenProposal = LevelProposal & { expectedVersion: number };

const channel = 'marsad_levels';

/** Level 0 is in force until somebody switches. */
export async function ensureCurrent(db: Db, { season, room }: Scope, at: number): Promise<void> {
	await db
		.insertInto('levels_current')
		.values({ season, room, version: 0, level: 0, by_name: null, reason: null, since: new Date(at) })
		.onConflict((conflict) => conflict.columns(['season', 'room']).doNothing())
		.execute();
}

/** The level in force; its row stays locked until the transaction ends, so that of two managers one is first. */
export async function lockCurrent(tx: Tx, scope: Scope): Promise<CurrentLevel> {
	return toCurrent(await selectCurrent(tx, scope).forUpdate().executeTakeFirstOrThrow());
}

export async function readLevels(db: Db | Tx, scope: Scope, at: number): Promise<StoredLevels> {
	const current = toCurrent(await selectCurrent(db, scope).executeTakeFirstOrThrow());
	const proposal = await findOpenProposal(db, scope, current.version, at);
	const instances = await db
		.selectFrom('levels_seen')
		.selectAll()
		.where('season', '=', scope.season)
		.where('room', '=', scope.room)
		.where('heard_at', '>', new Date(at - limits.levels.instanceGoneMs))
		.orderBy('instance')
		.execute();
	const history = await db
		.selectFrom('levels_history')
		.selectAll()
		.where('season', '=', scope.season)
		.where('room', '=', scope.room)
		.orderBy('version', 'desc')
		.limit(limits.levels.historyShown)
		.execute();
	return {
		current,
		proposal: proposal ? withoutVersion(proposal) : null,
		instances: instances.map((row) => ({
			id: row.instance,
			version: row.version,
			level: row.level,
			at: row.seen_at.getTime()
		})),
		history: history.map((row) => ({
			at: row.at.getTime(),
			level: row.level,
			by: row.by_name,
			reason: row.reason
		}))
	};
}

/** Puts another level in force; returns its version. */
export async function writeLevel(
	tx: Tx,
	{ season, room }: Scope,
	next: { level: number; version: number; by: string; reason: string; at: number }
): Promise<void> {
	const { level, version, by: by_name, reason } = next;
	const at = new Date(next.at);
	await tx
		.updateTable('levels_current')
		.set({ level, version, by_name, reason, since: at })
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
	await tx
		.insertInto('levels_history')
		.values({ season, room, version, level, by_name, reason, at })
		.execute();
}

/** Tells every instance at the moment of the commit; carries the level, so that nobody has to ask for it. */
export async function notifyInstances(tx: Tx, scope: Scope, current: CurrentLevel): Promise<void> {
	await sql`select pg_notify(${channel}, ${JSON.stringify({ ...scope, current })})`.execute(tx);
}

/** Hears of every switch in this scope on a connection of its own. */
export async function listenForSwitches(
	client: pg.Client,
	scope: Scope,
	onNotice: (current: CurrentLevel) => void
): Promise<void> {
	client.on('notification', ({ payload }) => {
		const notice = parseNotice(payload);
		if (notice?.season === scope.season && notice.room === scope.room) onNotice(notice.current);
	});
	await client.query(`listen ${channel}`);
}

function parseNotice(payload: string | undefined): (Scope & { current: CurrentLevel }) | null {
	try {
		return JSON.parse(payload ?? 'null') as Scope & { current: CurrentLevel };
	} catch {
		return null;
	}
}

/** A proposal that may still be confirmed: undecided, not run out, and nothing was switched since. */
export async function findOpenProposal(
	db: Db | Tx,
	{ season, room }: Scope,
	version: number,
	at: number
): Promise<OpenProposal | null> {
	const row = await db
		.selectFrom('levels_proposals')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('outcome', 'is', null)
		.where('expected_version', '=', version)
		.where('expires_at', '>', new Date(at))
		.orderBy('at', 'desc')
		.limit(1)
		.executeTakeFirst();
	if (!row) return null;
	return {
		id: row.id,
		level: row.level,
		reason: row.reason,
		by: row.by_name,
		byId: row.by_id,
		at: row.at.getTime(),
		expiresAt: row.expires_at.getTime(),
		expectedVersion: row.expected_version
	};
}

export async function insertProposal(tx: Tx, { season, room }: Scope, proposal: OpenProposal): Promise<void> {
	await tx
		.insertInto('levels_proposals')
		.values({
			id: proposal.id,
			season,
			room,
			level: proposal.level,
			reason: proposal.reason,
			by_id: proposal.byId,
			by_name: proposal.by,
			at: new Date(proposal.at),
			expires_at: new Date(proposal.expiresAt),
			expected_version: proposal.expectedVersion,
			outcome: null,
			decided_by: null,
			decided_at: null
		})
		.execute();
}

export async function decideProposal(
	tx: Tx,
	id: string,
	decision: { outcome: 'confirmed' | 'withdrawn' | 'replaced'; by: string; at: number }
): Promise<void> {
	await tx
		.updateTable('levels_proposals')
		.set({ outcome: decision.outcome, decided_by: decision.by, decided_at: new Date(decision.at) })
		.where('id', '=', id)
		.execute();
}

/** This instance follows this version; `seen_at` keeps the moment when it first did. */
export async function saveSeen(
	db: Db | Tx,
	{ season, room }: Scope,
	seen: { instance: string; version: number; level: number; at: number }
): Promise<void> {
	const at = new Date(seen.at);
	const { instance, version, level } = seen;
	await db
		.insertInto('levels_seen')
		.values({ season, room, instance, version, level, seen_at: at, heard_at: at })
		.onConflict((conflict) =>
			conflict.columns(['season', 'room', 'instance']).doUpdateSet({
				version,
				level,
				heard_at: at,
				seen_at: sql<Date>`case when levels_seen.version = excluded.version then levels_seen.seen_at else excluded.seen_at end`
			})
		)
		.execute();
}

/** An instance that leaves, and those that were not heard of for long. */
export async function forgetInstances(
	db: Db,
	{ season, room }: Scope,
	instance: string,
	at: number
): Promise<void> {
	await db
		.deleteFrom('levels_seen')
		.where('season', '=', season)
		.where('room', '=', room)
		.where((or) =>
			or.or([
				or('instance', '=', instance),
				or('heard_at', '<', new Date(at - limits.levels.instanceGoneMs * 10))
			])
		)
		.execute();
}

function selectCurrent(db: Db | Tx, { season, room }: Scope) {
	return db.selectFrom('levels_current').selectAll().where('season', '=', season).where('room', '=', room);
}

function toCurrent(row: {
	level: number;
	version: number;
	since: Date;
	by_name: string | null;
	reason: string | null;
}): CurrentLevel {
	const { level, version, reason } = row;
	return { level, version, since: row.since.getTime(), by: row.by_name, reason };
}

function withoutVersion({ expectedVersion: _, ...proposal }: OpenProposal): LevelProposal {
	return proposal;
}
