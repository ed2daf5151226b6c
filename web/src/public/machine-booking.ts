import type {
	Booked,
	ClaimAnswer,
	Permit,
	QuotaBlock,
	SlotOffer,
	SlotsAnswer
} from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import { askAt, codeOf, isKnown, type Action, type Context, type WaitState } from './state.ts';
import type { Notice } from './texts/texts.ts';

const slotsPollMs = 6_000;

/** Answers to claiming, choosing, booking, changing, cancelling, and to what was offered. */
export function settleBooking(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	switch (action) {
		case 'claim':
			return onClaim(state, answer, context);
		case 'slots':
			return onSlots(state, answer, context);
		case 'book':
			return onBook(state, answer, context);
		case 'change':
			return onChange(state, answer, context);
		case 'permit':
			return onPermit(state, answer, context);
		case 'accept':
			return onAccept(state, answer, context);
		default:
			// Giving a permit up is cancelling it.
			return onCancel(state, answer, context, action);
	}
}

/** Time passed: a pass that ran out is looked after. */
export function tick(state: WaitState, context: Context): WaitState {
	const pass = state.place?.pass;
	if (state.section !== 'choosing' || !pass || state.wanted) return state;
	if (pass.expiresAt - state.clockOffsetMs > context.now) return state;
	const over = { ...state, passLost: true, place: { ...state.place!, pass: null, called: null } };
	// It may have been used in another tab or on another phone.
	return askAt(over, isKnown(state) ? 'permit' : 'status', context.now);
}

/** The person wants to move the permit, or keeps it as it is. */
export function setChanging(state: WaitState, changing: boolean, context: Context): WaitState {
	const next = { ...state, changing, notice: null, offered: [] };
	if (!changing) return { ...next, section: 'booked', next: null };
	return askAt({ ...next, section: 'choosing' }, 'slots', context.now);
}

function onClaim(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const pressed = { ...state, wanted: null, notice: null };
	if (codeOf(answer) === 'already_booked')
		return askAt({ ...pressed, notice: 'already-booked' }, 'permit', now);
	if (answer.status !== 200 || !state.place) return askAt(pressed, 'status', now);
	const { token, expiresAt, ticket } = answer.body as ClaimAnswer;
	const pass = { token, expiresAt };
	const place = { ...state.place, ticket: ticket ?? state.place.ticket, pass, called: null };
	// From now on the place is the account's.
	const claimed = { ...place, account: true };
	return askAt({ ...pressed, section: 'choosing', claimBefore: null, place: claimed }, 'slots', now);
}

function onSlots(state: WaitState, answer: Answer, { now, random }: Context): WaitState {
	const again = now + slotsPollMs * (state.progress?.pollFactor ?? 1) * (0.85 + random() * 0.3);
	if (answer.status !== 200) return askAt(state, 'slots', again);
	const slots = answer.body as SlotsAnswer;
	const reopened = slots.bookingOpen && state.notice === 'booking-closed';
	const notice: Notice | null = slots.bookingOpen ? (reopened ? null : state.notice) : 'booking-closed';
	return askAt({ ...state, slots, notice }, 'slots', again);
}

function onBook(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const code = codeOf(answer);
	const pressed = { ...state, wanted: null };
	if (answer.status === 200) {
		const permit = permitSoFar(state, answer.body as Booked, now);
		return askAt({ ...pressed, section: 'booked', notice: null, offered: [], permit }, 'permit', now);
	}
	if (code === 'already_booked') return askAt({ ...pressed, notice: 'already-booked' }, 'permit', now);
	if (code === 'key_in_flight') return askAt(state, 'book', now + 1_000);
	if (code === 'no_pass') {
		const place = state.place && { ...state.place, pass: null };
		return askAt({ ...pressed, passLost: true, place }, 'status', now);
	}
	const ticketParty = (answer.body as { party?: unknown } | null)?.party;
	if (code === 'bad_input' && typeof ticketParty === 'number' && state.place && state.wanted) {
		// The place was taken for another party, in another tab: the ticket's own counts.
		const place = { ...state.place, party: ticketParty };
		return askAt({ ...state, place, wanted: { ...state.wanted, party: ticketParty } }, 'book', now + 1_000);
	}
	return askAt(refused(pressed, answer), 'slots', now);
}

