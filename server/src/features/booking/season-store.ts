import { sql } from 'kysely';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Permits } from '../permits/index.ts';
import { forgetKept } from './batch-store.ts';
import type { SlotPlan } from './plan-slots.ts';
import { replaceSlots } from './slot-plan-store.ts';
import { listCounts, type SlotKeys } from './slots-store.ts';

/** Counts that differ from the valid permits behind them. */
export interface CountGap {
	level: 'slot' | 'quota' | 'shard';
	/** Slot or quota. */
	id: number;
	/** Share and shard of a quota. */
	value?: string;
	shard?: number;
	/** What is counted, and what valid permits say. */
	booked: number;
	people: number;
}

/** A comparison of everything that is counted. */
export interface CountCheck {
	checked: { slots: number; quotas: number; shards: number; permits: number };
	gaps: CountGap[];
}

/**
 * Proves that what is counted equals the valid permits, on every level, in one snapshot: people and permits of each
 * slot, people of each share, people and permits of each shard by what permits took there. Nothing is mended here.
 */
export async function reconcile(
	db: Db,
	permits: Pick<Permits, 'countValidBySlot'>,
	keys: SlotKeys
): Promise<CountCheck> {
	return db
		.transaction()
		.setIsolationLevel('repeatable read')
		.execute(async (tx) => {
			await readInBulk(tx);
			const slots = await checkSlots(tx, permits, keys);
			const quotas = await checkQuotas(tx, keys);
			const shards = await checkShards(tx, keys);
			return {
				checked: { ...slots.checked, quotas: quotas.count, shards: shards.count },
				gaps: [...slots.gaps, ...quotas.gaps, ...shards.gaps]
			};
		});
}

/**
 * Every permit is read, and just after an opening the planner does not know yet how many there are: with its guess of one
 * row it would walk all permits once for each of them (measured: 27 s for 15,000).
 */
async function readInBulk(tx: Tx): Promise<void> {
	await sql`set local enable_nestloop = off`.execute(tx);
	await sql.raw(`set local statement_timeout = ${limits.booking.reconcileTimeoutMs}`).execute(tx);
}

async function checkSlots(tx: Tx, permits: Pick<Permits, 'countValidBySlot'>, keys: SlotKeys) {
	const counts = await listCounts(tx, keys);
	const valid = await permits.countValidBySlot(tx, keys.room);
	const validOf = new Map(valid.map((line) => [line.slot, line]));
	const own = new Set(counts.map(({ slot }) => slot));
	const wrong = counts
		.filter((line) => {
			const there = validOf.get(line.slot) ?? { people: 0, permits: 0 };
			return there.people !== line.people || there.permits !== line.permits;
		})
		.map(({ slot, people }) => slotGap(slot, people, validOf.get(slot)?.people ?? 0));
	const orphans = valid
		.filter(({ slot }) => !own.has(slot))
		.map(({ slot, people }) => slotGap(slot, 0, people));
	const checked = { slots: counts.length, permits: valid.reduce((sum, line) => sum + line.permits, 0) };
	return { checked, gaps: [...wrong, ...orphans] };
}

const slotGap = (id: number, booked: number, people: number): CountGap => ({
	level: 'slot',
	id,
	booked,
	people
});

/**
 * Each quota against the permits it must count, told by their own attributes: everybody in its scope, but those whom
 * it does not count (`free`) or never lets in (`refuse`) unless a share of their own is planned.
 */
async function checkQuotas(tx: Tx, { season, room }: SlotKeys): Promise<{ count: number; gaps: CountGap[] }> {
	const result = await sql<{ id: number; booked: number; people: number }>`
		with sold as materialized (
			select slot, category, provider, country, state, sum(party) as people from permits
			where season = ${season} and room = ${room} and state <> 'cancelled' group by 1, 2, 3, 4, 5)
		select q.id, coalesce((select sum(c.booked) from quota_shards c
				where c.season = q.season and c.room = q.room and c.quota = q.id), 0)::int as booked,
			coalesce((select sum(p.people) from sold p
				where (p.slot = q.slot or (q.slot is null and p.state = 'valid'))
					and (q.dimension = 'slot' or q.other = 'share' or exists (select 1 from quota_shares s
						where s.season = q.season and s.room = q.room and s.quota = q.id and s.value <> '' and s.value =
							case q.dimension when 'category' then p.category when 'provider' then p.provider
								else p.country end))), 0)::int as people
		from quotas q where q.season = ${season} and q.room = ${room}`.execute(tx);
	const gaps = result.rows.filter(({ booked, people }) => booked !== people);
	return { count: result.rows.length, gaps: gaps.map((row) => ({ level: 'quota', ...row })) };
}

async function checkShards(tx: Tx, { season, room }: SlotKeys): Promise<{ count: number; gaps: CountGap[] }> {
	const result = await sql<{ id: number; value: string; shard: number; booked: number; people: number }>`
		with taken as (
			select t.quota, t.value, t.shard, sum(t.people)::int as people from quota_takes t
			join permits p on p.season = t.season and p.id = t.permit and p.state <> 'cancelled'
			where t.season = ${season} and t.room = ${room} group by 1, 2, 3),
		counted as (
			select quota, value, shard, booked from quota_shards where season = ${season} and room = ${room})
		select quota as id, value, shard, coalesce(booked, 0) as booked, coalesce(people, 0) as people
		from counted full join taken using (quota, value, shard)
		where coalesce(booked, 0) <> coalesce(people, 0)`.execute(tx);
	const count = await sql<{ shards: number }>`
		select count(*)::int as shards from quota_shards where season = ${season} and room = ${room}`.execute(tx);
	return { count: count.rows[0]?.shards ?? 0, gaps: result.rows.map((row) => ({ level: 'shard', ...row })) };
}

/** Laboratory: while nobody counts, permits and kept answers go, and the plans come. */
export async function resetSeason(
	db: Db,
	permits: Pick<Permits, 'deleteAll'>,
	keys: SlotKeys,
	plans: readonly SlotPlan[]
): Promise<void> {
	await db.transaction().execute((tx) =>
		replaceSlots(tx, keys, plans, async () => {
			await permits.deleteAll(tx);
			await forgetKept(tx, keys.season);
		})
	);
}
