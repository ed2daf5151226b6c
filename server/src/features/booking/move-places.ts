import type { Tx } from '../../platform/database/database.ts';
import type { Permits, StoredPermit } from '../permits/index.ts';
import type { LockedSlot } from './decide-batch.ts';
import { cellsBack, giveBack, isSharded } from './places-back.ts';
import {
	countInCells,
	insertTakes,
	listQuotas,
	listTakesOf,
	lockCells,
	lockCounting,
	moveTakes,
	type QuotaWithShares
} from './quota-store.ts';
import { changesOf, createLedger, shareOf, type CellName, type Ledger, type QuotaTake } from './quotas.ts';
import { countIn, lockSlots, lockSlotsAnyTime, type SlotKeys } from './slots-store.ts';

/** Somebody whose slot shrinks, and where they could go, the best first. */
export interface MoveWish {
	permit: StoredPermit;
	slots: readonly number[];
}

/** Locks of permits whose places are given back, taken in the order of bookings. */
export interface MoveLocks {
	quotas: QuotaWithShares[];
	takes: ReadonlyMap<string, QuotaTake[]>;
}

/**
 * Holding places of another slot, and moving there. A held permit counts in its slot and in the slot's quotas; in a quota
 * of the season the old permit stands for both, and hands its place over when it is replaced.
 */
export interface PlaceMover {
	/** Holds places, the first wish first, each whole or not at all. A held permit for each; null where nothing had room. */
	hold(tx: Tx, wishes: readonly MoveWish[], now: number): Promise<(StoredPermit | null)[]>;
	/** Before any of the calls below in the same transaction. */
	lock(tx: Tx, permits: readonly StoredPermit[]): Promise<MoveLocks>;
	/** The held permit is valid instead of the old one, whose places are free; false when the old one was not valid. */
	replace(tx: Tx, old: StoredPermit, held: StoredPermit, locks: MoveLocks, until: number): Promise<boolean>;
	/** The permit is not valid any more and its places are free; false when it was not. */
	revoke(tx: Tx, old: StoredPermit, locks: MoveLocks, until: number | null): Promise<boolean>;
	/** Places that were held are free; false when they were not. */
	release(tx: Tx, held: StoredPermit, locks: MoveLocks): Promise<boolean>;
}

export function createPlaceMover(deps: {
	keys: SlotKeys;
	permits: Pick<Permits, 'insert' | 'replaceByHeld' | 'revoke' | 'deleteHeld'>;
	newPermitId: () => string;
}): PlaceMover {
	const { keys, permits } = deps;
	const back = (tx: Tx, permit: StoredPermit, { quotas, takes }: MoveLocks) =>
		giveBack(tx, keys, permit, { quotas, takes: takes.get(permit.id) ?? [] });
	return {
		hold: (tx, wishes, now) => hold(deps, tx, wishes, now),
		async lock(tx, all) {
			await lockCounting(tx, keys);
			const slots = [...new Set(all.map(({ slot }) => slot))];
			const quotas = await listQuotas(tx, keys, slots, []);
			const takes = quotas.length === 0 ? new Map() : await listTakesOf(tx, keys, idsOf(all));
			await lockCells(tx, keys, quotas, cellsBack([...takes.values()].flat(), quotas));
			await lockSlotsAnyTime(
				tx,
				keys,
				slots.filter((slot) => !isSharded(quotas, slot))
			);
			return { quotas, takes };
		},
		async replace(tx, old, held, locks, until) {
			if (!(await permits.replaceByHeld(tx, old.id, held.id, until))) return false;
			const season = locks.quotas.filter(({ slot }) => slot === null).map(({ id }) => id);
			await moveTakes(tx, keys, { from: old.id, to: held.id, quotas: season });
			const own = (locks.takes.get(old.id) ?? []).filter(({ quota }) => !season.includes(quota));
			await giveBack(tx, keys, old, { quotas: locks.quotas, takes: own });
			return true;
		},
		async revoke(tx, old, locks, until) {
			if (!(await permits.revoke(tx, old.id, until))) return false;
			await back(tx, old, locks);
			return true;
		},
		async release(tx, held, locks) {
			if (!(await permits.deleteHeld(tx, held.id))) return false;
			await back(tx, held, locks);
			return true;
		}
	};
}

