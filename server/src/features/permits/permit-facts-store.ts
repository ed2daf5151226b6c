import type { Db, Tx } from '../../platform/database/database.ts';

/** What whoever scanned a permit may be told of it. Times are epoch ms. */
export interface PermitFacts {
	id: string;
	place: string;
	party: number;
	startsAt: number;
	endsAt: number;
	/** When it stopped being valid; null while it is. */
	cancelledAt: number | null;
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
		.select(['id', 'place', 'party', 'starts_at', 'ends_at', 'state', 'cancelled_at'])
		.where('season', '=', season)
		.where('id', 'in', [...ids])
		.execute();
	return new Map(
		rows.map((row) => [
			row.id,
			{
				...{ id: row.id, place: row.place, party: row.party },
				...{ startsAt: row.starts_at.getTime(), endsAt: row.ends_at.getTime() },
				cancelledAt: row.state === 'valid' ? null : (row.cancelled_at?.getTime() ?? 0)
			}
		])
	);
}
