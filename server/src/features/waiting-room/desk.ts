import type {
	ClaimAnswer,
	JoinRegistered,
	JoinReply,
	StatusAnswer,
	StatusReply
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Access } from './access.ts';
import { joinAdmitted, joinWaiting, statusCalled, statusWaiting, type AnswerContext } from './answers.ts';
import type { PreQueue } from './pre-queue.ts';
import type { ClaimOutcome, PlacedTicket, Queue } from './queue.ts';
import type { RoomControl } from './room-control.ts';
import type { RoomLife } from './room-life.ts';
import { isLiving } from './round.ts';
import type { Ticket } from './ticket-table.ts';

/** Why somebody was turned away; counted in a metric. */
export type Refusal =
	'queue_full' | 'joins_closed' | 'too_early' | 'held' | 'too_early_to_join' | 'room_closed' | 'busy';

/** Who stands at the desk, as keyed hashes: an account, a browser without one, or an account that brings its browser. */
export type Visitor = { account: string; browser: string | null } | { account: null; browser: string };

/** Answers people. @throws AppError for every refusal */
export interface Desk {
	join(visitor: Visitor, party: number): Promise<JoinReply>;
	status(visitor: Visitor, token: unknown): Promise<StatusReply>;
	claim(visitor: Visitor, token: unknown): Promise<ClaimAnswer>;
	leave(visitor: Visitor, token: unknown): Promise<void>;
}

/** A ticket and whose it is. */
interface Found {
	ticket: PlacedTicket;
	holder: string;
}

const closedRetrySeconds = 60;
const fullRetrySeconds = 30;

