import type { Booked, ClaimAnswer, Permit, SlotsAnswer } from '@marsad/server/contract';
import type { Answer } from './calls.ts';
import { askAt, codeOf, type Action, type Context, type WaitState } from './state.ts';
import type { Notice } from './texts/texts.ts';

const slotsPollMs = 6_000;

/** Answers to claiming, choosing, booking and cancelling. */
export function settleBooking(state: WaitState, action: Action, answer: Answer, context: Context): WaitState {
	switch (action) {
		case 'claim':
			return onClaim(state, answer, context);
		case 'slots':
			return onSlots(state, answer, context);
		case 'book':
			return onBook(state, answer, context);
		case 'permit':
			return onPermit(state, answer, context);
		default:
			return onCancel(state, answer, context);
	}
}

function onClaim(state: WaitState, answer: Answer, { now }: Context): WaitState {
	const pressed = { ...state, wanted: null, notice: null };
	if (answer.status !== 200 || !state.place) return askAt(pressed, 'status', now);
	const { token, expiresAt } = answer.body as ClaimAnswer;
	return askAt(
		{
			...pressed,
			section: 'choosing',
			claimBefore: null,
			place: { ...state.place, pass: { token, expiresAt } }
		},
		'slots',
		now
	);
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
		const booked = answer.body as Booked;
		return askAt(
			{ ...pressed, section: 'booked', notice: null, permit: permitSoFar(state, booked, now) },
			'permit',
			now
		);
	}
	if (code === 'already_booked') return askAt({ ...pressed, notice: 'already-booked' }, 'permit', now);
	if (code === 'key_in_flight') return askAt(state, 'book', now + 1_000);
	if (code === 'no_pass') {
		return askAt(
			{ ...pressed, passLost: true, place: state.place && { ...state.place, pass: null } },
			'status',
			now
		);
	}
	const ticketParty = (answer.body as { party?: unknown } | null)?.party;
	if (code === 'bad_input' && typeof ticketParty === 'number' && state.place && state.wanted) {
		// The place was taken for another party, in another tab: the ticket's own counts.
		const place = { ...state.place, party: ticketParty };
		return askAt({ ...state, place, wanted: { ...state.wanted, party: ticketParty } }, 'book', now + 1_000);
	}
	const notice: Notice =
		code === 'not_eligible' ? 'not-eligible' : code === 'slot_full' ? 'slot-full' : 'failed';
	return askAt({ ...pressed, notice }, 'slots', now);
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
		return { ...state, section: 'booked', permit, wanted: null, place: null, next: null };
	}
	// Nobody booked for this person yet: the ordinary way.
	return askAt({ ...state, permit: null }, 'progress', now);
}

function onCancel(state: WaitState, answer: Answer, { now }: Context): WaitState {
	if (answer.status !== 200) return { ...state, wanted: null, notice: 'failed' };
	return askAt(
		{ ...state, wanted: null, permit: null, place: null, section: 'start', notice: 'cancelled' },
		'progress',
		now
	);
}
