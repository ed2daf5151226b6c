import type { PlacedTicket } from './queue.ts';
import type { TicketState } from './ticket-table.ts';

/** A ticket as Valkey answers it. */
export interface HeldTicket {
	ticket: PlacedTicket;
	holder: string;
	/** The pass is in PostgreSQL: its holder may hear of it. */
	written: boolean;
}

/** A ticket between Valkey and PostgreSQL. `dueAt` is on the clock that stands still while the room's clocks do. */
export interface LedgerTicket {
	number: number;
	holder: string;
	state: TicketState;
	party: number;
	late: boolean;
	joinedAt: number;
	claimedAt: number;
	dueAt: number;
	extendedMs: number;
	written: boolean;
	version: number;
}

const states = {
	w: 'waiting',
	c: 'called',
	a: 'admitted',
	d: 'done',
	e: 'expired',
	l: 'left'
} as const satisfies Record<string, TicketState>;
const letters = Object.fromEntries(
	Object.entries(states).map(([letter, state]) => [state, letter])
) as Record<TicketState, string>;
const stateOf = (letter: unknown): TicketState => {
	const state = states[letter as keyof typeof states];
	if (!state) throw new Error('a ticket in Valkey is not readable');
	return state;
};

/** Reads the reply of a script, see `reply` in lua/common.lua; null where there is no ticket. */
export function readReply(reply: unknown): HeldTicket | null {
	if (!Array.isArray(reply)) return null;
	const [number, state, party, late, joinedAt, claimedAt, dueAt, extendedMs, written, position, holder] =
		reply;
	return {
		ticket: {
			number: Number(number),
			state: stateOf(state),
			party: Number(party),
			late: Number(late) === 1,
			joinedAt: Number(joinedAt),
			claimedAt: Number(claimedAt),
			dueAt: Number(dueAt),
			extendedMs: Number(extendedMs),
			position: Number(position)
		},
		holder: String(holder),
		written: Number(written) === 1
	};
}

/** Reads a ticket as it is stored, see `write` in lua/common.lua. */
export function readStored(number: unknown, text: unknown): LedgerTicket {
	const parts = String(text).split('|');
	const [state, party, late, joinedAt, claimedAt, dueAt, extendedMs, written, version] = parts;
	return {
		number: Number(number),
		state: stateOf(state),
		party: Number(party),
		late: late === '1',
		joinedAt: Number(joinedAt),
		claimedAt: Number(claimedAt),
		dueAt: Number(dueAt),
		extendedMs: Number(extendedMs),
		written: written === '1',
		version: Number(version),
		holder: parts.slice(9).join('|')
	};
}

/** A ticket as scripts take it, see `ticketFrom` in lua/merge.lua. */
export function toArguments(ticket: LedgerTicket): (string | number)[] {
	return [
		ticket.number,
		letters[ticket.state],
		ticket.party,
		ticket.late ? 1 : 0,
		Math.round(ticket.joinedAt),
		Math.round(ticket.claimedAt),
		Math.round(ticket.dueAt),
		ticket.extendedMs,
		ticket.written ? 1 : 0,
		ticket.version,
		ticket.holder
	];
}
