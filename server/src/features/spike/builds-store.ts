import type { Deploy } from '../../../contract/index.ts';
import type { Db } from '../../platform/database/database.ts';

/** Another build begins to serve; `at` in epoch ms. */
export async function insertBuild(db: Db, { at, build }: Deploy): Promise<void> {
	await db
		.insertInto('builds')
		.values({ at: new Date(at), build })
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** The newest, newest first. */
export async function newestBuilds(db: Db, limit: number): Promise<Deploy[]> {
	const rows = await db.selectFrom('builds').selectAll().orderBy('at', 'desc').limit(limit).execute();
	return rows.map(({ at, build }) => ({ at: at.getTime(), build }));
}
