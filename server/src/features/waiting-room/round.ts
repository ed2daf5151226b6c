import type { Budget } from './pacing.ts';
import type { NewTicket, TicketState, TicketTable } from './ticket-table.ts';

/** What waits to be done in the next round. */
export interface Pending {
	/** One entry a holder. */
	joins: readonly { holder: string; party: number }[];
	/** Numbers whose holders ask for the pass, first come first. */
	claims: readonly number[];
	leaves: readonly number[];
	/** Numbers whose holders have booked. */
	dones: readonly number[];
}

export interface RoundInput {
	table: TicketTable;
	pending: Pending;
	budget: Budget;
	now: number;
	claimWindowMs: number;
	passMs: number;
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
}

/** Everything one transaction writes. Nobody hears of it before it is committed. */
export interface Plan {
	inserts: NewTicket[];
	changes: Change[];
	lastNumber: number;
	spent: { passes: number; turns: number };
	/** Passes issued, turns claimed, turns missed. */
	admitted: number;
	claimed: number;
	missed: number;
}

/** A returner within half an hour of a missed turn is called ahead of the main lane, once. */
export const lateLaneMs = 1_800_000;

export function isLiving(state: TicketState): boolean {
	return state === 'waiting' || state === 'called' || state === 'admitted';
}

/**
 * Works out one round on paper: who ends, who gets the pass, who is called, who gets a number. Strictly first
 * come first served inside each lane; nobody is called or let in while called + inside reaches the cap.
 */
export function planRound(input: RoundInput): Plan {
	const draft = createDraft(input);
	endTickets(input, draft);
	grantPasses(input, draft);
	callNext(input, draft);
	giveNumbers(input, draft);
	return { ...draft.plan, changes: [...draft.changes.values()] };
}

type Draft = ReturnType<typeof createDraft>;

/** Counts and states as they will stand; the table itself stays untouched until the commit. */
function createDraft({ table, budget }: RoundInput) {
	const changes = new Map<number, Change>();
	const draft = {
		changes,
		waiting: table.counts.waiting,
		inside: table.counts.called + table.counts.admitted,
		passesLeft: budget.passes,
		turnsLeft: budget.turns,
		plan: {
			inserts: [] as NewTicket[],
			lastNumber: table.issued,
			spent: { passes: 0, turns: 0 },
			admitted: 0,
			claimed: 0,
			missed: 0
		},
		stateOf: (number: number) => changes.get(number)?.state ?? table.get(number)?.state,
		change(number: number, state: TicketState, times: Partial<Change> = {}) {
			const old = draft.stateOf(number);
			if (old === 'waiting') draft.waiting--;
			if (old === 'called' || old === 'admitted') draft.inside--;
			if (state === 'called' || state === 'admitted') draft.inside++;
			const before = changes.get(number) ?? { calledAt: null, claimedAt: null, dueAt: null, endedAt: null };
			changes.set(number, { ...before, ...times, number, state });
		},
		spend(spent: { passes?: number; turns?: number }) {
			draft.passesLeft -= spent.passes ?? 0;
			draft.turnsLeft -= spent.turns ?? 0;
			draft.plan.spent.passes += spent.passes ?? 0;
			draft.plan.spent.turns += spent.turns ?? 0;
			draft.plan.admitted += spent.passes ?? 0;
		}
	};
	return draft;
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

function giveNumbers({ table, pending, budget, now, passMs }: RoundInput, draft: Draft): void {
	const claimsHeld = pending.claims.some((number) => draft.stateOf(number) === 'called');
	for (const { holder, party } of pending.joins) {
		const last = table.find(holder);
		const state = last && draft.stateOf(last.number);
		// Whose old ticket ends in this very round gets the number in the next one.
		if (last && ((state && isLiving(state)) || draft.changes.has(last.number))) continue;
		const places = draft.inside < budget.placesMax;
		const passes = draft.passesLeft >= 1 && draft.turnsLeft >= 1;
		const atOnce = draft.waiting === 0 && !claimsHeld && places && passes;
		const missedTurn = state === 'expired' && last!.claimedAt === 0 && !last!.late;
		draft.plan.inserts.push({
			number: ++draft.plan.lastNumber,
			holder,
			party,
			state: atOnce ? 'admitted' : 'waiting',
			late: missedTurn && now - last!.dueAt <= lateLaneMs,
			joinedAt: now,
			claimedAt: atOnce ? now : 0,
			dueAt: atOnce ? now + passMs : 0
		});
		if (atOnce) {
			draft.inside++;
			draft.spend({ passes: 1, turns: 1 });
		} else {
			draft.waiting++;
		}
	}
}

/** Makes the table say what was committed. */
export function applyPlan(table: TicketTable, plan: Plan): void {
	for (const change of plan.changes) {
		table.change(change.number, {
			state: change.state,
			...(change.claimedAt === null ? {} : { claimedAt: change.claimedAt }),
			...(change.dueAt === null ? {} : { dueAt: change.dueAt })
		});
	}
	for (const ticket of plan.inserts) table.add(ticket);
}