const idsOf = (permits: readonly StoredPermit[]) => permits.map(({ id }) => id);

async function hold(
	{ keys, permits, newPermitId }: Parameters<typeof createPlaceMover>[0],
	tx: Tx,
	wishes: readonly MoveWish[],
	now: number
): Promise<(StoredPermit | null)[]> {
	await lockCounting(tx, keys);
	const ids = [...new Set(wishes.flatMap(({ slots }) => slots))];
	if (ids.length === 0) return wishes.map(() => null);
	const values = wishes
		.flatMap(({ permit }) => Object.values(permit.attributes))
		.filter((one) => one !== null);
	const quotas = (await listQuotas(tx, keys, ids, [...new Set(values)])).filter(({ slot }) => slot !== null);
	const cells = await lockCells(tx, keys, quotas, cellsFor(quotas, wishes));
	const sharded = new Set(ids.filter((id) => isSharded(quotas, id)));
	const slots = await lockSlots(tx, keys, ids, now, sharded);
	const ledger = createLedger(
		quotas.map((quota) => ({
			...quota,
			cells: cells.filter((cell) => cell.quota === quota.id),
			partial: new Set<string>()
		}))
	);
	const places = slots.map((slot) => ({ slot, left: slot.capacity - slot.booked }));
	const placed = wishes.map((wish) => {
		const found = placeWish(wish, places, ledger);
		return found && { permit: heldFor(wish.permit, found.slot, newPermitId(), now), takes: found.takes };
	});
	const held = placed.filter((one) => one !== null);
	if (
		(await permits.insert(
			tx,
			held.map(({ permit }) => permit)
		)) !== held.length
	)
		throw new Error('places are held for somebody already');
	await insertTakes(
		tx,
		keys,
		held.flatMap(({ permit, takes }) => takes.map((take) => ({ ...take, permit: permit.id })))
	);
	await countInCells(
		tx,
		keys,
		quotas,
		held.flatMap(({ takes }) => changesOf(takes, 1, quotas))
	);
	const bySlot = Map.groupBy(
		held.filter(({ permit }) => !sharded.has(permit.slot)),
		({ permit }) => permit.slot
	);
	await countIn(
		tx,
		keys,
		[...bySlot].map(([slot, list]) => ({
			slot,
			people: list.reduce((sum, { permit }) => sum + permit.party, 0),
			permits: list.length
		}))
	);
	return placed.map((one) => one?.permit ?? null);
}

/** The first of the wished slots that holds the whole party, in its quotas, too; what is left there is counted down. Pure. */
export function placeWish(
	{ permit, slots }: MoveWish,
	places: { slot: LockedSlot; left: number }[],
	ledger: Pick<Ledger, 'take'>
): { slot: LockedSlot; takes: QuotaTake[] } | null {
	for (const id of slots) {
		const place = places.find(({ slot }) => slot.id === id);
		if (!place || (!place.slot.sharded && place.left < permit.party)) continue;
		const taken = ledger.take(id, permit.attributes, permit.party);
		if ('blocked' in taken) continue;
		place.left -= permit.party;
		return { slot: place.slot, takes: taken.takes };
	}
	return null;
}

function heldFor(old: StoredPermit, slot: LockedSlot, id: string, now: number): StoredPermit {
	return {
		...old,
		...{ id, slot: slot.id, place: slot.place, startsAt: slot.startsAt, endsAt: slot.endsAt },
		...{ state: 'held', ticket: null, issuedAt: now, replacedBy: null, serial: null, keyId: null }
	};
}

/** Every row of the slots' shares that could serve one of them: nobody is refused for a shard not looked at. */
function cellsFor(quotas: readonly QuotaWithShares[], wishes: readonly MoveWish[]): CellName[] {
	const cells = new Map<string, CellName>();
	for (const quota of quotas) {
		for (const { permit } of wishes) {
			const value = shareOf(quota, permit.attributes);
			const shards = value === null ? 0 : (quota.shardsOf.get(value) ?? 0);
			for (let shard = 0; shard < shards; shard++)
				cells.set(`${quota.id} ${value} ${shard}`, { quota: quota.id, value: value ?? '', shard });
		}
	}
	return [...cells.values()];
}
