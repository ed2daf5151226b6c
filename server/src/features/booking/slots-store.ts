import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { LockedSlot } from './decide-batch.ts';
import type { SlotPlan } from './plan-slots.ts';

/** One season's slots in one room. */
export interface SlotKeys {
	season: string;
	room: string;
}

/** A slot with what is taken; times are epoch ms. */
export type StoredSlot = LockedSlot;

/** Slots that are not over, soonest first. */
export async function listSlots(
	db: Db,
	{ season, room }: SlotKeys,
	now: number,
	limit: number
): Promise<StoredSlot[]> {
	const rows = await db
		.selectFrom('slots')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ends_at', '>', new Date(now))
		.orderBy('starts_at')
		.orderBy('id')
		.limit(limit)
		.execute();
	return rows.map(toSlot);
}

/** Days to come at the site with the places left on each, over all slots that are not over. */
export async function listDays(
	db: Db,
	{ season, room }: SlotKeys,
	now: number,
	timeZone: string,
	limit: number
): Promise<{ day: string; placesLeft: number }[]> {
	const result = await sql<{ day: string; placesLeft: number }>`
		select to_char(starts_at at time zone ${timeZone}, 'YYYY-MM-DD') as day,
			sum(greatest(0, capacity - booked)) as "placesLeft"
		from slots where season = ${season} and room = ${room} and ends_at > ${new Date(now)}
		group by 1 order by 1 limit ${limit}`.execute(db);
	return result.rows;
}

/**
 * Locks slots that are not over, always in order of id: the sort stands below the lock in the plan, and an id never
 * changes, so two batches take their locks in one direction and cannot deadlock.
 */
export async function lockSlots(
	tx: Tx,
	{ season, room }: SlotKeys,
	ids: readonly number[],
	now: number
): Promise<LockedSlot[]> {
	if (ids.length === 0) return [];
	const rows = await tx
		.selectFrom('slots')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', sql<number>`any(${ids}::int[])`)
		.where('ends_at', '>', new Date(now))
		.orderBy('id')
		.forUpdate()
		.execute();
	return rows.map(toSlot);
}

/** Locks one slot, over or not: a permit may be cancelled at any time. */
export async function lockSlot(tx: Tx, { season, room }: SlotKeys, id: number): Promise<void> {
	await tx
		.selectFrom('slots')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', id)
		.forUpdate()
		.execute();
}

/** Adds people and permits (negative gives back) to slots whose locks are held. */
export async function countIn(
	tx: Tx,
	{ season, room }: SlotKeys,
	changes: readonly { slot: number; people: number; permits: number }[]
): Promise<void> {
	if (changes.length === 0) return;
	await sql`
		update slots set booked = slots.booked + change.people, permits = slots.permits + change.permits
		from unnest(${changes.map(({ slot }) => slot)}::int[], ${changes.map(({ people }) => people)}::int[],
			${changes.map(({ permits }) => permits)}::int[]) as change (slot, people, permits)
		where slots.season = ${season} and slots.room = ${room} and slots.id = change.slot`.execute(tx);
}

/** Plans that were checked become slots; a window that is there already stays as it is. Returns how many were added. */
export async function addSlots(db: Db, keys: SlotKeys, plans: readonly SlotPlan[]): Promise<number> {
	return db.transaction().execute(async (tx) => {
		await lockPlanning(tx, keys);
		return insertSlots(tx, keys, plans);
	});
}

/** Adds slots only while the room has none. */
export async function addFirstSlots(db: Db, keys: SlotKeys, plans: readonly SlotPlan[]): Promise<number> {
	return db.transaction().execute(async (tx) => {
		await lockPlanning(tx, keys);
		const { slots } = await sumSlots(tx, keys);
		return slots > 0 ? 0 : insertSlots(tx, keys, plans);
	});
}

/** Laboratory: every slot is locked and removed, and the plans start again from id 1. */
export async function replaceSlots(tx: Tx, keys: SlotKeys, plans: readonly SlotPlan[]): Promise<void> {
	const { season, room } = keys;
	await lockPlanning(tx, keys);
	await tx
		.selectFrom('slots')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.orderBy('id')
		.forUpdate()
		.execute();
	await tx.deleteFrom('slots').where('season', '=', season).where('room', '=', room).execute();
	await insertSlots(tx, keys, plans);
}

/** People, permits and capacity of all slots of the room. */
export async function sumSlots(
	db: Db | Tx,
	{ season, room }: SlotKeys
): Promise<{ slots: number; booked: number; permits: number; capacity: number }> {
	const row = await db
		.selectFrom('slots')
		.select(({ fn }) => [
			fn.countAll<number>().as('slots'),
			fn.coalesce(fn.sum<number>('booked'), sql<number>`0`).as('booked'),
			fn.coalesce(fn.sum<number>('permits'), sql<number>`0`).as('permits'),
			fn.coalesce(fn.sum<number>('capacity'), sql<number>`0`).as('capacity')
		])
		.where('season', '=', season)
		.where('room', '=', room)
		.executeTakeFirstOrThrow();
	return row;
}

/** What each slot says of itself: people and permits. */
export async function listCounts(
	db: Db | Tx,
	{ season, room }: SlotKeys
): Promise<{ slot: number; people: number; permits: number }[]> {
	return db
		.selectFrom('slots')
		.select(['id as slot', 'booked as people', 'permits'])
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
}

/** Two instances that plan at once wait for each other: ids are given out in a row. */
async function lockPlanning(tx: Tx, { season, room }: SlotKeys): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`slots:${season}:${room}`}, 0))`.execute(tx);
}

async function insertSlots(tx: Tx, { season, room }: SlotKeys, plans: readonly SlotPlan[]): Promise<number> {
	const result = await sql`
		insert into slots (season, room, id, place, starts_at, ends_at, capacity)
		select ${season}, ${room}, highest.id + row_number() over (order by plan.position), plan.place, plan.starts_at, plan.ends_at,
			plan.capacity
		from unnest(${plans.map(({ place }) => place)}::text[],
				${plans.map(({ startsAt }) => new Date(startsAt))}::timestamptz[],
				${plans.map(({ endsAt }) => new Date(endsAt))}::timestamptz[],
				${plans.map(({ capacity }) => capacity)}::int[])
			with ordinality as plan (place, starts_at, ends_at, capacity, position),
			(select coalesce(max(id), 0) as id from slots where season = ${season} and room = ${room}) as highest
		where not exists (select 1 from slots where season = ${season} and room = ${room} and place = plan.place
			and starts_at = plan.starts_at)`.execute(tx);
	return Number(result.numAffectedRows ?? 0);
}

function toSlot(row: {
	id: number;
	place: string;
	starts_at: Date;
	ends_at: Date;
	capacity: number;
	booked: number;
}): StoredSlot {
	return {
		id: row.id,
		place: row.place,
		startsAt: row.starts_at.getTime(),
		endsAt: row.ends_at.getTime(),
		capacity: row.capacity,
		booked: row.booked
	};
}
