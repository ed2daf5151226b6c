import { sql } from 'kysely';
import type { Sighting } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { EntryKind, StoredEntry, StoredPlan, StoredSighting } from './stored.ts';

/** Which season and site this run is about. */
export interface Scope {
	season: string;
	site: string;
}

/** One change of the season's plan at a time: what it is checked against holds until it is stored. */
export async function lockSeason(tx: Tx, { season, site }: Scope): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`season:${season}:${site}`}, 0))`.execute(tx);
}

/** Everything that is planned, and what was announced: open, in force, and the last that was decided. */
export async function readPlan(
	db: Db | Tx,
	{ season, site }: Scope,
	sightingsShown: number
): Promise<StoredPlan> {
	const rows = await db
		.selectFrom('season_entries')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('retired_at', 'is', null)
		.orderBy('at')
		.orderBy('id')
		.execute();
	const sightings = db
		.selectFrom('season_sightings')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site);
	const standing = await sightings
		.where('state', 'in', ['tentative', 'confirmed'])
		.orderBy('at', 'desc')
		.execute();
	const decided = await sightings
		.where('state', 'in', ['withdrawn', 'replaced'])
		.orderBy('at', 'desc')
		.limit(sightingsShown)
		.execute();
	return { entries: rows.map(toEntry), sightings: [...standing, ...decided].map(toSighting) };
}

export async function findEntry(
	tx: Tx,
	{ season, site }: Scope,
	kind: EntryKind,
	id: string
): Promise<StoredEntry | null> {
	const row = await tx
		.selectFrom('season_entries')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('kind', '=', kind)
		.where(sql<string>`id::text`, '=', id)
		.where('retired_at', 'is', null)
		.executeTakeFirst();
	return row ? toEntry(row) : null;
}

export async function insertEntry(tx: Tx, { season, site }: Scope, entry: StoredEntry): Promise<void> {
	const { id, kind, version, body, by, at } = entry;
	await tx
		.insertInto('season_entries')
		.values({
			...{ id, season, site, kind, version, by_name: by },
			...{ body: JSON.stringify(body), at: new Date(at), retired_at: null }
		})
		.execute();
}

export async function updateEntry(tx: Tx, entry: StoredEntry, retired: boolean): Promise<void> {
	const { id, version, body, by, at } = entry;
	await tx
		.updateTable('season_entries')
		.set({
			...{ version, by_name: by, body: JSON.stringify(body), at: new Date(at) },
			...(retired ? { retired_at: new Date(at) } : {})
		})
		.where('id', '=', id)
		.execute();
}

/** Whether anything was ever planned, even if it is gone. */
export async function hasEntries(db: Db | Tx, { season, site }: Scope): Promise<boolean> {
	const row = await db
		.selectFrom('season_entries')
		.select('id')
		.where('season', '=', season)
		.where('site', '=', site)
		.limit(1)
		.executeTakeFirst();
	return row !== undefined;
}

export async function insertSighting(tx: Tx, { season, site }: Scope, of: StoredSighting): Promise<void> {
	await tx
		.insertInto('season_sightings')
		.values({
			...{ id: of.id, season, site, year: of.year, month: of.month, first_day: of.firstDay },
			...{ source: of.source, reason: of.reason, by_id: of.byId, by_name: of.by, at: new Date(of.at) },
			state: of.state
		})
		.execute();
}

export async function decideSighting(
	tx: Tx,
	id: string,
	decision: { state: Sighting['state']; byId: string; by: string; at: number; reason: string }
): Promise<void> {
	await tx
		.updateTable('season_sightings')
		.set({
			...{ state: decision.state, decided_id: decision.byId, decided_by: decision.by },
			...{ decided_at: new Date(decision.at), decided_reason: decision.reason }
		})
		.where('id', '=', id)
		.execute();
}

function toEntry(row: Row<'season_entries'>): StoredEntry {
	return {
		...{
			id: row.id,
			kind: row.kind as EntryKind,
			version: row.version,
			by: row.by_name,
			at: row.at.getTime()
		},
		body: row.body
	} as StoredEntry;
}

function toSighting(row: Row<'season_sightings'>): StoredSighting {
	return {
		...{ id: row.id, year: row.year, month: row.month, firstDay: row.first_day, source: row.source },
		...{ state: row.state as Sighting['state'], reason: row.reason, by: row.by_name, byId: row.by_id },
		...{ at: row.at.getTime(), decidedBy: row.decided_by, decidedReason: row.decided_reason },
		decidedAt: row.decided_at && row.decided_at.getTime()
	};
}
