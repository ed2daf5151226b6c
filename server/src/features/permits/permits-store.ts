import { sql } from 'kysely';
import type { PersonAttributes } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';

/** One permit as the server knows it; times are epoch ms. */
export interface StoredPermit {
	id: string;
	holder: string;
	room: string;
	slot: number;
	place: string;
	startsAt: number;
	endsAt: number;
	party: number;
	ticket: string | null;
	/** `held`: it keeps places for somebody whose own slot shrinks, and is shown to nobody. */
	state: 'valid' | 'cancelled' | 'held';
	issuedAt: number;
	attributes: PersonAttributes;
	/** The permit that this one was changed into. */
	replacedBy: string | null;
	/** Given by the database, never twice: its bit in the revocation list comes of it. Null until it was read back. */
	serial: number | null;
	/** The key that it is signed under; null until it was first shown, where it was booked without one. */
	keyId: string | null;
}

/** The valid permits of these people, and every permit (cancelled too) that these tickets' passes were spent on. */
export async function findHeld(
	db: Db | Tx,
	season: string,
	holders: readonly string[],
	tickets: readonly string[]
): Promise<StoredPermit[]> {
	const rows = await sql<Row<'permits'>>`
		select * from permits where season = ${season} and state = 'valid' and holder = any(${holders}::text[])
		union
		select * from permits where season = ${season} and ticket = any(${tickets}::text[])`.execute(db);
	return rows.rows.map(toPermit);
}

/** The person's valid permit in the season, if there is one. */
export async function findValid(
	db: Db | Tx,
	season: string,
	holder: string
): Promise<StoredPermit | undefined> {
	const row = await db
		.selectFrom('permits')
		.selectAll()
		.where('season', '=', season)
		.where('holder', '=', holder)
		.where('state', '=', 'valid')
		.executeTakeFirst();
	return row && toPermit(row);
}

/** A permit that is or was somebody's; one that only holds places is none yet. */
export async function findById(db: Db | Tx, season: string, id: string): Promise<StoredPermit | undefined> {
	const [permit] = await listByIds(db, season, [id], ['valid', 'cancelled']);
	return permit;
}

/** These permits, in order of their ids. */
export async function listByIds(
	db: Db | Tx,
	season: string,
	ids: readonly string[],
	states: readonly StoredPermit['state'][]
): Promise<StoredPermit[]> {
	const rows = await db
		.selectFrom('permits')
		.selectAll()
		.where('season', '=', season)
		.where('id', '=', sql<string>`any(${ids}::text[])`)
		.where('state', 'in', [...states])
		.orderBy('id')
		.execute();
	return rows.map(toPermit);
}

/**
 * Inserts the permits that break no rule (one a person, one a pass) and returns how many that were. The rows go
 * in in order of holder, so that two transactions with the same people wait for each other in one direction.
 * @param keyId the key that they are signed under
 */
export async function insertPermits(
	tx: Tx,
	season: string,
	permits: readonly StoredPermit[],
	keyId: string | null
): Promise<number> {
	const sorted = [...permits].sort((a, b) => (a.holder < b.holder ? -1 : a.holder > b.holder ? 1 : 0));
	const column = <T>(pick: (permit: StoredPermit) => T) => sorted.map(pick);
	const result = await sql`
		insert into permits (season, id, holder, room, slot, place, starts_at, ends_at, party, ticket, state, issued_at,
			country, provider, category, key_id)
		select ${season}, new.*, ${keyId}::text from unnest(
			${column((permit) => permit.id)}::text[], ${column((permit) => permit.holder)}::text[],
			${column((permit) => permit.room)}::text[], ${column((permit) => permit.slot)}::int[],
			${column((permit) => permit.place)}::text[],
			${column((permit) => new Date(permit.startsAt))}::timestamptz[],
			${column((permit) => new Date(permit.endsAt))}::timestamptz[],
			${column((permit) => permit.party)}::int[], ${column((permit) => permit.ticket)}::text[],
			${column((permit) => permit.state)}::text[],
			${column((permit) => new Date(permit.issuedAt))}::timestamptz[],
			${column((permit) => permit.attributes.country)}::text[],
			${column((permit) => permit.attributes.provider)}::text[],
			${column((permit) => permit.attributes.category)}::text[]) as new
		on conflict do nothing`.execute(tx);
	return Number(result.numAffectedRows ?? 0);
}