const refusals: Readonly<Record<string, Notice>> = {
	not_eligible: 'not-eligible',
	slot_full: 'slot-full',
	quota_full: 'quota-full',
	place_filling: 'place-filling'
};

/** Why nothing was booked or moved, and what may be chosen instead. */
function refused(state: WaitState, answer: Answer): WaitState {
	const code = codeOf(answer);
	const { reason, blocking, alternatives } = (answer.body ?? {}) as {
		reason?: unknown;
		blocking?: QuotaBlock;
		alternatives?: SlotOffer[];
	};
	return {
		...state,
		notice: refusals[code] ?? 'failed',
		reason: blocking?.text ?? (typeof reason === 'string' ? reason : ''),
		offered: Array.isArray(alternatives) ? alternatives.map(({ id }) => id) : []
	};
}

function onChange(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const pressed = { ...state, wanted: null };
	if (answer.status === 200) {
		const moved = { ...pressed, section: 'booked' as const, changing: false, offered: [] };
		return askAt({ ...moved, notice: 'changed' }, 'permit', now);
	}
	const code = codeOf(answer);
	if (code === 'key_in_flight') return askAt(state, 'change', now + 1_000);
	const over = ['feature_off', 'too_late_to_change', 'not_valid'].includes(code);
	if ([403, 404, 410, 501].includes(answer.status) || over) {
		const off = { ...pressed, section: 'booked' as const, changing: false, changeOff: true };
		return askAt({ ...off, notice: 'change-off' }, 'permit', now);
	}
	return askAt(refused(pressed, answer), 'slots', now);
}

/** What is known of a permit before it was fetched: enough to say that it is booked, where and when. */
function permitSoFar(state: WaitState, booked: Booked, now: number): Permit | null {
	const slot = state.slots?.slots.find(({ id }) => id === booked.slot);
	if (!slot) return null;
	return {
		id: booked.permit,
		slot: booked.slot,
		place: slot.place,
		startsAt: slot.startsAt,
		endsAt: slot.endsAt,
		party: booked.party,
		state: 'valid',
		issuedAt: now,
		qr: ''
	};
}

function onPermit(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const permit = answer.status === 200 ? (answer.body as Permit) : null;
	if (permit?.state === 'valid') {
		return { ...state, section: 'booked', permit, changing: false, wanted: null, place: null, next: null };
	}
	// Nobody booked for this person yet: the ordinary way.
	const onTheWay = state.passLost && state.place !== null;
	return askAt({ ...state, permit: null }, onTheWay ? 'status' : 'progress', now);
}

/** The slot that was held is the holder's now; where there is no offer any more, what holds instead is shown. */
function onAccept(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const pressed = { ...state, wanted: null };
	if (answer.status === 200) return askAt({ ...pressed, notice: 'changed' }, 'permit', now);
	if (codeOf(answer) === 'no_offer') return askAt(pressed, 'permit', now);
	return { ...pressed, notice: 'failed' };
}

function onCancel(state: WaitState, answer: Answer, context: Context, action: Action): WaitState {
	const { now } = context;
	if (answer.status !== 200) {
		if (codeOf(answer) === 'no_offer') return onAccept(state, answer, context);
		const code = codeOf(answer);
		const pressed = { ...state, wanted: null };
		if (code === 'key_in_flight') return askAt(state, action, now + 1_000);
		// Changed meanwhile, in another tab: the permit that holds now is shown, and that it does.
		if (code === 'permit_replaced') return askAt({ ...pressed, notice: 'already-booked' }, 'permit', now);
		return { ...pressed, notice: 'failed' };
	}
	return askAt(
		{ ...state, wanted: null, permit: null, place: null, section: 'start', notice: 'cancelled' },
		'progress',
		now
	);
}
