import { sql } from 'kysely';
import type { Progress } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { isLiving } from './round-draft.ts';
import type { Plan } from './round.ts';
import type { NewTicket, TicketState } from './ticket-table.ts';

export type RoomMode = Progress['mode'];
/** Where the rate comes from: nobody's measurement, the environment, or the duty manager. */
export type RateSource = 'default' | 'configured' | 'manager';

/** Which room of which season. */
export interface RoomKey {
	season: string;
	room: string;
}

/** The room as stored; times are epoch ms. */
export interface StoredRoom {
	epoch: number;
	term: number;
	mode: RoomMode;
	ratePerSecond: number;
	rateSource: RateSource;
	lastNumber: number;
	/** When the process before this one last wrote. */
	aliveAt: number;
	frozenSince: number | null;
}

const toMs = (column: string) => sql.raw(`round(extract(epoch from ${column}) * 1000)::float8`);
const toTime = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`;

/**
 * Takes the room over for this process (made on the first start): from now on writes of an earlier holder are
 * refused. The time nobody held the room is added to every living turn and pass.
 * @returns null when `expectedTerm` is given and another process holds the room since
 */
export async function openRoom(
	db: Db,
	key: RoomKey,
	first: { ratePerSecond: number; rateSource: RateSource },
	now: number,
	expectedTerm: number | null
): Promise<StoredRoom | null> {
	return db.transaction().execute(async (tx) => {
		await sql`insert into rooms (season, room, epoch, term, mode, rate_per_second, rate_source, last_number, alive_at)
			values (${key.season}, ${key.room}, 1, 0, 'open', ${first.ratePerSecond}, ${first.rateSource}, 0, ${toTime(now)})
			on conflict do nothing`.execute(tx);
		const taken =
			await sql`update rooms set term = term + 1 where season = ${key.season} and room = ${key.room}
			and (${expectedTerm}::bigint is null or term = ${expectedTerm}) returning 1`.execute(tx);
		if (taken.rows.length === 0) return null;
		await settleStops(tx, key);
		const room = await readRoom(tx, key);
		const awayMs = now - room.aliveAt;
		if (room.frozenSince === null && awayMs > 0) await shiftDue(tx, key, room.epoch, awayMs);
		await sql`update rooms set alive_at = ${toTime(now)} where season = ${key.season} and room = ${key.room}`.execute(
			tx
		);
		return room;
	});
}

async function readRoom(db: Db | Tx, key: RoomKey): Promise<StoredRoom> {
	const answer = await sql<StoredRoom>`select epoch, term, mode, rate_per_second as "ratePerSecond",
			rate_source as "rateSource", last_number as "lastNumber", ${toMs('alive_at')} as "aliveAt",
			${toMs('frozen_since')} as "frozenSince"
		from rooms where season = ${key.season} and room = ${key.room}`.execute(db);
	return answer.rows[0]!;
}

/** A room that lived in Valkey keeps due times without the time its clocks stood still: here they hold it. */
async function settleStops(tx: Tx, key: RoomKey): Promise<void> {
	const answer = await sql<{
		epoch: number;
		stoppedMs: number;
	}>`select epoch, stopped_ms as "stoppedMs" from rooms
		where season = ${key.season} and room = ${key.room} and stopped_ms > 0`.execute(tx);
	const room = answer.rows[0];
	if (!room) return;
	await shiftDue(tx, key, room.epoch, room.stoppedMs);
	await sql`update rooms set stopped_ms = 0, stops = '' where season = ${key.season} and room = ${key.room}`.execute(
		tx
	);
}

/** Every turn and pass that lives gets so much more time. */
async function shiftDue(tx: Tx, key: RoomKey, epoch: number, byMs: number): Promise<void> {
	await sql`update tickets set due_at = due_at + ${byMs}::float8 * interval '1 millisecond'
		where season = ${key.season} and room = ${key.room} and epoch = ${epoch}
			and state in ('waiting', 'called', 'admitted') and due_at is not null`.execute(tx);
}

/** Tickets of an epoch after `after`, in order of number. Plain numbers: a start reads very many of them. */
export async function loadTickets(
	db: Db,
	key: RoomKey,
	epoch: number,
	after: number,
	limit: number
): Promise<NewTicket[]> {
	const answer = await sql<NewTicket & { state: TicketState }>`select number, holder, party, state, late,
			${toMs('joined_at')} as "joinedAt", coalesce(${toMs('claimed_at')}, 0) as "claimedAt",
			coalesce(${toMs('due_at')}, 0) as "dueAt", extended_ms as "extendedMs"
		from tickets
		where season = ${key.season} and room = ${key.room} and epoch = ${epoch} and number > ${after}
		order by number limit ${limit}`.execute(db);
	return answer.rows;
}

/**
 * Writes one round in one statement, and so in one transaction. Tickets end before others change hands, and both
 * before new ones come: at no moment has a holder two living ones.
 * @returns false, with nothing written, when another process has taken the room over
 */
export async function commitRound(
	db: Db,
	key: RoomKey,
	held: { epoch: number; term: number },
	plan: Pick<Plan, 'inserts' | 'changes' | 'lastNumber' | 'placed'>,
	now: number
): Promise<boolean> {
	const { inserts } = plan;
	const ends = plan.changes.filter((change) => !isLiving(change.state));
	const changes = plan.changes.filter((change) => isLiving(change.state));
	const placed = plan.placed ? [plan.placed] : [];
	const column = <T, V>(rows: readonly T[], pick: (row: T) => V): V[] => rows.map(pick);
	const answer = await sql<{ held: number }>`with held as (
			update rooms set last_number = ${plan.lastNumber}, alive_at = ${toTime(now)}
			where season = ${key.season} and room = ${key.room} and epoch = ${held.epoch} and term = ${held.term}
			returning 1
		), ended as (
			update tickets t set state = e.state, ended_at = to_timestamp(e.ended / 1000)
			from unnest(
				${column(ends, (c) => c.number)}::int[], ${column(ends, (c) => c.state)}::text[],
				${column(ends, (c) => c.endedAt)}::float8[]
			) as e (number, state, ended)
			where t.season = ${key.season} and t.room = ${key.room} and t.epoch = ${held.epoch} and t.number = e.number
				and exists (select from held)
			returning 1
		), changed as (
			update tickets t set state = c.state, holder = coalesce(c.holder, t.holder),
				called_at = coalesce(to_timestamp(c.called / 1000), t.called_at),
				claimed_at = coalesce(to_timestamp(c.claimed / 1000), t.claimed_at),
				due_at = coalesce(to_timestamp(c.due / 1000), t.due_at),
				extended_ms = coalesce(c.extended, t.extended_ms)
			from unnest(
				${column(changes, (c) => c.number)}::int[], ${column(changes, (c) => c.state)}::text[],
				${column(changes, (c) => c.calledAt)}::float8[], ${column(changes, (c) => c.claimedAt)}::float8[],
				${column(changes, (c) => c.dueAt)}::float8[], ${column(changes, (c) => c.extendedMs)}::int[],
				${column(changes, (c) => c.holder)}::text[]
			) as c (number, state, called, claimed, due, extended, holder)
			where t.season = ${key.season} and t.room = ${key.room} and t.epoch = ${held.epoch} and t.number = c.number
				and exists (select from held) and (select count(*) from ended) >= 0
			returning 1
		), placed as (
			insert into placements (season, room, epoch, origin, placed)
			select ${key.season}, ${key.room}, ${held.epoch}, origin, placed
			from unnest(
				${column(placed, (p) => p.origin)}::text[], ${column(placed, (p) => p.placed)}::int[]
			) as new (origin, placed)
			where exists (select from held)
			on conflict (season, room, epoch, origin) do update set placed = excluded.placed
		), joined as (
			insert into tickets (season, room, epoch, number, holder, party, state, late, joined_at, called_at, claimed_at, due_at)
			select ${key.season}, ${key.room}, ${held.epoch}, number, holder, party, state, late, ${toTime(now)},
				case when due > 0 then ${toTime(now)} end, case when due > 0 then ${toTime(now)} end,
				case when due > 0 then to_timestamp(due / 1000) end
			from unnest(
				${column(inserts, (t) => t.number)}::int[], ${column(inserts, (t) => t.holder)}::text[],
				${column(inserts, (t) => t.party)}::smallint[], ${column(inserts, (t) => t.state)}::text[],
				${column(inserts, (t) => t.late)}::boolean[], ${column(inserts, (t) => t.dueAt)}::float8[]
			) as new (number, holder, party, state, late, due)
			where exists (select from held) and (select count(*) from changed) >= 0
		)
		select count(*) as held from held`.execute(db);
	return answer.rows[0]?.held === 1;
}

/** How many of each drawn list have their number in this epoch. */
export async function loadPlacements(db: Db, key: RoomKey, epoch: number): Promise<Map<string, number>> {
	const rows = await db
		.selectFrom('placements')
		.select(['origin', 'placed'])
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('epoch', '=', epoch)
		.execute();
	return new Map(rows.map(({ origin, placed }) => [origin, placed]));
}

/** Stops the clocks of turns and passes. */
export async function freezeRoom(db: Db, key: RoomKey, since: number): Promise<void> {
	await sql`update rooms set frozen_since = ${toTime(since)}
		where season = ${key.season} and room = ${key.room} and frozen_since is null`.execute(db);
}

/** Starts them again; everybody keeps the time that was left. */
export async function thawRoom(db: Db, key: RoomKey, epoch: number, frozenMs: number): Promise<void> {
	await db.transaction().execute(async (tx) => {
		await shiftDue(tx, key, epoch, frozenMs);
		await sql`update rooms set frozen_since = null where season = ${key.season} and room = ${key.room}`.execute(
			tx
		);
	});
}

/** Begins a new epoch: every older ticket and pass is void. `forget` removes their rows, too (laboratory). */
export async function beginEpoch(db: Db, key: RoomKey, forget: boolean): Promise<number> {
	return db.transaction().execute(async (tx) => {
		const answer = await sql<{
			epoch: number;
		}>`update rooms set epoch = epoch + 1, last_number = 0, frozen_since = null, stopped_ms = 0, stops = ''
			where season = ${key.season} and room = ${key.room} returning epoch`.execute(tx);
		if (forget) {
			await sql`delete from tickets where season = ${key.season} and room = ${key.room}`.execute(tx);
			await sql`delete from placements where season = ${key.season} and room = ${key.room}`.execute(tx);
			await sql`delete from passes where season = ${key.season} and room = ${key.room}`.execute(tx);
		}
		return answer.rows[0]!.epoch;
	});
}

/** Rate and mode as they are stored; null when there is no such room. */
export async function readSettings(
	db: Db,
	key: RoomKey
): Promise<{ mode: RoomMode; ratePerSecond: number; rateSource: RateSource } | null> {
	const row = await db
		.selectFrom('rooms')
		.select(['mode', 'rate_per_second', 'rate_source'])
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.executeTakeFirst();
	if (!row) return null;
	return {
		mode: row.mode as RoomMode,
		ratePerSecond: row.rate_per_second,
		rateSource: row.rate_source as RateSource
	};
}

/** Sets the duty manager's rate; returns the one before. */
export async function setRate(tx: Tx, key: RoomKey, perSecond: number): Promise<number> {
	const before = await tx
		.selectFrom('rooms')
		.select('rate_per_second')
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.forUpdate()
		.executeTakeFirstOrThrow();
	await tx
		.updateTable('rooms')
		.set({ rate_per_second: perSecond, rate_source: 'manager' })
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.execute();
	return before.rate_per_second;
}

/** Sets the mode; returns the one before. */
export async function setMode(tx: Tx, key: RoomKey, mode: RoomMode): Promise<RoomMode> {
	const before = await tx
		.selectFrom('rooms')
		.select('mode')
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.forUpdate()
		.executeTakeFirstOrThrow();
	await tx
		.updateTable('rooms')
		.set({ mode })
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.execute();
	return before.mode;
}
