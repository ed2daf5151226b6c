import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { InstanceSample } from './fold.ts';
import { readSample, type SpikeSample } from './samples.ts';

/** Which room of which season. */
export interface SampleKey {
	season: string;
	room: string;
}

/** Seconds that one stored row stands for. */
export type Step = 1 | 10 | 60;

/** Writes rows of one step. A second that is there already stays as it is; a roll-up is written anew. */
export async function insertSamples(
	db: Db,
	key: SampleKey,
	step: Step,
	instance: string,
	samples: readonly SpikeSample[]
): Promise<void> {
	if (samples.length === 0) return;
	await db
		.insertInto('spike_samples')
		.values(
			samples.map((sample) => ({
				...{ ...key, step, instance },
				at: new Date(sample.at),
				sample: JSON.stringify(sample)
			}))
		)
		.onConflict((conflict) => {
			const columns = conflict.columns(['season', 'room', 'step', 'at', 'instance']);
			return step === 1
				? columns.doNothing()
				: columns.doUpdateSet((row) => ({ sample: row.ref('excluded.sample') }));
		})
		.execute();
}

/** Rows of one step after `from` and up to `to` (epoch ms), in order of time; `except` leaves one instance out. */
export async function loadSamples(
	db: Db,
	key: SampleKey,
	step: Step,
	span: { from: number; to: number; except?: string }
): Promise<InstanceSample[]> {
	const rows = await db
		.selectFrom('spike_samples')
		.select(['instance', 'sample'])
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('step', '=', step)
		.where('at', '>', new Date(span.from))
		.where('at', '<=', new Date(span.to))
		.$if(span.except !== undefined, (query) => query.where('instance', '!=', span.except!))
		.orderBy('at')
		.execute();
	return rows.map(({ instance, sample }) => ({ instance, sample: readSample(sample) }));
}

/** Oldest and newest row of one step (epoch ms); null when there is none. */
export async function findEnds(
	db: Db,
	key: SampleKey,
	step: Step
): Promise<{ oldest: number; newest: number } | null> {
	const row = await db
		.selectFrom('spike_samples')
		.select((each) => [each.fn.min('at').as('oldest'), each.fn.max('at').as('newest')])
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('step', '=', step)
		.executeTakeFirst();
	return row?.oldest ? { oldest: row.oldest.getTime(), newest: row.newest.getTime() } : null;
}

/** Forgets at most `limit` rows of one step older than `before` (epoch ms), of any season; returns how many. */
export async function forgetSamples(db: Db, step: Step, before: number, limit: number): Promise<number> {
	const answer = await sql`delete from spike_samples where ctid = any (array(
		select ctid from spike_samples where step = ${step} and at < ${new Date(before)} order by at limit ${limit}
	))`.execute(db);
	return Number(answer.numAffectedRows ?? 0);
}
