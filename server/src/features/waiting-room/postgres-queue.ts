import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { createPendingWork, outcomeOf, overOf, placedTicket } from './pending-work.ts';
import { createPostgresState } from './postgres-state.ts';
import type { ClaimOutcome, PlacedTicket, Queue, QueueRules } from './queue.ts';
import { createRoundTimer } from './round-timer.ts';
import { isLiving, planRound, type Plan } from './round.ts';
import type { Ticket } from './ticket-table.ts';
import type { RateSource, RoomKey } from './waiting-room-store.ts';

/** Releases and expiries are looked at so often; a second's release is spread over ten of these. */
const sliceMs = 100;
/** A turn whose claim had to be put off lives at least so much longer. */
const heldTurnMs = 60_000;
const { joinBatchMs, joinBatchMax, placeBatchMax, joinBufferMax, ticketsMax, calledPerRoundMax } =
	limits.waitingRoom;

/**
 * Queue state in this process, kept in PostgreSQL. Everything that changes goes through rounds, one at a time: a
 * round gathers what waits, plans on paper, commits in one statement, and only then do table and people hear of it.
 */
export function createPostgresQueue(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: RoomKey;
	rules: QueueRules;
	first: { ratePerSecond: number; rateSource: RateSource };
}): Queue {
	const { clock, rules } = deps;
	const work = createPendingWork();
	const kept = createPostgresState(deps);
	let stopSlices: StopTimer = () => {};

	const round = async (): Promise<number | null> => {
		if (kept.state() === 'away') await kept.recover();
		if (kept.state() !== 'ready') return null;
		const now = clock.now();
		const pending = work.take(joinBatchMax, placeBatchMax);
		const plan = planRound({
			table: kept.table(),
			pending,
			budget: rules.budget(now),
			now,
			claimWindowMs: rules.claimWindowMs,
			passMs: rules.passMs,
			passMaxMs: rules.passMaxMs,
			frozen: kept.frozenSince() !== null,
			calledMax: calledPerRoundMax
		});
		if (!(await kept.write(plan, now))) {
			const code = kept.state() === 'superseded' ? 'not_ready' : 'busy';
			work.refuseAll(() => new AppError(code, {}, 3));
			return sliceMs;
		}
		report(plan, now);
		work.settle(pending, kept.table(), now, (number) => holdTurn(number));
		if (work.isUrgent()) return joinBatchMs;
		return work.claims > 0 ? Math.min(sliceMs, Math.max(joinBatchMs, rules.nextPassInMs() ?? sliceMs)) : null;
	};
	const timer = createRoundTimer(clock, () =>
		round().catch((error: unknown) => {
			deps.log.error({ err: error }, 'a round of the queue failed');
			work.refuseAll(() => new AppError('internal'));
			return sliceMs;
		})
	);

	const report = (plan: Plan, at: number) => {
		if (plan.inserts.length + plan.changes.length === 0) return;
		const called = plan.changes.filter((change) => change.state === 'called').length;
		const { admitted, claimed, missed, spent } = plan;
		rules.onRound({ at, joined: plan.inserts.length, admitted, called, claimed, missed }, spent);
	};

	const holdTurn = (number: number): ClaimOutcome => {
		const table = kept.table();
		table.change(number, { dueAt: Math.max(table.get(number)!.dueAt, clock.now() + heldTurnMs) });
		return { kind: 'held', retryInMs: Math.max(1_000, rules.nextPassInMs() ?? 5_000) };
	};

	const refuseUnready = () => {
		if (kept.state() === 'superseded' || kept.state() === 'stopped') throw new AppError('not_ready', {}, 5);
		if (kept.state() === 'away') throw new AppError('busy', {}, 3);
	};
	const soon = <T>(answer: Promise<T>): Promise<T> => {
		timer.wake(joinBatchMs);
		return answer;
	};
	const placed = (ticket: Ticket | null) => placedTicket(kept.table(), ticket);
	const isFull = (more: number) => kept.table().issued + work.joins + more > ticketsMax;
	const hasLife = () => {
		const { waiting, called, admitted } = kept.table().counts;
		return waiting + called + admitted > 0;
	};

	return {
		async start() {
			const room = await kept.open();
			stopSlices = clock.setInterval(() => {
				if (kept.state() === 'away' || hasLife()) timer.wake(0);
			}, sliceMs);
			return room;
		},
		async stop() {
			stopSlices();
			if (kept.state() === 'away') kept.close();
			// What was already taken in is still written; after that nothing is.
			await timer.serial(round).catch(() => undefined);
			await timer.stop();
			kept.close();
			work.refuseAll(() => new AppError('not_ready', {}, 5));
		},
		async join(holder, party, unlessDone) {
			const ticket = placed(kept.table().find(holder));
			if (ticket && (isLiving(ticket.state) || (unlessDone && ticket.state === 'done'))) return ticket;
			refuseUnready();
			const full = work.joins >= joinBufferMax || isFull(1);
			if (full && !work.hasJoin(holder)) throw new AppError('queue_full', {}, 30);
			return soon(work.join(holder, party, unlessDone));
		},
		async claim(number) {
			const outcome = outcomeOf(kept.table(), number);
			if (outcome) return outcome;
			refuseUnready();
			return rules.nextPassInMs() === null ? holdTurn(number) : soon(work.claim(number, clock.now()));
		},
		async leave(number) {
			refuseUnready();
			return soon(work.leave(number));
		},
		done(holder) {
			const ticket = kept.table().find(holder);
			if (!ticket || !isLiving(ticket.state)) return;
			work.done(ticket.number);
			timer.wake(joinBatchMs);
		},
		async bind(from, account) {
			const own = kept.table().find(account);
			const anonymous = kept.table().find(from);
			if (!anonymous || !isLiving(anonymous.state) || from === account) {
				if (own && isLiving(own.state)) return placed(own)!;
				throw overOf(own ?? anonymous);
			}
			refuseUnready();
			return soon(work.bind(from, account));
		},
		async place(drawn, origin) {
			refuseUnready();
			const before = kept.placed(origin);
			if (before >= drawn.length) return;
			if (isFull(drawn.length - before)) throw new AppError('queue_full', {}, 30);
			return soon(work.place(drawn, origin, before));
		},
		async extend(number) {
			const ticket = placed(kept.table().get(number));
			if (ticket?.state !== 'admitted') throw overOf(ticket);
			refuseUnready();
			return soon<PlacedTicket>(work.extend(number));
		},
		find: (holder) => placed(kept.table().find(holder)),
		get: (number, proof) =>
			proof && !kept.table().isHeldBy(number, proof.holder) ? null : placed(kept.table().get(number)),
		passLives({ number }, holder) {
			const ticket = kept.table().get(number);
			// The lease decides, not the time inside the pass: a level may have stopped the clocks, or it was renewed.
			const lives =
				ticket?.state === 'admitted' && (ticket.dueAt > clock.now() || kept.frozenSince() !== null);
			return lives && kept.table().isHeldBy(number, holder);
		},
		pollWelcomeAt: (number) => kept.table().pollWelcomeAt(number),
		setPollWelcomeAt: (number, at) => kept.table().setPollWelcomeAt(number, at),
		setFrozen: (frozen) => timer.serial(() => kept.setFrozen(frozen)),
		reset: (forget) =>
			timer.serial(async () => {
				await kept.beginEpoch(forget);
				work.refuseAll(() => new AppError('old_epoch', { rejoin: true }));
			}),
		figures: () => ({
			epoch: kept.epoch(),
			issued: kept.table().issued,
			released: kept.table().released,
			passes: kept.table().passes,
			counts: kept.table().counts,
			oldestJoinedAt: kept.table().oldestJoinedAt(),
			pending: work.joins + work.claims,
			frozen: kept.frozenSince() !== null,
			ready: kept.state() === 'ready'
		})
	};
}
