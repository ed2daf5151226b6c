import type { StoredPermit } from '../permits/index.ts';

/** One person who wants one slot, as it joins a batch. */
export interface Wish {
	holder: string;
	slot: number;
	/** People who book as one: placed whole or not at all. */
	party: number;
	/** The ticket whose pass is spent on this; null where the laboratory needs no pass. */
	ticket: string | null;
	/** Idempotency-Key and the hash of what was asked under it. */
	key: { key: string; bodySha256: string } | null;
}

/** A slot under its lock. */
export interface LockedSlot {
	id: number;
	place: string;
	startsAt: number;
	endsAt: number;
	capacity: number;
	booked: number;
}

/** The lasting answer to a wish; `permit` is the id. */
export type FinalAnswer =
	| { outcome: 'booked' | 'repeated'; slot: number; permit: string; party: number }
	| { outcome: 'alreadyBooked'; permit: string }
	| { outcome: 'slotFull' };
export type Decision =
	FinalAnswer | { outcome: 'noSuchSlot' } | { outcome: 'passSpent' } | { outcome: 'keyReused' };

/** The first answer that was given under a key. */
export interface KeptAnswer {
	holder: string;
	key: string;
	bodySha256: string;
	answer: FinalAnswer;
}

export interface BatchState {
	/** Slots under their lock; a slot that is not here does not exist (or is over). */
	slots: readonly LockedSlot[];
	/** Valid permits of the batch's people, and every permit its tickets were spent on. */
	held: readonly StoredPermit[];
	kept: readonly KeptAnswer[];
}

/**
 * Decides a batch in order of arrival: who has a permit keeps it, the others get a place while there are enough
 * left for the whole party. A party that does not fit does not block a smaller one behind it.
 */
export function decideBatch(
	wishes: readonly Wish[],
	state: BatchState,
	issue: (wish: Wish, slot: LockedSlot) => StoredPermit
): { decisions: Decision[]; permits: StoredPermit[] } {
	const slots = new Map(state.slots.map((slot) => [slot.id, { slot, left: slot.capacity - slot.booked }]));
	const validOf = new Map<string, StoredPermit>();
	const spent = new Set<string>();
	for (const permit of state.held) {
		if (permit.state === 'valid') validOf.set(permit.holder, permit);
		if (permit.ticket !== null) spent.add(permit.ticket);
	}
	const kept = new Map(state.kept.map((answer) => [keyName(answer.holder, answer.key), answer]));
	const permits: StoredPermit[] = [];

	const decide = (wish: Wish): Decision => {
		const first = wish.key && kept.get(keyName(wish.holder, wish.key.key));
		if (first && wish.key) {
			if (first.bodySha256 !== wish.key.bodySha256) return { outcome: 'keyReused' };
			return first.answer.outcome === 'booked' ? { ...first.answer, outcome: 'repeated' } : first.answer;
		}
		const own = validOf.get(wish.holder);
		if (own) return answerFromPermit(own, wish.slot);
		if (wish.ticket !== null && spent.has(wish.ticket)) return { outcome: 'passSpent' };
		const place = slots.get(wish.slot);
		if (!place) return { outcome: 'noSuchSlot' };
		if (place.left < wish.party) return { outcome: 'slotFull' };
		place.left -= wish.party;
		const permit = issue(wish, place.slot);
		permits.push(permit);
		validOf.set(wish.holder, permit);
		if (wish.ticket !== null) spent.add(wish.ticket);
		return { outcome: 'booked', slot: permit.slot, permit: permit.id, party: permit.party };
	};
	return { decisions: wishes.map(decide), permits };
}

/** What a person who has a permit hears: the same again for the same slot, else that there is one. */
export function answerFromPermit(
	permit: StoredPermit,
	slot: number
): Exclude<FinalAnswer, { outcome: 'slotFull' }> {
	return permit.slot === slot
		? { outcome: 'repeated', slot: permit.slot, permit: permit.id, party: permit.party }
		: { outcome: 'alreadyBooked', permit: permit.id };
}

/** Whether an answer is kept under its key: validation failures are not, so that they can be mended and sent again. */
export function isFinal(decision: Decision): decision is FinalAnswer {
	return (
		decision.outcome === 'booked' ||
		decision.outcome === 'repeated' ||
		decision.outcome === 'alreadyBooked' ||
		decision.outcome === 'slotFull'
	);
}

function keyName(holder: string, key: string): string {
	return `${holder} ${key}`;
}
