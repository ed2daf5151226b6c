import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { LockedSlot } from './decide-batch.ts';

/** One season's slots in one room. */
export interface SlotKeys {
	season: string;
	room: string;
}

/** A slot with what is taken; times are epoch ms. */
export type StoredSlot = LockedSlot;

/** Slots that can still be booked, those that have not begun; soonest first. */
export async function listSlots(db: Db, keys: SlotKeys, now: number, limit: number): Promise<StoredSlot[]> {
	return (await selectFrom('starts_at', db, keys, now, limit)).map(toSlot);
}

function selectFrom(
	time: 'starts_at' | 'ends_at',
	db: Db,
	{ season, room }: SlotKeys,
	now: number,
	limit: number
) {
	return db
		.selectFrom('slot_fills')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where(time, '>', new Date(now))
		.orderBy('starts_at')
		.orderBy('id')
		.limit(limit)
		.execute();
}

/** Days to come at the site with the places left on each, over all slots that can still be booked. */
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
		from slot_fills where season = ${season} and room = ${room} and starts_at > ${new Date(now)}
		group by 1 order by 1 limit ${limit}`.execute(db);
	return result.rows;
}

/**
 * Locks slots that have not begun, always in order of id: the sort stands below the lock in the plan, and an id never
 * changes, so two batches take their locks in one direction and cannot deadlock. Sharded slots are only read: their
 * places are counted, and locked, in their quota.
 */
export async function lockSlots(
	tx: Tx,
	{ season, room }: SlotKeys,
	ids: readonly number[],
	now: number,
	sharded: ReadonlySet<number> = new Set()
): Promise<LockedSlot[]> {
	const slots: LockedSlot[] = [];
	for (const lock of [false, true]) {
		const wanted = ids.filter((id) => sharded.has(id) !== lock);
		if (wanted.length === 0) continue;
		const query = tx
			.selectFrom('slots')
			.selectAll()
			.where('season', '=', season)
			.where('room', '=', room)
			.where('id', '=', sql<number>`any(${wanted}::int[])`)
			.where('starts_at', '>', new Date(now))
			.orderBy('id');
		const rows = await (lock ? query.forUpdate() : query).execute();
		slots.push(...rows.map((row) => toSlot({ ...row, quota: lock ? null : row.id })));
	}
	return slots;
}

/** Locks slots in order of id, over or not: a permit may be cancelled at any time. */
export async function lockSlotsAnyTime(
	tx: Tx,
	{ season, room }: SlotKeys,
	ids: readonly number[]
): Promise<void> {
	if (ids.length === 0) return;
	await tx
		.selectFrom('slots')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', sql<number>`any(${ids}::int[])`)
		.orderBy('id')
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
		update slots set booked = slots.booked + change.people, permits = slots.permits + change.permits,
			overbooked = least(slots.overbooked, greatest(0, slots.booked + change.people - slots.capacity))
		from unnest(${changes.map(({ slot }) => slot)}::int[], ${changes.map(({ people }) => people)}::int[],
			${changes.map(({ permits }) => permits)}::int[]) as change (slot, people, permits)
		where slots.season = ${season} and slots.room = ${room} and slots.id = change.slot`.execute(tx);
}

/** People, permits and capacity of all slots of the room. */
export async function sumSlots(
	db: Db | Tx,
	{ season, room }: SlotKeys
): Promise<{ slots: number; booked: number; permits: number; capacity: number }> {
	const row = await db
		.selectFrom('slot_fills')
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

/** A slot as staff see it. */
export interface SlotFill {
	id: number;
	place: string;
	startsAt: number;
	endsAt: number;
	capacity: number;
	booked: number;
	overbooked: number;
}

/** Slots that are not over, soonest first, with what is overbooked. */
export async function listSlotFills(db: Db, keys: SlotKeys, now: number, limit: number): Promise<SlotFill[]> {
	return (await selectFrom('ends_at', db, keys, now, limit)).map(toFill);
}

export async function findSlotFill(
	db: Db | Tx,
	{ season, room }: SlotKeys,
	id: number
): Promise<SlotFill | undefined> {
	const row = await db
		.selectFrom('slot_fills')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', id)
		.executeTakeFirst();
	return row && toFill(row);
}

/** What each slot says of itself: people and permits. */
export async function listCounts(
	db: Db | Tx,
	{ season, room }: SlotKeys
): Promise<{ slot: number; people: number; permits: number }[]> {
	return db
		.selectFrom('slot_fills')
		.select(['id as slot', 'booked as people', 'permits'])
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
}

/** Planning is alone: two instances that plan at once wait for each other, and for everybody who counts. */
export async function lockPlanning(tx: Tx, { season, room }: SlotKeys): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`slots:${season}:${room}`}, 0))`.execute(tx);
}

function toFill(row: Row<'slot_fills'>): SlotFill {
	const { id, place, capacity, booked, overbooked } = row;
	const times = { startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() };
	return { id, place, ...times, capacity, booked, overbooked };
}

function toSlot(row: Omit<Row<'slot_fills'>, 'season' | 'room' | 'permits' | 'overbooked'>): StoredSlot {
	return {
		id: row.id,
		place: row.place,
		startsAt: row.starts_at.getTime(),
		endsAt: row.ends_at.getTime(),
		capacity: row.capacity,
		booked: row.booked,
		sharded: row.quota !== null
	};
}

/** Places that were sold beyond what slots hold, of all slots of the season: it must be 0. */
export async function sumOversold(db: Db, { season, room }: SlotKeys): Promise<number> {
	const result = await sql<{ oversold: number }>`
		select coalesce(sum(greatest(0, booked - capacity)), 0)::int as oversold
		from slot_fills where season = ${season} and room = ${room}`.execute(db);
	return result.rows[0]?.oversold ?? 0;
}
