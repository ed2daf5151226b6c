import { sql } from 'kysely';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { SlotPlan } from './plan-slots.ts';
import { putPlan, resetQuotas } from './quota-plan-store.ts';
import { commonShare } from './quotas.ts';
import { lockPlanning, sumSlots, type SlotKeys } from './slots-store.ts';

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

/**
 * Laboratory: every slot is removed while nobody counts, and the plans start again from id 1. `forget` runs before
 * quotas are counted anew.
 */
export async function replaceSlots(
	tx: Tx,
	keys: SlotKeys,
	plans: readonly SlotPlan[],
	forget: () => Promise<void>
): Promise<void> {
	const { season, room } = keys;
	await lockPlanning(tx, keys);
	await forget();
	await resetQuotas(tx, keys);
	await tx.deleteFrom('slots').where('season', '=', season).where('room', '=', room).execute();
	await insertSlots(tx, keys, plans);
}

/** A slot before and after it was planned anew; `before` is null where it is new. */
export interface SlotPlanned {
	id: number;
	before: { capacity: number } | null;
	after: { capacity: number; booked: number; overbooked: number };
}

/**
 * Plans one slot, or another capacity for one that is there (known by place and start). A capacity below what is
 * booked is allowed: it is flagged, and nothing is sold until it has come down. Null where a slot of another length
 * stands there: permits name their window.
 */
export async function putSlot(tx: Tx, keys: SlotKeys, plan: SlotPlan): Promise<SlotPlanned | null> {
	const { season, room } = keys;
	await lockPlanning(tx, keys);
	const find = () =>
		tx
			.selectFrom('slot_fills')
			.selectAll()
			.where('season', '=', season)
			.where('room', '=', room)
			.where('place', '=', plan.place)
			.where('starts_at', '=', new Date(plan.startsAt))
			.executeTakeFirst();
	const there = await find();
	if (there && there.ends_at.getTime() !== plan.endsAt) return null;
	if (there) await setCapacity(tx, keys, there.id, plan.capacity);
	else await insertSlots(tx, keys, [plan]);
	const after = await find();
	if (!after) throw new Error('a slot that was planned is not there');
	const { id, capacity, booked, overbooked } = after;
	return { id, before: there ? { capacity: there.capacity } : null, after: { capacity, booked, overbooked } };
}

/** Counts one slot anew from its permits, those that hold places among them: in its own row, or in shards where it has become large. */
export async function setCapacity(tx: Tx, keys: SlotKeys, id: number, capacity: number): Promise<void> {
	const { season, room } = keys;
	await sql`
		delete from quota_takes t using quotas q where q.season = ${season} and q.room = ${room} and q.slot = ${id}
			and q.dimension = 'slot' and t.season = q.season and t.room = q.room and t.quota = q.id`.execute(tx);
	await sql`
		delete from quotas where season = ${season} and room = ${room} and slot = ${id} and dimension = 'slot'`.execute(
		tx
	);
	const sharded = capacity >= limits.booking.shardFrom;
	await sql`
		update slots set capacity = ${capacity}, booked = counted.people, permits = counted.permits,
			overbooked = greatest(0, counted.people - ${capacity})
		from (select coalesce(sum(party), 0)::int as people, count(*)::int as permits from permits
			where season = ${season} and room = ${room} and slot = ${id} and state <> 'cancelled' and ${!sharded}) counted
		where slots.season = ${season} and slots.room = ${room} and slots.id = ${id}`.execute(tx);
	if (sharded) await shardSlot(tx, keys, id, capacity);
}

async function shardSlot(tx: Tx, keys: SlotKeys, slot: number, capacity: number): Promise<void> {
	const shares = new Map([[commonShare, capacity]]);
	await putPlan(tx, keys, { slot, dimension: 'slot', shares, other: 'share', returnsAt: null });
}

async function insertSlots(tx: Tx, keys: SlotKeys, plans: readonly SlotPlan[]): Promise<number> {
	const { season, room } = keys;
	const result = await sql<{ id: number; capacity: number }>`
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
			and starts_at = plan.starts_at)
		returning id, capacity`.execute(tx);
	for (const { id, capacity } of result.rows) {
		if (capacity >= limits.booking.shardFrom) await shardSlot(tx, keys, id, capacity);
	}
	return result.rows.length;
}
