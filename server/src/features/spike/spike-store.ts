import { sql } from 'kysely';
import type { Db } from '../../platform/database/database.ts';
import type { SpikeSample } from './samples.ts';

/** Which room of which season. */
export interface SampleKey {
	season: string;
	room: string;
}

/** Writes seconds; one that is there already stays as it is. */
export async function insertSamples(db: Db, key: SampleKey, samples: readonly SpikeSample[]): Promise<void> {
	await db
		.insertInto('spike_samples')
		.values(samples.map((sample) => ({ ...key, at: new Date(sample.at), sample: JSON.stringify(sample) })))
		.onConflict((conflict) => conflict.doNothing())
		.execute();
}

/** Seconds after `since` (epoch ms), in order of time. */
export async function loadSamples(db: Db, key: SampleKey, since: number): Promise<SpikeSample[]> {
	const rows = await db
		.selectFrom('spike_samples')
		.select('sample')
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('at', '>', new Date(since))
		.orderBy('at')
		.execute();
	return rows.map((row) => row.sample as SpikeSample);
}

/** Forgets seconds older than `before` (epoch ms). */
export async function forgetSamples(db: Db, key: SampleKey, before: number): Promise<void> {
	await sql`delete from spike_samples
		where season = ${key.season} and room = ${key.room} and at < ${new Date(before)}`.execute(db);
}
