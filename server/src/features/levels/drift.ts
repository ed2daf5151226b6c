import { flagNames, type Flag, type FlagDrift, type LevelsFile } from '../../../contract/index.ts';
import type { FlagSourceState } from '../../platform/flags/flags.ts';
import type { WrittenFlag } from './mirror-store.ts';

/** All by which drift is judged; times in epoch ms. */
export interface MirrorView {
	/** What Unleash said last, and when. */
	source: FlagSourceState;
	there(flag: Flag): boolean | undefined;
	written: ReadonlyMap<string, WrittenFlag>;
	/** What the level in force switches off, and since when. */
	off: ReadonlySet<string>;
	since: number;
	/** Flags that Unleash may not switch off here. */
	guarded: ReadonlySet<string>;
	/** What Unleash says counts so long after we wrote or switched. */
	settleMs: number;
	/** Marsad writes there at all. */
	writes: boolean;
}

/** What is switched off only by two people here may not be switched off by one hand there. */
export function guardedFlags(file: LevelsFile): ReadonlySet<string> {
	return new Set(file.levels.filter(({ twoPeople }) => twoPeople).flatMap(({ off }) => off));
}

/** Flags that are to be written in Unleash: never written, to be written again, or written for another level. */
export function pendingFlags({ written, off, there, source, writes }: MirrorView): Flag[] {
	if (!writes) return [];
	return flagNames.filter((flag) => {
		const row = written.get(flag);
		if (row) return row.writtenAt === null || row.enabled === off.has(flag);
		// At first what stands there is respected, and shown where it differs: only what is missing is made.
		return source.at !== null && there(flag) === undefined;
	});
}

/** Flags whose value there repeats what we wrote, or may not count: the level alone decides them. */
export function unheededFlags(view: MirrorView): ReadonlySet<string> {
	return new Set([
		...view.guarded,
		// Not known yet, or being made there just now: first it is off, for a moment.
		...(view.writes ? flagNames.filter((flag) => !view.written.has(flag)) : []),
		...[...view.written.values()].flatMap(({ flag, enabled, writtenAt }) =>
			!enabled || writtenAt === null || !isSettled(view, writtenAt) ? [flag] : []
		)
	]);
}

/** Flags that stand otherwise there than the level says, though both had time to agree. `first` remembers since when. */
export function findDrift(view: MirrorView, first: Map<string, number>, now: number): FlagDrift[] {
	const pending = new Set<string>(pendingFlags(view));
	const unheeded = unheededFlags(view);
	const drift = flagNames.flatMap((flag): FlagDrift[] => {
		const row = view.written.get(flag);
		const there = view.there(flag) ?? null;
		const here = !view.off.has(flag);
		if (view.source.at === null || pending.has(flag) || there === here) return [];
		if (!row && (there === null || view.writes)) return [];
		if (!isSettled(view, Math.max(view.since, row?.writtenAt ?? 0))) return [];
		const acts = there === false && here && !unheeded.has(flag);
		return [{ flag, here, there, since: first.get(flag) ?? now, acts }];
	});
	for (const flag of [...first.keys()]) if (!drift.some((each) => each.flag === flag)) first.delete(flag);
	for (const { flag, since } of drift) first.set(flag, since);
	return drift;
}

/** The newest word from there is younger than this, by enough. */
function isSettled({ source, settleMs }: MirrorView, at: number): boolean {
	return source.at !== null && source.at > at + settleMs;
}
