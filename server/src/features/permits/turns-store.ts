import type { Db, Tx } from '../../platform/database/database.ts';

/** Keeps which bits turned with a version; null: too many to travel. What is far behind goes. */
export async function putTurns(
	tx: Tx,
	season: string,
	{ version, turned, kept }: { version: number; turned: number[] | null; kept: number }
): Promise<void> {
	await tx
		.insertInto('permit_revocation_turns')
		.values({ season, version, turned })
		.onConflict((conflict) => conflict.columns(['season', 'version']).doUpdateSet({ turned }))
		.execute();
	await tx
		.deleteFrom('permit_revocation_turns')
		.where('season', '=', season)
		.where('version', '<=', version - kept)
		.execute();
}

/** Turned bits of every version after `base` up to `version`; null where one is missing, or was too many. */
export async function listTurns(
	db: Db,
	season: string,
	base: number,
	version: number
): Promise<number[][] | null> {
	const rows = await db
		.selectFrom('permit_revocation_turns')
		.select('turned')
		.where('season', '=', season)
		.where('version', '>', base)
		.where('version', '<=', version)
		.execute();
	const turns = rows.flatMap(({ turned }) => (turned === null ? [] : [turned]));
	return turns.length === version - base ? turns : null;
}
