import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { commonShare, shardCount, spread, type Dimension, type OtherRule } from './quotas.ts';
import { lockPlanning, type SlotKeys } from './slots-store.ts';

/** A quota as people plan it. */
export interface QuotaPlan {
	/** Null: over all slots of the season. */
	slot: number | null;
	dimension: Dimension;
	/** Places by value; the common share stands under the empty value. */
	shares: ReadonlyMap<string, number>;
	other: OtherRule;
	/** When unused shares go to the common one, epoch ms; null: never. */
	returnsAt: number | null;
}

/** A quota as it is planned and counted. */
export interface StoredQuota {
	id: number;
	slot: number | null;
	dimension: Dimension;
	other: OtherRule;
	returnsAt: number | null;
	returnedAt: number | null;
	shares: {
		/** Empty: the common share. */
		value: string;
		planned: number;
		/** Places that it has now: others than planned once unused ones were returned. */
		places: number;
		booked: number;
		overbooked: number;
		shards: number;
	}[];
}

/** Quotas of the season and of slots; those that only divide a large slot are left out. */
export async function listPlans(
	db: Db | Tx,
	{ season, room }: SlotKeys,
	limit: number
): Promise<StoredQuota[]> {
	const result = await sql<{
		id: number;
		slot: number | null;
		dimension: Dimension;
		other: OtherRule;
		returns_at: Date | null;
		returned_at: Date | null;
		shares: StoredQuota['shares'];
	}>`
		select q.id, q.slot, q.dimension, q.other, q.returns_at, q.returned_at,
			coalesce((select json_agg(json_build_object('value', s.value, 'planned', s.places, 'places', c.places,
				'booked', c.booked, 'overbooked', c.overbooked, 'shards', s.shards) order by s.value)
				from quota_shares s
				cross join lateral (select sum(places) as places, sum(booked) as booked, sum(overbooked) as overbooked
					from quota_shards c where c.season = s.season and c.room = s.room and c.quota = s.quota
						and c.value = s.value) c
				where s.season = q.season and s.room = q.room and s.quota = q.id), '[]') as shares
		from quotas q
		where q.season = ${season} and q.room = ${room} and q.dimension <> 'slot'
		order by q.slot nulls first, q.dimension limit ${limit}`.execute(db);
	return result.rows.map(({ returns_at: returnsAt, returned_at: returnedAt, ...row }) => ({
		...row,
		returnsAt: returnsAt?.getTime() ?? null,
		returnedAt: returnedAt?.getTime() ?? null
	}));
}

/**
 * Puts a plan in place of the one at its level and counts the valid permits into it. Nobody counts meanwhile. Fewer
 * places than are booked are allowed: what is too much is flagged, and nothing is sold until it has come down.
 */
export async function putPlan(tx: Tx, keys: SlotKeys, plan: QuotaPlan): Promise<number> {
	const { season, room } = keys;
	await lockPlanning(tx, keys);
	const there = await tx
		.selectFrom('quotas')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('dimension', '=', plan.dimension)
		.where(sql<number>`coalesce(slot, 0)`, '=', plan.slot ?? 0)
		.executeTakeFirst();
	const id = there?.id ?? (await nextId(tx, keys));
	const values = {
		other: plan.other,
		returns_at: plan.returnsAt === null ? null : new Date(plan.returnsAt),
		returned_at: null
	};
	await tx
		.insertInto('quotas')
		.values({ season, room, id, slot: plan.slot, dimension: plan.dimension, ...values })
		.onConflict((conflict) => conflict.columns(['season', 'room', 'id']).doUpdateSet(values))
		.execute();
	await rebuild(tx, keys, id, plan);
	return id;
}

async function nextId(tx: Tx, { season, room }: SlotKeys): Promise<number> {
	const row = await tx
		.selectFrom('quotas')
		.select(({ fn }) => fn.coalesce(fn.max('id'), sql<number>`0`).as('id'))
		.where('season', '=', season)
		.where('room', '=', room)
		.executeTakeFirstOrThrow();
	return row.id + 1;
}

