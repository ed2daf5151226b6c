import { worseQuality, type EntryGap, type Quality } from '@marsad/server/contract';

/** Counted against scanned over several gates. */
export interface GapSum {
	/** Counted minus scanned where both are known; null where that is so at no gate. */
	gap: number | null;
	counted: number;
	scanned: number;
	countOnly: number;
	unproven: number;
	/** Gates of which both are known, of how many. */
	known: number;
	of: number;
	/** How far back the oldest of them reaches. */
	at: number | null;
	quality: Quality;
}

/** The gap of several gates together. A gate of which too little is known is not 0: the sum says that it is missing. */
export function sumGaps(gaps: readonly EntryGap[]): GapSum {
	const known = gaps.filter(({ gap }) => gap !== null);
	const sum = (read: (gap: EntryGap) => number | null) =>
		known.reduce((total, gap) => total + (read(gap) ?? 0), 0);
	const times = known.flatMap(({ at }) => (at === null ? [] : [at]));
	const worst = known.map(({ quality }) => quality).reduce<Quality>(worseQuality, 'live');
	return {
		gap: known.length === 0 ? null : sum(({ gap }) => gap),
		...{ counted: sum(({ counted }) => counted), scanned: sum(({ scanned }) => scanned) },
		countOnly: sum(({ countOnly }) => countOnly),
		unproven: sum(({ unproven }) => unproven),
		...{ known: known.length, of: gaps.length },
		at: times.length === 0 ? null : Math.min(...times),
		quality:
			known.length === 0 ? 'unknown' : known.length < gaps.length ? worseQuality(worst, 'partial') : worst
	};
}

/** By gate, numbers in their order: a row stays where it is while its figure changes. */
export function orderGaps(gaps: readonly EntryGap[]): EntryGap[] {
	return [...gaps].sort((a, b) => a.gate.localeCompare(b.gate, 'en', { numeric: true }));
}