export function createDesk(deps: {
	queue: Queue;
	control: RoomControl;
	access: Access;
	life: Pick<RoomLife, 'state'>;
	preQueue: PreQueue;
	flags: Pick<Flags, 'isOn'>;
	clock: Clock;
	random: () => number;
	/** The id of an account's valid permit. */
	permitOf: (account: string) => Promise<string | null>;
	/** In the laboratory the status may be asked at any pace and hands out the pass. */
	laboratory: boolean;
	onPoll: () => void;
	onRefusal: (why: Refusal) => void;
}): Desk {
	const { queue, control, access, life, preQueue, flags, clock, random } = deps;

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

	const gone = () => new AppError('old_epoch', { rejoin: true });
	const holdersOf = ({ account, browser }: Visitor) => [account, browser].filter((holder) => holder !== null);

	const refuseBooked = async (account: string) => {
		const permit = await deps.permitOf(account);
		if (permit !== null) throw new AppError('already_booked', { permit });
	};

	/** A browser's place joins the account that shows itself; the account is left with the better one of two. */
	const unite = async ({ account, browser }: Visitor): Promise<PlacedTicket | null> => {
		if (account === null || browser === null) return null;
		const anonymous = await queue.find(browser);
		return anonymous && isLiving(anonymous.state) ? queue.bind(browser, account) : null;
	};

	const place = async (visitor: Visitor, party: number): Promise<PlacedTicket | JoinRegistered> => {
		const holder = visitor.account ?? visitor.browser;
		const united = await unite(visitor);
		if (united) return united;
		const shut = !flags.isOn('joins') || control.mode === 'reject';
		const scheduled = life.state() !== 'open' && control.mode !== 'passthrough';
		if (shut || scheduled) {
			const known = await queue.find(holder);
			if (known && isLiving(known.state)) return known;
			if (shut) refuse('joins_closed', new AppError('joins_closed', {}, later(closedRetrySeconds)));
			const registered = await preQueue.enter(holder, party);
			if (registered && visitor.account !== null && visitor.browser !== null)
				await preQueue.forget(visitor.browser);
			if (registered) return registered;
		}
		try {
			const ticket = await queue.join(holder, party, visitor.account !== null);
			if (ticket.state !== 'done') return ticket;
			// One person, one permit: a new place is for who gave the old one back.
			await refuseBooked(holder);
			return await queue.join(holder, party);
		} catch (error) {
			if (!(error instanceof AppError) || error.code !== 'queue_full') throw error;
			return refuse('queue_full', new AppError('queue_full', {}, later(fullRetrySeconds)));
		}
	};

	/** The ticket that a token of one of the visitor's holders stands for. */
	const ticketOf = (visitor: Visitor, token: unknown): Promise<Found> =>
		access.ticketOf(token, holdersOf(visitor), visitor.account);
	/** The place that somebody was drawn; the person may have shown an account meanwhile. */
	const drawnOf = async (visitor: Visitor, holder: string): Promise<Found> => {
		for (const one of new Set([holder, ...holdersOf(visitor)])) {
			const ticket = await queue.find(one);
			if (ticket) return { ticket, holder: one };
		}
		throw gone();
	};

	const statusOf = async ({ ticket, holder }: Found, { account }: Visitor): Promise<StatusAnswer> => {
		const earlyMs = queue.pollWelcomeAt(ticket.number) - clock.now();
		if (earlyMs > 0 && !deps.laboratory) {
			const retryAfterMs = Math.ceil(earlyMs);
			refuse('too_early', new AppError('too_early', { retryAfterMs }, Math.ceil(retryAfterMs / 1_000)));
		}
		if (ticket.state === 'expired' || ticket.state === 'left') throw over();
		if (ticket.state === 'waiting') return pollNoted(ticket, statusWaiting(contextOf(ticket.position)));
		if (!deps.laboratory || account === null)
			return pollNoted(ticket, statusCalled(ticket, null, contextOf(0)));
		const outcome = await queue.claim(ticket.number);
		if (outcome.kind === 'over') throw over();
		if (outcome.kind !== 'pass') return statusWaiting(contextOf(1));
		return statusCalled(outcome.ticket, access.signPass(outcome.ticket, holder), contextOf(0));
	};

	return {
		async join(visitor, party) {
			const ticket = await place(visitor, party);
			if ('registered' in ticket) return ticket;
			const holder = visitor.account ?? visitor.browser;
			const token = access.signTicket(ticket, holder);
			const waiting = (position: number) =>
				pollNoted(ticket, joinWaiting(ticket, token, contextOf(position)));
			// Without an account nobody gets the pass: the turn is told, the claim asks who it is.
			if (ticket.state === 'waiting' || visitor.account === null) return waiting(ticket.position);
			const outcome = await queue.claim(ticket.number);
			if (outcome.kind === 'pass') {
				return joinAdmitted(outcome.ticket, token, access.signPass(outcome.ticket, holder), contextOf(0));
			}
			if (outcome.kind === 'over') throw over();
			return waiting(0);
		},
		async status(visitor, token) {
			deps.onPoll();
			const entry = preQueue.read(token, holdersOf(visitor));
			if (!entry) return statusOf(await ticketOf(visitor, token), visitor);
			const waits = preQueue.waitOf(entry);
			if (waits) return waits;
			const drawn = await drawnOf(visitor, entry.holder);
			const answer = await statusOf(drawn, visitor);
			return {
				...answer,
				ticket: access.signTicket(drawn.ticket, drawn.holder),
				number: drawn.ticket.number
			};
		},
		async claim(visitor, token) {
			const entry = preQueue.read(token, holdersOf(visitor));
			const { ticket, holder } = entry
				? await drawnOf(visitor, entry.holder)
				: await ticketOf(visitor, token);
			const { account } = visitor;
			if (account === null) throw new AppError('account_needed');
			if (holder === account) {
				const pass = passOf(await queue.claim(ticket.number));
				return {
					token: access.signPass(pass, account),
					expiresAt: pass.dueAt,
					// A browser's place that joined before: the same answer again.
					...(visitor.browser === null ? {} : { ticket: access.signTicket(pass, account) })
				};
			}
			if (ticket.state === 'waiting') passOf({ kind: 'not-yet', ticket });
			if (!isLiving(ticket.state)) throw over();
			// The browser's place goes to somebody else who waits.
			await refuseBooked(account);
			const bound = await queue.bind(holder, account);
			const pass = passOf(await queue.claim(bound.number));
			return {
				token: access.signPass(pass, account),
				expiresAt: pass.dueAt,
				ticket: access.signTicket(pass, account)
			};
		},
		async leave(visitor, token) {
			const entry = preQueue.read(token, holdersOf(visitor));
			if (entry && preQueue.waitOf(entry)) return preQueue.leave(entry);
			const { ticket } = entry ? await drawnOf(visitor, entry.holder) : await ticketOf(visitor, token);
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
