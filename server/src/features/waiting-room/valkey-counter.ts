import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import { createBatcher } from '../../platform/batcher.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { reserveNumbers, writePasses, type RecordedPass } from './ledger-store.ts';
import { createRateWindow } from './pacing.ts';
import { claimHoldMs, overOf } from './pending-work.ts';
import type { ClaimOutcome, PlacedTicket, QueueRules } from './queue.ts';
import { lateLaneMs, type Person } from './round.ts';
import { createRoundTimer } from './round-timer.ts';
import type { ValkeyRoom } from './valkey-room.ts';
import { readReply, type HeldTicket } from './valkey-tickets.ts';
import type { RoomKey } from './waiting-room-store.ts';

interface Waiter<T> {
	resolve(value: T): void;
	reject(error: unknown): void;
}

const { joinBatchMs, joinBufferMax, valkeyBatchMax, numberBlockMin, numberBlockMax } = limits.waitingRoom;
const { passBatchMax, passDeadlineMs, passTimeoutMs } = limits.waitingRoom;
/** A turn whose claim had to be put off lives at least so much longer. */
const heldTurnMs = 60_000;
const claimAgainMs = 100;

/** Where people of this instance stand until they have a place or a pass. */
export interface Counter {
	readonly joins: number;
	readonly claims: number;
	hasJoin(holder: string): boolean;
	/** @throws AppError `queue_full`, `busy`, `not_ready` */
	join(holder: string, party: number, unlessDone?: boolean): Promise<PlacedTicket>;
	claim(number: number): Promise<ClaimOutcome>;
	/** Lends the room at least so many more numbers. @throws AppError `busy`, `old_epoch` */
	lend(count: number): Promise<void>;
	/** Reserves numbers before they run out, while people come. */
	lendAhead(): void;
	refuseAll(error: () => AppError): void;
	stop(): Promise<void>;
}

export function createCounter(deps: {
	db: Db;
	clock: Clock;
	key: RoomKey;
	room: ValkeyRoom;
	rules: QueueRules;
}): Counter {
	const { db, clock, key, room, rules } = deps;
	const joins = new Map<string, Required<Person> & { waiters: Waiter<PlacedTicket>[] }>();
	const claims = new Map<number, { since: number; waiters: Waiter<ClaimOutcome>[] }>();
	const arrivals = createRateWindow(2);
	const passes = createPassWriter({ db, clock, key, room });
	let lending: Promise<void> | null = null;
	let stopped = false;

	const entryOf = <K, E>(map: Map<K, E>, name: K, fresh: E): E => {
		const entry = map.get(name) ?? fresh;
		map.set(name, entry);
		return entry;
	};
	const wait = <T>(entry: { waiters: Waiter<T>[] }): Promise<T> => {
		if (stopped) return Promise.reject(new AppError('not_ready', {}, 5));
		timer.wake(joinBatchMs);
		return new Promise<T>((resolve, reject) => entry.waiters.push({ resolve, reject }));
	};

	const lend = async (count: number) => {
		const epoch = room.epoch();
		const block = await reserveNumbers(db, key, epoch, count).catch(() => {
			throw new AppError('busy', {}, 3);
		});
		if (!block) throw new AppError('old_epoch', { rejoin: true });
		await room.call('lend', block.from, block.to);
	};
	/** One block at a time: as many as came in two seconds, so that a lost block is a small gap. */
	const lendMore = (count: number) => {
		const size = Math.max(numberBlockMin, Math.min(numberBlockMax, arrivals.sum(clock.now())), count);
		lending ??= lend(size).finally(() => (lending = null));
		return lending;
	};

	const serveJoins = async () => {
		const batch = [...joins.values()].slice(0, valkeyBatchMax);
		if (batch.length === 0) return;
		const settle = (holder: string, tell: (waiter: Waiter<PlacedTicket>) => void) => {
			const waiters = joins.get(holder)?.waiters ?? [];
			joins.delete(holder);
			waiters.forEach(tell);
		};
		try {
			const [, ...replies] = await room.call(
				'join',
				...[rules.passMs, lateLaneMs],
				...batch.flatMap(({ holder, party, unlessDone }) => [holder, party, unlessDone ? 1 : 0])
			);
			let missing = 0;
			batch.forEach(({ holder, unlessDone }, index) => {
				const held = readReply(replies[index]);
				// Somebody meanwhile asked for a new place after all.
				if (held?.ticket.state === 'done' && !unlessDone) return;
				if (held) settle(holder, (waiter) => waiter.resolve(held.ticket));
				else missing++;
			});
			if (missing > 0) await lendMore(missing);
		} catch (error) {
			for (const { holder } of batch) settle(holder, (waiter) => waiter.reject(error));
		}
	};

	const settleClaim = (number: number, tell: (waiter: Waiter<ClaimOutcome>) => void) => {
		const waiters = claims.get(number)?.waiters ?? [];
		claims.delete(number);
		waiters.forEach(tell);
	};
	const serveClaims = async (): Promise<number | null> => {
		const batch = [...claims.keys()].slice(0, valkeyBatchMax);
		if (batch.length === 0) return null;
		try {
			const [, nextPassMs, ...replies] = await room.call('claim', rules.passMs, heldTurnMs, ...batch);
			const retryInMs = Number(nextPassMs);
			batch.forEach((number, index) => {
				const held = readReply(replies[index]);
				const { since } = claims.get(number) ?? { since: 0 };
				const patient = retryInMs >= 0 && clock.now() - since < claimHoldMs;
				if (held?.ticket.state === 'called' && patient) return;
				const outcome = resolveClaim(held, retryInMs, passes.write);
				settleClaim(number, (waiter) => void outcome.then(waiter.resolve, waiter.reject));
			});
			return Math.min(claimAgainMs, Math.max(joinBatchMs, retryInMs));
		} catch (error) {
			for (const number of batch) settleClaim(number, (waiter) => waiter.reject(error));
			return null;
		}
	};

	const timer = createRoundTimer(clock, async () => {
		const [, claimInMs] = await Promise.all([serveJoins(), serveClaims()]);
		if (joins.size > 0) return joinBatchMs;
		return claims.size > 0 ? (claimInMs ?? joinBatchMs) : null;
	});

	return {
		get joins() {
			return joins.size;
		},
		get claims() {
			return claims.size;
		},
		hasJoin: (holder) => joins.has(holder),
		join(holder, party, unlessDone = false) {
			if (joins.size >= joinBufferMax && !joins.has(holder))
				return Promise.reject(new AppError('queue_full', {}, 30));
			arrivals.add(clock.now(), 1);
			const entry = entryOf(joins, holder, { holder, party, unlessDone, waiters: [] });
			entry.unlessDone &&= unlessDone;
			return wait(entry);
		},
		claim: (number) => wait(entryOf(claims, number, { since: clock.now(), waiters: [] })),
		lend,
		lendAhead() {
			const soon = arrivals.sum(clock.now()) / 2;
			// A failure is told to those who then find no number.
			if (soon > 0 && room.copy().numbersLeft < soon) lendMore(0).catch(() => undefined);
		},
		refuseAll(error) {
			const waiting = [...joins.values(), ...claims.values()].flatMap(
				(entry) => entry.waiters as Waiter<never>[]
			);
			joins.clear();
			claims.clear();
			for (const waiter of waiting) waiter.reject(error());
		},
		async stop() {
			await timer.stop();
			stopped = true;
			await passes.close();
		}
	};
}

