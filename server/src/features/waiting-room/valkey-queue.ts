import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createBatcher } from '../../platform/batcher.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Valkey } from '../../platform/valkey/valkey.ts';
import { readTicket, writeTickets } from './ledger-store.ts';
import { overOf } from './pending-work.ts';
import type { PlacedTicket, Queue, QueueRules, TicketProof } from './queue.ts';
import { isLiving } from './round-draft.ts';
import type { PassClaims } from './tokens.ts';
import { createCounter } from './valkey-counter.ts';
import { createRoomLeader } from './valkey-leader.ts';
import { createValkeyRoom, type RoomCopy, type RoomTotals } from './valkey-room.ts';
import { readReply, readStored, toArguments, type HeldTicket, type LedgerTicket } from './valkey-tickets.ts';
import { beginEpoch, type RateSource, type RoomKey } from './waiting-room-store.ts';

const { lookEveryMs, valkeyBatchMax, ticketsMax, passDeadlineMs, passTimeoutMs } = limits.waitingRoom;
const pollsMax = 100_000;
const donesMax = 10_000;

export interface ValkeyQueueDeps {
	db: Db;
	clock: Clock;
	log: Log;
	valkey: Valkey;
	/** Who runs the rounds: every instance asks, one has a term. */
	leader: Pick<Leader, 'term'>;
	key: RoomKey;
	rules: QueueRules;
	first: { ratePerSecond: number; rateSource: RateSource };
}

/**
 * Queue state in Valkey, for several instances at once. Everything that changes goes through scripts that run as a
 * whole (lua/); PostgreSQL reserves the numbers in blocks, holds every pass before anybody hears of it, and follows
 * the tickets a moment behind, so that an emptied Valkey loses nobody's place.
 */
