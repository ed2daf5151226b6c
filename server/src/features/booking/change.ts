import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Permits, StoredPermit } from '../permits/index.ts';
import { findKeptOf, keepChange } from './batch-store.ts';
import type { Wanted } from './book.ts';
import type { BookInput } from './read-request.ts';
import { decideChange, type ChangeDecision } from './decide-change.ts';
import { cellsBack, giveBack, isSharded } from './places-back.ts';
import {
	countInCells,
	insertTakes,
	listQuotas,
	listTakes,
	lockCells,
	lockCounting,
	type QuotaWithShares
} from './quota-store.ts';
import { changesOf, shareOf, type CellName, type QuotaTake } from './quotas.ts';
import { countIn, lockSlots, type SlotKeys } from './slots-store.ts';

/** A change as it was committed. */
export interface Change {
	from: StoredPermit;
	to: StoredPermit;
}

/** How an attempt to change ends; `changed` also for a repeat, then without news. */
export type ChangeResult =
	| { outcome: 'changed'; change: Change; first: boolean }
	| { outcome: 'sameSlot'; party: number }
	| (Extract<ChangeDecision, { outcome: 'slotFull' | 'quotaFull' }> & { wanted: Wanted })
	| Exclude<ChangeDecision, { outcome: 'place' | 'slotFull' | 'quotaFull' }>
	| { outcome: 'alreadyBooked'; permit: string }
	| { outcome: 'keyReused' };

interface ChangeDeps {
	db: Db;
	clock: Clock;
	keys: SlotKeys;
	permits: Pick<Permits, 'findById' | 'findHeld' | 'replace'>;
	newPermitId: () => string;
}

/**
 * Gives the old place back and takes the new one in one transaction, under the locks and in the order of a booking; it
 * fails whole, and then the old permit stays. The permit gets a new id: what was shown or printed of the old one is
 * not good any more.
 * @throws AppError `not_yours` for another person's, and for one that does not exist
 */
export function createChange(
	deps: ChangeDeps
): (holder: string, id: string, slot: number, key: BookInput['key']) => Promise<ChangeResult> {
	return (holder, id, slot, key) =>
		deps.db.transaction().execute(async (tx) => {
			await lockCounting(tx, deps.keys);
			const old = await deps.permits.findById(tx, id);
			if (!old || old.holder !== holder) throw new AppError('not_yours');
			const kept = key && (await findKeptOf(tx, deps.keys.season, holder, key.key));
			if (kept && kept.bodySha256 !== key.bodySha256) return { outcome: 'keyReused' };
			if (old.state !== 'valid') return repeatOf(deps, tx, old, slot);
			if (old.slot === slot) return { outcome: 'sameSlot', party: old.party };
			const result = await move(deps, tx, old, slot);
			if (key && result.outcome === 'changed')
				await keepChange(tx, deps.keys.season, { holder, ...key }, result.change.to.id, deps.clock.now());
			return result;
		});
}

/** A permit that was replaced before: a repeat hears the same again, anything else what holds now. */
async function repeatOf(deps: ChangeDeps, tx: Tx, old: StoredPermit, slot: number): Promise<ChangeResult> {
	const to = old.replacedBy === null ? undefined : await deps.permits.findById(tx, old.replacedBy);
	if (to?.state === 'valid' && to.slot === slot)
		return { outcome: 'changed', change: { from: old, to }, first: false };
	const [valid] = await deps.permits.findHeld(tx, [old.holder], []);
	return valid ? { outcome: 'alreadyBooked', permit: valid.id } : { outcome: 'notValid' };
}

async function move(deps: ChangeDeps, tx: Tx, old: StoredPermit, slot: number): Promise<ChangeResult> {
	const { keys, permits } = deps;
	const now = deps.clock.now();
	const values = Object.values(old.attributes).filter((value) => value !== null);
	const quotas = await listQuotas(tx, keys, [old.slot, slot], values);
	const takes = quotas.length === 0 ? [] : await listTakes(tx, keys, old.id);
	const cells = await lockCells(tx, keys, quotas, [
		...cellsBack(takes, quotas),
		...cellsFor(quotas, old, slot)
	]);
	const sharded = new Set([old.slot, slot].filter((id) => isSharded(quotas, id)));
	const slots = await lockSlots(tx, keys, [old.slot, slot], now, sharded);
	// A twin that was faster has had these locks: what it made of the permit is the answer, not what it left of the slot.
	const still = await permits.findById(tx, old.id);
	if (still?.state !== 'valid') return repeatOf(deps, tx, still ?? old, slot);
	const locked = quotas.map((quota) => ({
		...quota,
		cells: cells.filter((cell) => cell.quota === quota.id),
		partial: new Set<string>()
	}));
	const decision = decideChange({ old, takes, slots, quotas: locked, slot, now });
	if (decision.outcome === 'slotFull' || decision.outcome === 'quotaFull') {
		return { ...decision, wanted: { party: old.party, attributes: old.attributes } };
	}
	if (decision.outcome !== 'place') return decision;
	const to: StoredPermit = {
		...old,
		id: deps.newPermitId(),
		slot,
		place: decision.slot.place,
		startsAt: decision.slot.startsAt,
		endsAt: decision.slot.endsAt,
		// The pass stays spent on the permit that it was spent on.
		ticket: null,
		issuedAt: now,
		serial: null,
		keyId: null
	};
	if (!(await permits.replace(tx, old.id, to))) return { outcome: 'notValid' };
	await giveBack(tx, keys, old, { quotas, takes });
	await take(tx, keys, quotas, to, decision.takes);
	return {
		outcome: 'changed',
		change: { from: { ...old, state: 'cancelled', replacedBy: to.id }, to },
		first: true
	};
}

/** Every row of the new slot's shares that could serve the person: nobody is refused for a shard not looked at. */
function cellsFor(
	quotas: readonly QuotaWithShares[],
	{ attributes }: StoredPermit,
	slot: number
): CellName[] {
	return quotas.flatMap((quota) => {
		if (quota.slot !== null && quota.slot !== slot) return [];
		const value = shareOf(quota, attributes);
		const shards = value === null ? 0 : (quota.shardsOf.get(value) ?? 0);
		return Array.from({ length: shards }, (_, shard) => ({ quota: quota.id, value: value ?? '', shard }));
	});
}

async function take(
	tx: Tx,
	keys: SlotKeys,
	quotas: readonly QuotaWithShares[],
	to: StoredPermit,
	takes: readonly QuotaTake[]
): Promise<void> {
	await insertTakes(
		tx,
		keys,
		takes.map((one) => ({ ...one, permit: to.id }))
	);
	await countInCells(tx, keys, quotas, changesOf(takes, 1, quotas));
	if (!isSharded(quotas, to.slot)) await countIn(tx, keys, [{ slot: to.slot, people: to.party, permits: 1 }]);
}
