import type { Budget } from './pacing.ts';
import type { Ticket, TicketState } from './ticket-table.ts';
import type { RoomMode, RateSource } from './waiting-room-store.ts';

/** What a call for the pass comes to. */
export type ClaimOutcome =
	| { kind: 'pass'; ticket: Ticket }
	/** The turn has come, but passes keep the rate: ask again. The turn does not run out meanwhile. */
	| { kind: 'held'; retryInMs: number }
	| { kind: 'not-yet'; ticket: Ticket }
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
	/** Milliseconds until one more pass may be issued; null when none is in sight. */
	nextPassInMs(): number | null;
	/** After the commit of every round that changed something. */
	onRound(report: RoundReport, spent: { passes: number; turns: number }): void;
	claimWindowMs: number;
	passMs: number;
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
	/** The holder's place: the same again for a living ticket. @throws AppError `queue_full`, `busy`, `not_ready` */
	join(holder: string, party: number): Promise<Ticket>;
	/** @throws AppError `busy`, `not_ready` */
	claim(number: number): Promise<ClaimOutcome>;
	leave(number: number): Promise<void>;
	/** The holder has booked: the pass ends and its place is free. */
	done(holder: string): void;
	find(holder: string): Ticket | null;
	get(number: number): Ticket | null;
	position(number: number): number;
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
