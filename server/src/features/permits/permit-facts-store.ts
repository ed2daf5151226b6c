import { sql } from 'kysely';
import type { MovedPermit } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

/** What whoever scanned a permit may be told of it. Times are epoch ms. */
export interface PermitFacts {
	id: string;
	place: string;
	party: number;
	startsAt: number;
	endsAt: number;
	/** When gates stopped honouring it; null while it is valid. */
	cancelledAt: number | null;
	/** The permits that it was moved from or to with its slot: all of them together are one for the gates. */
	kin: readonly string[];
}

/** Facts of these permits of a season; one that does not exist is not in the answer. */
export async function listFacts(
	db: Db | Tx,
	season: string,
	ids: readonly string[]
): Promise<Map<string, PermitFacts>> {
	if (ids.length === 0) return new Map();
	const rows = await db
		.selectFrom('permits')
		.select(['id', 'place', 'party', 'starts_at', 'ends_at', 'state', 'cancelled_at', 'honoured_until'])
		.where('season', '=', season)
		.where('id', 'in', [...ids])
		.where('state', '<>', 'held')
		.execute();
	const kin = await listKin(db, season, ids);
	return new Map(
		rows.map((row) => [
			row.id,
			{
				...{ id: row.id, place: row.place, party: row.party },
				...{ startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() },
				cancelledAt:
					row.state === 'valid' ? null : ((row.honoured_until ?? row.cancelled_at)?.getTime() ?? 0),
				kin: kin.get(row.id) ?? []
			}
		])
	);
}

/** Of each permit that was moved, or came of a move: the others of its line, oldest first. */
async function listKin(db: Db | Tx, season: string, ids: readonly string[]): Promise<Map<string, string[]>> {
	const { rows } = await sql<{ id: string; kin: string }>`
		with recursive older(id, kin) as (
			select to_id.id, p.id from unnest(${[...ids]}::text[]) as to_id(id)
				join permits p on p.season = ${season} and p.replaced_by = to_id.id and p.honoured_until is not null
			union
			select older.id, p.id from older
				join permits p on p.season = ${season} and p.replaced_by = older.kin and p.honoured_until is not null),
		newer(id, kin) as (
			select p.id, p.replaced_by from permits p
				where p.season = ${season} and p.id = any(${[...ids]}::text[]) and p.honoured_until is not null
					and p.replaced_by is not null
			union
			select newer.id, p.replaced_by from newer
				join permits p on p.season = ${season} and p.id = newer.kin and p.honoured_until is not null
					and p.replaced_by is not null)
		select id, kin from older union all select id, kin from newer`.execute(db);
	return rows.reduce(
		(kin, row) => kin.set(row.id, [...(kin.get(row.id) ?? []), row.kin]),
		new Map<string, string[]>()
	);
}

/** Permits that were moved with their slot out of a place or into it, one of whose windows ends after `endedAfter`, newest first. */
export async function listMoved(
	db: Db | Tx,
	season: string,
	place: string,
	endedAfter: number,
	most: number
): Promise<MovedPermit[]> {
	const rows = await db
		.selectFrom('permits as old')
		.innerJoin('permits as next', (join) =>
			join.onRef('next.season', '=', 'old.season').onRef('next.id', '=', 'old.replaced_by')
		)
		.select(['old.id as permit', 'next.id as successor', 'old.honoured_until', 'next.place', 'next.slot'])
		.select(['next.starts_at', 'next.ends_at', 'old.place as old_place', 'old.slot as old_slot'])
		.select(['old.starts_at as old_starts_at', 'old.ends_at as old_ends_at'])
		.where('old.season', '=', season)
		.where((eb) => eb.or([eb('old.place', '=', place), eb('next.place', '=', place)]))
		.where((eb) => eb(eb.fn('greatest', ['old.ends_at', 'next.ends_at']), '>', new Date(endedAfter)))
		.where('old.honoured_until', 'is not', null)
		// What its holder gave up again leads nobody anywhere.
		.where((eb) => eb.or([eb('next.state', '=', 'valid'), eb('next.honoured_until', 'is not', null)]))
		.orderBy('old.honoured_until', 'desc')
		.orderBy('old.id')
		.limit(most)
		.execute();
	return rows.map(({ permit, successor, place: at, slot, ...times }) => ({
		...{ permit, successor, place: at, slot, honouredUntil: times.honoured_until?.getTime() ?? 0 },
		...{ startsAt: times.starts_at.getTime(), endsAt: times.ends_at.getTime() },
		before: {
			...{ place: times.old_place, slot: times.old_slot },
			...{ startsAt: times.old_starts_at.getTime(), endsAt: times.old_ends_at.getTime() }
		}
	}));
}
