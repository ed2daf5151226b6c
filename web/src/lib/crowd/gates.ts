import type { Gate, GateStateName } from '@marsad/server/contract';
import { comparePriority, type Priority } from '../priority.ts';

/** What is wrong at a gate, the worst first in {@link troublesOf}. */
export type GateTrouble =
	| { kind: 'hold-over'; priority: Priority }
	| { kind: 'outside-full'; priority: Priority; at: number }
	| { kind: 'hold-ends'; priority: Priority }
	| { kind: 'hold-grows'; priority: Priority }
	| { kind: 'outside-unknown'; priority: Priority }
	| { kind: 'not-confirmed'; priority: Priority; since: number; overdue: boolean };

/**
 * What is wrong at a gate now. A crowd that nobody counts before a held gate is a trouble of its own: missing data is
 * never good news. A hold that is fresh and whose crowd does not grow is none.
 */
export function troublesOf(gate: Gate): GateTrouble[] {
	const found: GateTrouble[] = [];
	const { hold, crowdOutside: outside, difference } = gate;
	if (hold?.warning === 'over') found.push({ kind: 'hold-over', priority: 'critical' });
	if (hold && hold.outsideFullAt !== null)
		found.push({ kind: 'outside-full', priority: 'critical', at: hold.outsideFullAt });
	if (hold?.warning === 'most') found.push({ kind: 'hold-ends', priority: 'high' });
	const growth = outside?.growthPerMinute ?? null;
	if (hold?.warning === 'half' && (growth === null || growth > 0))
		found.push({ kind: 'hold-grows', priority: 'medium' });
	if (hold && outside && (outside.people === null || outside.quality === 'unknown'))
		found.push({ kind: 'outside-unknown', priority: 'medium' });
	if (difference) {
		const priority = difference.overdue ? 'high' : 'low';
		found.push({ kind: 'not-confirmed', priority, since: difference.since, overdue: difference.overdue });
	}
	return found.sort((a, b) => comparePriority(a.priority, b.priority));
}

/** How urgent a gate is; null when all is as it should be. */
export function priorityOfGate(gate: Gate): Priority | null {
	return troublesOf(gate)[0]?.priority ?? null;
}

/** The most urgent gate first, then held, closed and metered ones, then as the site file has them. */
export function byGateUrgency(a: Gate, b: Gate): number {
	const rank = (gate: Gate) => ['critical', 'high', 'medium', 'low', null].indexOf(priorityOfGate(gate));
	const order: readonly GateStateName[] = ['held', 'closed', 'metered', 'open'];
	const state = (gate: Gate) => order.indexOf(gate.commanded.state);
	return rank(a) - rank(b) || state(a) - state(b) || a.id.localeCompare(b.id, 'en', { numeric: true });
}

/** What may be commanded at a gate: an exit is open, always, and has no buttons. */
export function commandsFor(gate: Pick<Gate, 'direction'>): readonly GateStateName[] {
	return gate.direction === 'out' ? [] : ['open', 'metered', 'held', 'closed'];
}

/** Seconds left of a hold, never below 0, and the share of its time that is gone (0 to 1). */
export function holdClock(
	hold: { since: number; until: number },
	now: number
): { secondsLeft: number; secondsOver: number; share: number } {
	const total = Math.max(1, hold.until - hold.since);
	return {
		secondsLeft: Math.max(0, Math.ceil((hold.until - now) / 1_000)),
		secondsOver: Math.max(0, Math.floor((now - hold.until) / 1_000)),
		share: Math.min(1, Math.max(0, (now - hold.since) / total))
	};
}