/**
 * Cancels a valid permit, or replaces it by another; false when it no longer was one: the caller then gives nothing
 * back. With `honouredUntil` gates go on honouring it until then.
 */
export async function markCancelled(
	tx: Tx,
	season: string,
	id: string,
	at: number,
	{
		replacedBy = null,
		honouredUntil = null
	}: { replacedBy?: string | null; honouredUntil?: number | null } = {}
): Promise<boolean> {
	const result = await tx
		.updateTable('permits')
		.set({
			...{ state: 'cancelled', cancelled_at: new Date(at), replaced_by: replacedBy },
			honoured_until: honouredUntil === null ? null : new Date(honouredUntil)
		})
		.where('season', '=', season)
		.where('id', '=', id)
		.where('state', '=', 'valid')
		.executeTakeFirst();
	if (result.numUpdatedRows !== 1n) return false;
	if (honouredUntil === null) await endHonour(tx, season, id, at);
	return true;
}

/** Whoever gives up the permit that came of a move gives up the old ones with it: gates honour none of them any longer. */
async function endHonour(tx: Tx, season: string, id: string, at: number): Promise<void> {
	const now = new Date(at);
	await sql`
		with recursive older(id) as (
			select p.id from permits p
				where p.season = ${season} and p.replaced_by = ${id} and p.honoured_until is not null
			union
			select p.id from permits p join older on p.replaced_by = older.id
				where p.season = ${season} and p.honoured_until is not null)
		update permits set honoured_until = ${now}
			where season = ${season} and id in (select id from older) and honoured_until > ${now}`.execute(tx);
}

/** A permit that held places is valid from now on, under this key; false when it held nothing any more. */
export async function makeValid(
	tx: Tx,
	season: string,
	id: string,
	at: number,
	keyId: string | null
): Promise<boolean> {
	const result = await tx
		.updateTable('permits')
		.set({ state: 'valid', issued_at: new Date(at), key_id: keyId })
		.where('season', '=', season)
		.where('id', '=', id)
		.where('state', '=', 'held')
		.executeTakeFirst();
	return result.numUpdatedRows === 1n;
}

/** A permit that only held places goes without a trace: nobody ever saw it. False when it held nothing any more. */
export async function deleteHeld(tx: Tx, season: string, id: string): Promise<boolean> {
	const result = await tx
		.deleteFrom('permits')
		.where('season', '=', season)
		.where('id', '=', id)
		.where('state', '=', 'held')
		.executeTakeFirst();
	return result.numDeletedRows === 1n;
}

/** People and permits for each slot of a room, valid or holding places: what the slots' own counts must equal. */
export async function countValidBySlot(
	db: Db | Tx,
	season: string,
	room: string
): Promise<{ slot: number; people: number; permits: number }[]> {
	return db
		.selectFrom('permits')
		.select([
			'slot',
			(eb) => eb.fn.sum<number>('party').as('people'),
			(eb) => eb.fn.countAll<number>().as('permits')
		])
		.where('season', '=', season)
		.where('room', '=', room)
		.where('state', '<>', 'cancelled')
		.groupBy('slot')
		.execute();
}

/** Laboratory: forgets every permit of a season. */
export async function deleteAll(tx: Tx, season: string): Promise<void> {
	await tx.deleteFrom('permits').where('season', '=', season).execute();
}

function toPermit(row: Row<'permits'>): StoredPermit {
	return {
		id: row.id,
		holder: row.holder,
		room: row.room,
		slot: row.slot,
		place: row.place,
		startsAt: row.starts_at.getTime(),
		endsAt: row.ends_at.getTime(),
		party: row.party,
		ticket: row.ticket,
		state: row.state,
		issuedAt: row.issued_at.getTime(),
		attributes: { country: row.country, provider: row.provider, category: row.category },
		replacedBy: row.replaced_by,
		serial: row.serial,
		keyId: row.key_id
	};
}
