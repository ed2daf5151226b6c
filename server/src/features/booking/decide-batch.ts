import type { PersonAttributes, StoredPermit } from '../permits/index.ts';
import { createLedger, type BlockingLevel, type LockedQuota, type QuotaTake } from './quotas.ts';

/** One person who wants one slot, as it joins a batch. */
export interface Wish {
	holder: string;
	slot: number;
	/** People who book as one: placed whole or not at all. */
	party: number;
	/** By what quotas count this person. */
	attributes: PersonAttributes;
	/** The ticket whose pass is spent on this; null where the laboratory needs no pass. */
	ticket: string | null;
	/** Idempotency-Key and the hash of what was asked under it. */
	key: { key: string; bodySha256: string } | null;
}

/** A slot under its lock; what is booked of a sharded one is counted in its quota. */
export interface LockedSlot {
	id: number;
	place: string;
	startsAt: number;
	endsAt: number;
	capacity: number;
	booked: number;
	sharded: boolean;
}

/** The lasting answer to a wish; `permit` is the id. */
export type FinalAnswer =
	| { outcome: 'booked' | 'repeated'; slot: number; permit: string; party: number }
	| { outcome: 'alreadyBooked'; permit: string }
	| { outcome: 'slotFull' }
	| { outcome: 'quotaFull'; level: BlockingLevel };
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
	/** Slots under their lock; a slot that is not here does not exist (or has begun). */
	slots: readonly LockedSlot[];
	/** Valid permits of the batch's people, and every permit its tickets were spent on. */
	held: readonly StoredPermit[];
	kept: readonly KeptAnswer[];
	/** Every quota that could count one of the wishes. */
	quotas: readonly LockedQuota[];
}

export interface BatchResult {
	decisions: Decision[];
	permits: StoredPermit[];
	/** Where the permits' places come from. */
	takes: (QuotaTake & { permit: string })[];
	/** Somebody was refused although shards that are not locked might have held them: nothing of this may be used. */
	short: boolean;
}

/**
 * Decides a batch in order of arrival: who has a permit keeps it, the others get a place while there are enough
 * left for the whole party. A party that does not fit does not block a smaller one behind it.
 */
export function decideBatch(
	wishes: readonly Wish[],
	state: BatchState,
	issue: (wish: Wish, slot: LockedSlot) => StoredPermit
): BatchResult {
	const ledger = createLedger(state.quotas);
	const slots = new Map(state.slots.map((slot) => [slot.id, { slot, left: slot.capacity - slot.booked }]));
	const validOf = new Map<string, StoredPermit>();
	const spent = new Set<string>();
	for (const permit of state.held) {
		if (permit.state === 'valid') validOf.set(permit.holder, permit);
		if (permit.ticket !== null) spent.add(permit.ticket);
	}
	const kept = new Map(state.kept.map((answer) => [keyName(answer.holder, answer.key), answer]));
	const permits: StoredPermit[] = [];
	const takes: BatchResult['takes'] = [];
	let short = false;

	const decide = (wish: Wish): Decision => {
		const first = wish.key && kept.get(keyName(wish.holder, wish.key.key));
		if (first && wish.key) return answerUnderKey(first, wish.key.bodySha256);
		const own = validOf.get(wish.holder);
		if (own) return answerFromPermit(own, wish.slot);
		if (wish.ticket !== null && spent.has(wish.ticket)) return { outcome: 'passSpent' };
		const place = slots.get(wish.slot);
		if (!place) return { outcome: 'noSuchSlot' };
		if (!place.slot.sharded && place.left < wish.party) return { outcome: 'slotFull' };
		const taken = ledger.take(wish.slot, wish.attributes, wish.party);
		if ('blocked' in taken) {
			short ||= taken.short;
			return refusalOf(taken.blocked);
		}
		place.left -= wish.party;
		const permit = issue(wish, place.slot);
		takes.push(...taken.takes.map((take) => ({ ...take, permit: permit.id })));
		permits.push(permit);
		validOf.set(wish.holder, permit);
		if (wish.ticket !== null) spent.add(wish.ticket);
		return { outcome: 'booked', slot: permit.slot, permit: permit.id, party: permit.party };
	};
	const decisions = wishes.map(decide);
	return { decisions, permits, takes, short };
}

/** What the second request under a key hears: the first answer, if it asks for the same. */
export function answerUnderKey(
	first: KeptAnswer,
	bodySha256: string
): FinalAnswer | { outcome: 'keyReused' } {
	if (first.bodySha256 !== bodySha256) return { outcome: 'keyReused' };
	return first.answer.outcome === 'booked' ? { ...first.answer, outcome: 'repeated' } : first.answer;
}

/** What a person hears whom a level holds back. */
export function refusalOf(level: BlockingLevel): Extract<FinalAnswer, { outcome: 'slotFull' | 'quotaFull' }> {
	return level.dimension === 'slot' ? { outcome: 'slotFull' } : { outcome: 'quotaFull', level };
}

/** What a person who has a permit hears: the same again for the same slot, else that there is one. */
export function answerFromPermit(
	permit: StoredPermit,
	slot: number
): Exclude<FinalAnswer, { outcome: 'slotFull' | 'quotaFull' }> {
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
		decision.outcome === 'slotFull' ||
		decision.outcome === 'quotaFull'
	);
}

function keyName(holder: string, key: string): string {
	return `${holder} ${key}`;
}
