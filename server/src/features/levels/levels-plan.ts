import {
	flagNames,
	type CurrentLevel,
	type LevelEntry,
	type LevelsFile,
	type LevelsState,
	type Role
} from '../../../contract/index.ts';

/** What one level does, with all that the levels below it do. */
export interface LevelEffect {
	off: ReadonlySet<string>;
	/** People a second; null when no level up to here caps the rate. */
	rateCapPerSecond: number | null;
}

/** Levels are cumulative: what a lower level switches off stays off, the lowest cap holds. */
export function effectOf(file: LevelsFile, level: number): LevelEffect {
	const upTo = file.levels.filter((entry) => entry.level <= level);
	const caps = upTo.flatMap((entry) => entry.rateCap ?? []);
	return {
		off: new Set(upTo.flatMap((entry) => entry.off)),
		rateCapPerSecond: caps.length === 0 ? null : Math.min(...caps)
	};
}

export function entryOf(file: LevelsFile, level: number): LevelEntry | undefined {
	return file.levels.find((entry) => entry.level === level);
}

/**
 * Whether a second person must agree. Only on the way up: giving people back what was taken from them must not wait
 * for somebody who is not in the room, and whoever goes down can be told at once to come up again.
 */
export function needsSecondPerson(file: LevelsFile, from: number, to: number): boolean {
	return to > from && (entryOf(file, to)?.twoPeople ?? true);
}

/** Whoever may put a level in force may also leave it: the higher of the two counts. */
export function mayPress(file: LevelsFile, role: Role, from: number, to: number): boolean {
	const allowed: readonly Role[] = entryOf(file, Math.max(from, to))?.mayPress ?? ['duty-manager'];
	return allowed.includes(role);
}

/** Every flag with its words, and at which level it goes off. */
export function switchesOf({ levels, switches = [] }: LevelsFile): LevelsState['switches'] {
	return flagNames.flatMap((flag) => {
		const words = switches.find((entry) => entry.flag === flag);
		const level = levels.find(({ off }) => off.includes(flag))?.level ?? null;
		return words ? [{ ...words, level }] : [];
	});
}

/** An exercise is no level that anybody needs: the real one is that of before it. */
export function realLevel({ exercise, from, level }: CurrentLevel): number {
	return exercise ? (from ?? 0) : level;
}
