import type { LocalText, Permit, Progress, PublicSettings, SlotsAnswer } from '@marsad/server/contract';
import { retryAfterDelayMs, reconnectDelayMs } from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import type { Expectation } from './estimate.ts';
import type { Place, Ready } from './place.ts';
import type { Ending, Notice } from './texts/texts.ts';

/** What the page can ask the server, one at a time. */
export type Action =
	| 'settings'
	| 'progress'
	| 'join'
	| 'status'
	| 'claim'
	| 'leave'
	| 'prepare'
	| 'slots'
	| 'book'
	| 'permit'
	| 'change'
	| 'cancel'
	| 'accept'
	| 'decline';
export type Section =
	'loading' | 'start' | 'registered' | 'waiting' | 'called' | 'choosing' | 'booked' | 'ended';

/** Something the person pressed and that is not answered yet: repeated by itself until it is. */
export interface Wanted {
	action: 'join' | 'claim' | 'leave' | 'prepare' | 'book' | 'change' | 'cancel' | 'accept' | 'decline';
	party: number;
	slot: number;
	/** One for all repeats of a press: a retry gets the first answer. */
	key: string;
}

/** All the page knows. Times are epoch ms of the page's own clock, unless a server's document carries them. */
export interface WaitState {
	section: Section;
	/** How people are known here; null until the server said it. */
	identity: PublicSettings['identity'] | null;
	/** The site's. */
	timeZone?: string | undefined;
	/** The page holds a token of the person; in demo and laboratory everybody is believed. */
	signedIn: boolean;
	/** A permit may exist already: looked for as soon as it is known who asks. */
	lookForPermit: boolean;
	/** Prepared beforehand, and until when (server's clock); null when not. */
	ready: Ready | null;
	place: Place | null;
	progress: Progress | null;
	/** When the newest news of any kind came. */
	newsAt: number | null;
	/** Server's clock minus the page's. */
	clockOffsetMs: number;
	ahead: number;
	etaSeconds: number | null;
	etaAt: number;
	expectation: Expectation;
	/** Until when the turn waits. */
	claimBefore: number | null;
	/** The pass ran out in this page: the ending says so. */
	passLost: boolean;
	slots: SlotsAnswer | null;
	/** Slots offered in place of a full one. */
	offered: readonly number[];
	permit: Permit | null;
	/** The permit is being moved to another slot. */
	changing: boolean;
	/** Changing was refused as a whole: it is not offered again. */
	changeOff: boolean;
	ending: Ending | null;
	notice: Notice | null;
	/** Why, in the words of who refused; empty when it was not said. */
	reason: string | LocalText;
	wanted: Wanted | null;
	failures: number;
	/** What happens next without anybody pressing anything. */
	next: { action: Action; at: number } | null;
}

/** The outside of the pure logic. */
export interface Context {
	now: number;
	random: () => number;
	/**
	 * Reads the answers to what is asked only by somebody whose turn has come, or who has a permit; the page has it
	 * once the script came that shows them.
	 */
	settleBooking: (state: WaitState, action: Action, answer: Answer, context: Context) => WaitState;
}

/** Where a page starts: it asks how people are known here, then for the permit or for the public document. */
export function firstState(
	place: Place | null,
	lookForPermit: boolean,
	now: number,
	known: { signedIn?: boolean; ready?: Ready | null } = {}
): WaitState {
	return {
		section: 'loading',
		identity: null,
		signedIn: known.signedIn ?? false,
		lookForPermit,
		ready: known.ready ?? null,
		place,
		progress: null,
		newsAt: null,
		clockOffsetMs: 0,
		ahead: 0,
		etaSeconds: null,
		etaAt: now,
		expectation: { arrivalAt: null, rise: null },
		claimBefore: null,
		passLost: false,
		slots: null,
		offered: [],
		permit: null,
		changing: false,
		changeOff: false,
		ending: null,
		notice: null,
		reason: '',
		wanted: null,
		failures: 0,
		next: { action: 'settings', at: now }
	};
}

export function askAt(state: WaitState, action: Action, at: number): WaitState {
	return { ...state, next: { action, at } };
}

/** Stable code of a refusal, from the problem document or its short word. */
export function codeOf(answer: Answer): string {
	const body = (answer.body ?? {}) as { code?: unknown; error?: unknown };
	return String(body.code ?? body.error ?? '').replaceAll(' ', '_');
}

const firstRetryWindowMs = 8_000;
const retryMsMin = 1_000;

/** Tries the same again later: as long as the server asked and a random part more, else with growing full jitter. */
export function retryLater(
	state: WaitState,
	action: Action,
	answer: Answer,
	notice: Notice | null,
	context: Context
): WaitState {
	const delayMs =
		answer.retryAfterMs === null
			? reconnectDelayMs(state.failures, context.random, firstRetryWindowMs)
			: retryAfterDelayMs(answer.retryAfterMs / 1_000, context.random);
	return askAt(
		{ ...state, failures: state.failures + 1, notice },
		action,
		context.now + Math.max(retryMsMin, delayMs)
	);
}

const noticeOfCode: Readonly<Record<string, Notice>> = {
	queue_full: 'queue-full',
	joins_closed: 'joins-closed',
	booking_closed: 'booking-closed',
	no_identity: 'no-identity',
	identity_not_configured: 'sign-in-off',
	identity_unavailable: 'sign-in-away'
};

/** The words for a refusal that passes by itself; null when it is no such refusal. */
export function transientNotice(answer: Answer): Notice | null {
	const { status } = answer;
	if (status === 0 || status === 502 || status === 504) return 'offline';
	return (
		noticeOfCode[codeOf(answer)] ??
		(status === 429 || status === 503 ? 'busy' : status >= 500 ? 'failed' : null)
	);
}

const passing: readonly (Notice | null)[] = [
	'offline',
	'busy',
	'failed',
	'queue-full',
	'joins-closed',
	'sign-in-away',
	'pass-turn'
];

/** The state after any answer at all: the connection lives, and what was said about it is over. */
export function heard(state: WaitState, context: Context): WaitState {
	return {
		...state,
		failures: 0,
		newsAt: context.now,
		notice: passing.includes(state.notice) ? null : state.notice
	};
}

/** Whether the person can be named to the server: what a claim and a booking need. */
export function isKnown(state: WaitState): boolean {
	return state.identity === 'demo' || state.signedIn || state.ready !== null;
}
