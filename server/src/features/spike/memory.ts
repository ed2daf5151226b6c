import { limits } from '../../limits.ts';
import { cellEnd, foldCell, foldInstances, type InstanceSample } from './fold.ts';
import type { MachinePart, SpikeSample } from './samples.ts';

/** The last two hours, one sample a second for all instances together. */
export interface Memory {
	add(row: InstanceSample): void;
	/** In order of time. */
	samples(): readonly SpikeSample[];
	/** Pools, sockets and delays of every instance that was heard just now, as one. */
	machine(now: number): MachinePart | null;
}

/** So long a second can still be completed by an instance that is late. */
const openForMs = 60_000;
/** An instance that was not heard for so long is not counted any more. */
const instanceGoneMs = 10_000;

export function createMemory(): Memory {
	let samples: SpikeSample[] = [];
	/** Rows of the cells that are still open, by the end of the cell. */
	const open = new Map<number, InstanceSample[]>();
	const newest = new Map<string, SpikeSample>();

	const close = (now: number) => {
		for (const end of open.keys()) if (end < now - openForMs) open.delete(end);
		const { keepSecondsInMemory } = limits.spike;
		if (samples.length > keepSecondsInMemory * 1.1) samples = samples.slice(-keepSecondsInMemory);
	};
	/** Where a cell stands, or belongs: nearly always at the end. */
	const indexOf = (end: number) => {
		let index = samples.length;
		while (index > 0 && cellEnd(samples[index - 1]!.at, 1) >= end) index--;
		return index;
	};

	return {
		add(row) {
			const { instance, sample } = row;
			const end = cellEnd(sample.at, 1);
			const rows = open.get(end) ?? [];
			if (rows.some((known) => known.instance === instance && known.sample.at === sample.at)) return;
			const index = indexOf(end);
			const isThere = samples[index] !== undefined && cellEnd(samples[index].at, 1) === end;
			// Too late to be added up: its cell is closed.
			if (isThere && rows.length === 0) return;
			rows.push(row);
			open.set(end, rows);
			samples.splice(index, isThere ? 1 : 0, foldCell(rows));
			if ((newest.get(instance)?.at ?? -Infinity) < sample.at) newest.set(instance, sample);
			close(sample.at);
		},
		samples: () => samples,
		machine(now) {
			for (const [instance, sample] of newest) if (sample.at < now - instanceGoneMs) newest.delete(instance);
			const heard = [...newest.values()].filter(({ machine }) => machine !== null);
			return heard.length === 0 ? null : foldInstances(heard).machine;
		}
	};
}
