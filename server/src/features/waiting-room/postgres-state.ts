import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { applyPlan, type Plan } from './round.ts';
import { createTicketTable, type TicketTable } from './ticket-table.ts';
import {
	beginEpoch,
	commitRound,
	freezeRoom,
	loadPlacements,
	loadTickets,
	openRoom,
	thawRoom,
	type RateSource,
	type RoomKey,
	type StoredRoom
} from './waiting-room-store.ts';

/** A room that somebody is in writes at least so often, so that a restart knows how long it was away. */
const heartbeatMs = 1_000;
const loadPage = 50_000;
const retryMs = 500;

/** The table in this process and the tables in PostgreSQL, always in step. One caller at a time. */
export interface PostgresState {
	table(): TicketTable;
	epoch(): number;
	frozenSince(): number | null;
	/** How many of a drawn list have their number. */
	placed(origin: string): number;
	/** `away`: the last write failed, nobody knows what was stored. `superseded`: another process has the room. */
	state(): 'stopped' | 'ready' | 'away' | 'superseded';
	open(): Promise<StoredRoom>;
	/** Commits, then changes the table. False: not known to be stored, the table stays as it was. */
	write(plan: Plan, now: number): Promise<boolean>;
	/** After a failed write: what the storage says counts. Tries until it answers. */
	recover(): Promise<void>;
	setFrozen(frozen: boolean): Promise<void>;
	beginEpoch(forget: boolean): Promise<void>;
	close(): void;
}

/** Numbers that a room in Valkey reserved and lost are nobody's, and are not given again. */
function fillGap(table: TicketTable, last: number): void {
	const nobodys = { party: 1, state: 'left' as const, late: false, joinedAt: 0 };
	while (table.issued < last) {
		const number = table.issued + 1;
		table.add({ ...nobodys, number, holder: `gap ${number}`, claimedAt: 0, dueAt: 0, extendedMs: 0 });
	}
}

export function createPostgresState(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	first: { ratePerSecond: number; rateSource: RateSource };
}): PostgresState {
	const { db, clock, log, key } = deps;
	let table: TicketTable = createTicketTable();
	let placements = new Map<string, number>();
	let held = { epoch: 0, term: 0 };
	let frozenSince: number | null = null;
	let state: 'stopped' | 'ready' | 'away' | 'superseded' = 'stopped';
	let wroteAt = 0;

	/** Takes the room (again) and reads all of it; null when another process has taken it since `term`. */
	const take = async (term: number | null): Promise<StoredRoom | null> => {
		const room = await openRoom(db, key, deps.first, clock.now(), term);
		if (!room) return null;
		wroteAt = clock.now();
		const fresh = createTicketTable(65_536);
		for (;;) {
			const page = await loadTickets(db, key, room.epoch, fresh.issued, loadPage);
			for (const ticket of page) {
				fillGap(fresh, ticket.number - 1);
				fresh.add(ticket);
			}
			if (page.length < loadPage) break;
		}
		fillGap(fresh, room.lastNumber);
		placements = await loadPlacements(db, key, room.epoch);
		table = fresh;
		held = { epoch: room.epoch, term: room.term };
		frozenSince = room.frozenSince;
		state = 'ready';
		return room;
	};
	const supersede = () => {
		state = 'superseded';
		log.error({ room: key.room }, 'another process has taken the waiting room over');
	};

	return {
		table: () => table,
		epoch: () => held.epoch,
		frozenSince: () => frozenSince,
		placed: (origin) => placements.get(origin) ?? 0,
		state: () => state,
		async open() {
			return (await take(null))!;
		},
		async write(plan, now) {
			const changed = plan.inserts.length > 0 || plan.changes.length > 0 || plan.placed !== null;
			const { waiting, called, admitted } = table.counts;
			const beat = now - wroteAt >= heartbeatMs && waiting + called + admitted > 0;
			if (!changed && !beat) return true;
			try {
				if (!(await commitRound(db, key, held, plan, now))) {
					supersede();
					return false;
				}
			} catch (error) {
				state = 'away';
				log.error(
					{ error: error instanceof Error ? error.message : 'unknown' },
					'the queue could not be stored'
				);
				return false;
			}
			wroteAt = now;
			applyPlan(table, plan);
			if (plan.placed) placements.set(plan.placed.origin, plan.placed.placed);
			return true;
		},
		async recover() {
			while (state === 'away') {
				try {
					if (await take(held.term)) log.info({ issued: table.issued }, 'the queue is back');
					else supersede();
				} catch {
					await clock.sleep(retryMs);
				}
			}
		},
		async setFrozen(frozen) {
			const now = clock.now();
			if (frozen && frozenSince === null) {
				await freezeRoom(db, key, now);
				frozenSince = now;
			} else if (!frozen && frozenSince !== null) {
				const frozenMs = Math.max(0, now - frozenSince);
				await thawRoom(db, key, held.epoch, frozenMs);
				frozenSince = null;
				for (const number of [...table.called, ...table.admitted]) {
					table.change(number, { dueAt: table.get(number)!.dueAt + frozenMs });
				}
			}
		},
		async beginEpoch(forget) {
			held = { ...held, epoch: await beginEpoch(db, key, forget) };
			table = createTicketTable();
			placements = new Map();
			frozenSince = null;
		},
		close() {
			state = 'stopped';
		}
	};
}
