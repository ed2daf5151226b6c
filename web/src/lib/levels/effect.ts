import type { CurrentLevel, LevelEntry, Role } from '@marsad/server/contract';

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
		capAfter: after.cap
	};
}

/** The level that counts: an exercise is none, it returns to the one before. */
export function realLevel(current: Pick<CurrentLevel, 'level' | 'exercise' | 'from'>): number {
	return current.exercise ? (current.from ?? 0) : current.level;
}

/** Up to a level written for two people; on the way down one person is enough. */
export function needsSecondPerson(levels: readonly LevelEntry[], real: number, to: number): boolean {
	return to > real && (levels.find((entry) => entry.level === to)?.twoPeople ?? true);
}

/** Whoever may put a level in force may also leave it: the higher of the two counts. The server checks again. */
export function mayPress(levels: readonly LevelEntry[], role: Role, from: number, to: number): boolean {
	const entry = levels.find((each) => each.level === Math.max(from, to));
	const allowed: readonly Role[] = entry?.mayPress ?? ['duty-manager'];
	return allowed.includes(role);
}
