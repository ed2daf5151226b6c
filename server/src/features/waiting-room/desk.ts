import type { ClaimAnswer, JoinAnswer, StatusAnswer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Access } from './access.ts';
import { joinAdmitted, joinWaiting, statusCalled, statusWaiting, type AnswerContext } from './answers.ts';
import type { ClaimOutcome, PlacedTicket, Queue } from './queue.ts';
import type { RoomControl } from './room-control.ts';
import { isLiving } from './round.ts';
import type { Ticket } from './ticket-table.ts';

/** Why somebody was turned away; counted in a metric. */
export type Refusal = 'queue_full' | 'joins_closed' | 'too_early' | 'held';

/** Answers people. @throws AppError for every refusal */
export interface Desk {
	join(holder: string, party: number): Promise<JoinAnswer>;
	status(holder: string, token: unknown): Promise<StatusAnswer>;
	claim(holder: string, token: unknown): Promise<ClaimAnswer>;
	leave(holder: string, token: unknown): Promise<void>;
}

const closedRetrySeconds = 60;
const fullRetrySeconds = 30;

export function createDesk(deps: {
	queue: Queue;
	control: RoomControl;
	access: Access;
	flags: Pick<Flags, 'isOn'>;
	clock: Clock;
	random: () => number;
	/** In the laboratory the status may be asked at any pace and hands out the pass. */
	laboratory: boolean;
	onPoll: () => void;
	onRefusal: (why: Refusal) => void;
}): Desk {
	const { queue, control, access, flags, clock, random } = deps;

	const contextOf = (position: number): AnswerContext => ({
		position,
		ratePerSecond: control.expectedPerSecond(),
		pollFactor: flags.isOn('fast-polls') ? 1 : 2,
		random
	});
	const refuse = (why: Refusal, error: AppError): never => {
		deps.onRefusal(why);
		throw error;
	};
	/** Whoever is turned away comes back after so long and up to half as much again. */
	const later = (seconds: number) => Math.ceil(seconds * (1 + random() / 2));
	const pollNoted = <T extends { pollAfterMs: number }>(ticket: Ticket, answer: T): T => {
		queue.setPollWelcomeAt(ticket.number, clock.now() + answer.pollAfterMs / 2);
		return answer;
	};
	const over = () => new AppError('turn_expired', { rejoin: true });

	const place = async (holder: string, party: number): Promise<PlacedTicket> => {
		if (!flags.isOn('joins') || control.mode === 'reject') {
			const known = await queue.find(holder);
			if (known && isLiving(known.state)) return known;
			refuse('joins_closed', new AppError('joins_closed', {}, later(closedRetrySeconds)));
		}
		try {
			return await queue.join(holder, party);
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'queue_full') throw error;
			return refuse('queue_full', new AppError('queue_full', {}, later(fullRetrySeconds)));
		}
	};

	return {
		async join(holder, party) {
			const ticket = await place(holder, party);
			const token = access.signTicket(ticket, holder);
			const waiting = (position: number) =>
				pollNoted(ticket, joinWaiting(ticket, token, contextOf(position)));
			if (ticket.state === 'waiting') return waiting(ticket.position);
			const outcome = await queue.claim(ticket.number);
			if (outcome.kind === 'pass') {
				return joinAdmitted(outcome.ticket, token, access.signPass(outcome.ticket, holder), contextOf(0));
			}
			if (outcome.kind === 'over') throw over();
			return waiting(0);
		},
		async status(holder, token) {
			deps.onPoll();
			const ticket = await access.ticketOf(token, holder);
			const earlyMs = queue.pollWelcomeAt(ticket.number) - clock.now();
			if (earlyMs > 0 && !deps.laboratory) {
				const retryAfterMs = Math.ceil(earlyMs);
				refuse('too_early', new AppError('too_early', { retryAfterMs }, Math.ceil(retryAfterMs / 1_000)));
			}
			if (ticket.state === 'expired' || ticket.state === 'left') throw over();
			if (ticket.state === 'waiting') return pollNoted(ticket, statusWaiting(contextOf(ticket.position)));
			if (!deps.laboratory) return pollNoted(ticket, statusCalled(ticket, null, contextOf(0)));
			const outcome = await queue.claim(ticket.number);
			if (outcome.kind === 'over') throw over();
			if (outcome.kind !== 'pass') return statusWaiting(contextOf(1));
			return statusCalled(outcome.ticket, access.signPass(outcome.ticket, holder), contextOf(0));
		},
		async claim(holder, token) {
			const outcome = await queue.claim((await access.ticketOf(token, holder)).number);
			return { token: access.signPass(passOf(outcome), holder), expiresAt: passOf(outcome).dueAt };
		},
		async leave(holder, token) {
			const ticket = await access.ticketOf(token, holder);
			if (isLiving(ticket.state)) await queue.leave(ticket.number);
		}
	};

	function passOf(outcome: ClaimOutcome): Ticket {
		switch (outcome.kind) {
			case 'pass':
				return outcome.ticket;
			case 'over':
				throw over();
			case 'held':
				return refuse('held', new AppError('busy', {}, later(outcome.retryInMs / 1_000)));
			case 'not-yet': {
				const { position, pollAfterMs, etaSeconds } = statusWaiting(contextOf(outcome.ticket.position));
				throw new AppError('no_pass', { position, etaSeconds, pollAfterMs });
			}
		}
	}
}
