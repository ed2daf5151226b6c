import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Permits } from '../permits/index.ts';
import type { Change } from './change.ts';
import type { LockedSlot } from './decide-batch.ts';
import { createPlaceMover, type PlaceMover } from './move-places.ts';
import { listQuotaFills } from './quota-store.ts';
import type { LockedQuota } from './quotas.ts';
import { setCapacity } from './slot-plan-store.ts';
import { listSlots, lockPlanning, type SlotKeys } from './slots-store.ts';

/** Slots that can be booked and the quotas of slots, as they were read; nothing is locked. */
export interface SlotsNow {
	slots: LockedSlot[];
	quotas: LockedQuota[];
}

/** What a slot that shrinks needs of booking. */
export interface MovePort extends PlaceMover {
	look(): Promise<SlotsNow>;
	/** Nobody counts and nobody else plans until the transaction ends. */
	lockPlanning(tx: Tx): Promise<void>;
	/** Another capacity; below what is booked nothing is sold until that has come down. */
	setCapacity(tx: Tx, slot: number, capacity: number): Promise<void>;
	/** After the commit of another capacity. */
	planned(): void;
	/** After the commit of a move. */
	moved(change: Change): void;
}

export function createMovePort(deps: {
	db: Db;
	keys: SlotKeys;
	permits: Permits;
	now: () => number;
	newPermitId: () => string;
	onPlanned(): void;
	onMoved(change: Change): void;
}): MovePort {
	const { db, keys } = deps;
	return {
		...createPlaceMover(deps),
		async look() {
			const slots = await listSlots(db, keys, deps.now(), limits.booking.soonSlotsMax);
			const quotas = await listQuotaFills(db, keys, limits.booking.quotasMax);
			return {
				// What is booked of a large slot is in its figure already: no shard is looked at here.
				slots: slots.map((slot) => ({ ...slot, sharded: false })),
				quotas: quotas.filter(({ slot }) => slot !== null)
			};
		},
		lockPlanning: (tx) => lockPlanning(tx, keys),
		setCapacity: (tx, slot, capacity) => setCapacity(tx, keys, slot, capacity),
		planned: deps.onPlanned,
		moved: deps.onMoved
	};
}
