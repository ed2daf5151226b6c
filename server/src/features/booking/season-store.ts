import type { Db } from '../../platform/database/database.ts';
import type { Permits } from '../permits/index.ts';
import { forgetKept } from './batch-store.ts';
import type { SlotPlan } from './plan-slots.ts';
import { listCounts, replaceSlots, type SlotKeys } from './slots-store.ts';

/** A slot whose own counts differ from the valid permits for it. */
export interface SlotGap {
	slot: number;
	booked: number;
	people: number;
}

/** Compares every slot's counts with the valid permits, in one snapshot. Empty when all is well. */
export async function reconcileSlots(
	db: Db,
	permits: Pick<Permits, 'countValidBySlot'>,
	keys: SlotKeys
): Promise<SlotGap[]> {
	const { counts, valid } = await db
		.transaction()
		.setIsolationLevel('repeatable read')
		.execute(async (tx) => ({
			counts: await listCounts(tx, keys),
			valid: await permits.countValidBySlot(tx, keys.room)
		}));
	const validOf = new Map(valid.map((line) => [line.slot, line]));
	const own = new Set(counts.map(({ slot }) => slot));
	const wrong = counts
		.filter((line) => {
			const there = validOf.get(line.slot) ?? { people: 0, permits: 0 };
			return there.people !== line.people || there.permits !== line.permits;
		})
		.map(({ slot, people }) => ({ slot, booked: people, people: validOf.get(slot)?.people ?? 0 }));
	const orphans = valid
		.filter(({ slot }) => !own.has(slot))
		.map(({ slot, people }) => ({ slot, booked: 0, people }));
	return [...wrong, ...orphans];
}

/** Laboratory: all slots locked first, as every booking does; then permits and kept answers go, and the plans come. */
export async function resetSeason(
	db: Db,
	permits: Pick<Permits, 'deleteAll'>,
	keys: SlotKeys,
	plans: readonly SlotPlan[]
): Promise<void> {
	await db.transaction().execute(async (tx) => {
		await replaceSlots(tx, keys, plans);
		await permits.deleteAll(tx);
		await forgetKept(tx, keys.season);
	});
}
