import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

/** What tells two sets of revoked permits apart without reading them; one that gates still honour is in neither. */
export async function markRevoked(
	db: Db | Tx,
	season: string,
	endedAfter: number,
	now: number
): Promise<string> {
	const row = await db
		.selectFrom('permits')
		.select((eb) => [
			eb.fn.countAll<number>().as('count'),
			eb.fn.coalesce(eb.fn.sum<string>('serial'), eb.lit(0)).as('sum')
		])
		.where('season', '=', season)
		.where('state', '=', 'cancelled')
		.where('ends_at', '>', new Date(endedAfter))
		.where(notHonoured(now))
		.executeTakeFirstOrThrow();
	return `${row.count}:${row.sum}`;
}

/** Serials of permits that are not good any more, whose window is not long over. */
export async function listRevoked(
	db: Db | Tx,
	season: string,
	endedAfter: number,
	now: number,
	most: number
): Promise<number[]> {
	const rows = await db
		.selectFrom('permits')
		.select('serial')
		.where('season', '=', season)
		.where('state', '=', 'cancelled')
		.where('ends_at', '>', new Date(endedAfter))
		.where(notHonoured(now))
		.limit(most)
		.execute();
	return rows.map(({ serial }) => serial);
}

const notHonoured = (now: number) =>
	sql<boolean>`(honoured_until is null or honoured_until <= ${new Date(now)})`;

/** Valid permits by the key that they are signed under; null: not signed yet. */
export async function countByKey(
	db: Db | Tx,
	season: string
): Promise<{ kid: string | null; permits: number }[]> {
	return db
		.selectFrom('permits')
		.select((eb) => ['key_id as kid', eb.fn.countAll<number>().as('permits')])
		.where('season', '=', season)
		.where('state', '=', 'valid')
		.groupBy('key_id')
		.execute();
}

/** Valid permits are signed under another key from now on; how many that were. Their ids stay. */
export async function moveToKey(tx: Tx, season: string, from: string, to: string): Promise<number> {
	const result = await tx
		.updateTable('permits')
		.set({ key_id: to })
		.where('season', '=', season)
		.where('state', '=', 'valid')
		.where('key_id', '=', from)
		.executeTakeFirst();
	return Number(result.numUpdatedRows);
}

/** A permit from before it was signed gets its key, once; the key that it has. */
export async function giveKey(db: Db, season: string, id: string, kid: string): Promise<string> {
	await db
		.updateTable('permits')
		.set({ key_id: kid })
		.where('season', '=', season)
		.where('id', '=', id)
		.where('key_id', 'is', null)
		.execute();
	const row = await db
		.selectFrom('permits')
		.select('key_id')
		.where('season', '=', season)
		.where('id', '=', id)
		.executeTakeFirst();
	return row?.key_id ?? kid;
}
