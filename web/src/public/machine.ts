import type {
	JoinReply,
	PrepareAnswer,
	Progress,
	PublicSettings,
	StatusReply
} from '@marsad/server/contract';
import { pollAfterMs } from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import { expect, expectedSeconds, mayBeCalled, peopleAhead } from './estimate.ts';
import { refusal } from './machine-refusals.ts';
import type { Place } from './place.ts';
import {
	askAt,
	heard,
	isKnown,
	type Action,
	type Context,
	type Section,
	type WaitState,
	type Wanted
} from './state.ts';

/** A page on which nobody pressed anything yet asks at the slowest pace; while the door is closed a little faster. */
const closedDoorPollMs = 20_000;
/** After the opening everybody would ask in the same second: spread over so long. */
const openingSpreadMs = 5_000;
/** While the order is drawn. */
const drawPollMs = 5_000;

/** The person pressed something. A second press while the first runs changes nothing. */
export function press(state: WaitState, wanted: Wanted, context: Context): WaitState {
	if (state.wanted) return state;
	return askAt({ ...state, wanted, notice: null, reason: '', failures: 0 }, wanted.action, context.now);
}

/** An answer came. What was pressed meanwhile goes before what the page would do by itself. */
export function settle(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	const after = settleOne(state, action, answer, context);
	if (after.wanted && after.wanted === state.wanted && after.wanted.action !== action) {
		return askAt(after, after.wanted.action, Math.max(context.now, state.next?.at ?? 0));
	}
	return after;
}

function settleOne(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	if (answer.status !== 200) {
		const refused = refusal(state, action, answer, context);
		if (refused) return refused;
	}
	const alive = heard(state, context);
	switch (action) {
		case 'settings':
			return onSettings(alive, answer.body as PublicSettings, context);
		case 'progress':
			return onProgress(alive, answer.body as Progress, context);
		case 'join':
			return onJoin(alive, answer.body as JoinReply, context);
		case 'status':
			return onStatus(alive, answer.body as StatusReply, context);
		case 'leave':
			return askAt(
				{ ...alive, place: null, wanted: null, section: 'start', notice: 'left' },
				'progress',
				context.now
			);
		case 'prepare':
			return onPrepare(alive, answer.body as PrepareAnswer, context);
		default:
			return context.settleBooking(alive, action, answer, context);
	}
}

function onSettings(state: WaitState, { identity, timeZone }: PublicSettings, { now }: Context): WaitState {
	const known = { ...state, identity, timeZone, lookForPermit: false };
	return askAt(known, state.lookForPermit && isKnown(known) ? 'permit' : 'progress', now);
}

function onPrepare(state: WaitState, answer: PrepareAnswer, { now }: Context): WaitState {
	const { ready: token, expiresAt, party } = answer;
	return askAt({ ...state, ready: { token, expiresAt, party }, wanted: null }, 'progress', now);
}

function onProgress(state: WaitState, progress: Progress, context: Context): WaitState {
	const { now } = context;
	const known = { ...state, progress, clockOffsetMs: progress.serverTime - now };
	const { place } = state;
	if (!place) return outside(known, progress, context);
	if (place.pass && place.pass.expiresAt - known.clockOffsetMs > now) {
		return askAt({ ...known, section: 'choosing' }, 'slots', now);
	}
	if (place.number === null) return beforeDraw(known, progress, place, context);
	const turn = turnOf(known, place, now);
	const section: Section = turn ? 'called' : 'waiting';
	const otherEpoch = place.epoch !== null && place.epoch !== progress.epoch;
	if (otherEpoch || place.late || mayBeCalled(place.number, progress)) {
		// Only its holder may ask for a place of an account: it is shown again after the sign-in.
		if (place.account && !isKnown(state)) {
			const shown = { ...known, section: 'called' as const, notice: 'signed-out' as const };
			return askAt(shown, 'progress', now + pollAfterMs(0, context.random, progress.pollFactor));
		}
		return askAt({ ...known, section, claimBefore: turn?.until ?? null }, 'status', now);
	}
	return inLine(known, progress, { ...place, number: place.number }, context);
}

/** The turn as it was last heard of, by the page's clock; null when it has not come, or is over by now. */
function turnOf({ section, claimBefore, clockOffsetMs }: WaitState, { called }: Place, now: number) {
	if (section === 'called') return { until: claimBefore };
	if (!called) return null;
	const until = called.until && called.until - clockOffsetMs;
	return until && until <= now ? null : { until };
}

