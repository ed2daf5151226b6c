import type { Budget, Rates } from './pacing.ts';
import type { Ticket, TicketState } from './ticket-table.ts';
import type { PassClaims } from './tokens.ts';
import type { RoomMode, RateSource } from './waiting-room-store.ts';

/** An answer that may be there at once: whoever keeps everything in memory makes no promise for every poll. */
export type Soon<T> = T | Promise<T>;

/** A ticket and its place: 1 for the next in its lane, 0 when it does not wait. */
export interface PlacedTicket extends Ticket {
	position: number;
}

/** What a signed ticket says about its person: a store that lost the ticket takes it in again at its number. */
export interface TicketProof {
	holder: string;
	party: number;
	late: boolean;
	joinedAt: number;
}

/** What a call for the pass comes to. */
export type ClaimOutcome =
	| { kind: 'pass'; ticket: Ticket }
	/** The turn has come, but passes keep the rate: ask again. The turn does not run out meanwhile. */
	| { kind: 'held'; retryInMs: number }
	| { kind: 'not-yet'; ticket: PlacedTicket }
	| { kind: 'over'; ticket: Ticket };

/** What one committed round changed, for figures. */
export interface RoundReport {
	at: number;
	joined: number;
	admitted: number;
	called: number;
	claimed: number;
	missed: number;
}

/** How the queue asks the room what may happen now. */
export interface QueueRules {
	/** Asked right before every round. */
	budget(now: number): Budget;
	/** The same for a queue that several instances share: asked by the one that leads, right before every round. */
	rates(now: number): Rates;
	/** Milliseconds until one more pass may be issued; null when none is in sight. */
	nextPassInMs(): number | null;
	/** After the commit of every round that changed something. */
	onRound(report: RoundReport, spent: { passes: number; turns: number }): void;
	claimWindowMs: number;
	passMs: number;
	/** A renewed pass lives at most so long in all. */
	passMaxMs: number;
}

export interface QueueRoom {
	mode: RoomMode;
	ratePerSecond: number;
	rateSource: RateSource;
}

/**
 * The state of one room's queue, behind one small port: whatever keeps it (here: this process and PostgreSQL),
 * nobody hears of a place, a turn or a pass before it is safe, and the same test suite holds.
 */
export interface Queue {
	/** Loads everything, takes the room over. Returns the room as it was left. */
	start(): Promise<QueueRoom>;
	/** Ends after the round in hand; whoever still waits for an answer is told to come again. */
	stop(): Promise<void>;
	/**
	 * The holder's place: the same again for a living ticket. With `unlessDone` no new place for whose last ticket
	 * ended with a booking: that ticket, `done`. @throws AppError `queue_full`, `busy`, `not_ready`
	 */
	join(holder: string, party: number, unlessDone?: boolean): Promise<PlacedTicket>;
	/** @throws AppError `busy`, `not_ready` */
	claim(number: number): Promise<ClaimOutcome>;
	leave(number: number): Promise<void>;
	/** The holder has booked: the pass ends and its place is free. Resolves when that is taken note of. */
	done(holder: string): Soon<void>;
	/**
	 * The place of `from` (a browser) joins `account`. If both have a living ticket the better one stays (further
	 * state, else smaller number) and the other ends as `left`.
	 * @throws AppError `turn_expired`, `old_epoch` when neither has one, `busy`, `not_ready`
	 */
	bind(from: string, account: string): Promise<PlacedTicket>;
	/**
	 * Numbers for many, in the given order after the last one, all waiting; who has a living ticket keeps it. The
	 * same `origin` again goes on where it stopped.
	 * @throws AppError `queue_full`, `busy`, `not_ready`; what was placed until then stays
	 */
	place(drawn: readonly { holder: string; party: number }[], origin: string): Promise<void>;
	/** Renews a living pass within its maximum. @throws AppError `turn_expired`, `busy`, `not_ready` */
	extend(number: number): Promise<PlacedTicket>;
	/** Newest ticket of a holder; a living one before any other. @throws AppError `busy`, `not_ready` */
	find(holder: string): Soon<PlacedTicket | null>;
	/** With proof: null, too, when the ticket is another holder's by now. @throws AppError `busy`, `not_ready` */
	get(number: number, proof?: TicketProof): Soon<PlacedTicket | null>;
	/** Whether a pass of this epoch still lives, as far as is known here without asking anybody. */
	passLives(pass: PassClaims, holder: string): boolean;
	pollWelcomeAt(number: number): number;
	setPollWelcomeAt(number: number, at: number): void;
	/** Claim windows and passes stand still, or run again with the time that was left. */
	setFrozen(frozen: boolean): Promise<void>;
	/** Voids every ticket and pass (laboratory: forgets them). */
	reset(forget: boolean): Promise<void>;
	figures(): QueueFigures;
}

export interface QueueFigures {
	epoch: number;
	issued: number;
	released: number;
	/** Passes ever issued in this epoch. */
	passes: number;
	counts: Readonly<Record<TicketState, number>>;
	oldestJoinedAt: number | null;
	/** People whose join or claim waits for its commit. */
	pending: number;
	/** Claim windows and passes stand still. */
	frozen: boolean;
	/** False while the storage cannot be reached, or another process has taken the room over. */
	ready: boolean;
}
