import { AppError } from '../../errors.ts';
import type { ClaimOutcome, PlacedTicket } from './queue.ts';
import { isLiving, type Pending, type Person } from './round.ts';
import type { Ticket, TicketTable } from './ticket-table.ts';

interface Waiter<T> {
	resolve(value: T): void;
	reject(error: Error): void;
}

/** A claim stands at the counter so long before it is told to come again. */
export const claimHoldMs = 3_000;

/** What people asked for and nobody has answered yet. Knows nothing of storage. */
export interface PendingWork {
	readonly joins: number;
	readonly claims: number;
	/** True while a round has something to do at once (claims wait for a pass). */
	isUrgent(): boolean;
	join(holder: string, party: number, unlessDone?: boolean): Promise<PlacedTicket>;
	hasJoin(holder: string): boolean;
	claim(number: number, now: number): Promise<ClaimOutcome>;
	leave(number: number): Promise<void>;
	done(number: number): void;
	bind(from: string, account: string): Promise<PlacedTicket>;
	/** The first `placed` of the list have their number already. */
	place(people: readonly Person[], origin: string, placed: number): Promise<void>;
	extend(number: number): Promise<PlacedTicket>;
	/** What the next round works on. While a drawn list is being placed nobody joins in between. */
	take(joinsMax: number, placedMax: number): Pending;
	/** Tells everybody who has what they came for; the others stay for the next round. */
	settle(taken: Pending, table: TicketTable, now: number, hold: (number: number) => ClaimOutcome): void;
	refuseAll(error: () => AppError): void;
}

