import type { Budget } from './pacing.ts';
import { createDraft, isLiving, type Draft } from './round-draft.ts';
import type { NewTicket, TicketState, TicketTable } from './ticket-table.ts';

export { isLiving } from './round-draft.ts';

/** Somebody who asks for a place. */
export interface Person {
	holder: string;
	party: number;
	/** No new place for whose last ticket ended with a booking. */
	unlessDone?: boolean;
}

/** What waits to be done in the next round. */
export interface Pending {
	/** One entry a holder. */
	joins: readonly Person[];
	/** People of a draw, in order: the next part of the list of this origin, of which `placed` have their number. */
	placing: { origin: string; placed: number; people: readonly Person[] } | null;
	/** Numbers whose holders ask for the pass, first come first. */
	claims: readonly number[];
	leaves: readonly number[];
	/** Numbers whose holders have booked. */
	dones: readonly number[];
	/** Places that join an account; no holder occurs twice. */
	binds: readonly { from: string; account: string }[];
	/** Numbers whose passes are to be renewed. */
	extensions: readonly number[];
}

export interface RoundInput {
	table: TicketTable;
	pending: Pending;
	budget: Budget;
	now: number;
	claimWindowMs: number;
	passMs: number;
	passMaxMs: number;
	/** Nothing runs out while the clocks stand still. */
	frozen: boolean;
	/** At most so many people are called in one round. */
	calledMax: number;
}

/** One ticket that changes; times are epoch ms, null where they stay as they are. */
export interface Change {
	number: number;
	state: TicketState;
	calledAt: number | null;
	claimedAt: number | null;
	dueAt: number | null;
	endedAt: number | null;
	extendedMs: number | null;
	holder: string | null;
}

/** Everything one transaction writes. Nobody hears of it before it is committed. */
export interface Plan {
	inserts: NewTicket[];
	changes: Change[];
	lastNumber: number;
	/** How many of a draw's list have their number after this round. */
	placed: { origin: string; placed: number } | null;
	spent: { passes: number; turns: number };
	/** Passes issued, turns claimed, turns missed. */
	admitted: number;
	claimed: number;
	missed: number;
}

/** A returner within half an hour of a missed turn is called ahead of the main lane, once. */
export const lateLaneMs = 1_800_000;

/**
 * Works out one round on paper: who ends, whose place joins an account, who gets the pass, who is called, who gets
 * a number. Strictly first come first served inside each lane; nobody is called or let in while called + inside
 * reaches the cap.
 */
export function planRound(input: RoundInput): Plan {
	const draft = createDraft(input);
	endTickets(input, draft);
	bindPlaces(input, draft);
	extendPasses(input, draft);
	grantPasses(input, draft);
	callNext(input, draft);
	giveDrawnNumbers(input, draft);
	giveNumbers(input, draft);
	return { ...draft.plan, changes: [...draft.changes.values()] };
}

function endTickets({ table, pending, now, frozen }: RoundInput, draft: Draft): void {
	const end = (number: number, state: TicketState) => {
		const old = draft.stateOf(number);
		if (old && isLiving(old)) draft.change(number, state, { endedAt: now });
	};
	for (const number of pending.dones) end(number, 'done');
	for (const number of pending.leaves) end(number, 'left');
	if (frozen) return;
	// Who already stands at the counter is not absent.
	const claiming = new Set(pending.claims);
	for (const number of table.called) {
		if (table.get(number)!.dueAt > now || claiming.has(number) || draft.stateOf(number) !== 'called')
			continue;
		end(number, 'expired');
		draft.plan.missed++;
	}
	for (const number of table.admitted) if (table.get(number)!.dueAt <= now) end(number, 'expired');
}

const ranks: Record<TicketState, number> = {
	admitted: 3,
	called: 2,
	waiting: 1,
	done: 0,
	expired: 0,
	left: 0
};

/** The further state is better, else the smaller number. */
function betterOf(draft: Draft, a: number, b: number): number {
	const lead = ranks[draft.stateOf(a)!] - ranks[draft.stateOf(b)!];
	if (lead !== 0) return lead > 0 ? a : b;
	return Math.min(a, b);
}

