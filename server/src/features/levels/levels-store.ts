import { sql } from 'kysely';
import type pg from 'pg';
import type { CurrentLevel, LevelReason, LevelsState } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { findRunningDrill, lastDrills } from './drills-store.ts';
import { findOpenProposal } from './proposals-store.ts';
import { findRuleProposal } from './rules-store.ts';

/** Which season and room a level holds for. */
export interface Scope {
	season: string;
	room: string;
}
/** What is stored about levels, as one reading. */
export type StoredLevels = Pick<
	LevelsState,
	'current' | 'proposal' | 'ruleProposal' | 'drill' | 'lastDrills' | 'instances' | 'history'
>;
/** What is put in force. */
export type NextLevel = Omit<CurrentLevel, 'since'> & { by: string; reason: string; at: number };

const channel = 'marsad_levels';

/** Level 0 is in force until somebody switches. */
export async function ensureCurrent(db: Db, { season, room }: Scope, at: number): Promise<void> {
	await db
		.insertInto('levels_current')
		.values({ season, room, version: 0, level: 0, source: 'start', since: new Date(at) })
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
		proposal: proposal?.shown ?? null,
		ruleProposal: await findRuleProposal(db, scope),
		drill: await findRunningDrill(db, scope),
		lastDrills: await lastDrills(db, scope),
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
			reason: row.reason,
			version: row.version,
			...factsOf(row)
		}))
	};
}

/** Puts another level in force. */
export async function writeLevel(tx: Tx, { season, room }: Scope, next: NextLevel): Promise<void> {
	const { level, version, by: by_name, reason, source, exercise, from, rule } = next;
	const at = new Date(next.at);
	const until_at = next.until === null ? null : new Date(next.until);
	const facts = {
		...{ level, version, by_name, reason, source, exercise, from_level: from, until_at, rule },
		chips: JSON.stringify(next.chips)
	};
	await tx
		.updateTable('levels_current')
		.set({ ...facts, since: at })
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
	await tx
		.insertInto('levels_history')
		.values({ season, room, ...facts, at })
		.execute();
}

/**
 * What was in force under a version, where it was this level, above normal, and no exercise: its reason and planned end
 * hold on when it is gone back to.
 */
export async function findReal(
	tx: Tx,
	{ season, room }: Scope,
	{ version, level }: { version: number; level: number }
): Promise<CurrentLevel | null> {
	const row = await tx
		.selectFrom('levels_history')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('version', '=', version)
		.where('level', '=', level)
		.where('level', '>', 0)
		.where('exercise', '=', false)
		.executeTakeFirst();
	return row ? toCurrent({ ...row, since: row.at }) : null;
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

interface FactsRow {
	source: string;
	chips: unknown;
	exercise: boolean;
}
const factsOf = ({ source, chips, exercise }: FactsRow) => ({
	source: source as CurrentLevel['source'],
	chips: chips as LevelReason[],
	exercise
});

function toCurrent(
	row: FactsRow & {
		level: number;
		version: number;
		since: Date;
		by_name: string | null;
		reason: string | null;
		from_level: number | null;
		until_at: Date | null;
		rule: string | null;
	}
): CurrentLevel {
	const { level, version, reason, rule } = row;
	return {
		...{ level, version, since: row.since.getTime(), by: row.by_name, reason, ...factsOf(row), rule },
		...{ from: row.from_level, until: row.until_at && row.until_at.getTime() }
	};
}