/** What a claim comes to that stands no longer at the counter. */
async function resolveClaim(
	held: HeldTicket | null,
	retryInMs: number,
	writePass: (held: HeldTicket) => Promise<PlacedTicket | null>
): Promise<ClaimOutcome> {
	switch (held?.ticket.state) {
		case undefined:
			throw overOf(null);
		case 'waiting':
			return { kind: 'not-yet', ticket: held.ticket };
		case 'called':
			return { kind: 'held', retryInMs: Math.max(1_000, retryInMs < 0 ? 5_000 : retryInMs) };
		case 'done':
			return { kind: 'pass', ticket: held.ticket };
		case 'admitted': {
			const ticket = held.written ? held.ticket : await writePass(held);
			return ticket ? { kind: 'pass', ticket } : { kind: 'over', ticket: held.ticket };
		}
		case 'expired':
		case 'left':
			return { kind: 'over', ticket: held.ticket };
	}
}

/** Passes are written to PostgreSQL, many in one statement, before anybody hears of them. */
function createPassWriter(deps: { db: Db; clock: Clock; key: RoomKey; room: ValkeyRoom }) {
	const { db, clock, key, room } = deps;
	const inHand = new Map<number, Promise<PlacedTicket | null>>();
	const batcher = createBatcher<HeldTicket, RecordedPass>({
		clock,
		sizeMax: passBatchMax,
		waitMs: 2,
		deadlineMs: passDeadlineMs,
		runTimeoutMs: passTimeoutMs,
		async run(batch) {
			const { frozenSince, stoppedMs, skewMs } = room.copy();
			// Due times in PostgreSQL do not hold the time the clocks stood still.
			const stillMs = stoppedMs + (frozenSince > 0 ? clock.now() + skewMs - frozenSince : 0);
			const rows = batch.map(({ ticket, holder }) => ({
				...ticket,
				holder,
				dueAt: ticket.dueAt - stillMs
			}));
			const recorded = await writePasses(db, key, room.epoch(), rows);
			const byNumber = new Map(recorded.map((pass) => [pass.number, pass]));
			if (recorded.length < batch.length) throw new AppError('old_epoch', { rejoin: true });
			const flat = recorded.flatMap((pass) => [
				...[pass.number, pass.claimedAt, pass.dueAt, pass.extendedMs, pass.ended ? 1 : 0]
			]);
			// Whether it is noted in Valkey matters only to later claims: they would write the same again.
			await room.call('written', ...flat.map(Math.round)).catch(() => undefined);
			return batch.map(({ ticket }) => byNumber.get(ticket.number)!);
		}
	});
	const write = async (held: HeldTicket): Promise<PlacedTicket | null> => {
		const pass = await batcher.add(held).catch((error: unknown) => {
			throw error instanceof AppError ? error : new AppError('busy', {}, 3);
		});
		if (pass.ended) return null;
		const { claimedAt, extendedMs } = pass;
		const same = claimedAt === held.ticket.claimedAt;
		return same ? held.ticket : { ...held.ticket, claimedAt, extendedMs };
	};
	return {
		write(held: HeldTicket) {
			const { number } = held.ticket;
			const writing = inHand.get(number) ?? write(held).finally(() => inHand.delete(number));
			inHand.set(number, writing);
			return writing;
		},
		close: () => batcher.close()
	};
}
