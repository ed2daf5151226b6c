import {
	workingStates,
	type Dispatch,
	type DispatchStateName,
	type Incident,
	type Team
} from '@marsad/server/contract';
import { comparePriority } from '../priority.ts';

/** The steps that every order shows, in their order. */
export const shownSteps = ['sent', 'acknowledged', 'on-the-way', 'on-the-spot', 'done'] as const;
export type ShownStep = (typeof shownSteps)[number];

/** Whether a team works on it now. */
export function isAtWork(state: DispatchStateName): boolean {
	return (workingStates as readonly DispatchStateName[]).includes(state);
}
/** Whether it still concerns the desk: what came back as `cannot` does, until it is replaced. */
export function isOpen(order: Dispatch): boolean {
	if (order.state === 'cannot') return order.replacedBy === null;
	return isAtWork(order.state) || order.state === 'reserved';
}

/** The next step of a team; null when there is none. */
export function nextStep(state: DispatchStateName): Exclude<ShownStep, 'sent'> | null {
	const next: Partial<Record<DispatchStateName, Exclude<ShownStep, 'sent'>>> = {
		sent: 'acknowledged',
		acknowledged: 'on-the-way',
		'on-the-way': 'on-the-spot',
		'on-the-spot': 'done'
	};
	return next[state] ?? null;
}

/** When a step was reached, epoch ms; null when it was skipped or lies ahead. */
export function stepAt(order: Dispatch, step: DispatchStateName): number | null {
	return order.steps.findLast(({ state }) => state === step)?.at ?? null;
}
/** Since when it stands where it stands. */
export function stateSince(order: Dispatch): number | null {
	return order.steps.at(-1)?.at ?? null;
}

/** How much an order needs the desk: smaller is more. */
function need(order: Dispatch): number {
	if (order.state === 'cannot' || order.support) return 0;
	if (order.unanswered || (order.welfare?.missed ?? 0) > 0) return 1;
	if (isAtWork(order.state)) return 2;
	return order.state === 'reserved' ? 3 : 4;
}

/** What needs the desk first, then by priority, then what is oldest; closed ones last, newest first. */
export function orderBoard(orders: readonly Dispatch[]): Dispatch[] {
	return [...orders].sort((a, b) => {
		const byNeed = need(a) - need(b);
		if (byNeed !== 0) return byNeed;
		const [since, other] = [stateSince(a) ?? 0, stateSince(b) ?? 0];
		if (!isOpen(a)) return other - since;
		return comparePriority(a.priority, b.priority) || since - other || a.id.localeCompare(b.id);
	});
}

const teamRank: Record<Team['state'], number> = { free: 0, busy: 1, 'off-duty': 2 };
/** Free ones first: the board answers "whom can I send?". */
export function orderTeams(teams: readonly Team[]): Team[] {
	return [...teams].sort(
		(a, b) =>
			teamRank[a.state] - teamRank[b.state] || a.names.en.localeCompare(b.names.en, 'en', { numeric: true })
	);
}

/** Open ones first, the oldest on top; closed ones behind, newest first. */
export function orderIncidents(incidents: readonly Incident[]): Incident[] {
	return [...incidents].sort((a, b) => {
		if (a.state !== b.state) return a.state === 'open' ? -1 : 1;
		return a.state === 'open' ? a.openedAt - b.openedAt : (b.closed?.at ?? 0) - (a.closed?.at ?? 0);
	});
}

/** The orders of a leader's teams, the one at work first: the phone shows it large. */
export function myOrders(orders: readonly Dispatch[], teams: readonly Team[], accountId: string): Dispatch[] {
	const mine = new Set(
		teams.filter(({ leaders }) => leaders.some(({ id }) => id === accountId)).map(({ id }) => id)
	);
	const rank = (order: Dispatch) => (isAtWork(order.state) ? 0 : isOpen(order) ? 1 : 2);
	return orders
		.filter(({ team }) => mine.has(team))
		.sort(
			(a, b) =>
				rank(a) - rank(b) ||
				comparePriority(a.priority, b.priority) ||
				(stateSince(b) ?? 0) - (stateSince(a) ?? 0)
		);
}
