import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { ReductionScope } from './reductions-store.ts';

/** A slot that shrinks, and to what. */
export interface SlotCut {
	slot: number;
	place: string;
	startsAt: number;
	endsAt: number;
	capacityBefore: number;
	capacityAfter: number;
}

export interface CutPeople {
	peopleKept: number;
	peopleInside: number;
	permitsInside: number;
}

/** Somebody who is affected; in the order in which they are offered places. */
export interface AffectedPermit {
	permit: string;
	slot: number;
	party: number;
}

/** Slots that are not over: one by its id, or those of places that overlap a span. */
export async function listCutSlots(
	db: Db | Tx,
	{ season, room }: ReductionScope,
	wanted: { slot: number } | { places: readonly string[]; from: number; to: number },
	now: number,
	most: number
): Promise<Omit<SlotCut, 'capacityAfter'>[]> {
	const all = db
		.selectFrom('slots')
		.select(['id', 'place', 'starts_at', 'ends_at', 'capacity'])
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ends_at', '>', new Date(now));
	const rows = await (
		'slot' in wanted
			? all.where('id', '=', wanted.slot)
			: all
					.where('place', '=', sql<string>`any(${wanted.places}::text[])`)
					.where('starts_at', '<', new Date(wanted.to))
					.where('ends_at', '>', new Date(wanted.from))
	)
		.orderBy('starts_at')
		.orderBy('id')
		.limit(most)
		.execute();
	return rows.map((row) => ({
		...{ slot: row.id, place: row.place, capacityBefore: row.capacity },
		...{ startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() }
	}));
}

/**
 * Valid permits of these slots with the people up to and with each, in the order in which they keep their place: whoever
 * has entered, then whoever was moved before, then by booking. Who has entered always keeps it.
 */
function ranked({ season, room }: ReductionScope, cuts: readonly SlotCut[]) {
	return sql`
		cut as (select * from unnest(${cuts.map(({ slot }) => slot)}::int[],
			${cuts.map(({ capacityAfter }) => capacityAfter)}::int[]) as c (slot, capacity)),
		own as (
			select p.id, p.slot, p.party, p.starts_at, p.issued_at, p.serial, cut.capacity,
				exists (select 1 from entries e where e.season = p.season and e.permit = p.id and e.people > 0
					and e.direction = 'in') as entered,
				exists (select 1 from reduction_permits r where r.season = p.season and r.successor = p.id) as moved
			from permits p join cut on cut.slot = p.slot
			where p.season = ${season} and p.room = ${room} and p.state = 'valid'),
		ranked as (
			select *, sum(party) over (partition by slot order by entered desc, moved desc, issued_at, serial
				rows unbounded preceding) as people_up_to from own)`;
}

/** Who keeps a place in each slot, by its id. */
export async function sumKept(
	db: Db | Tx,
	scope: ReductionScope,
	cuts: readonly SlotCut[]
): Promise<Map<number, CutPeople>> {
	const { rows } = await sql<CutPeople & { slot: number }>`
		with ${ranked(scope, cuts)}
		select cut.slot,
			coalesce(sum(party) filter (where entered or people_up_to <= ranked.capacity), 0)::int as "peopleKept",
			coalesce(sum(party) filter (where entered), 0)::int as "peopleInside",
			(count(*) filter (where entered))::int as "permitsInside"
		from cut left join ranked on ranked.slot = cut.slot group by cut.slot`.execute(db);
	return new Map(rows.map(({ slot, ...people }) => [slot, people]));
}

/** Who loses their place, in the order in which they are offered another: the earliest to book first. */
export async function listAffected(
	db: Db | Tx,
	scope: ReductionScope,
	cuts: readonly SlotCut[],
	most: number
): Promise<AffectedPermit[]> {
	const { rows } = await sql<AffectedPermit>`
		with ${ranked(scope, cuts)}
		select id as permit, slot, party from ranked where not entered and people_up_to > capacity
		order by starts_at, slot, moved desc, issued_at, serial limit ${most}`.execute(db);
	return rows;
}

/** Of these permits, those that somebody has entered with. */
export async function listEntered(
	db: Db | Tx,
	season: string,
	permits: readonly string[]
): Promise<Set<string>> {
	const rows = await db
		.selectFrom('entries')
		.select('permit')
		.distinct()
		.where('season', '=', season)
		.where('permit', '=', sql<string>`any(${permits}::text[])`)
		.where('people', '>', 0)
		.where('direction', '=', 'in')
		.execute();
	return new Set(rows.flatMap(({ permit }) => permit ?? []));
}

/** Permits that hold places in these slots for somebody else who was asked to move. */
export async function listHeldIn(
	tx: Tx,
	{ season, room }: ReductionScope,
	slots: readonly number[]
): Promise<string[]> {
	const rows = await tx
		.selectFrom('permits')
		.select('id')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('slot', '=', sql<number>`any(${slots}::int[])`)
		.where('state', '=', 'held')
		.orderBy('id')
		.execute();
	return rows.map(({ id }) => id);
}
