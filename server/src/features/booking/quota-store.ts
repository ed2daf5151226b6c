import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import {
	commonShare,
	levelOrder,
	sumChanges,
	type CellChange,
	type CellName,
	type LockedQuota,
	type Quota,
	type QuotaCell,
	type QuotaTake
} from './quotas.ts';
import type { SlotKeys } from './slots-store.ts';

/** A quota with the division of those of its shares that were asked for. */
export interface QuotaWithShares extends Quota {
	shardsOf: ReadonlyMap<string, number>;
}

/**
 * The first lock of every transaction that counts places: plans change only while nobody counts. Statements after
 * this one see the plans as they then are.
 */
export async function lockCounting(tx: Tx, { season, room }: SlotKeys): Promise<void> {
	await sql`select pg_advisory_xact_lock_shared(hashtextextended(${`slots:${season}:${room}`}, 0))`.execute(
		tx
	);
}

/** Quotas of the season and of these slots, with the shares of these values and the common ones. */
export async function listQuotas(
	tx: Tx,
	{ season, room }: SlotKeys,
	slots: readonly number[],
	values: readonly string[]
): Promise<QuotaWithShares[]> {
	const result = await sql<{
		id: number;
		slot: number | null;
		dimension: Quota['dimension'];
		other: Quota['other'];
		returned: boolean;
		value: string | null;
		shards: number | null;
	}>`
		select q.id, q.slot, q.dimension, q.other, q.returned_at is not null as returned, share.value, share.shards
		from quotas q
		left join quota_shares share on share.season = q.season and share.room = q.room and share.quota = q.id
			and (share.value = '' or share.value = any(${values}::text[]))
		where q.season = ${season} and q.room = ${room} and (q.slot is null or q.slot = any(${slots}::int[]))
		order by q.id`.execute(tx);
	const quotas = new Map<number, QuotaWithShares & { shardsOf: Map<string, number>; listed: Set<string> }>();
	for (const { value, shards, ...row } of result.rows) {
		const quota = quotas.get(row.id) ?? { ...row, listed: new Set(), shardsOf: new Map() };
		quotas.set(row.id, quota);
		if (value === null || shards === null) continue;
		quota.shardsOf.set(value, shards);
		if (value !== commonShare) quota.listed.add(value);
	}
	return [...quotas.values()];
}

/** Quotas with what is left in each share, for looking only: nothing is locked. */
export async function listQuotaFills(
	db: Db,
	{ season, room }: SlotKeys,
	limit: number
): Promise<LockedQuota[]> {
	const result = await sql<Omit<Quota, 'listed'> & { shares: Record<string, number> }>`
		select q.id, q.slot, q.dimension, q.other, q.returned_at is not null as returned,
			coalesce((select json_object_agg(s.value, s.left) from (
				select value, sum(places - booked) as left from quota_shards c
				where c.season = q.season and c.room = q.room and c.quota = q.id group by value) s), '{}') as shares
		from quotas q
		where q.season = ${season} and q.room = ${room} and q.dimension <> 'slot'
		limit ${limit}`.execute(db);
	return result.rows.map(({ shares, ...quota }) => ({
		...quota,
		listed: new Set(Object.keys(shares).filter((value) => value !== commonShare)),
		cells: Object.entries(shares).map(([value, left]) => ({ quota: quota.id, value, shard: 0, left })),
		partial: new Set()
	}));
}

/** What is left in every row of these shares, without a lock: a hint where to look. */
export async function peekCells(
	tx: Tx,
	{ season, room }: SlotKeys,
	shares: readonly { quota: number; value: string }[]
): Promise<QuotaCell[]> {
	if (shares.length === 0) return [];
	const result = await sql<QuotaCell>`
		select quota, value, shard, places - booked as "left" from quota_shards
		where season = ${season} and room = ${room} and (quota, value) in (
			select * from unnest(${shares.map(({ quota }) => quota)}::int[], ${shares.map(({ value }) => value)}::text[]))`.execute(
		tx
	);
	return result.rows;
}

/**
 * Locks rows: one statement a level, the levels and the rows inside each always in the same order. A statement over
 * several levels, or an UPDATE over several rows that are not locked, would have no order, and deadlock.
 */
