import { sql } from 'kysely';
import type { AffectedState } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { AffectedPermit } from './affected-store.ts';

/** One affected permit. */
export interface AffectedRow extends AffectedPermit {
	reduction: string;
	state: AffectedState;
	successor: string | null;
	answerUntil: number | null;
}

export const openStates = ['new', 'offered', 'waiting'] as const;

export async function insertAffected(
	tx: Tx,
	season: string,
	reduction: string,
	affected: readonly AffectedPermit[]
): Promise<void> {
	if (affected.length === 0) return;
	await sql`
		insert into reduction_permits (season, reduction, permit, slot, party, position, state)
		select ${season}, ${reduction}, new.permit, new.slot, new.party, new.position, 'new'
		from unnest(${affected.map(({ permit }) => permit)}::text[], ${affected.map(({ slot }) => slot)}::int[],
			${affected.map(({ party }) => party)}::int[]) with ordinality as new (permit, slot, party, position)`.execute(
		tx
	);
}

/** Permits and people of a reduction by what has come of them, and when its last open answer is due. */
export async function sumAffected(
	db: Db | Tx,
	season: string,
	reductions: readonly string[]
): Promise<
	{ reduction: string; state: AffectedState; permits: number; people: number; answerUntil: Date | null }[]
> {
	return db
		.selectFrom('reduction_permits')
		.select((eb) => [
			'reduction',
			'state',
			eb.fn.countAll<number>().as('permits'),
			eb.fn.sum<number>('party').as('people'),
			eb.fn.max('answer_until').as('answerUntil')
		])
		.where('season', '=', season)
		.where('reduction', '=', sql<string>`any(${reductions}::text[])`)
		.groupBy(['reduction', 'state'])
		.execute();
}

/** Open rows of a reduction in these states, in their order; with `dueAt` only those whose answer is due. */
export async function listOpen(
	db: Db | Tx,
	season: string,
	reduction: string,
	states: readonly (typeof openStates)[number][],
	{ most, dueAt }: { most: number; dueAt?: number }
): Promise<AffectedRow[]> {
	let query = db
		.selectFrom('reduction_permits')
		.selectAll()
		.where('season', '=', season)
		.where('reduction', '=', reduction)
		.where('state', 'in', [...states]);
	if (dueAt !== undefined) query = query.where('answer_until', '<=', new Date(dueAt));
	return (await query.orderBy('position').limit(most).execute()).map(toRow);
}

/** Open rows whose permit its holder has given up or changed by other ways. */
export async function listMoot(
	db: Db | Tx,
	season: string,
	reduction: string,
	most: number
): Promise<AffectedRow[]> {
	const { rows } = await sql<Row<'reduction_permits'>>`
		select r.* from reduction_permits r join permits p on p.season = r.season and p.id = r.permit
		where r.season = ${season} and r.reduction = ${reduction} and r.state in ('new', 'offered', 'waiting')
			and p.state <> 'valid'
		order by r.position limit ${most}`.execute(db);
	return rows.map(toRow);
}

/** The row of a permit that is open, else the newest that was. */
export async function findAffected(
	db: Db | Tx,
	season: string,
	permit: string
): Promise<AffectedRow | undefined> {
	const { rows } = await sql<Row<'reduction_permits'>>`
		select r.* from reduction_permits r join reductions d on d.season = r.season and d.id = r.reduction
		where r.season = ${season} and r.permit = ${permit}
		order by r.state in ('new', 'offered', 'waiting') desc, d.proposed_at desc limit 1`.execute(db);
	return rows[0] && toRow(rows[0]);
}

/** The open row of the one for whom this permit holds places. */
export async function listOfferedBy(tx: Tx, season: string, held: readonly string[]): Promise<AffectedRow[]> {
	const rows = await tx
		.selectFrom('reduction_permits')
		.selectAll()
		.where('season', '=', season)
		.where('successor', '=', sql<string>`any(${held}::text[])`)
		.where('state', '=', 'offered')
		.orderBy('permit')
		.execute();
	return rows.map(toRow);
}

/** What has come of one row as it was read; false when something else has come of it since. */
export async function setAffected(
	tx: Tx,
	season: string,
	{ reduction, permit, state, successor }: AffectedRow,
	to: { state: AffectedState; successor: string | null; answerUntil?: number; settledAt?: number }
): Promise<boolean> {
	const result = await tx
		.updateTable('reduction_permits')
		.set({
			...{ state: to.state, successor: to.successor },
			...(to.answerUntil === undefined ? {} : { answer_until: new Date(to.answerUntil) }),
			settled_at: to.settledAt === undefined ? null : new Date(to.settledAt)
		})
		.where('season', '=', season)
		.where('reduction', '=', reduction)
		.where('permit', '=', permit)
		.where('state', '=', state)
		.where('successor', 'is not distinct from', successor)
		.executeTakeFirst();
	return result.numUpdatedRows === 1n;
}

function toRow(row: Row<'reduction_permits'>): AffectedRow {
	return {
		...{ reduction: row.reduction, permit: row.permit, slot: row.slot, party: row.party },
		...{ state: row.state, successor: row.successor, answerUntil: row.answer_until?.getTime() ?? null }
	};
}
