import { limits } from '../../limits.ts';
import type { PersonAttributes } from '../permits/index.ts';

/** What a quota counts people by; `slot` is the capacity of a slot that is large enough to be sharded. */
export type Dimension = keyof PersonAttributes | 'slot';
/** Who has no share of their own: refused, not counted, or served from the common share. */
export type OtherRule = 'refuse' | 'free' | 'share';

/** Nobody said anything about this person. */
export const unknownAttributes: PersonAttributes = { country: null, provider: null, category: null };
/** The value under which the common share stands; no person's attribute is empty. */
export const commonShare = '';

/** One quota, as far as a decision needs it. */
export interface Quota {
	id: number;
	/** Null: over all slots of the season. */
	slot: number | null;
	dimension: Dimension;
	other: OtherRule;
	/** Unused shares have gone to the common one: everybody who is listed is served from there. */
	returned: boolean;
	/** Of the values asked for, those with a share of their own. */
	listed: ReadonlySet<string>;
}

/** One counted row. */
export interface QuotaCell {
	quota: number;
	value: string;
	shard: number;
	left: number;
}

/** A quota with the cells whose locks are held. */
export interface LockedQuota extends Quota {
	cells: readonly QuotaCell[];
	/** Shares of which some shards are not locked: they may not be called full. */
	partial: ReadonlySet<string>;
}

/** People from one cell, for one permit. */
export interface QuotaTake {
	quota: number;
	value: string;
	shard: number;
	people: number;
}

/** The level that stands in the way, and how: no place is left, or none was ever foreseen for this person. */
export interface BlockingLevel {
	dimension: Dimension;
	scope: 'slot' | 'season';
	why: 'full' | 'no-share';
}

/**
 * The one order in which levels are locked, everywhere: seasons before slots, the hottest last, so that it is held
 * the shortest. Rows inside one level go by quota, share and shard.
 */
export function levelOrder({ slot, dimension }: Pick<Quota, 'slot' | 'dimension'>): number {
	return (slot === null ? 0 : 10) + ['category', 'provider', 'country', 'slot'].indexOf(dimension);
}

/** Which share of a quota serves a person; null: this quota does not count them; {@link refusedShare}: none does. */
export function shareOf(quota: Quota, attributes: PersonAttributes): string | null {
	if (quota.dimension === 'slot') return commonShare;
	const value = attributes[quota.dimension];
	if (value !== null && quota.listed.has(value)) return quota.returned ? commonShare : value;
	if (quota.other === 'share') return commonShare;
	return quota.other === 'free' ? null : refusedShare;
}

/** What {@link shareOf} says where nothing is foreseen; a blank stands in no attribute, so it is no share's name. */
export const refusedShare = 'no share';

/** Into how many rows a share is divided: from about a thousand places on, and never below fifty places a row. */
export function shardCount(places: number): number {
	const { shardFrom, shardPlacesMin, shardsMax } = limits.booking;
	return places < shardFrom ? 1 : Math.min(shardsMax, Math.floor(places / shardPlacesMin));
}

/** Divides places over `count` rows as evenly as whole numbers allow. */
export function spread(places: number, count: number): number[] {
	const each = Math.floor(places / count);
	return Array.from({ length: count }, (_, index) => each + (index < places - each * count ? 1 : 0));
}

/** What happens to one counted row; `free` is by how much its places left grow. */
export interface CellChange {
	quota: number;
	value: string;
	shard: number;
	people: number;
	permits: number;
	places: { total: number; free: number };
}

/**
 * The rows that taking (sign 1) or giving back (-1) changes, for one permit's takes in order of share and shard. Where
 * unused shares were returned, a place that comes back goes to the common share, too: to its first shard.
 */
export function changesOf(
	takes: readonly QuotaTake[],
	sign: 1 | -1,
	quotas: readonly Pick<Quota, 'id' | 'returned'>[]
): CellChange[] {
	const counted = new Set<number>();
	return takes.flatMap(({ quota, value, shard, people: taken }) => {
		const people = sign * taken;
		// A permit whose places lie in several shards is counted in the first.
		const permits = counted.has(quota) ? 0 : sign;
		counted.add(quota);
		const moves = sign === -1 && value !== commonShare && quotas.find(({ id }) => id === quota)?.returned;
		if (!moves) return [{ quota, value, shard, people, permits, places: { total: 0, free: -people } }];
		return [
			{ quota, value, shard, people, permits, places: { total: people, free: 0 } },
			{
				quota,
				value: commonShare,
				shard: 0,
				people: 0,
				permits: 0,
				places: { total: taken, free: taken }
			}
		];
	});
}