export async function lockCells(
	tx: Tx,
	{ season, room }: SlotKeys,
	quotas: readonly Quota[],
	cells: readonly CellName[]
): Promise<QuotaCell[]> {
	const locked: QuotaCell[] = [];
	for (const level of byLevel(quotas, cells)) {
		const result = await sql<QuotaCell>`
			select quota, value, shard, places - booked as "left" from quota_shards
			where season = ${season} and room = ${room} and (quota, value, shard) in (
				select * from unnest(${level.map(({ quota }) => quota)}::int[], ${level.map(({ value }) => value)}::text[],
					${level.map(({ shard }) => shard)}::int[]))
			order by quota, value, shard for update`.execute(tx);
		locked.push(...result.rows);
	}
	return locked;
}

/** Counts in rows whose locks are held, one statement a level. */
export async function countInCells(
	tx: Tx,
	{ season, room }: SlotKeys,
	quotas: readonly Quota[],
	changes: readonly CellChange[]
): Promise<void> {
	for (const level of byLevel(quotas, sumChanges(changes))) {
		await sql`
			update quota_shards cell set booked = cell.booked + change.people, permits = cell.permits + change.permits,
				places = cell.places + change.places, overbooked = least(cell.overbooked,
					greatest(0, cell.booked + change.people - cell.places - change.places))
			from unnest(${level.map(({ quota }) => quota)}::int[], ${level.map(({ value }) => value)}::text[],
				${level.map(({ shard }) => shard)}::int[], ${level.map(({ people }) => people)}::int[],
				${level.map(({ permits }) => permits)}::int[], ${level.map(({ places }) => places.total)}::int[])
				as change (quota, value, shard, people, permits, places)
			where cell.season = ${season} and cell.room = ${room} and cell.quota = change.quota
				and cell.value = change.value and cell.shard = change.shard`.execute(tx);
	}
}

function byLevel<T extends { quota: number }>(quotas: readonly Quota[], rows: readonly T[]): T[][] {
	const orderOf = new Map(quotas.map((quota) => [quota.id, levelOrder(quota)]));
	const levels = Map.groupBy(rows, ({ quota }) => orderOf.get(quota) ?? 0);
	return [...levels].sort(([a], [b]) => a - b).map(([, level]) => level);
}

/** Notes where permits' places came from. */
export async function insertTakes(
	tx: Tx,
	{ season, room }: SlotKeys,
	takes: readonly (QuotaTake & { permit: string })[]
): Promise<void> {
	if (takes.length === 0) return;
	await sql`
		insert into quota_takes (season, room, permit, quota, value, shard, people)
		select ${season}, ${room}, * from unnest(${takes.map(({ permit }) => permit)}::text[],
			${takes.map(({ quota }) => quota)}::int[], ${takes.map(({ value }) => value)}::text[],
			${takes.map(({ shard }) => shard)}::int[], ${takes.map(({ people }) => people)}::int[])`.execute(tx);
}

/** Where one permit's places came from, in the order of the rows' keys. */
export async function listTakes(
	db: Db | Tx,
	{ season, room }: SlotKeys,
	permit: string
): Promise<QuotaTake[]> {
	return db
		.selectFrom('quota_takes')
		.select(['quota', 'value', 'shard', 'people'])
		.where('season', '=', season)
		.where('room', '=', room)
		.where('permit', '=', permit)
		.orderBy('quota')
		.orderBy('value')
		.orderBy('shard')
		.execute();
}

/** Where these permits' places came from. */
export async function listTakesOf(
	tx: Tx,
	{ season, room }: SlotKeys,
	permits: readonly string[]
): Promise<Map<string, QuotaTake[]>> {
	const rows = await tx
		.selectFrom('quota_takes')
		.select(['permit', 'quota', 'value', 'shard', 'people'])
		.where('season', '=', season)
		.where('room', '=', room)
		.where('permit', '=', sql<string>`any(${permits}::text[])`)
		.orderBy('quota')
		.orderBy('value')
		.orderBy('shard')
		.execute();
	return rows.reduce(
		(takes, { permit, ...take }) => takes.set(permit, [...(takes.get(permit) ?? []), take]),
		new Map<string, QuotaTake[]>()
	);
}

/** Places that a permit took of these quotas are another one's from now on; what is counted stays as it is. */
export async function moveTakes(
	tx: Tx,
	{ season }: SlotKeys,
	{ from, to, quotas }: { from: string; to: string; quotas: readonly number[] }
): Promise<void> {
	await tx
		.updateTable('quota_takes')
		.set({ permit: to })
		.where('season', '=', season)
		.where('permit', '=', from)
		.where('quota', '=', sql<number>`any(${quotas}::int[])`)
		.execute();
}

export async function deleteTakes(tx: Tx, { season }: SlotKeys, permit: string): Promise<void> {
	await tx.deleteFrom('quota_takes').where('season', '=', season).where('permit', '=', permit).execute();
}
