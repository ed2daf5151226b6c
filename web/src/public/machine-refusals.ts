import { pollAfterMs } from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import {
	askAt,
	codeOf,
	isKnown,
	retryLater,
	transientNotice,
	type Action,
	type Context,
	type WaitState
} from './state.ts';
import type { Ending, Notice } from './texts/texts.ts';

/** Refusals of a join after which nothing is repeated: the words stay until the room says something else. */
const doorNotices: Readonly<Record<string, Notice>> = {
	too_early_to_join: 'not-open-yet',
	not_eligible: 'not-eligible',
	not_found: 'failed',
	room_closed: 'closed'
};

/** Answers that mean the same whatever was asked; null when the call's own logic must read it. */
export function refusal(
	state: WaitState,
	action: Action,
	answer: Answer,
	context: Context
): WaitState | null {
	const code = codeOf(answer);
	const own = ['book', 'permit', 'slots', 'cancel', 'change'].includes(action);
	const gone = answer.status === 410 || code === 'not_yours';
	if (action === 'leave' && (gone || answer.status === 404)) return null;
	if (gone) {
		if (own && action !== 'book') return null;
		return end(
			state,
			code === 'old_epoch' ? 'restarted' : code === 'not_yours' ? 'not-yours' : 'turn-expired'
		);
	}
	if (answer.status === 401 && state.identity !== 'demo') return unknown(state, context);
	if (action === 'join' && code === 'already_booked') {
		return askAt({ ...state, wanted: null, notice: 'already-booked' }, 'permit', context.now);
	}
	const atDoor = (action === 'join' || action === 'prepare') && doorNotices[code];
	if (atDoor) return askAt({ ...state, wanted: null, notice: atDoor }, 'progress', slowly(state, context));
	if (answer.status === 429 && !own && action !== 'join') {
		// Asked too early, or passes are handed out one by one: nothing is wrong.
		return retryLater(state, action, answer, action === 'claim' ? 'pass-turn' : state.notice, context);
	}
	if (action === 'claim' && answer.status === 503 && code === 'busy') {
		return retryLater(state, action, answer, 'pass-turn', context);
	}
	if (own && (answer.status === 501 || code === 'feature_off' || code === 'place_filling')) return null;
	const notice = transientNotice(answer);
	if (notice) return retryLater(state, action, answer, notice, context);
	return own || action === 'claim' ? null : retryLater(state, action, answer, 'failed', context);
}

/** Nobody knows who asks, or no longer: the place is kept, and the page says what helps. */
function unknown(state: WaitState, context: Context): WaitState {
	const notice: Notice =
		state.identity === 'none' ? 'sign-in-off' : isKnown(state) ? 'signed-out' : 'sign-in-first';
	const next = { ...state, signedIn: false, ready: null, wanted: null, notice };
	// A permit that is shown stays on the glass.
	if (state.section === 'booked') return { ...next, next: null };
	return askAt(next, 'progress', slowly(state, context));
}

function slowly(state: WaitState, { now, random }: Context): number {
	return now + pollAfterMs(null, random, state.progress?.pollFactor);
}

function end(state: WaitState, ending: Ending): WaitState {
	const passed = ending === 'turn-expired' && state.passLost;
	return {
		...state,
		section: 'ended',
		ending: passed ? 'pass-expired' : ending,
		place: null,
		passLost: false,
		claimBefore: null,
		wanted: null,
		notice: null,
		next: null
	};
}
