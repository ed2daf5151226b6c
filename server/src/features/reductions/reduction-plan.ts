import {
	reductionDefaults,
	type Reduction,
	type ReductionPreview,
	type ReductionPreviewRequest
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { createLedger, placeWish, type LockedSlot, type MoveWish, type SlotsNow } from '../booking/index.ts';

export type ReductionTerms = Reduction['terms'];
type Window = Pick<LockedSlot, 'place' | 'startsAt' | 'endsAt'>;

/** The terms of a request, with what it left out. */
export function termsOf(request: ReductionPreviewRequest, closesAll: boolean): ReductionTerms {
	const { answerMinutes, withinHours, otherPlaces, unanswered } = reductionDefaults;
	return {
		answerMinutes: request.answerMinutes ?? answerMinutes,
		withinHours: request.withinHours ?? withinHours,
		otherPlaces: request.otherPlaces ?? otherPlaces,
		unanswered: request.unanswered ?? unanswered,
		withoutRoom: request.withoutRoom ?? (closesAll ? 'revoke' : 'keep')
	};
}

/**
 * Until when somebody of this slot may answer: as long as the terms say, but not beyond the slot's beginning; a slot that
 * begins soon, or has begun, leaves them ten minutes.
 */
export function answerUntil({ startsAt }: { startsAt: number }, terms: ReductionTerms, now: number): number {
	const wanted = now + terms.answerMinutes * 60_000;
	return Math.min(wanted, Math.max(startsAt, now + limits.reductions.answerMinMs));
}

/**
 * Slots that somebody of `from` may be offered, the best first: the same place, then the nearest in time; of two as near
 * the later one: whoever comes when they were used to is early there, and not too late. None that shrinks itself, and none
 * that begins before the answer is due.
 */
export function candidatesFor(
	from: Window,
	slots: readonly LockedSlot[],
	{ terms, now, shrinking }: { terms: ReductionTerms; now: number; shrinking: ReadonlySet<number> }
): number[] {
	const until = answerUntil(from, terms, now);
	const distance = (slot: LockedSlot) =>
		Math.abs(slot.startsAt - from.startsAt) + (slot.place === from.place ? 0 : limits.reductions.placeCostMs);
	return slots
		.filter(
			(slot) =>
				!shrinking.has(slot.id) &&
				slot.startsAt > until &&
				slot.capacity > slot.booked &&
				Math.abs(slot.startsAt - from.startsAt) <= terms.withinHours * 3_600_000 &&
				(terms.otherPlaces || slot.place === from.place)
		)
		.sort((a, b) => distance(a) - distance(b) || b.startsAt - a.startsAt || a.id - b.id)
		.slice(0, limits.reductions.candidatesMax)
		.map(({ id }) => id);
}

/** Which slot each would be offered, in their order; null where nothing has room. The same question, the same answer. */
export function assignSlots(wishes: readonly MoveWish[], { slots, quotas }: SlotsNow): (number | null)[] {
	const ledger = createLedger(quotas);
	const places = slots.map((slot) => ({ slot, left: slot.capacity - slot.booked }));
	return wishes.map((wish) => placeWish(wish, places, ledger)?.slot.id ?? null);
}

/** Whether a second person confirms: many are affected, or a slot closes that people have a permit for. */
export function needsTwoPeople({ affected, slots }: Pick<ReductionPreview, 'affected' | 'slots'>): boolean {
	if (affected.people >= limits.reductions.secondPersonFrom) return true;
	return affected.people > 0 && slots.some(({ capacityAfter }) => capacityAfter === 0);
}

/** What is left of a slot's capacity. */
export function capacityAfter(capacity: number, keepPercent: number): number {
	return Math.floor((capacity * keepPercent) / 100);
}

export function sumGroup(parties: readonly { party: number }[]): { permits: number; people: number } {
	return { permits: parties.length, people: parties.reduce((sum, { party }) => sum + party, 0) };
}