/** Counts a plan anew from the valid permits. */
async function rebuild(tx: Tx, keys: SlotKeys, id: number, plan: QuotaPlan): Promise<void> {
	const { season, room } = keys;
	await sql`delete from quota_takes where season = ${season} and room = ${room} and quota = ${id}`.execute(
		tx
	);
	await sql`delete from quota_shares where season = ${season} and room = ${room} and quota = ${id}`.execute(
		tx
	);
	const shares = withCommon(plan);
	const booked = await sumBooked(tx, keys, plan, [...shares.keys()]);
	const rows = [...shares].map(([value, places]) => {
		const taken = booked.get(value) ?? 0;
		// More is booked than there are places: one row, so that none of it is sold before all has come down.
		return { value, places, shards: taken > places ? 1 : shardCount(places) };
	});
	if (rows.length === 0) return;
	await sql`
		insert into quota_shares (season, room, quota, value, places, shards)
		select ${season}, ${room}, ${id}, * from unnest(${rows.map(({ value }) => value)}::text[],
			${rows.map(({ places }) => places)}::int[], ${rows.map(({ shards }) => shards)}::int[])`.execute(tx);
	await sql`
		insert into quota_takes (season, room, permit, quota, value, shard, people)
		select ${season}, ${room}, p.id, ${id}, share.value,
			(row_number() over (partition by share.value order by p.id) - 1) % share.shards, p.party
		from permits p join quota_shares share on share.season = p.season and share.room = p.room
			and share.quota = ${id} and share.value = ${shareInSql(plan, [...shares.keys()])}
		where p.season = ${season} and p.room = ${room} and ${countsFor(plan)}`.execute(tx);
	await insertShards(tx, keys, id, rows);
}

/** The common share exists where somebody may be served from it, now or after unused shares were returned. */
function withCommon({ shares, other, returnsAt }: QuotaPlan): Map<string, number> {
	const common = shares.get(commonShare) ?? (other === 'share' || returnsAt !== null ? 0 : undefined);
	return new Map([...shares, ...(common === undefined ? [] : [[commonShare, common] as const])]);
}

/**
 * Which permits `p` a quota counts. Places that are held for a move are taken of the slot; of the season they are not:
 * there the permit that is still valid stands for both.
 */
function countsFor({ slot }: QuotaPlan) {
	return slot === null
		? sql<boolean>`p.state = 'valid'`
		: sql<boolean>`p.state <> 'cancelled' and p.slot = ${slot}::int`;
}

/** The share that counts a permit `p`; null where none does. The same rule as `shareOf`. */
function shareInSql(plan: QuotaPlan, values: readonly string[]) {
	if (plan.dimension === 'slot') return sql<string | null>`''`;
	const attribute = sql.ref(`p.${plan.dimension}`);
	const rest = plan.other === 'share' ? sql`''` : sql`null`;
	return sql<
		string | null
	>`case when ${attribute} <> '' and ${attribute} = any(${values}::text[]) then ${attribute} else ${rest} end`;
}

async function sumBooked(
	tx: Tx,
	{ season, room }: SlotKeys,
	plan: QuotaPlan,
	values: readonly string[]
): Promise<Map<string, number>> {
	const result = await sql<{ value: string | null; people: number }>`
		select share.value, sum(share.party)::int as people
		from (select ${shareInSql(plan, values)} as value, p.party from permits p
			where p.season = ${season} and p.room = ${room} and ${countsFor(plan)}) share
		group by share.value`.execute(tx);
	return new Map(
		result.rows.flatMap(({ value, people }) => (value === null ? [] : [[value, people] as const]))
	);
}

/** One counted row a shard: what is booked there, and an even part of what is left. */
async function insertShards(
	tx: Tx,
	{ season, room }: SlotKeys,
	quota: number,
	shares: readonly { value: string; places: number; shards: number }[]
): Promise<void> {
	const counted = await sql<{ value: string; shard: number; people: number; permits: number }>`
		select value, shard, sum(people)::int as people, count(*)::int as permits from quota_takes
		where season = ${season} and room = ${room} and quota = ${quota} group by value, shard`.execute(tx);
	const countOf = new Map(counted.rows.map((row) => [`${row.value} ${row.shard}`, row]));
	const rows = shares.flatMap(({ value, places, shards }) => {
		const counts = Array.from({ length: shards }, (_, shard) => countOf.get(`${value} ${shard}`));
		const booked = counts.reduce((sum, count) => sum + (count?.people ?? 0), 0);
		const free = spread(Math.max(0, places - booked), shards);
		return counts.map((count, shard) => ({
			value,
			shard,
			places: booked > places ? places : (count?.people ?? 0) + (free[shard] ?? 0),
			booked: count?.people ?? 0,
			permits: count?.permits ?? 0,
			overbooked: Math.max(0, booked - places)
		}));
	});
	await tx
		.insertInto('quota_shards')
		.values(rows.map((row) => ({ season, room, quota, ...row })))
		.execute();
}

