import type { BallotRules, PersonAttributes } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Permits, StoredPermit } from '../permits/index.ts';
import { bookBatch } from './batch-store.ts';
import { listQuotaFills } from './quota-store.ts';
import { listSlots, type SlotKeys } from './slots-store.ts';

/** A place that a ballot has given; `ticket` is spent on it, so that it is booked once. */
export interface DrawnWish {
	holder: string;
	slot: number;
	party: number;
	attributes: PersonAttributes;
	ticket: string;
}

/** What a ballot needs of booking. */
export interface BallotPort {
	/** What is left on every level, to walk an order by; nothing is locked. */
	listLevels(): Promise<BallotRules>;
	/**
	 * Books what an order has given, without a pass, many in one commit. Repeated, it changes nothing. The permit's slot
	 * for each; null where the place has gone meanwhile, or the person has a permit for another slot.
	 */
	bookDrawn(wishes: readonly DrawnWish[]): Promise<(number | null)[]>;
}

export function createBallotPort(deps: {
	db: Db;
	keys: SlotKeys;
	permits: Pick<Permits, 'findHeld' | 'insert'>;
	now: () => number;
	newPermitId: () => string;
	onBooked: (permit: StoredPermit) => void;
}): BallotPort {
	const { db, keys } = deps;
	return {
		async listLevels() {
			const slots = await listSlots(db, keys, deps.now(), limits.booking.slotsShownMax);
			const quotas = await listQuotaFills(db, keys, limits.booking.quotasMax);
			return {
				slots: slots.map(({ id, capacity, booked }) => ({ id, left: Math.max(0, capacity - booked) })),
				quotas: quotas.flatMap(({ id, slot, dimension, other, returned, cells }) =>
					dimension === 'slot'
						? []
						: [
								{
									id,
									slot,
									dimension,
									other,
									returned,
									shares: cells.map(({ value, left }) => ({ value, left }))
								}
							]
				)
			};
		},
		async bookDrawn(wishes) {
			const batch = wishes.map((wish) => ({ ...wish, key: null }));
			const { decisions, permits } = await bookBatch(deps, batch);
			for (const permit of permits) deps.onBooked(permit);
			return decisions.map((decision) =>
				decision.outcome === 'booked' || decision.outcome === 'repeated' ? decision.slot : null
			);
		}
	};
}
