import { limits } from '../../limits.ts';
import { cellEnd, foldCell, foldInstances, type InstanceSample } from './fold.ts';
import type { MachinePart, SpikeSample } from './samples.ts';
import type { StormPart } from './storm-part.ts';

/** The last two hours, one sample a second for all instances together. */
export interface Memory {
	add(row: InstanceSample): void;
	/** In order of time. */
	samples(): readonly SpikeSample[];
	/** The last second of every instance that was heard just now, as one. */
	newest(now: number): SpikeSample | null;
	/** Pools, sockets and delays of them. */
	machine(now: number): MachinePart | null;
	/** Connections, pulls and pushes of them. */
	storm(now: number): StormPart | null;
	/** Instances that are there, or were until just now and did not say that they leave; the first heard comes first. */
	instances(now: number): InstanceSeen[];
}

/** One instance as it was last heard. */
export interface InstanceSeen {
	instance: string;
	/** When it last said anything (epoch ms), and whether it has been silent for too long since. */
	at: number;
	silent: boolean;
	leads: boolean;
	/** Its part of all questions of the last minute, 0 to 1; null while there are none. */
	share: number | null;
}

/** So long a second can still be completed by an instance that is late. */
const openForMs = 60_000;
/** An instance that was not heard for so long is silent: its figures are not counted any more. */
const silentMs = 5_000;
/** Silent for so long it is no longer expected: the others carry its share. */
const instanceGoneMs = 60_000;
/** Questions are remembered over about so long. */
const shareMemoryMs = 30_000;

export function createMemory(): Memory {
	let samples: SpikeSample[] = [];
	/** Rows of the cells that are still open, by the end of the cell. */
	const open = new Map<number, InstanceSample[]>();
	const newest = new Map<string, SpikeSample>();
	/** Questions that each instance answered lately, fading away. */
	const loads = new Map<string, number>();

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

	const note = (instance: string, sample: SpikeSample) => {
		const before = newest.get(instance);
		if (before && before.at >= sample.at) return;
		const faded = Math.exp(-(sample.at - (before?.at ?? sample.at)) / shareMemoryMs);
		const questions = (sample.work?.offered ?? 0) + (sample.machine?.polls ?? 0);
		loads.set(instance, (loads.get(instance) ?? 0) * faded + questions);
		newest.set(instance, sample);
		if (sample.leaves) forget(instance);
	};
	const forget = (instance: string) => {
		newest.delete(instance);
		loads.delete(instance);
	};
	const heardNow = (now: number) => [...newest].filter(([, sample]) => sample.at >= now - silentMs);
	const foldNewest = (now: number) => {
		const heard = heardNow(now).flatMap(([, sample]) => (sample.machine ? [sample] : []));
		return heard.length === 0 ? null : foldInstances(heard);
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
			note(instance, sample);
			close(sample.at);
		},
		samples: () => samples,
		newest: foldNewest,
		machine: (now) => foldNewest(now)?.machine ?? null,
		storm: (now) => foldNewest(now)?.storm ?? null,
		instances(now) {
			for (const [instance, sample] of newest) if (sample.at < now - instanceGoneMs) forget(instance);
			const all = [...loads.values()].reduce((sum, load) => sum + load, 0);
			return [...newest].map(([instance, sample]) => ({
				instance,
				at: sample.at,
				silent: sample.at < now - silentMs,
				leads: sample.leads ?? false,
				share: all < 0.5 ? null : Math.round((loads.get(instance)! / all) * 100) / 100
			}));
		}
	};
}
