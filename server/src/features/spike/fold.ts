import { mergeBuckets } from './latency-buckets.ts';
import { addStormInstances, addStormTime } from './storm-part.ts';
import {
	outcomeNames,
	type Breaker,
	type MachinePart,
	type OutcomeCounts,
	type RoomPart,
	type SpikeSample,
	type WorkPart
} from './samples.ts';

/** Who wrote a sample, and the sample. */
export interface InstanceSample {
	instance: string;
	sample: SpikeSample;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
const greatest = (values: readonly number[]) => Math.max(...values);
const greatestOrNull = (values: readonly (number | null)[]) => {
	const known = values.filter((value) => value !== null);
	return known.length === 0 ? null : greatest(known);
};
const breakers: readonly (Breaker | null)[] = [null, 'closed', 'half-open', 'open'];
const known = <T>(parts: readonly (T | null)[]): T[] => parts.filter((part) => part !== null);
const inOrder = (samples: readonly SpikeSample[]) => samples.toSorted((a, b) => a.at - b.at);

/** End of the cell of so many seconds in which a moment lies, epoch ms. */
export function cellEnd(at: number, stepSeconds: number): number {
	const stepMs = stepSeconds * 1_000;
	return Math.ceil(at / stepMs) * stepMs;
}

/** Seconds of one instance, one after the other, as one sample: counts added, gauges of the last, the worst machine. */
export function foldTime(samples: readonly SpikeSample[]): SpikeSample {
	const ordered = inOrder(samples);
	if (ordered.length === 1) return ordered[0]!;
	const newest = ordered.at(-1)!;
	const rooms = known(ordered.map(({ room }) => room));
	const works = known(ordered.map(({ work }) => work));
	const machines = known(ordered.map(({ machine }) => machine));
	const storms = known(ordered.map(({ storm }) => storm));
	return {
		...newest,
		room: rooms.length === 0 ? null : addRooms(rooms, sum),
		work: works.length === 0 ? null : addWorks(works, { seconds: sum, inHand: greatest }),
		machine: machines.length === 0 ? null : addMachines(machines, greatest),
		storm: storms.length === 0 ? null : addStormTime(storms),
		decision: known(ordered.map(({ decision }) => decision)).at(-1) ?? null
	};
}

/**
 * The same time as several instances saw it: counts and buckets added, so that percentiles are those of everybody
 * together; the room is one and stands as the newest says; pools and sockets are added, delays are the worst.
 */
export function foldInstances(samples: readonly SpikeSample[]): SpikeSample {
	const ordered = inOrder(samples);
	if (ordered.length === 1) return ordered[0]!;
	const newest = ordered.at(-1)!;
	const rooms = known(ordered.map(({ room }) => room));
	const works = known(ordered.map(({ work }) => work));
	const machines = known(ordered.map(({ machine }) => machine));
	const storms = known(ordered.map(({ storm }) => storm));
	return {
		...newest,
		room: rooms.length === 0 ? null : addRooms(rooms, greatest),
		work: works.length === 0 ? null : addWorks(works, { seconds: greatest, inHand: sum }),
		machine: machines.length === 0 ? null : addMachines(machines, sum),
		storm: storms.length === 0 ? null : addStormInstances(storms),
		decision: known(ordered.map(({ decision }) => decision)).at(-1) ?? null
	};
}

/** Everything that fell into one cell, whoever wrote it. */
export function foldCell(rows: readonly InstanceSample[]): SpikeSample {
	const byInstance = Map.groupBy(rows, ({ instance }) => instance);
	return foldInstances([...byInstance.values()].map((own) => foldTime(own.map(({ sample }) => sample))));
}

/** Rows of any instances and of a finer step as one sample a cell, in order of time; each stands at its cell's end. */
export function foldCells(rows: readonly InstanceSample[], stepSeconds: number): SpikeSample[] {
	const cells = Map.groupBy(rows, ({ sample }) => cellEnd(sample.at, stepSeconds));
	return [...cells].sort(([a], [b]) => a - b).map(([at, own]) => ({ ...foldCell(own), at }));
}

function addRooms(rooms: readonly RoomPart[], seconds: (values: number[]) => number): RoomPart {
	return {
		...rooms.at(-1)!,
		seconds: seconds(rooms.map((room) => room.seconds)),
		joined: sum(rooms.map(({ joined }) => joined)),
		admitted: sum(rooms.map(({ admitted }) => admitted))
	};
}

function addWorks(
	works: readonly WorkPart[],
	how: Record<'seconds' | 'inHand', (values: number[]) => number>
): WorkPart {
	return {
		seconds: how.seconds(works.map(({ seconds }) => seconds)),
		offered: sum(works.map(({ offered }) => offered)),
		served: sum(works.map(({ served }) => served)),
		outcomes: Object.fromEntries(
			outcomeNames.map((name) => [name, sum(works.map(({ outcomes }) => outcomes[name]))])
		) as OutcomeCounts,
		latency: mergeBuckets(works.map(({ latency }) => latency)),
		checks: mergeBuckets(works.map(({ checks }) => checks)),
		inHand: how.inHand(works.map(({ inHand }) => inHand)),
		oldestMs: greatestOrNull(works.map(({ oldestMs }) => oldestMs)),
		breaker: breakers[greatest(works.map(({ breaker }) => breakers.indexOf(breaker)))] ?? null
	};
}

function addMachines(machines: readonly MachinePart[], add: (values: number[]) => number): MachinePart {
	const of = (name: Exclude<keyof MachinePart, 'poolWaitP95Ms'>) => add(machines.map((one) => one[name]));
	return {
		poolInUse: of('poolInUse'),
		poolSize: of('poolSize'),
		poolWaiting: of('poolWaiting'),
		poolWaitP95Ms: greatestOrNull(machines.map(({ poolWaitP95Ms }) => poolWaitP95Ms)),
		loopP99Ms: greatest(machines.map(({ loopP99Ms }) => loopP99Ms)),
		sockets: of('sockets'),
		handshakes: of('handshakes'),
		polls: of('polls'),
		memoryMb: of('memoryMb')
	};
}
