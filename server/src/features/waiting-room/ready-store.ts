import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';

/** Notes that somebody is prepared (a keyed hash of the holder); counted once. */
export async function savePrepared(db: Db, season: string, tag: Buffer): Promise<void> {
	await sql`with new as (
			insert into prepared_people (season, tag) values (${season}, ${tag}) on conflict do nothing returning 1
		)
		insert into prepared_totals (season, people) select ${season}, 1 from new
		on conflict (season) do update set people = prepared_totals.people + 1`.execute(db);
}

/** How many are prepared. */
export async function countPrepared(db: Db | Tx, season: string): Promise<number> {
	const row = await db
		.selectFrom('prepared_totals')
		.select('people')
		.where('season', '=', season)
		.executeTakeFirst();
	return row?.people ?? 0;
}

/** Laboratory: nobody is. */
export async function forgetPrepared(db: Db, season: string): Promise<void> {
	await db.deleteFrom('prepared_people').where('season', '=', season).execute();
	await db.deleteFrom('prepared_totals').where('season', '=', season).execute();
}