/** Nobody stands here yet, or no longer. */
function outside(state: WaitState, progress: Progress, context: Context): WaitState {
	const section: Section = state.section === 'ended' ? 'ended' : 'start';
	const open = progress.joinsOpen && progress.mode !== 'reject';
	const waitMs = open
		? pollAfterMs(null, context.random, progress.pollFactor)
		: closedDoorPollMs * (0.85 + context.random() * 0.3);
	const action = state.identity === 'unavailable' ? 'settings' : 'progress';
	return askAt({ ...state, section }, action, context.now + untilOpening(progress, waitMs, context));
}

/** Registered: everybody is equal until the order is drawn, and nothing need be asked before. */
function beforeDraw(state: WaitState, progress: Progress, place: Place, context: Context): WaitState {
	const { now, random } = context;
	const known = {
		...state,
		section: 'registered' as const,
		place: { ...place, epoch: place.epoch ?? progress.epoch }
	};
	const otherEpoch = place.epoch !== null && place.epoch !== progress.epoch;
	const drawn = progress.state !== 'countdown' && progress.state !== 'drawing';
	if (drawn || otherEpoch) {
		return askAt(known, 'status', now + random() * (progress.draw?.askWithinSeconds ?? 0) * 1_000);
	}
	const slow = progress.state === 'countdown' ? pollAfterMs(null, random, progress.pollFactor) : 0;
	const waitMs = slow || drawPollMs * progress.pollFactor * (0.85 + random() * 0.3);
	return askAt(known, 'progress', now + untilOpening(progress, waitMs, context));
}

/** Not beyond the opening, where the screen changes: just after it, at a moment of one's own. */
function untilOpening(progress: Progress, waitMs: number, { random }: Context): number {
	const leftMs = (progress.opensAt ?? 0) - progress.serverTime;
	return progress.state === 'countdown' && leftMs > 0 && leftMs < waitMs
		? leftMs + 500 + random() * openingSpreadMs
		: waitMs;
}

function inLine(
	state: WaitState,
	progress: Progress,
	place: Place & { number: number },
	context: Context
): WaitState {
	const { now, random } = context;
	const ahead = peopleAhead(place.number, progress);
	const seconds = expectedSeconds(ahead, progress);
	return askAt(
		{
			...state,
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

function onJoin(state: WaitState, answer: JoinReply, context: Context): WaitState {
	const { now } = context;
	const ahead = Math.max(0, (answer.position ?? 0) - 1);
	const place: Place = {
		ticket: answer.ticket,
		number: answer.number,
		epoch: state.progress?.epoch ?? null,
		firstAhead: ahead,
		party: state.wanted?.party ?? 1,
		late: 'late' in answer && answer.late === true,
		account: isKnown(state),
		pass: answer.admitted ? { token: answer.token, expiresAt: answer.expiresAt } : null
	};
	const joined = { ...state, place, ahead, ending: null, wanted: null, passLost: false, notice: null };
	if (answer.admitted) return askAt({ ...joined, section: 'choosing' }, 'slots', now);
	if ('registered' in answer) return askAt({ ...joined, section: 'registered' }, 'progress', now);
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

function onStatus(state: WaitState, answer: StatusReply, context: Context): WaitState {
	const { now } = context;
	if ('registered' in answer)
		return askAt({ ...state, section: 'registered' }, 'progress', now + answer.pollAfterMs);
	const drawn = withDrawnPlace(state, answer);
	if (!answer.admitted) {
		return askAt(
			{
				...drawn,
				section: 'waiting',
				claimBefore: null,
				place: drawn.place && { ...drawn.place, called: null },
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
	const place = drawn.place && { ...drawn.place, called: { until: answer.claimBefore } };
	return askAt(
		{ ...drawn, place, section: 'called', claimBefore },
		'status',
		claimBefore === null ? lookAgainAt : Math.max(now + 1_000, Math.min(lookAgainAt, claimBefore + 500))
	);
}

/** The ticket of the pre-queue is exchanged for the one that stands for the drawn place. */
function withDrawnPlace(state: WaitState, answer: Exclude<StatusReply, { registered: true }>): WaitState {
	const { place } = state;
	if (!place || answer.number === undefined || place.number === answer.number) return state;
	const firstAhead = answer.admitted ? 0 : Math.max(0, answer.position - 1);
	return {
		...state,
		place: {
			...place,
			number: answer.number,
			ticket: answer.ticket ?? place.ticket,
			epoch: state.progress?.epoch ?? null,
			firstAhead,
			late: false
		}
	};
}
