import type { StoredPermit } from '../permits/index.ts';
import { refusalOf, type FinalAnswer, type LockedSlot } from './decide-batch.ts';
import { createLedger, type LockedQuota, type QuotaTake } from './quotas.ts';

/** What becomes of a valid permit that its holder wants to change. */
export type ChangeDecision =
	| { outcome: 'place'; slot: LockedSlot; takes: QuotaTake[] }
	| { outcome: 'noSuchSlot' }
	/** The old slot has begun: the permit may have been used. */
	| { outcome: 'tooLate' }
	/** Cancelled, or replaced by another, meanwhile. */
	| { outcome: 'notValid' }
	| Extract<FinalAnswer, { outcome: 'slotFull' | 'quotaFull' }>;

/** The old place is given back first: a share of the season that is full does not hold back who has a place in it. */
export function decideChange(state: {
	old: StoredPermit;
	/** Where the old permit's places came from. */
	takes: readonly QuotaTake[];
	/** The new slot and the old one, under their locks. */
	slots: readonly LockedSlot[];
	quotas: readonly LockedQuota[];
	/** The slot wanted. */
	slot: number;
	now: number;
}): ChangeDecision {
	const { old, now } = state;
	if (old.startsAt <= now) return { outcome: 'tooLate' };
	const slot = state.slots.find(({ id }) => id === state.slot);
	if (!slot) return { outcome: 'noSuchSlot' };
	if (!slot.sharded && slot.capacity - slot.booked < old.party) return { outcome: 'slotFull' };
	const ledger = createLedger(state.quotas);
	ledger.giveBack(state.takes);
	const taken = ledger.take(slot.id, old.attributes, old.party);
	return 'blocked' in taken ? refusalOf(taken.blocked) : { outcome: 'place', slot, takes: taken.takes };
}
