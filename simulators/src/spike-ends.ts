import type { GeneratorLoad, PeopleOutcomes } from '@marsad/server/contract';
import type { PartEnd } from './spike-player.ts';

/** Names of a table that travel at most. */
const namesMax = 60;

/** What all threads together saw of the generator and of the answers. */
export function mergeEnds(ends: readonly PartEnd[]) {
	const sum = (of: (end: PartEnd) => number) => ends.reduce((all, end) => all + of(end), 0);
	const most = (of: (end: PartEnd) => number) => Math.max(0, ...ends.map(of));
	const generator: Omit<GeneratorLoad, 'workers' | 'cores' | 'cpuShare' | 'memoryMb' | 'clockOffMs'> = {
		...{ offered: sum((end) => end.offered), started: sum((end) => end.started) },
		...{ notStarted: sum((end) => end.notStarted), startedLate: sum((end) => end.startedLate) },
		...{ latestMs: most((end) => end.latestMs), notSent: sum((end) => end.notSent) },
		loopDelayP99Ms: most((end) => end.loopDelayP99Ms),
		bots: sum((end) => end.bots.bots),
		botsNotStarted: sum((end) => end.bots.notStarted)
	};
	return {
		generator,
		refusals: addTables(ends.map(({ refusals }) => refusals)),
		faults: addTables(ends.map(({ faults }) => faults))
	};
}

/** What became of everybody. Two permits of one person are found in one thread, one permit of two over all of them. */
export function peopleOf(ends: readonly PartEnd[]): PeopleOutcomes {
	const permits = ends.flatMap((end) => end.permits);
	const shared = permits.length - new Set(permits).size;
	const faults = (kind: keyof PartEnd['watch']['faults']) =>
		ends.reduce((sum, { watch }) => sum + watch.faults[kind], 0);
	const waits = ends.flatMap(({ watch }) => watch.waitsMs).map((ms) => ms / 1_000);
	const told = ends.flatMap(({ watch }) => watch.told);
	const inside = told.filter(({ inRange }) => inRange).length;
	const errors = told.map(({ errorSeconds }) => errorSeconds);
	return {
		endings: addTables(ends.map((end) => end.endings)),
		bookedTwice: faults('bookedTwice') + shared,
		inversions: faults('inversions'),
		withoutWord: ends.reduce((sum, { withoutWord }) => sum + withoutWord, 0),
		botsThrough: ends.reduce((sum, { bots }) => sum + bots.gotThrough, 0),
		waits:
			waits.length === 0
				? null
				: { ...percentiles(waits), most: rounded(waits.reduce((most, wait) => Math.max(most, wait), 0)) },
		told:
			errors.length === 0
				? null
				: { ...percentiles(errors), inRangeShare: Math.round((inside / told.length) * 100) / 100 }
	};
}

function percentiles(values: readonly number[]): { p50: number; p95: number } {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) =>
		rounded(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0);
	return { p50: at(0.5), p95: at(0.95) };
}

function addTables(tables: readonly Readonly<Record<string, number>>[]): Record<string, number> {
	const sums: Record<string, number> = {};
	for (const table of tables)
		for (const [name, count] of Object.entries(table)) {
			const short = name.slice(0, 120) || 'unknown';
			sums[short] = (sums[short] ?? 0) + count;
		}
	return Object.fromEntries(
		Object.entries(sums)
			.sort(([, a], [, b]) => b - a)
			.slice(0, namesMax)
	);
}

const rounded = (value: number) => Math.round(value * 10) / 10;
