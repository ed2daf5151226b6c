import type { Tx } from '../../platform/database/database.ts';
import type { PlaceKeeper, StoredPermit } from '../permits/index.ts';
import {
	countInCells,
	deleteTakes,
	listQuotas,
	listTakes,
	lockCells,
	lockCounting,
	type QuotaWithShares
} from './quota-store.ts';
import { changesOf, type CellName, type QuotaTake } from './quotas.ts';
import { countIn, lockSlotsAnyTime, type SlotKeys } from './slots-store.ts';

/** What a permit holds of slot and quotas, under its locks. */
interface Held {
	quotas: QuotaWithShares[];
	takes: QuotaTake[];
}

/** Cancelled permits give their places back under the same locks, in the same order, that bookings take. */
export function createPlaceKeeper(season: string): PlaceKeeper<Held> {
	return {
		async lock(tx, permit) {
			const keys = { season, room: permit.room };
			await lockCounting(tx, keys);
			const quotas = await listQuotas(tx, keys, [permit.slot], []);
			const takes = quotas.length === 0 ? [] : await listTakes(tx, keys, permit.id);
			await lockCells(tx, keys, quotas, cellsBack(takes, quotas));
			await lockSlotsAnyTime(tx, keys, isSharded(quotas, permit.slot) ? [] : [permit.slot]);
			return { quotas, takes };
		},
		giveBack: (tx, permit, held) => giveBack(tx, { season, room: permit.room }, permit, held)
	};
}

/** Rows that giving back changes. */
export function cellsBack(takes: readonly QuotaTake[], quotas: readonly QuotaWithShares[]): CellName[] {
	return changesOf(takes, -1, quotas).map(({ quota, value, shard }) => ({ quota, value, shard }));
}

export function isSharded(quotas: readonly QuotaWithShares[], slot: number): boolean {
	return quotas.some((quota) => quota.dimension === 'slot' && quota.slot === slot);
}

/** Counts a permit out of its slot and quotas; every lock is held, and the permit was valid until now. */
export async function giveBack(
	tx: Tx,
	keys: SlotKeys,
	{ id, slot, party }: Pick<StoredPermit, 'id' | 'slot' | 'party'>,
	{ quotas, takes }: Held
): Promise<void> {
	if (takes.length > 0) {
		await deleteTakes(tx, keys, id);
		await countInCells(tx, keys, quotas, changesOf(takes, -1, quotas));
	}
	if (!isSharded(quotas, slot)) await countIn(tx, keys, [{ slot, people: -party, permits: -1 }]);
}
