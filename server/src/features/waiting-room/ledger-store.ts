import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import { isLiving } from './round-draft.ts';
import type { LedgerTicket } from './valkey-tickets.ts';
import type { RateSource, RoomKey, RoomMode } from './waiting-room-store.ts';

/** The room as PostgreSQL knows it while its queue lives in Valkey; times are epoch ms. */
export interface LedgerRoom {
	epoch: number;
	mode: RoomMode;
	ratePerSecond: number;
	rateSource: RateSource;
	/** Numbers up to this one were reserved, given out or not. */
	lastNumber: number;
	aliveAt: number;
	frozenSince: number | null;
	stoppedMs: number;
	/** Times the clocks stood still, `from-to,` each. */
	stops: string;
}

/** A pass as it was first written. */
export interface RecordedPass {
	number: number;
	claimedAt: number;
	dueAt: number;
	extendedMs: number;
	ended: boolean;
}

const toMs = (column: string) => sql.raw(`round(extract(epoch from ${column}) * 1000)::float8`);
const toTime = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`;
const column = <T, V>(rows: readonly T[], pick: (row: T) => V): V[] => rows.map(pick);

/** Reads the room, made on the first start. Takes nothing over: several instances serve it. */
export async function openLedger(
	db: Db,
	key: RoomKey,
	first: { ratePerSecond: number; rateSource: RateSource },
	now: number
): Promise<LedgerRoom> {
	await sql`insert into rooms (season, room, epoch, term, mode, rate_per_second, rate_source, last_number, alive_at)
		values (${key.season}, ${key.room}, 1, 0, 'open', ${first.ratePerSecond}, ${first.rateSource}, 0, ${toTime(now)})
		on conflict do nothing`.execute(db);
	const answer = await sql<LedgerRoom>`select epoch, mode, rate_per_second as "ratePerSecond",
			rate_source as "rateSource", last_number as "lastNumber", ${toMs('alive_at')} as "aliveAt",
			${toMs('frozen_since')} as "frozenSince", stopped_ms as "stoppedMs", stops
		from rooms where season = ${key.season} and room = ${key.room}`.execute(db);
	return answer.rows[0]!;
}

/** Reserves so many numbers after all that ever were. @returns null when the epoch is over */
export async function reserveNumbers(
	db: Db,
	key: RoomKey,
	epoch: number,
	count: number
): Promise<{ from: number; to: number } | null> {
	const answer = await sql<{ to: number }>`update rooms set last_number = last_number + ${count}
		where season = ${key.season} and room = ${key.room} and epoch = ${epoch}
		returning last_number as "to"`.execute(db);
	const to = answer.rows[0]?.to;
	return to === undefined ? null : { from: to - count + 1, to };
}

/**
 * Writes passes, each number at most once. Where one is written already that one counts, for its present holder.
 * @returns each pass as recorded; fewer when the epoch is over
 */
export async function writePasses(
	db: Db,
	key: RoomKey,
	epoch: number,
	passes: readonly (Omit<RecordedPass, 'ended'> & { holder: string; party: number })[]
): Promise<RecordedPass[]> {
	const answer = await sql<RecordedPass>`
		insert into passes (season, room, epoch, number, holder, party, claimed_at, due_at, extended_ms)
		select ${key.season}, ${key.room}, ${epoch}, number, holder, party, to_timestamp(claimed / 1000),
			to_timestamp(due / 1000), extended
		from unnest(
			${column(passes, (p) => p.number)}::int[], ${column(passes, (p) => p.holder)}::text[],
			${column(passes, (p) => p.party)}::smallint[], ${column(passes, (p) => p.claimedAt)}::float8[],
			${column(passes, (p) => p.dueAt)}::float8[], ${column(passes, (p) => p.extendedMs)}::int[]
		) as new (number, holder, party, claimed, due, extended)
		where exists (select from rooms where season = ${key.season} and room = ${key.room} and epoch = ${epoch})
		on conflict (season, room, epoch, number) do update set holder = excluded.holder
		returning number, ${toMs('claimed_at')} as "claimedAt", ${toMs('due_at')} as "dueAt",
			extended_ms as "extendedMs", ended_at is not null as ended`.execute(db);
	return answer.rows;
}

/**
 * Copies tickets as they stand in Valkey; older versions change nothing. Tickets end before others change hands: at
 * no moment has a holder two living ones.
 */
export async function writeTickets(
	db: Db,
	key: RoomKey,
	epoch: number,
	tickets: readonly LedgerTicket[],
	now: number
): Promise<void> {
	const ended = tickets.filter((ticket) => !isLiving(ticket.state));
	const living = tickets.filter((ticket) => isLiving(ticket.state));
	await db.transaction().execute(async (tx) => {
		await endOthers(tx, key, epoch, living, now);
		await upsertTickets(tx, key, epoch, ended, now);
		await upsertTickets(tx, key, epoch, living, now);
		await updatePasses(
			tx,
			key,
			epoch,
			tickets.filter((ticket) => ticket.claimedAt > 0),
			now
		);
	});
}

/** A living row of these holders under another number is out of date, whatever it says. */
async function endOthers(
	tx: Tx,
	key: RoomKey,
	epoch: number,
	living: readonly LedgerTicket[],
	now: number
): Promise<void> {
	if (living.length === 0) return;
	await sql`update tickets t set state = 'left', ended_at = ${toTime(now)}
		from unnest(
			${column(living, (l) => l.number)}::int[], ${column(living, (l) => l.holder)}::text[]
		) as l (number, holder)
		where t.season = ${key.season} and t.room = ${key.room} and t.epoch = ${epoch} and t.holder = l.holder
			and t.number <> l.number and t.state in ('waiting', 'called', 'admitted')`.execute(tx);
}

async function upsertTickets(
	tx: Tx,
	key: RoomKey,
	epoch: number,
	tickets: readonly LedgerTicket[],
	now: number
): Promise<void> {
	if (tickets.length === 0) return;
	await sql`insert into tickets (season, room, epoch, number, holder, party, state, late, joined_at, claimed_at,
			due_at, ended_at, extended_ms, version)
		select ${key.season}, ${key.room}, ${epoch}, number, holder, party, state, late, to_timestamp(joined / 1000),
			case when claimed > 0 then to_timestamp(claimed / 1000) end,
			case when due > 0 then to_timestamp(due / 1000) end,
			case when state in ('waiting', 'called', 'admitted') then null else ${toTime(now)} end, extended, version
		from unnest(
			${column(tickets, (t) => t.number)}::int[], ${column(tickets, (t) => t.holder)}::text[],
			${column(tickets, (t) => t.party)}::smallint[], ${column(tickets, (t) => t.state)}::text[],
			${column(tickets, (t) => t.late)}::boolean[], ${column(tickets, (t) => t.joinedAt)}::float8[],
			${column(tickets, (t) => t.claimedAt)}::float8[], ${column(tickets, (t) => t.dueAt)}::float8[],
			${column(tickets, (t) => t.extendedMs)}::int[], ${column(tickets, (t) => t.version)}::bigint[]
		) as new (number, holder, party, state, late, joined, claimed, due, extended, version)
		on conflict (season, room, epoch, number) do update set holder = excluded.holder, state = excluded.state,
			late = excluded.late, claimed_at = excluded.claimed_at, due_at = excluded.due_at,
			ended_at = excluded.ended_at, extended_ms = excluded.extended_ms, version = excluded.version
			where tickets.version < excluded.version`.execute(tx);
}

async function updatePasses(
	tx: Tx,
	key: RoomKey,
	epoch: number,
	tickets: readonly LedgerTicket[],
	now: number
): Promise<void> {
	if (tickets.length === 0) return;
	await sql`update passes p set due_at = to_timestamp(t.due / 1000), extended_ms = t.extended,
			ended_at = case when t.living then null else coalesce(p.ended_at, ${toTime(now)}) end
		from unnest(
			${column(tickets, (t) => t.number)}::int[], ${column(tickets, (t) => t.claimedAt)}::float8[],
			${column(tickets, (t) => t.dueAt)}::float8[], ${column(tickets, (t) => t.extendedMs)}::int[],
			${column(tickets, (t) => isLiving(t.state))}::boolean[]
		) as t (number, claimed, due, extended, living)
		where p.season = ${key.season} and p.room = ${key.room} and p.epoch = ${epoch} and p.number = t.number
			and ${toMs('p.claimed_at')} = t.claimed`.execute(tx);
}

/** The room's clocks, the moment, and drawn lists that are placed in full. */
export async function writeRoom(
	db: Db,
	key: RoomKey,
	epoch: number,
	room: Pick<LedgerRoom, 'aliveAt' | 'frozenSince' | 'stoppedMs' | 'stops'>,
	origins: readonly string[]
): Promise<void> {
	await sql`with held as (
			update rooms set alive_at = greatest(alive_at, ${toTime(room.aliveAt)}), stopped_ms = ${room.stoppedMs},
				stops = ${room.stops},
				frozen_since = ${room.frozenSince === null ? null : toTime(room.frozenSince)}
			where season = ${key.season} and room = ${key.room} and epoch = ${epoch} returning 1
		)
		insert into placements (season, room, epoch, origin, placed)
		select ${key.season}, ${key.room}, ${epoch}, origin, ${placedInFull}
		from unnest(${origins}::text[]) as new (origin) where exists (select from held)
		on conflict (season, room, epoch, origin) do update set placed = excluded.placed`.execute(db);
}

/** Longer than any list: nobody of it is left to be placed. */
const placedInFull = 2_147_483_647;

/** A ticket as far as it is known: a pass is written before its ticket is copied, so it counts first. */
const ticketColumns = sql`n.number, coalesce(t.holder, p.holder) as holder,
	case when p.number is null or t.state in ('done', 'expired', 'left') then t.state
		when p.ended_at is null then 'admitted' else 'expired' end as state,
	coalesce(t.party, p.party) as party, coalesce(t.late, false) as late,
	${toMs('coalesce(t.joined_at, p.claimed_at)')} as "joinedAt",
	coalesce(${toMs('coalesce(p.claimed_at, t.claimed_at)')}, 0) as "claimedAt",
	coalesce(${toMs('case when p.number is null or t.claimed_at is not null then t.due_at else p.due_at end')}, 0)
		as "dueAt",
	coalesce(t.extended_ms, p.extended_ms) as "extendedMs", p.number is not null as written,
	coalesce(t.version, 0) as version`;

const ticketSources = (key: RoomKey, epoch: number) => sql`
	left join tickets t on t.season = ${key.season} and t.room = ${key.room} and t.epoch = ${epoch}
		and t.number = n.number
	left join passes p on p.season = ${key.season} and p.room = ${key.room} and p.epoch = ${epoch}
		and p.number = n.number`;

/** The ticket of one number, or null where PostgreSQL never heard of it. */
export async function readTicket(
	db: Db,
	key: RoomKey,
	epoch: number,
	number: number
): Promise<LedgerTicket | null> {
	const answer = await sql<LedgerTicket>`select ${ticketColumns} from (select ${number}::int as number) n
		${ticketSources(key, epoch)}
		where t.number is not null or p.number is not null`.execute(db);
	return answer.rows[0] ?? null;
}

/** Living tickets after `after`, and those that ended since `endedAfter`, in order of number. */
export async function loadLedger(
	db: Db,
	key: RoomKey,
	epoch: number,
	page: { after: number; endedAfter: number; limit: number }
): Promise<LedgerTicket[]> {
	const answer = await sql<LedgerTicket>`select ${ticketColumns} from (
			(select number from tickets where season = ${key.season} and room = ${key.room} and epoch = ${epoch}
				and number > ${page.after}
				and (state in ('waiting', 'called', 'admitted') or ended_at > ${toTime(page.endedAfter)})
				order by number limit ${page.limit})
			union
			(select number from passes where season = ${key.season} and room = ${key.room} and epoch = ${epoch}
				and number > ${page.after} and ended_at is null order by number limit ${page.limit})
			order by number limit ${page.limit}
		) n ${ticketSources(key, epoch)}
		order by n.number`.execute(db);
	return answer.rows;
}

/** The newest version PostgreSQL holds, and the drawn lists that are placed in full. */
export async function readMarks(
	db: Db,
	key: RoomKey,
	epoch: number
): Promise<{ version: number; origins: string[] }> {
	const answer = await sql<{ version: number; origins: string[] }>`select
		(select coalesce(max(version), 0) from tickets
			where season = ${key.season} and room = ${key.room} and epoch = ${epoch}) as version,
		(select coalesce(array_agg(origin), '{}') from placements where season = ${key.season}
			and room = ${key.room} and epoch = ${epoch} and placed = ${placedInFull}) as origins`.execute(db);
	return answer.rows[0]!;
}
