import { hash } from 'node:crypto';

/** Life of a ticket. `waiting`, `called` and `admitted` are living: a holder has at most one of those. */
export const ticketStates = ['waiting', 'called', 'admitted', 'done', 'expired', 'left'] as const;
export type TicketState = (typeof ticketStates)[number];

/** One ticket as the rest of the feature sees it. Times are epoch ms, 0 where there is none. */
export interface Ticket {
	number: number;
	state: TicketState;
	party: number;
	late: boolean;
	joinedAt: number;
	claimedAt: number;
	/** Until when the turn can be claimed (called) or the pass used (admitted). */
	dueAt: number;
	/** By how much a pass was renewed. */
	extendedMs: number;
}

export interface NewTicket extends Ticket {
	holder: string;
}

export interface TicketChange {
	state?: TicketState;
	claimedAt?: number;
	dueAt?: number;
	extendedMs?: number;
	/** The ticket is another holder's from now on. */
	holder?: string;
}

/**
 * All tickets of one epoch in flat arrays, because 600,000 objects with dates would not fit. Numbers start at 1
 * and leave no gap. Knows nothing of time, rates or storage.
 */
export interface TicketTable {
	/** Highest number given out. */
	readonly issued: number;
	readonly counts: Readonly<Record<TicketState, number>>;
	/** Tickets that ever got a pass. */
	readonly passes: number;
	add(ticket: NewTicket): void;
	/** A holder's living ticket, else one that has ended, or null. */
	find(holder: string): Ticket | null;
	get(number: number): Ticket | null;
	isHeldBy(number: number, holder: string): boolean;
	change(number: number, change: TicketChange): void;
	/** The next people to be called, in order: returners first, then by number. `skip` passes over some. */
	next(count: number, skip: (number: number) => boolean): number[];
	/** Every main-lane number up to this one has been called or has gone: position = number − released. */
	readonly released: number;
	/** Places until this waiting ticket is called, 1 for the next in its lane; 0 when it does not wait. */
	position(number: number): number;
	/** When the person who waits longest joined (epoch ms), or null. */
	oldestJoinedAt(): number | null;
	/** Numbers of living turns and passes. */
	readonly called: ReadonlySet<number>;
	readonly admitted: ReadonlySet<number>;
	/** When a status poll of this ticket is next welcome (epoch ms; 0: any time). Not part of the queue's state. */
	pollWelcomeAt(number: number): number;
	setPollWelcomeAt(number: number, at: number): void;
}

const codes: Record<TicketState, number> = {
	waiting: 0,
	called: 1,
	admitted: 2,
	done: 3,
	expired: 4,
	left: 5
};
const keyWords = 4;

/** Arrays of one capacity; growing copies them into larger ones. */
function allocate(capacity: number) {
	return {
		capacity,
		state: new Uint8Array(capacity),
		party: new Uint8Array(capacity),
		late: new Uint8Array(capacity),
		joinedAt: new Float64Array(capacity),
		claimedAt: new Float64Array(capacity),
		dueAt: new Float64Array(capacity),
		extendedMs: new Uint32Array(capacity),
		pollAt: new Float64Array(capacity),
		/** 128 bits of the holder's hash. */
		key: new Uint32Array(capacity * keyWords),
		/** Open addressing: hash to the holder's number that counts; 0 is free. */
		slots: new Uint32Array(capacity * 2)
	};
}
type Columns = ReturnType<typeof allocate>;

function keyOf(holder: string): Uint32Array {
	const bytes = hash('sha256', holder, 'buffer');
	return new Uint32Array([
		bytes.readUInt32LE(0),
		bytes.readUInt32LE(4),
		bytes.readUInt32LE(8),
		bytes.readUInt32LE(12)
	]);
}

/** Slot of this key: the one that holds it, or the free one where it belongs. */
function slotOf(columns: Columns, key: Uint32Array): number {
	const size = columns.slots.length;
	for (let slot = key[0]! % size; ; slot = (slot + 1) % size) {
		const number = columns.slots[slot]!;
		if (number === 0) return slot;
		const at = (number - 1) * keyWords;
		const same = columns.key[at] === key[0] && columns.key[at + 1] === key[1];
		if (same && columns.key[at + 2] === key[2] && columns.key[at + 3] === key[3]) return slot;
	}
}

const perTicket = [
	...['state', 'party', 'late', 'joinedAt', 'claimedAt', 'dueAt', 'extendedMs', 'pollAt', 'key']
] as readonly ('state' | 'joinedAt')[];

function grow(old: Columns): Columns {
	const columns = allocate(old.capacity * 2);
	for (const name of perTicket) columns[name].set(old[name] as never);
	return columns;
}

const isLivingCode = (code: number) => code <= codes.admitted;

/** Fills the slots anew: a holder's living ticket, else the newest. @returns slots in use */
function indexHolders(columns: Columns, issued: number): number {
	columns.slots.fill(0);
	let used = 0;
	for (let number = 1; number <= issued; number++) {
		const at = (number - 1) * keyWords;
		const slot = slotOf(columns, columns.key.subarray(at, at + keyWords));
		const before = columns.slots[slot]!;
		if (before === 0) used++;
		else if (isLivingCode(columns.state[before - 1]!)) continue;
		columns.slots[slot] = number;
	}
	return used;
}

