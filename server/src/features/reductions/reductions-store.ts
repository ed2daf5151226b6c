import { sql } from 'kysely';
import type { Reduction, ReductionForecast, ReductionRequest } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { CutPeople, SlotCut } from './affected-store.ts';

/** One season's slots in one room. */
export interface ReductionScope {
	season: string;
	room: string;
}

/** A reduction as it is stored; times are epoch ms. */
export interface StoredReduction {
	id: string;
	state: Reduction['state'];
	/** As it was asked for, its terms complete. */
	request: ReductionRequest & Reduction['terms'];
	expectedPeople: number;
	byId: string;
	by: string;
	confirmedBy: string | null;
	proposedAt: number;
	expiresAt: number;
	startedAt: number | null;
	endedAt: number | null;
	/** What the first person was shown; null where no second one is needed. */
	forecast: ReductionForecast | null;
}

/** One slot of a reduction. */
export type StoredCut = SlotCut & Omit<CutPeople, 'permitsInside'>;

export async function insertReduction(tx: Tx, scope: ReductionScope, one: StoredReduction): Promise<void> {
	await tx
		.insertInto('reductions')
		.values({
			...{ ...scope, id: one.id, state: one.state, request: JSON.stringify(one.request) },
			forecast: one.forecast && JSON.stringify(one.forecast),
			...{ expected_people: one.expectedPeople, by_id: one.byId, by_name: one.by },
			...{ proposed_at: new Date(one.proposedAt), expires_at: new Date(one.expiresAt) }
		})
		.execute();
}

/** Changes the state of a reduction; false when it was in none of these. */
export async function setState(
	tx: Tx,
	season: string,
	id: string,
	from: readonly Reduction['state'][],
	to: { state: Reduction['state']; confirmedBy?: string; startedAt?: number; endedAt?: number }
): Promise<boolean> {
	const result = await tx
		.updateTable('reductions')
		.set({
			state: to.state,
			...(to.confirmedBy === undefined ? {} : { confirmed_by: to.confirmedBy }),
			...(to.startedAt === undefined ? {} : { started_at: new Date(to.startedAt) }),
			...(to.endedAt === undefined ? {} : { ended_at: new Date(to.endedAt) })
		})
		.where('season', '=', season)
		.where('id', '=', id)
		.where('state', 'in', [...from])
		.executeTakeFirst();
	return result.numUpdatedRows === 1n;
}

/** One reduction under its lock. */
export async function lockReduction(
	tx: Tx,
	{ season, room }: ReductionScope,
	id: string
): Promise<StoredReduction | undefined> {
	const row = await tx
		.selectFrom('reductions')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', id)
		.forUpdate()
		.executeTakeFirst();
	return row && toReduction(row);
}

/** Those that wait or run, and of the others those that ended lately; newest first. */
export async function listReductions(
	db: Db | Tx,
	{ season, room }: ReductionScope,
	endedAfter: number,
	most: number
): Promise<StoredReduction[]> {
	const rows = await db
		.selectFrom('reductions')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where((eb) =>
			eb.or([eb('state', 'in', ['proposed', 'running']), eb('ended_at', '>', new Date(endedAfter))])
		)
		.orderBy('proposed_at', 'desc')
		.orderBy('id')
		.limit(most)
		.execute();
	return rows.map(toReduction);
}

export async function listReductionsById(
	db: Db | Tx,
	{ season, room }: ReductionScope,
	ids: readonly string[]
): Promise<StoredReduction[]> {
	const rows = await db
		.selectFrom('reductions')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('id', '=', sql<string>`any(${ids}::text[])`)
		.execute();
	return rows.map(toReduction);
}

/** What the leader has to do: those that run, those that were withdrawn with offers open, and proposals that lapse. */
export async function listWork(
	db: Db,
	{ season, room }: ReductionScope,
	now: number
): Promise<StoredReduction[]> {
	const { rows } = await sql<Row<'reductions'>>`
		select r.* from reductions r where r.season = ${season} and r.room = ${room} and (r.state = 'running'
			or (r.state = 'proposed' and r.expires_at <= ${new Date(now)})
			or (r.state = 'withdrawn' and exists (select 1 from reduction_permits o where o.season = r.season
				and o.reduction = r.id and o.state in ('new', 'offered', 'waiting'))))
		order by r.proposed_at, r.id`.execute(db);
	return rows.map(toReduction);
}

function toReduction(row: Row<'reductions'>): StoredReduction {
	return {
		...{ id: row.id, state: row.state, request: row.request as StoredReduction['request'] },
		...{ expectedPeople: row.expected_people, byId: row.by_id, by: row.by_name },
		confirmedBy: row.confirmed_by,
		...{ proposedAt: row.proposed_at.getTime(), expiresAt: row.expires_at.getTime() },
		...{ startedAt: row.started_at?.getTime() ?? null, endedAt: row.ended_at?.getTime() ?? null },
		forecast: row.forecast as StoredReduction['forecast']
	};
}

export async function insertCuts(
	tx: Tx,
	season: string,
	reduction: string,
	cuts: readonly StoredCut[]
): Promise<void> {
	await tx
		.insertInto('reduction_slots')
		.values(
			cuts.map((cut) => ({
				...{ season, reduction, slot: cut.slot, place: cut.place },
				...{ starts_at: new Date(cut.startsAt), ends_at: new Date(cut.endsAt) },
				...{ capacity_before: cut.capacityBefore, capacity_after: cut.capacityAfter },
				...{ people_kept: cut.peopleKept, people_inside: cut.peopleInside }
			}))
		)
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

export async function listCuts(
	db: Db | Tx,
	season: string,
	reductions: readonly string[]
): Promise<Map<string, StoredCut[]>> {
	const rows = await db
		.selectFrom('reduction_slots')
		.selectAll()
		.where('season', '=', season)
		.where('reduction', '=', sql<string>`any(${reductions}::text[])`)
		.orderBy('starts_at')
		.orderBy('slot')
		.execute();
	return rows.reduce(
		(cuts, row) =>
			cuts.set(row.reduction, [
				...(cuts.get(row.reduction) ?? []),
				{
					...{
						slot: row.slot,
						place: row.place,
						peopleKept: row.people_kept,
						peopleInside: row.people_inside
					},
					...{ startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() },
					...{ capacityBefore: row.capacity_before, capacityAfter: row.capacity_after }
				}
			]),
		new Map<string, StoredCut[]>()
	);
}

/** Slots that are reduced by what runs now. */
export async function listShrinking(db: Db | Tx, { season, room }: ReductionScope): Promise<Set<number>> {
	const rows = await db
		.selectFrom('reduction_slots as s')
		.innerJoin('reductions as r', (join) =>
			join.onRef('r.season', '=', 's.season').onRef('r.id', '=', 's.reduction')
		)
		.select('s.slot')
		.where('s.season', '=', season)
		.where('r.room', '=', room)
		.where('r.state', '=', 'running')
		.execute();
	return new Set(rows.map(({ slot }) => slot));
}