/** One line a row, in the order of the rows' keys. */
export function sumChanges(changes: readonly CellChange[]): CellChange[] {
	const sums = new Map<string, CellChange>();
	for (const change of changes) {
		const name = `${change.quota} ${change.value} ${change.shard}`;
		const sum = sums.get(name);
		if (!sum) {
			sums.set(name, { ...change, places: { ...change.places } });
			continue;
		}
		sum.people += change.people;
		sum.permits += change.permits;
		sum.places.total += change.places.total;
		sum.places.free += change.places.free;
	}
	return [...sums.values()];
}

/** A row to lock. */
export type CellName = Pick<QuotaCell, 'quota' | 'value' | 'shard'>;

/** What a batch wants of one share. */
export interface ShareDemand {
	quota: number;
	value: string;
	/** Rows that the share is divided into. */
	shards: number;
	people: number;
}

/**
 * The rows a batch locks of each share: from `home` on, as many as were seen to hold the demand, so that instances
 * work side by side; all of them where that is not enough, or where `all` is set.
 */
export function pickCells(
	demands: readonly ShareDemand[],
	seen: readonly QuotaCell[],
	options: { all: boolean; home: number }
): { picks: CellName[]; partial: { quota: number; value: string }[] } {
	const leftOf = new Map(seen.map((cell) => [`${cell.quota} ${cell.value} ${cell.shard}`, cell.left]));
	const picks: CellName[] = [];
	const partial: { quota: number; value: string }[] = [];
	for (const { quota, value, shards, people } of demands) {
		let found = 0;
		let taken = 0;
		for (; taken < shards && (options.all || found < people); taken++) {
			const shard = (options.home + taken) % shards;
			found += Math.max(0, leftOf.get(`${quota} ${value} ${shard}`) ?? 0);
			picks.push({ quota, value, shard });
		}
		if (taken < shards) partial.push({ quota, value });
	}
	return { picks, partial };
}

/** Counts down what is left while a batch is decided. */
export interface Ledger {
	/** Takes a party whole from every level, or nothing; `short`: shards that are not locked might have held it. */
	take(
		slot: number,
		attributes: PersonAttributes,
		party: number
	): { takes: QuotaTake[] } | { blocked: BlockingLevel; short: boolean };
	/** Gives back what a permit took, for a change. */
	giveBack(takes: readonly QuotaTake[]): void;
}

export function createLedger(quotas: readonly LockedQuota[]): Ledger {
	const ordered = [...quotas].sort((a, b) => levelOrder(b) - levelOrder(a));
	const cellsOf = new Map<string, QuotaCell[]>();
	for (const { id, cells } of quotas) {
		for (const cell of cells) {
			const name = `${id} ${cell.value}`;
			const list = cellsOf.get(name) ?? [];
			list.push({ ...cell });
			cellsOf.set(name, list);
		}
	}
	return {
		take(slot, attributes, party) {
			const from: { quota: LockedQuota; cells: QuotaCell[] }[] = [];
			// The narrowest level speaks first: a full slot is called that even where a season's share is full, too.
			for (const quota of ordered) {
				if (quota.slot !== null && quota.slot !== slot) continue;
				const share = shareOf(quota, attributes);
				if (share === null) continue;
				const cells = share === refusedShare ? [] : (cellsOf.get(`${quota.id} ${share}`) ?? []);
				const left = cells.reduce((sum, cell) => sum + Math.max(0, cell.left), 0);
				if (left < party) {
					const why = share === refusedShare ? 'no-share' : 'full';
					return { blocked: levelOf(quota, why), short: quota.partial.has(share) };
				}
				from.push({ quota, cells });
			}
			return { takes: from.flatMap(({ cells }) => takeFrom(cells, party)) };
		},
		giveBack(takes) {
			for (const { quota, value, shard, places } of changesOf(takes, -1, quotas)) {
				const cell = cellsOf.get(`${quota} ${value}`)?.find((one) => one.shard === shard);
				if (cell) cell.left += places.free;
			}
		}
	};
}

function levelOf(quota: Quota, why: BlockingLevel['why']): BlockingLevel {
	return { dimension: quota.dimension, scope: quota.slot === null ? 'season' : 'slot', why };
}

/** From one cell that holds the whole party where there is one, else from as many as it needs. */
function takeFrom(cells: readonly QuotaCell[], party: number): QuotaTake[] {
	const whole = cells.find(({ left }) => left >= party);
	const takes: QuotaTake[] = [];
	let missing = party;
	for (const cell of whole ? [whole] : cells) {
		const people = Math.min(missing, Math.max(0, cell.left));
		if (people === 0) continue;
		cell.left -= people;
		missing -= people;
		takes.push({ quota: cell.quota, value: cell.value, shard: cell.shard, people });
	}
	return takes;
}