export function createValkeyQueue(deps: ValkeyQueueDeps): Queue {
	const { db, clock, log, key, rules, valkey } = deps;
	const room = createValkeyRoom({
		...{ db, clock, log, valkey, key, first: deps.first },
		onLook: (since, at) => tellRules(rules, since, at),
		onNewEpoch: () => counter.refuseAll(() => new AppError('old_epoch', { rejoin: true }))
	});
	const counter = createCounter({ db, clock, key, room, rules });
	const leader = createRoomLeader({ db, clock, log, key, room, rules, leader: deps.leader });
	const polls = createPollTimes();
	/** Bookings that Valkey has not heard of: told again until it has. */
	const dones = new Set<string>();
	const stops: StopTimer[] = [];

	const look = async () => {
		await room.look();
		if (room.state() !== 'ready') return;
		counter.lendAhead();
		if (dones.size > 0) await finishDones([...dones]).catch(() => undefined);
	};
	const finishDones = async (holders: readonly string[]) => {
		await room.call('finish', 'd', 'holder', ...holders.slice(0, valkeyBatchMax));
		for (const holder of holders.slice(0, valkeyBatchMax)) dones.delete(holder);
	};
	const one = async (...[name, ...args]: Parameters<typeof room.call>): Promise<HeldTicket | null> =>
		readReply((await room.call(name, ...args))[1]);

	/** Changes that nobody could prove later: PostgreSQL holds them before their person hears of it. */
	const changes = createBatcher<LedgerTicket[], void>({
		clock,
		...{ sizeMax: valkeyBatchMax, waitMs: 2, deadlineMs: passDeadlineMs, runTimeoutMs: passTimeoutMs },
		async run(batch) {
			const newest = new Map<number, LedgerTicket>();
			for (const ticket of batch.flat().sort((a, b) => a.version - b.version))
				newest.set(ticket.number, ticket);
			await writeTickets(db, key, room.epoch(), [...newest.values()], clock.now());
			return batch.map(() => undefined);
		}
	});
	const kept = async (...[name, ...args]: Parameters<typeof room.call>): Promise<HeldTicket | null> => {
		const [, answer, ...stored] = await room.call(name, ...args);
		const tickets: LedgerTicket[] = [];
		for (let at = 0; at < stored.length; at += 2) tickets.push(readStored(stored[at], stored[at + 1]));
		if (tickets.length > 0) {
			await changes.add(tickets).catch(() => {
				throw new AppError('busy', {}, 3);
			});
		}
		return readReply(answer);
	};

	/** A signed ticket that nobody knows any more comes back at its number, with the pass it had. */
	const adopt = async (number: number, proof: TicketProof): Promise<PlacedTicket | null> => {
		const epoch = room.epoch();
		const stored = await readTicket(db, key, epoch, number).catch(() => {
			throw new AppError('busy', {}, 3);
		});
		if (stored && stored.holder !== proof.holder) return null;
		const { holder, party, late, joinedAt } = proof;
		const fresh = { number, holder, party, late, joinedAt, state: 'waiting' as const };
		const ticket = stored ?? { ...fresh, claimedAt: 0, dueAt: 0, extendedMs: 0, written: false, version: 0 };
		return (await one('adopt', ...toArguments(ticket)))?.ticket ?? null;
	};
	const get = async (number: number, proof?: TicketProof): Promise<PlacedTicket | null> => {
		if (!Number.isInteger(number) || number < 1) return null;
		const held = await one('get', 'number', number);
		if (!held) return proof ? adopt(number, proof) : null;
		return proof && held.holder !== proof.holder ? null : held.ticket;
	};

	const place = async (drawn: readonly { holder: string; party: number }[], origin: string) => {
		if (drawn.length === 0) return;
		if (room.copy().issued + drawn.length > ticketsMax) throw new AppError('queue_full', {}, 30);
		for (let placed = -1; placed < drawn.length;) {
			if (placed < 0) {
				const [word, count] = await room.call('place-begin', origin, drawn.length);
				if (word === 'numbers') await counter.lend(Number(count));
				else placed = Number(count);
				continue;
			}
			const people = drawn.slice(placed, placed + valkeyBatchMax);
			const flat = people.flatMap(({ holder, party }) => [holder, party]);
			placed = Number((await room.call('place', origin, placed, ...flat))[1]);
		}
	};

	return {
		async start() {
			const { mode, ratePerSecond, rateSource } = await room.open();
			await room.look();
			await leader.round();
			await room.look();
			leader.start();
			stops.push(
				clock.setInterval(() => void look(), lookEveryMs),
				valkey.onReady(() => void look())
			);
			return { mode, ratePerSecond, rateSource };
		},
		async stop() {
			for (const stop of stops) stop();
			await counter.stop();
			await changes.close();
			await leader.stop();
			await leader.journal();
			room.close();
			counter.refuseAll(() => new AppError('not_ready', {}, 5));
		},
		async join(holder, party, unlessDone) {
			if (room.state() !== 'ready') throw unready(room.state());
			if (room.copy().issued + counter.joins >= ticketsMax && !counter.hasJoin(holder))
				throw new AppError('queue_full', {}, 30);
			return counter.join(holder, party, unlessDone);
		},
		async claim(number) {
			if (room.state() !== 'ready') throw unready(room.state());
			return counter.claim(number);
		},
		async leave(number) {
			await room.call('finish', 'l', 'number', number);
		},
		async done(holder) {
			if (dones.size < donesMax) dones.add(holder);
			await finishDones([holder]);
		},
		async bind(from, account) {
			const held = await kept('bind', from, account);
			if (!held || !isLiving(held.ticket.state)) throw overOf(held?.ticket ?? null);
			return held.ticket;
		},
		place,
		async extend(number) {
			const held = await kept('extend', rules.passMs, rules.passMaxMs, number);
			if (held?.ticket.state !== 'admitted') throw overOf(held?.ticket ?? null);
			return held.ticket;
		},
		find: async (holder) => (await one('get', 'holder', holder))?.ticket ?? null,
		get,
		passLives: (pass, holder) => passLives(room.copy(), clock.now(), pass, holder),
		pollWelcomeAt: polls.get,
		setPollWelcomeAt: polls.set,
		async setFrozen(frozen) {
			await room.call('freeze', frozen ? 1 : 0);
			await room.look();
		},
		async reset(forget) {
			const epoch = await beginEpoch(db, key, forget);
			room.setEpoch(epoch);
			counter.refuseAll(() => new AppError('old_epoch', { rejoin: true }));
			await room.callPlain('reset', epoch, clock.aheadMs());
			await room.look();
		},
		figures() {
			const { issued, released, passes, counts, oldestJoinedAt, frozen } = room.copy();
			return {
				...{ epoch: room.epoch(), issued, released, passes, counts, oldestJoinedAt, frozen },
				pending: counter.joins + counter.claims,
				ready: room.state() === 'ready'
			};
		}
	};
}

function unready(state: 'stopped' | 'away' | 'ready'): AppError {
	return state === 'stopped' ? new AppError('not_ready', {}, 5) : new AppError('busy', {}, 3);
}

/** Each instance hears what all did together: the share of absentees and the rate are the room's. */
function tellRules(rules: QueueRules, since: RoomTotals, at: number): void {
	const { joined, called, claimed, missed, passes } = since;
	if (joined + called + claimed + missed + passes === 0) return;
	const atOnce = passes - claimed;
	rules.onRound(
		{ at, joined, admitted: passes, called, claimed, missed },
		{ passes, turns: called + Math.max(0, atOnce) }
	);
}

/** Its times say so, moved by the times the clocks stood still since; and it was not given back. */
function passLives(copy: RoomCopy, clockNow: number, pass: PassClaims, holder: string): boolean {
	if (copy.gone.has(`${pass.number}:${holder}`)) return false;
	const now = copy.frozenSince > 0 ? copy.frozenSince : clockNow + copy.skewMs;
	let until = pass.expiresAt;
	for (const [from, to] of copy.stops) if (to > pass.issuedAt) until += to - Math.max(from, pass.issuedAt);
	return until > now;
}

/** When each ticket's poll is next welcome, as far as this instance remembers: bounded, the oldest are forgotten. */
function createPollTimes() {
	const times = new Map<number, number>();
	return {
		get: (number: number) => times.get(number) ?? 0,
		set(number: number, at: number) {
			times.delete(number);
			times.set(number, at);
			if (times.size > pollsMax) times.delete(times.keys().next().value!);
		}
	};
}
