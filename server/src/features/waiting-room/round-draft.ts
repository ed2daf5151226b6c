import type { Change, Person, Plan, RoundInput } from './round.ts';
import type { NewTicket, TicketState } from './ticket-table.ts';

export function isLiving(state: TicketState): boolean {
	return state === 'waiting' || state === 'called' || state === 'admitted';
}

export type Draft = ReturnType<typeof createDraft>;

const unchanged: Omit<Change, 'number' | 'state'> = {
	calledAt: null,
	claimedAt: null,
	dueAt: null,
	endedAt: null,
	extendedMs: null,
	holder: null
};

/** Counts and states as they will stand after a round; the table itself stays untouched until the commit. */
export function createDraft({ table, budget }: RoundInput) {
	const changes = new Map<number, Change>();
	/** Holders whose ticket is another one in this round; null: none any more. */
	const moved = new Map<string, number | null>();
	const count = (state: TicketState | undefined, by: 1 | -1) => {
		if (state === 'waiting') draft.waiting += by;
		if (state === 'called' || state === 'admitted') draft.inside += by;
	};
	const draft = {
		changes,
		waiting: table.counts.waiting,
		inside: table.counts.called + table.counts.admitted,
		passesLeft: budget.passes,
		turnsLeft: budget.turns,
		plan: {
			inserts: [] as NewTicket[],
			lastNumber: table.issued,
			placed: null as Plan['placed'],
			spent: { passes: 0, turns: 0 },
			admitted: 0,
			claimed: 0,
			missed: 0
		},
		stateOf(number: number): TicketState | undefined {
			const fresh = draft.plan.inserts[number - table.issued - 1];
			return changes.get(number)?.state ?? fresh?.state ?? table.get(number)?.state;
		},
		/** Number of the holder's living ticket, or null. */
		livingOf(holder: string): number | null {
			const number = moved.has(holder) ? moved.get(holder)! : (table.find(holder)?.number ?? null);
			const state = number === null ? undefined : draft.stateOf(number);
			return state && isLiving(state) ? number : null;
		},
		isMoved: (holder: string) => moved.has(holder),
		change(number: number, state: TicketState, rest: Partial<Change> = {}) {
			count(draft.stateOf(number), -1);
			count(state, 1);
			changes.set(number, { ...(changes.get(number) ?? unchanged), ...rest, number, state });
		},
		/** The living ticket is another holder's. */
		give(number: number, from: string, to: string) {
			draft.change(number, draft.stateOf(number)!, { holder: to });
			moved.set(from, null).set(to, number);
		},
		insert({ holder, party }: Person, ticket: Pick<NewTicket, 'state' | 'joinedAt'> & Partial<NewTicket>) {
			const number = ++draft.plan.lastNumber;
			const times = { claimedAt: 0, dueAt: 0, extendedMs: 0 };
			draft.plan.inserts.push({ late: false, ...times, ...ticket, number, holder, party });
			moved.set(holder, number);
			count(ticket.state, 1);
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