/** One quota whose unused shares went to the common one. */
export interface ReturnedShares {
	quota: number;
	slot: number | null;
	dimension: Dimension;
	/** Places that moved. */
	returned: number;
	/** Places of the common share before and after. */
	before: number;
	after: number;
	/** What each share kept: what was booked of it. */
	kept: Record<string, number>;
}

/** Quotas whose date has come, not yet returned. */
export async function listDue(db: Db, { season, room }: SlotKeys, now: number): Promise<number[]> {
	const rows = await db
		.selectFrom('quotas')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('returns_at', '<=', new Date(now))
		.where('returned_at', 'is', null)
		.orderBy('id')
		.execute();
	return rows.map(({ id }) => id);
}

/**
 * Moves what is unused of one quota's shares to its common share, once: null where that was done before, and where
 * the quota is overbooked (it has nothing to give until people have settled that).
 */
export async function returnShares(
	tx: Tx,
	keys: SlotKeys,
	quota: number,
	now: number
): Promise<ReturnedShares | null> {
	const { season, room } = keys;
	await lockPlanning(tx, keys);
	const first = await tx
		.updateTable('quotas')
		.set({ returned_at: new Date(now) })
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', quota)
		.where('returned_at', 'is', null)
		.where(
			sql<boolean>`not exists (select 1 from quota_shards c where c.season = quotas.season and c.room = quotas.room
				and c.quota = quotas.id and c.overbooked > 0)`
		)
		.returning(['slot', 'dimension'])
		.executeTakeFirst();
	if (!first) return null;
	const sums = await sql<{ value: string; places: number; booked: number }>`
		select value, sum(places)::int as places, sum(booked)::int as booked from quota_shards
		where season = ${season} and room = ${room} and quota = ${quota} group by value`.execute(tx);
	const own = sums.rows.filter(({ value }) => value !== commonShare);
	const common = sums.rows.find(({ value }) => value === commonShare) ?? { places: 0, booked: 0 };
	const returned = own.reduce((sum, { places, booked }) => sum + places - booked, 0);
	await sql`
		update quota_shards set places = booked
		where season = ${season} and room = ${room} and quota = ${quota} and value <> ''`.execute(tx);
	await widenCommon(tx, keys, quota, common.places + returned);
	return {
		quota,
		...first,
		returned,
		before: common.places,
		after: common.places + returned,
		kept: Object.fromEntries(own.map(({ value, booked }) => [value, booked]))
	};
}

/** Gives the common share so many places, in more rows where it has grown large; what is booked stays where it is. */
async function widenCommon(tx: Tx, { season, room }: SlotKeys, quota: number, places: number): Promise<void> {
	const rows = await sql<{ shard: number; booked: number }>`
		select shard, booked from quota_shards
		where season = ${season} and room = ${room} and quota = ${quota} and value = '' order by shard`.execute(tx);
	const shards = Math.max(rows.rows.length, shardCount(places));
	const booked = rows.rows.reduce((sum, row) => sum + row.booked, 0);
	const free = spread(places - booked, shards);
	const next = free.map((left, shard) => left + (rows.rows[shard]?.booked ?? 0));
	await sql`
		insert into quota_shards (season, room, quota, value, shard, places)
		select ${season}, ${room}, ${quota}, '', * from unnest(${next.map((_, shard) => shard)}::int[], ${next}::int[])
		on conflict (season, room, quota, value, shard) do update set places = excluded.places`.execute(tx);
	await sql`
		update quota_shares set shards = ${shards}
		where season = ${season} and room = ${room} and quota = ${quota} and value = ''`.execute(tx);
}

/** Laboratory: quotas of slots go, those of the season begin again; nobody holds a permit any more. */
export async function resetQuotas(tx: Tx, keys: SlotKeys): Promise<void> {
	const { season, room } = keys;
	await sql`delete from quotas where season = ${season} and room = ${room} and slot is not null`.execute(tx);
	await sql`delete from quota_takes where season = ${season} and room = ${room}`.execute(tx);
	await sql`update quotas set returned_at = null where season = ${season} and room = ${room}`.execute(tx);
	const shares = await tx
		.selectFrom('quota_shares')
		.select(['quota', 'value', 'places', 'shards'])
		.where('season', '=', season)
		.where('room', '=', room)
		.execute();
	await sql`delete from quota_shards where season = ${season} and room = ${room}`.execute(tx);
	for (const [quota, rows] of Map.groupBy(shares, (row) => row.quota)) {
		await insertShards(tx, keys, quota, rows);
	}
}