export function createPendingWork(): PendingWork {
	const joins = new Map<string, Person & { waiters: Waiter<PlacedTicket>[] }>();
	const claims = new Map<number, { since: number; waiters: Waiter<ClaimOutcome>[] }>();
	const leaves = new Map<number, { waiters: Waiter<void>[] }>();
	const extensions = new Map<number, { waiters: Waiter<PlacedTicket>[] }>();
	const binds = new Map<string, { from: string; account: string; waiters: Waiter<PlacedTicket>[] }>();
	const lists = new Map<string, { people: readonly Person[]; placed: number; waiters: Waiter<void>[] }>();
	const dones = new Set<number>();
	const urgent = [joins, leaves, dones, extensions, binds, lists];

	const wait = <T>(entry: { waiters: Waiter<T>[] }) =>
		new Promise<T>((resolve, reject) => entry.waiters.push({ resolve, reject }));
	const entryOf = <K, E>(map: Map<K, E>, key: K, fresh: E): E => {
		const entry = map.get(key) ?? fresh;
		map.set(key, entry);
		return entry;
	};
	const takeOut = <K, E>(map: Map<K, E>, key: K): E | undefined => {
		const entry = map.get(key);
		map.delete(key);
		return entry;
	};
	const takeJoins = (max: number): Person[] => {
		const taken: Person[] = [];
		if (lists.size > 0) return taken;
		for (const join of joins.values()) {
			if (taken.length >= max) break;
			taken.push(join);
		}
		return taken;
	};
	const takeList = (max: number): Pending['placing'] => {
		for (const [origin, { people, placed }] of lists)
			return { origin, placed, people: people.slice(placed, placed + max) };
		return null;
	};
	/** In one round a holder takes part in one of them. */
	const takeBinds = () => {
		const names = new Set<string>();
		return [...binds.values()].filter(({ from, account }) => {
			const free = !names.has(from) && !names.has(account);
			if (free) names.add(from).add(account);
			return free;
		});
	};

	const settlePlaces = (taken: Pending, table: TicketTable) => {
		for (const { holder, unlessDone } of taken.joins) {
			const ticket = placedTicket(table, table.find(holder));
			if (!ticket || !(isLiving(ticket.state) || (unlessDone && ticket.state === 'done'))) continue;
			for (const waiter of takeOut(joins, holder)?.waiters ?? []) waiter.resolve(ticket);
		}
		for (const { from, account } of taken.binds) {
			const ticket = placedTicket(table, table.find(account));
			for (const waiter of takeOut(binds, bindName(from, account))?.waiters ?? []) {
				if (ticket && isLiving(ticket.state)) waiter.resolve(ticket);
				else waiter.reject(overOf(ticket));
			}
		}
		if (!taken.placing) return;
		const list = lists.get(taken.placing.origin);
		if (!list) return;
		list.placed = taken.placing.placed + taken.placing.people.length;
		if (list.placed < list.people.length) return;
		lists.delete(taken.placing.origin);
		for (const waiter of list.waiters) waiter.resolve();
	};
	const settleTickets = (taken: Pending, table: TicketTable) => {
		for (const number of taken.dones) dones.delete(number);
		for (const number of taken.leaves)
			for (const waiter of takeOut(leaves, number)?.waiters ?? []) waiter.resolve();
		for (const number of taken.extensions) {
			const ticket = placedTicket(table, table.get(number));
			for (const waiter of takeOut(extensions, number)?.waiters ?? []) {
				if (ticket?.state === 'admitted') waiter.resolve(ticket);
				else waiter.reject(overOf(ticket));
			}
		}
	};

	return {
		get joins() {
			return joins.size;
		},
		get claims() {
			return claims.size;
		},
		isUrgent: () => urgent.some((entries) => entries.size > 0),
		hasJoin: (holder) => joins.has(holder),
		join(holder, party, unlessDone = false) {
			const entry = entryOf(joins, holder, { holder, party, unlessDone, waiters: [] });
			entry.unlessDone &&= unlessDone;
			return wait(entry);
		},
		claim: (number, now) => wait(entryOf(claims, number, { since: now, waiters: [] })),
		leave: (number) => wait(entryOf(leaves, number, { waiters: [] })),
		done: (number) => void dones.add(number),
		bind: (from, account) => wait(entryOf(binds, bindName(from, account), { from, account, waiters: [] })),
		place: (people, origin, placed) => wait(entryOf(lists, origin, { people, placed, waiters: [] })),
		extend: (number) => wait(entryOf(extensions, number, { waiters: [] })),
		take: (joinsMax, placedMax) => ({
			joins: takeJoins(joinsMax),
			placing: takeList(placedMax),
			claims: [...claims.keys()],
			leaves: [...leaves.keys()],
			dones: [...dones],
			binds: takeBinds(),
			extensions: [...extensions.keys()]
		}),
		settle(taken, table, now, hold) {
			settlePlaces(taken, table);
			settleTickets(taken, table);
			for (const [number, claim] of claims) {
				const held = now - claim.since >= claimHoldMs;
				const outcome = outcomeOf(table, number) ?? (held ? hold(number) : null);
				if (!outcome) continue;
				claims.delete(number);
				for (const waiter of claim.waiters) waiter.resolve(outcome);
			}
		},
		refuseAll(error) {
			const waiting: { reject(error: Error): void }[] = [];
			for (const map of [joins, claims, leaves, extensions, binds, lists]) {
				for (const entry of map.values()) waiting.push(...entry.waiters);
				map.clear();
			}
			for (const waiter of waiting) waiter.reject(error());
		}
	};
}

const bindName = (from: string, account: string) => JSON.stringify([from, account]);

/** The way back for somebody who has no living ticket. */
export function overOf(ticket: Ticket | null): AppError {
	return new AppError(ticket ? 'turn_expired' : 'old_epoch', { rejoin: true });
}

/** A ticket with its place. */
export function placedTicket(table: TicketTable, ticket: Ticket | null): PlacedTicket | null {
	return ticket && { ...ticket, position: table.position(ticket.number) };
}

/** What a claim of this ticket comes to without any change; null when the turn has come and the pass is to be issued. */
export function outcomeOf(table: TicketTable, number: number): ClaimOutcome | null {
	const ticket = placedTicket(table, table.get(number));
	switch (ticket?.state) {
		case 'called':
			return null;
		case 'waiting':
			return { kind: 'not-yet', ticket };
		case 'admitted':
		case 'done':
			return { kind: 'pass', ticket };
		case 'expired':
		case 'left':
			return { kind: 'over', ticket };
		case undefined:
			throw overOf(null);
	}
}
