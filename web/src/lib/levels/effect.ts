import type { LevelEntry } from '@marsad/server/contract';

export interface LevelChange {
	/** Features that this switch turns off. */
	off: string[];
	/** Features that are off now and stay off. */
	offAlready: string[];
	/** Features that come back. */
	backOn: string[];
	/** Most admissions a second before and after; null is no cap. */
	capBefore: number | null;
	capAfter: number | null;
	/** Up to a level written for two people; on the way down one person is enough. */
	needsSecondPerson: boolean;
}

/** Levels are cumulative: what a lower one switches off stays off, and the lowest cap holds. */
export function effectOf(
	levels: readonly LevelEntry[],
	level: number
): { off: Set<string>; cap: number | null } {
	const upTo = levels.filter((entry) => entry.level <= level);
	const caps = upTo.flatMap((entry) => entry.rateCap ?? []);
	return {
		off: new Set(upTo.flatMap((entry) => entry.off)),
		cap: caps.length === 0 ? null : Math.min(...caps)
	};
}

/** What a switch from one level to another does, before anybody presses it. */
export function compareLevels(levels: readonly LevelEntry[], from: number, to: number): LevelChange {
	const before = effectOf(levels, from);
	const after = effectOf(levels, to);
	return {
		off: [...after.off].filter((flag) => !before.off.has(flag)),
		offAlready: [...after.off].filter((flag) => before.off.has(flag)),
		backOn: [...before.off].filter((flag) => !after.off.has(flag)),
		capBefore: before.cap,
		capAfter: after.cap,
		needsSecondPerson: to > from && (levels.find((entry) => entry.level === to)?.twoPeople ?? true)
	};
}
