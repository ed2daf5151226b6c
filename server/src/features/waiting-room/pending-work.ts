import type { AppError } from '../../errors.ts';
import type { ClaimOutcome } from './queue.ts';
import { isLiving, type Pending } from './round.ts';
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
	join(holder: string, party: number): Promise<Ticket>;
	hasJoin(holder: string): boolean;
	claim(number: number, now: number): Promise<ClaimOutcome>;
	leave(number: number): Promise<void>;
	done(number: number): void;
	/** What the next round works on. */
	take(joinsMax: number): Pending;
	/** Tells everybody who has what they came for; the others stay for the next round. */
	settle(taken: Pending, table: TicketTable, now: number, hold: (number: number) => ClaimOutcome): void;
	refuseAll(error: () => AppError): void;
}

export function createPendingWork(): PendingWork {
	const joins = new Map<string, { holder: string; party: number; waiters: Waiter<Ticket>[] }>();
	const claims = new Map<number, { since: number; waiters: Waiter<ClaimOutcome>[] }>();
	const leaves = new Map<number, { waiters: Waiter<void>[] }>();
	const dones = new Set<number>();

	const wait = <T>(entry: { waiters: Waiter<T>[] }) =>
		new Promise<T>((resolve, reject) => entry.waiters.push({ resolve, reject }));
	const entryOf = <K, E>(map: Map<K, E>, key: K, fresh: E): E => {
		const entry = map.get(key) ?? fresh;
		map.set(key, entry);
		return entry;
	};

	return {
		get joins() {
			return joins.size;
		},
		get claims() {
			return claims.size;
		},
		isUrgent: () => joins.size + leaves.size + dones.size > 0,
		hasJoin: (holder) => joins.has(holder),
		join: (holder, party) => wait(entryOf(joins, holder, { holder, party, waiters: [] })),
		claim: (number, now) => wait(entryOf(claims, number, { since: now, waiters: [] })),
		leave: (number) => wait(entryOf(leaves, number, { waiters: [] })),
		done: (number) => void dones.add(number),
		take(joinsMax) {
			const taken: { holder: string; party: number }[] = [];
			for (const join of joins.values()) {
				if (taken.length >= joinsMax) break;
				taken.push(join);
			}
			return { joins: taken, claims: [...claims.keys()], leaves: [...leaves.keys()], dones: [...dones] };
		},
		settle(taken, table, now, hold) {
			for (const number of taken.dones) dones.delete(number);
			for (const { holder } of taken.joins) {
				const ticket = table.find(holder);
				if (!ticket || !isLiving(ticket.state)) continue;
				for (const waiter of joins.get(holder)?.waiters ?? []) waiter.resolve(ticket);
				joins.delete(holder);
			}
			for (const number of taken.leaves) {
				for (const waiter of leaves.get(number)?.waiters ?? []) waiter.resolve();
				leaves.delete(number);
			}
			for (const [number, claim] of claims) {
				const held = now - claim.since >= claimHoldMs;
				const outcome = outcomeOf(table.get(number)!) ?? (held ? hold(number) : null);
				if (!outcome) continue;
				claims.delete(number);
				for (const waiter of claim.waiters) waiter.resolve(outcome);
			}
		},
		refuseAll(error) {
			const waiting: { reject(error: Error): void }[] = [];
			for (const map of [joins, claims, leaves])
				for (const entry of map.values()) waiting.push(...entry.waiters);
			joins.clear();
			claims.clear();
			leaves.clear();
			for (const waiter of waiting) waiter.reject(error());
		}
	};
}

/** What a claim of this ticket comes to without any change; null when the turn has come and the pass is to be issued. */
export function outcomeOf(ticket: Ticket): ClaimOutcome | null {
	switch (ticket.state) {
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
	}
}
