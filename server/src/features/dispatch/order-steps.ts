import type { Dispatch, DispatchStateName } from '../../../contract/index.ts';
import {
	unansweredAfterMs,
	welfareEveryMs,
	welfareHeatEveryMs,
	workingStates
} from '../../../contract/index.ts';

const forward: readonly DispatchStateName[] = [
	'reserved',
	'sent',
	'acknowledged',
	'on-the-way',
	'on-the-spot',
	'done'
];

/** Whether a team is at work on it, or is meant to be. */
export function isWorking(state: DispatchStateName): boolean {
	return (workingStates as readonly DispatchStateName[]).includes(state);
}

/** Whether it still concerns the desk: `cannot` came back and waits for a decision. */
export function isOpen(state: DispatchStateName): boolean {
	return isWorking(state) || state === 'reserved' || state === 'cannot';
}

/**
 * Whether an order may go from one state to the next. Forward only; a step may be skipped (somebody on the spot need
 * not say that they were on the way), but nobody is done with what they never took on.
 */
export function mayMove(from: DispatchStateName, to: DispatchStateName): boolean {
	if (to === 'cancelled') return isOpen(from);
	if (to === 'cannot') return isWorking(from) || from === 'reserved';
	if (!isWorking(from) || !forward.includes(to)) return false;
	if (to === 'done') return from !== 'sent';
	return forward.indexOf(to) > forward.indexOf(from);
}

/** An order that was sent and that nobody has acknowledged in time. */
export function isUnanswered(state: DispatchStateName, sentAt: number, now: number): boolean {
	return state === 'sent' && now - sentAt >= unansweredAfterMs;
}

/** The welfare timer of a team that is out; null where none runs. `lastAt`: its last sign of life. */
export function welfareOf(
	state: DispatchStateName,
	lastAt: number | null,
	heat: boolean,
	now: number
): Dispatch['welfare'] {
	if (lastAt === null || (state !== 'on-the-way' && state !== 'on-the-spot')) return null;
	const everyMs = heat ? welfareHeatEveryMs : welfareEveryMs;
	const missed = Math.max(0, Math.floor((now - lastAt) / everyMs));
	return { lastAt, dueAt: lastAt + everyMs * (missed + 1), everyMs, missed, heat };
}
