import { sql } from 'kysely';
import type { ForecastReason, KeptForecast } from '../../../contract/index.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Judgement } from './judge.ts';

export interface ForecastKey {
	season: string;
	room: string;
}

/** A forecast before it is judged. Times are epoch ms. */
export type NewForecast = Pick<
	KeptForecast,
	'at' | 'reason' | 'until' | 'stepSeconds' | 'waiting' | 'admittedPerSecond'
>;

/** Keeps one, and ends those that its press makes worthless: they are judged up to here. */
export async function keepForecast(db: Db, key: ForecastKey, forecast: NewForecast): Promise<void> {
	const { at, reason, until, ...predicted } = forecast;
	await db.transaction().execute(async (tx) => {
		if (reason !== 'regular') {
			await tx
				.updateTable('forecasts')
				.set({ until: new Date(at) })
				.where('season', '=', key.season)
				.where('room', '=', key.room)
				.where('judged_at', 'is', null)
				.where('until', '>', new Date(at))
				.execute();
		}
		await tx
			.insertInto('forecasts')
			.values({
				...key,
				at: new Date(at),
				reason,
				until: new Date(until),
				predicted: JSON.stringify(predicted)
			})
			.onConflict((conflict) => conflict.doNothing())
			.execute();
	});
}

/** Those whose time is over and that nobody has judged, oldest first. */
export async function listDue(
	db: Db,
	key: ForecastKey,
	before: number,
	limit: number
): Promise<KeptForecast[]> {
	const rows = await db
		.selectFrom('forecasts')
		.selectAll()
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('judged_at', 'is', null)
		.where('until', '<=', new Date(before))
		.orderBy('at')
		.limit(limit)
		.execute();
	return rows.map(readRow);
}

export async function saveJudgement(
	db: Db,
	key: ForecastKey,
	of: Pick<KeptForecast, 'at' | 'reason'>,
	judgement: Judgement,
	judgedAt: number
): Promise<void> {
	await db
		.updateTable('forecasts')
		.set({ judged_at: new Date(judgedAt), judgement: JSON.stringify(judgement) })
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('at', '=', new Date(of.at))
		.where('reason', '=', of.reason)
		.where('judged_at', 'is', null)
		.execute();
}

/** Newest first. */
export async function listForecasts(db: Db, key: ForecastKey, limit: number): Promise<KeptForecast[]> {
	const rows = await db
		.selectFrom('forecasts')
		.selectAll()
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.orderBy('at', 'desc')
		.limit(limit)
		.execute();
	return rows.map(readRow);
}

/** Forgets at most `limit` older than `before` (epoch ms), of any season; returns how many. */
export async function forgetForecasts(db: Db, before: number, limit: number): Promise<number> {
	const answer = await sql`delete from forecasts where ctid = any (array(
		select ctid from forecasts where at < ${new Date(before)} order by at limit ${limit}
	))`.execute(db);
	return Number(answer.numAffectedRows ?? 0);
}

interface Row {
	at: Date;
	reason: string;
	until: Date;
	predicted: unknown;
	judged_at: Date | null;
	judgement: unknown;
}

function readRow(row: Row): KeptForecast {
	const nothing: Judgement = {
		...{ points: 0, waitingError: null, waitingShare: null, waitingBias: null, admittedError: null }
	};
	return {
		...{ at: row.at.getTime(), reason: row.reason as ForecastReason, until: row.until.getTime() },
		...(row.predicted as Pick<KeptForecast, 'stepSeconds' | 'waiting' | 'admittedPerSecond'>),
		judgedAt: row.judged_at?.getTime() ?? null,
		...((row.judgement as Judgement | null) ?? nothing)
	};
}
