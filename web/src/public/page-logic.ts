/**
 * The page's own pace and decisions without a browser: simulators and benchmarks run thousands of pages with it.
 * Start with `firstState`, ask what `state.next` says when it says, hand the answer to `settle`.
 */
import { settleBooking } from './machine-booking.ts';
import { settle as settleWith } from './machine.ts';
import type { Answer } from './calls.ts';
import type { Action, Context, WaitState } from './state.ts';

export type { Answer } from './calls.ts';
export { setChanging, tick } from './machine-booking.ts';
export { press } from './machine.ts';
export type { Place, Ready } from './place.ts';
export { firstState, type Action, type Context, type Section, type WaitState, type Wanted } from './state.ts';

/** What is outside of the logic, with the answers of booking read as the page reads them. */
export function pageContext(now: number, random: () => number): Context {
	return { now, random, settleBooking };
}

export function settle(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	return settleWith(state, action, answer, context);
}
