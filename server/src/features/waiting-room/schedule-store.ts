import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { noSchedule, type RoomSchedule } from './schedule.ts';
import type { RoomKey } from './waiting-room-store.ts';

const ms = (time: Date | null) => time?.getTime() ?? null;
const time = (at: number | null) => (at === null ? null : new Date(at));

/** The room's schedule; {@link noSchedule} where there never was one. */
export async function readSchedule(db: Db | Tx, key: RoomKey): Promise<RoomSchedule> {
	const row = await db
		.selectFrom('room_schedules')
		.selectAll()
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.executeTakeFirst();
	if (!row) return noSchedule;
	return {
		version: row.version,
		preQueueOpensAt: ms(row.pre_queue_opens_at),
		opensAt: ms(row.opens_at),
		closesAt: ms(row.closes_at),
		expectedTotal: row.expected_total,
		anonymousPlaces: row.anonymous_places,
		noticeSeconds: row.notice_seconds
	};
}

/** Edits of one room's life wait for each other until the transaction ends. */
export async function lockRoomLife(tx: Tx, { season, room }: RoomKey): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`room-life:${season}:${room}`}, 0))`.execute(tx);
}

export async function writeSchedule(tx: Tx, key: RoomKey, schedule: RoomSchedule): Promise<void> {
	const values = {
		version: schedule.version,
		pre_queue_opens_at: time(schedule.preQueueOpensAt),
		opens_at: time(schedule.opensAt),
		closes_at: time(schedule.closesAt),
		expected_total: schedule.expectedTotal,
		anonymous_places: schedule.anonymousPlaces,
		notice_seconds: schedule.noticeSeconds
	};
	await tx
		.insertInto('room_schedules')
		.values({ season: key.season, room: key.room, ...values })
		.onConflict((oc) => oc.columns(['season', 'room']).doUpdateSet(values))
		.execute();
}

/** Laboratory: as if there never had been one. */
export async function forgetSchedule(db: Db | Tx, key: RoomKey): Promise<void> {
	await db
		.deleteFrom('room_schedules')
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.execute();
}
