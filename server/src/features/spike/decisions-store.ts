import { sql } from 'kysely';
import type { ConductorDecision } from '../../../contract/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { SampleKey } from './spike-store.ts';

/** Writes decisions; one of the same moment is there already when several instances follow the same conductor. */
export async function insertDecisions(
	db: Db,
	key: SampleKey,
	decisions: readonly ConductorDecision[]
): Promise<void> {
	if (decisions.length === 0) return;
	await db
		.insertInto('conductor_decisions')
		.values(
			decisions.map(({ at, kind, before, perSecond, limitedBy, ...facts }) => ({
				...{ ...key, kind, at: new Date(at) },
				rate_per_second: perSecond,
				before_per_second: before,
				limited_by: limitedBy,
				facts: JSON.stringify(facts)
			}))
		)
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** Decisions before a moment (epoch ms), newest first. */
export async function listDecisions(
	db: Db,
	key: SampleKey,
	query: { before: number; limit: number; changesOnly: boolean }
): Promise<ConductorDecision[]> {
	const rows = await db
		.selectFrom('conductor_decisions')
		.selectAll()
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('at', '<', new Date(query.before))
		.$if(query.changesOnly, (rows) => rows.where('kind', '=', 'change'))
		.orderBy('at', 'desc')
		.limit(query.limit)
		.execute();
	return rows.map((row) => ({
		...(row.facts as Omit<ConductorDecision, 'at' | 'kind' | 'before' | 'perSecond' | 'limitedBy'>),
		at: row.at.getTime(),
		kind: row.kind,
		before: row.before_per_second,
		perSecond: row.rate_per_second,
		limitedBy: row.limited_by as ConductorDecision['limitedBy']
	}));
}

/** Forgets at most `limit` decisions older than `before` (epoch ms), of any season; returns how many. */
export async function forgetDecisions(db: Db, before: number, limit: number): Promise<number> {
	const answer = await sql`delete from conductor_decisions where ctid = any (array(
		select ctid from conductor_decisions where at < ${new Date(before)} order by at limit ${limit}
	))`.execute(db);
	return Number(answer.numAffectedRows ?? 0);
}