/** An empty table; `capacity` is only where it starts. */
export function createTicketTable(capacity = 1_024): TicketTable {
	let columns = allocate(capacity);
	let issued = 0;
	let passes = 0;
	/** Numbers below it do not wait in the main lane any more. */
	let front = 1;
	let lateLane: number[] = [];
	let slotsUsed = 0;
	const counts: Record<TicketState, number> = {
		waiting: 0,
		called: 0,
		admitted: 0,
		done: 0,
		expired: 0,
		left: 0
	};
	const called = new Set<number>();
	const admitted = new Set<number>();

	const waits = (number: number) => columns.state[number - 1] === codes.waiting;
	const inMainLane = (number: number) => waits(number) && columns.late[number - 1] === 0;
	const advance = () => {
		while (front <= issued && !inMainLane(front)) front++;
	};
	const known = (number: number) => Number.isInteger(number) && number >= 1 && number <= issued;
	const enter = (number: number, state: TicketState) => {
		counts[state]++;
		if (state === 'called') called.add(number);
		if (state === 'admitted') admitted.add(number);
	};
	const get = (number: number): Ticket | null => {
		if (!known(number)) return null;
		const at = number - 1;
		return {
			number,
			state: ticketStates[columns.state[at]!]!,
			party: columns.party[at]!,
			late: columns.late[at] === 1,
			joinedAt: columns.joinedAt[at]!,
			claimedAt: columns.claimedAt[at]!,
			dueAt: columns.dueAt[at]!,
			extendedMs: columns.extendedMs[at]!
		};
	};
	/** From now on this is the ticket that counts for the holder of this key. */
	const index = (number: number, key: Uint32Array) => {
		const slot = slotOf(columns, key);
		const before = columns.slots[slot]!;
		columns.key.set(key, (number - 1) * keyWords);
		if (before === 0) slotsUsed++;
		else if (isLivingCode(columns.state[before - 1]!) && !isLivingCode(columns.state[number - 1]!)) return;
		columns.slots[slot] = number;
		// Slots that a ticket left behind for another holder's are swept out before it gets narrow.
		if (slotsUsed > columns.capacity * 1.5) slotsUsed = indexHolders(columns, issued);
	};

	return {
		get issued() {
			return issued;
		},
		get released() {
			return front - 1;
		},
		get passes() {
			return passes;
		},
		counts,
		called,
		admitted,
		add(ticket) {
			if (ticket.number !== issued + 1) throw new Error('ticket numbers leave no gap');
			if (issued === columns.capacity) {
				columns = grow(columns);
				slotsUsed = indexHolders(columns, issued);
			}
			const at = issued++;
			columns.state[at] = codes[ticket.state];
			columns.party[at] = ticket.party;
			columns.late[at] = ticket.late ? 1 : 0;
			columns.joinedAt[at] = ticket.joinedAt;
			columns.claimedAt[at] = ticket.claimedAt;
			columns.dueAt[at] = ticket.dueAt;
			columns.extendedMs[at] = ticket.extendedMs;
			index(ticket.number, keyOf(ticket.holder));
			if (ticket.claimedAt > 0) passes++;
			enter(ticket.number, ticket.state);
			if (ticket.late && ticket.state === 'waiting') lateLane.push(ticket.number);
			advance();
		},
		find(holder) {
			return get(columns.slots[slotOf(columns, keyOf(holder))]!);
		},
		get,
		isHeldBy(number, holder) {
			const at = (number - 1) * keyWords;
			return known(number) && keyOf(holder).every((word, index) => columns.key[at + index] === word);
		},
		change(number, change) {
			const at = number - 1;
			if (change.claimedAt !== undefined) {
				if (columns.claimedAt[at] === 0 && change.claimedAt > 0) passes++;
				columns.claimedAt[at] = change.claimedAt;
			}
			if (change.dueAt !== undefined) columns.dueAt[at] = change.dueAt;
			if (change.extendedMs !== undefined) columns.extendedMs[at] = change.extendedMs;
			if (change.holder !== undefined) index(number, keyOf(change.holder));
			if (change.state === undefined) return;
			counts[ticketStates[columns.state[at]!]!]--;
			called.delete(number);
			admitted.delete(number);
			columns.state[at] = codes[change.state];
			enter(number, change.state);
			if (columns.late[at] === 1) lateLane = lateLane.filter(waits);
			advance();
		},
		next(count, skip) {
			const numbers: number[] = [];
			for (const number of lateLane) {
				if (numbers.length >= count) return numbers;
				if (!skip(number)) numbers.push(number);
			}
			for (let number = front; number <= issued && numbers.length < count; number++) {
				if (inMainLane(number) && !skip(number)) numbers.push(number);
			}
			return numbers;
		},
		position(number) {
			if (!known(number) || !waits(number)) return 0;
			return columns.late[number - 1] === 1 ? lateLane.indexOf(number) + 1 : number - (front - 1);
		},
		oldestJoinedAt() {
			if (counts.waiting === 0) return null;
			const main = front <= issued ? columns.joinedAt[front - 1]! : Infinity;
			const late = lateLane.length > 0 ? columns.joinedAt[lateLane[0]! - 1]! : Infinity;
			return Math.min(main, late);
		},
		pollWelcomeAt: (number) => columns.pollAt[number - 1] ?? 0,
		setPollWelcomeAt(number, at) {
			if (known(number)) columns.pollAt[number - 1] = at;
		}
	};
}
