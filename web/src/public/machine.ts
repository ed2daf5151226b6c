import type { JoinAnswer, Progress, StatusAnswer } from '@marsad/server/contract';
import { pollAfterMs } from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import { expect, expectedSeconds, mayBeCalled, peopleAhead } from './estimate.ts';
import { settleBooking } from './machine-booking.ts';
import type { Place } from './place.ts';
import {
	askAt,
	codeOf,
	heard,
	retryLater,
	transientNotice,
	type Action,
	type Context,
	type WaitState,
	type Wanted
} from './state.ts';

/** A page on which nobody pressed anything yet asks at the slowest pace; while the door is closed a little faster. */
const closedDoorPollMs = 20_000;

/** The person pressed something. A second press while the first runs changes nothing. */
export function press(state: WaitState, wanted: Wanted, context: Context): WaitState {
	if (state.wanted) return state;
	return askAt({ ...state, wanted, notice: null, failures: 0 }, wanted.action, context.now);
}

/** An answer came. What was pressed meanwhile goes before what the page would do by itself. */
export function settle(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	const after = settleOne(state, action, answer, context);
	if (after.wanted && after.wanted === state.wanted && after.wanted.action !== action) {
		return askAt(after, after.wanted.action, Math.max(context.now, state.next?.at ?? 0));
	}
	return after;
}

/** Time passed: a pass that ran out is looked after. */
export function tick(state: WaitState, context: Context): WaitState {
	const pass = state.place?.pass;
	if (state.section !== 'choosing' || !pass || state.wanted) return state;
	if (pass.expiresAt - state.clockOffsetMs > context.now) return state;
	return askAt({ ...state, passLost: true, place: withoutPass(state.place) }, 'status', context.now);
}

function settleOne(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	if (answer.status !== 200) {
		const refused = refusal(state, action, answer, context);
		if (refused) return refused;
	}
	const alive = heard(state, context);
	switch (action) {
		case 'progress':
			return onProgress(alive, answer.body as Progress, context);
		case 'join':
			return onJoin(alive, answer.body as JoinAnswer, context);
		case 'status':
			return onStatus(alive, answer.body as StatusAnswer, context);
		default:
			return settleBooking(alive, action, answer, context);
	}
}

/** Answers that mean the same whatever was asked; null when the call's own logic must read it. */
function refusal(state: WaitState, action: Action, answer: Answer, context: Context): WaitState | null {
	const code = codeOf(answer);
	const own = action === 'book' || action === 'permit' || action === 'slots' || action === 'cancel';
	if (answer.status === 410 || code === 'not_yours') {
		if (own && action !== 'book') return null;
		return end(
			state,
			code === 'old_epoch' ? 'restarted' : code === 'not_yours' ? 'not-yours' : 'turn-expired'
		);
	}
	if (action === 'join' && code === 'already_booked') {
		return askAt({ ...state, wanted: null, notice: 'already-booked' }, 'permit', context.now);
	}
	if (answer.status === 429 && !own && action !== 'join') {
		// Asked too early, or passes are handed out one by one: nothing is wrong.
		return retryLater(state, action, answer, action === 'claim' ? 'pass-turn' : state.notice, context);
	}
	if (action === 'claim' && answer.status === 503 && code === 'busy') {
		return retryLater(state, action, answer, 'pass-turn', context);
	}
	const notice = transientNotice(answer);
	if (notice) return retryLater(state, action, answer, notice, context);
	return own || action === 'claim' ? null : retryLater(state, action, answer, 'failed', context);
}

function end(state: WaitState, ending: NonNullable<WaitState['ending']>): WaitState {
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

function withoutPass(place: Place | null): Place | null {
	return place && { ...place, pass: null };
}

function onProgress(state: WaitState, progress: Progress, context: Context): WaitState {
	const { now, random } = context;
	const known = { ...state, progress, clockOffsetMs: progress.serverTime - now };
	const { place } = state;
	if (!place) {
		const section = state.section === 'ended' ? 'ended' : 'start';
		const door = progress.joinsOpen && progress.mode !== 'reject';
		const waitMs = door
			? pollAfterMs(null, random, progress.pollFactor)
			: closedDoorPollMs * (0.85 + random() * 0.3);
		return askAt({ ...known, section }, 'progress', now + waitMs);
	}
	if (place.pass && place.pass.expiresAt - known.clockOffsetMs > now) {
		return askAt({ ...known, section: 'choosing' }, 'slots', now);
	}
	const section = state.section === 'called' ? 'called' : 'waiting';
	const otherEpoch = place.epoch !== null && place.epoch !== progress.epoch;
	if (otherEpoch || place.late || mayBeCalled(place.number, progress))
		return askAt({ ...known, section }, 'status', now);
	const ahead = peopleAhead(place.number, progress);
	const seconds = expectedSeconds(ahead, progress);
	return askAt(
		{
			...known,
			section: 'waiting',
			place: { ...place, epoch: progress.epoch, firstAhead: Math.max(place.firstAhead, ahead) },
			ahead,
			etaSeconds: seconds,
			etaAt: now,
			expectation: expect(state.expectation, seconds, progress, now)
		},
		'progress',
		now + pollAfterMs(seconds, random, progress.pollFactor)
	);
}

function onJoin(state: WaitState, answer: JoinAnswer, context: Context): WaitState {
	const { now } = context;
	const ahead = Math.max(0, answer.position - 1);
	const place: Place = {
		ticket: answer.ticket,
		number: answer.number,
		epoch: state.progress?.epoch ?? null,
		firstAhead: ahead,
		party: state.wanted?.party ?? 1,
		late: !answer.admitted && answer.late === true,
		pass: answer.admitted ? { token: answer.token, expiresAt: answer.expiresAt } : null
	};
	const joined = { ...state, place, ahead, ending: null, wanted: null, passLost: false, notice: null };
	if (answer.admitted) return askAt({ ...joined, section: 'choosing' }, 'slots', now);
	return askAt(
		{
			...joined,
			section: 'waiting',
			etaSeconds: answer.etaSeconds,
			etaAt: now,
			expectation: {
				arrivalAt: answer.etaSeconds === null ? null : now + answer.etaSeconds * 1_000,
				rise: null
			}
		},
		'progress',
		now + answer.pollAfterMs
	);
}

function onStatus(state: WaitState, answer: StatusAnswer, context: Context): WaitState {
	const { now } = context;
	if (!answer.admitted) {
		return askAt(
			{
				...state,
				section: 'waiting',
				claimBefore: null,
				ahead: Math.max(0, answer.position - 1),
				etaSeconds: answer.etaSeconds,
				etaAt: now
			},
			'progress',
			now + answer.pollAfterMs
		);
	}
	const claimBefore = answer.claimBefore === null ? null : answer.claimBefore - state.clockOffsetMs;
	const lookAgainAt = now + answer.pollAfterMs;
	return askAt(
		{ ...state, section: 'called', claimBefore },
		'status',
		claimBefore === null ? lookAgainAt : Math.max(now + 1_000, Math.min(lookAgainAt, claimBefore + 500))
	);
}
