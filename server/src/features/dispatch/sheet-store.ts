import type { HandoverNote, StateSheet } from '../../../contract/index.ts';
import type { Selectable } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { HandoversTable } from '../../platform/database/schema-dispatch.ts';
import type { Scope } from './team-store.ts';

/** What the last shifts wrote, newest first. */
export async function listHandovers(
	db: Db | Tx,
	{ season, site }: Scope,
	limit: number
): Promise<HandoverNote[]> {
	const rows = await db
		.selectFrom('handovers')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.orderBy('at', 'desc')
		.orderBy('id', 'desc')
		.limit(limit)
		.execute();
	return rows.map(toNote);
}

export async function insertHandover(
	tx: Tx,
	{ season, site }: Scope,
	{ at, by, account, note }: { at: number; by: string; account: string; note: string }
): Promise<HandoverNote> {
	const row = await tx
		.insertInto('handovers')
		.values({ season, site, at: new Date(at), by_name: by, by_account: account, note })
		.returningAll()
		.executeTakeFirstOrThrow();
	return toNote(row);
}

/** The hand-over, held until the transaction ends, so that of two who take it one is told. */
export async function lockHandover(
	tx: Tx,
	{ season, site }: Scope,
	id: number
): Promise<{ note: HandoverNote; account: string | null } | null> {
	const row = await tx
		.selectFrom('handovers')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	return row ? { note: toNote(row), account: row.by_account } : null;
}

/** Writes who took over. */
export async function takeHandover(
	tx: Tx,
	id: number,
	{ at, by }: NonNullable<HandoverNote['taken']>
): Promise<void> {
	await tx
		.updateTable('handovers')
		.set({ taken_at: new Date(at), taken_by_name: by })
		.where('id', '=', id)
		.execute();
}

function toNote(row: Selectable<HandoversTable>): HandoverNote {
	const { at, by_name: by, note, taken_at: takenAt, taken_by_name: takenBy } = row;
	return {
		...{ id: Number(row.id), at: at.getTime(), by, note },
		taken: takenAt && takenBy !== null ? { at: takenAt.getTime(), by: takenBy } : null
	};
}

/** Deletes what shifts wrote before. */
export async function forgetHandovers(db: Db, before: number): Promise<void> {
	await db.deleteFrom('handovers').where('at', '<', new Date(before)).execute();
}

/** Keeps a sheet, and of all of them the newest `keep`. */
export async function insertStateSheet(
	tx: Tx,
	{ season, site }: Scope,
	sheet: StateSheet,
	keep: number
): Promise<void> {
	await tx
		.insertInto('state_sheets')
		.values({ season, site, at: new Date(sheet.at), sheet: JSON.stringify(sheet) })
		.onConflict((conflict) => conflict.columns(['season', 'site', 'at']).doNothing())
		.execute();
	await tx
		.deleteFrom('state_sheets')
		.where('season', '=', season)
		.where('site', '=', site)
		.where('at', '<=', (query) =>
			query
				.selectFrom('state_sheets as kept')
				.select('kept.at')
				.where('kept.season', '=', season)
				.where('kept.site', '=', site)
				.orderBy('kept.at', 'desc')
				.offset(keep)
				.limit(1)
		)
		.execute();
}

/** The sheet made at `at`, or the newest; null when there is none. */
export async function findStateSheet(
	db: Db | Tx,
	{ season, site }: Scope,
	at?: number
): Promise<StateSheet | null> {
	let query = db
		.selectFrom('state_sheets')
		.select('sheet')
		.where('season', '=', season)
		.where('site', '=', site);
	if (at !== undefined) query = query.where('at', '=', new Date(at));
	const row = await query.orderBy('at', 'desc').limit(1).executeTakeFirst();
	return (row?.sheet as StateSheet | undefined) ?? null;
}

/** Moments of the sheets that are kept, newest first. */
export async function listStateSheets(db: Db | Tx, { season, site }: Scope): Promise<number[]> {
	const rows = await db
		.selectFrom('state_sheets')
		.select('at')
		.where('season', '=', season)
		.where('site', '=', site)
		.orderBy('at', 'desc')
		.execute();
	return rows.map(({ at }) => at.getTime());
}