function bindPlaces({ pending, now }: RoundInput, draft: Draft): void {
	for (const { from, account } of pending.binds) {
		const anonymous = draft.livingOf(from);
		if (anonymous === null || from === account) continue;
		const own = draft.livingOf(account);
		const kept = own === null ? anonymous : betterOf(draft, own, anonymous);
		if (own !== null) draft.change(kept === own ? anonymous : own, 'left', { endedAt: now });
		if (kept === anonymous) draft.give(anonymous, from, account);
	}
}

function extendPasses({ table, pending, now, passMs, passMaxMs, frozen }: RoundInput, draft: Draft): void {
	if (frozen) return;
	for (const number of pending.extensions) {
		if (draft.stateOf(number) !== 'admitted') continue;
		const { dueAt, extendedMs } = table.get(number)!;
		// What has run of the pass; the time the clocks stood still is in `dueAt` already.
		const ranMs = passMs + extendedMs - (dueAt - now);
		const nextMs = Math.max(extendedMs, Math.min(ranMs, passMaxMs - passMs));
		draft.change(number, 'admitted', { dueAt: dueAt + nextMs - extendedMs, extendedMs: nextMs });
	}
}

function grantPasses({ pending, now, passMs }: RoundInput, draft: Draft): void {
	for (const number of pending.claims) {
		if (draft.passesLeft < 1) return;
		if (draft.stateOf(number) !== 'called') continue;
		draft.change(number, 'admitted', { claimedAt: now, dueAt: now + passMs });
		draft.spend({ passes: 1 });
		draft.plan.claimed++;
	}
}

function callNext({ table, budget, now, claimWindowMs, calledMax }: RoundInput, draft: Draft): void {
	const count = Math.min(draft.turnsLeft, budget.placesMax - draft.inside, draft.waiting, calledMax);
	if (!(count >= 1)) return;
	const numbers = table.next(Math.floor(count), (number) => draft.stateOf(number) !== 'waiting');
	for (const number of numbers) draft.change(number, 'called', { calledAt: now, dueAt: now + claimWindowMs });
	draft.spend({ turns: numbers.length });
}

/** People of a draw wait in the drawn order; who has a living ticket keeps it. */
function giveDrawnNumbers({ pending, now }: RoundInput, draft: Draft): void {
	if (!pending.placing) return;
	const { origin, placed, people } = pending.placing;
	for (const person of people) {
		if (draft.livingOf(person.holder) === null) draft.insert(person, { state: 'waiting', joinedAt: now });
	}
	draft.plan.placed = { origin, placed: placed + people.length };
}

function giveNumbers({ table, pending, budget, now, passMs }: RoundInput, draft: Draft): void {
	const claimsHeld = pending.claims.some((number) => draft.stateOf(number) === 'called');
	for (const person of pending.joins) {
		const last = table.find(person.holder);
		if (person.unlessDone && last?.state === 'done') continue;
		// Whose old ticket ends or moves in this very round gets the number in the next one.
		if (draft.livingOf(person.holder) !== null || draft.isMoved(person.holder)) continue;
		if (last && draft.changes.has(last.number)) continue;
		const places = draft.inside < budget.placesMax;
		const passes = draft.passesLeft >= 1 && draft.turnsLeft >= 1;
		const missedTurn = last?.state === 'expired' && last.claimedAt === 0 && !last.late;
		const late = missedTurn && now - last.dueAt <= lateLaneMs;
		if (draft.waiting === 0 && !claimsHeld && places && passes) {
			const times = { joinedAt: now, claimedAt: now, dueAt: now + passMs };
			draft.insert(person, { state: 'admitted', late, ...times });
			draft.spend({ passes: 1, turns: 1 });
		} else {
			draft.insert(person, { state: 'waiting', late, joinedAt: now });
		}
	}
}

/** Makes the table say what was committed. */
export function applyPlan(table: TicketTable, plan: Plan): void {
	for (const { number, state, claimedAt, dueAt, extendedMs, holder } of plan.changes) {
		table.change(number, {
			state,
			...(claimedAt === null ? {} : { claimedAt }),
			...(dueAt === null ? {} : { dueAt }),
			...(extendedMs === null ? {} : { extendedMs }),
			...(holder === null ? {} : { holder })
		});
	}
	for (const ticket of plan.inserts) table.add(ticket);
}
