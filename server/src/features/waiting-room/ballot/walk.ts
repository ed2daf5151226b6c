import type { BallotRules, PersonAttributes } from '../../../../contract/index.ts';

/** One party in a ballot, in the order drawn. */
export interface Party {
	id: string;
	party: number;
	/** Slots, the best first. */
	choices: readonly number[];
	attributes: PersonAttributes;
}

/** What the walk gives a party: one of its slots, or none; `choice` is 1 for the best. */
export interface Given {
	id: string;
	slot: number | null;
	choice: number | null;
}

/** The share under which everybody stands who has none of their own. */
const commonShare = '';

/**
 * The pools that a party takes its places from in one slot: the slot itself and a share of every quota that counts it.
 * Null: a quota foresees nothing for these people.
 */
export function poolsOf(rules: BallotRules, slot: number, attributes: PersonAttributes): string[] | null {
	if (!rules.slots.some(({ id }) => id === slot)) return null;
	const pools = [`slot ${slot}`];
	for (const quota of rules.quotas) {
		if (quota.slot !== null && quota.slot !== slot) continue;
		const value = attributes[quota.dimension];
		const own =
			value !== null && value !== commonShare && quota.shares.some((share) => share.value === value);
		if (!own && quota.other === 'free') continue;
		if (!own && quota.other === 'refuse') return null;
		pools.push(`quota ${quota.id} ${own && !quota.returned ? value : commonShare}`);
	}
	return pools;
}

/**
 * Walks the order once: each party gets the best of its choices in which every level still has places for all of it,
 * or nothing. Nobody behind can take from anybody in front, and a large party that does not fit blocks no small one.
 */
export function walkBallot(rules: BallotRules, order: readonly Party[]): Given[] {
	const left = new Map<string, number>();
	for (const { id, left: places } of rules.slots) left.set(`slot ${id}`, places);
	for (const quota of rules.quotas)
		for (const share of quota.shares) left.set(`quota ${quota.id} ${share.value}`, share.left);
	const fits = (pools: readonly string[] | null, people: number): pools is readonly string[] =>
		pools !== null && pools.every((pool) => (left.get(pool) ?? 0) >= people);

	return order.map(({ id, party, choices, attributes }) => {
		for (const [index, slot] of choices.entries()) {
			const pools = poolsOf(rules, slot, attributes);
			if (!fits(pools, party)) continue;
			for (const pool of pools) left.set(pool, left.get(pool)! - party);
			return { id, slot, choice: index + 1 };
		}
		return { id, slot: null, choice: null };
	});
}
