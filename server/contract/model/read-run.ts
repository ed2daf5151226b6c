import type { ModelPlan } from './plan.ts';
import type { ModelRun, Series } from './run.ts';

/** The part that gives way first: more comes than it can take, and its own queue grows. */
export interface Bottleneck {
	part: 'work' | 'queue' | 'gate' | 'zone';
	id: string;
	/** When it began, seconds from the start of the run. */
	second: number;
	/** What it can take, people or items a second; null for a zone, which is bound by its capacity. */
	mostPerSecond: number | null;
}

/** What a person wants to know of a run. Seconds from its start; null: not within it. */
export interface RunReading {
	/** The last person who waited in the room is let in. */
	emptiesAtSecond: number | null;
	waitingMost: number;
	oldestSecondsMost: number;
	/** When each zone is over its capacity first. */
	zoneFullAtSecond: ReadonlyMap<string, number | null>;
	/** When each gate breaks: more stand before it than may, or without such a bound the crowd grows for a minute. */
	gateBreaksAtSecond: ReadonlyMap<string, number | null>;
	/** Everything that had grown has gone back: never before the last queue is empty. */
	recoveredAtSecond: number | null;
	bottleneck: Bottleneck | null;
	/** 0.8 of what the bottleneck can take, in people let in a second; null where nothing gives way. */
	suggestedPerSecond: number | null;
}

/** As the conductor does: this share of a measured part may be used. */
const usableShare = 0.8;
/** Growth must last so long to be a bottleneck: a burst is none. */
const growsForSeconds = 60;
/** Less than so many people are nobody in a fluid. */
const nobody = 0.5;

/** Reads what matters out of a run. Pure. */
export function readRun(plan: ModelPlan, run: ModelRun): RunReading {
	const zoneFullAtSecond = new Map(
		plan.zones.map((zone) => [
			zone.id,
			secondOf(run, run.zones.get(zone.id)!, (people) => people > zone.capacity + nobody)
		])
	);
	const gateBreaksAtSecond = new Map(plan.gates.map((gate) => [gate.id, gateBreak(plan, run, gate.id)]));
	const bottleneck = firstOf([
		...workBottleneck(plan, run),
		...plan.queues.flatMap(({ id, drainPerSecond }) => {
			const second = growthFrom(run, run.queues.get(id)!.depth);
			return second === null ? [] : [{ part: 'queue' as const, id, second, mostPerSecond: drainPerSecond }];
		}),
		...plan.gates.flatMap(({ id, lanes, perLanePerSecond }) => {
			const second = gateBreaksAtSecond.get(id)!;
			const mostPerSecond = lanes * perLanePerSecond;
			return second === null ? [] : [{ part: 'gate' as const, id, second, mostPerSecond }];
		}),
		...plan.zones.flatMap(({ id }) => {
			const second = zoneFullAtSecond.get(id)!;
			return second === null ? [] : [{ part: 'zone' as const, id, second, mostPerSecond: null }];
		})
	]);
	return {
		emptiesAtSecond: run.room && emptyAfterMost(run, run.room.waiting),
		waitingMost: run.room ? most(run.room.waiting) : 0,
		oldestSecondsMost: run.room ? most(run.room.oldestSeconds) : 0,
		...{ zoneFullAtSecond, gateBreaksAtSecond, bottleneck },
		recoveredAtSecond: recoveredAt(run),
		suggestedPerSecond: suggested(plan, bottleneck)
	};
}

function workBottleneck(plan: ModelPlan, run: ModelRun): Bottleneck[] {
	if (!plan.work || !run.work) return [];
	const second = growthFrom(run, run.work.backlog);
	if (second === null) return [];
	return [{ part: 'work', id: 'booking', second, mostPerSecond: plan.work.capacityPerSecond }];
}

function gateBreak(plan: ModelPlan, run: ModelRun, id: string): number | null {
	const { outsideMax } = plan.gates.find((gate) => gate.id === id)!;
	const { outside } = run.gates.get(id)!;
	return outsideMax === null
		? growthFrom(run, outside)
		: secondOf(run, outside, (people) => people > outsideMax + nobody);
}

function suggested(plan: ModelPlan, bottleneck: Bottleneck | null): number | null {
	if (bottleneck === null || bottleneck.mostPerSecond === null) return null;
	if (bottleneck.part !== 'queue') return usableShare * bottleneck.mostPerSecond;
	const { perServed } = plan.queues.find((queue) => queue.id === bottleneck.id)!;
	return perServed > 0 ? (usableShare * bottleneck.mostPerSecond) / perServed : null;
}

/** When every backlog that was there is gone, after the last that grew. Null where one is left at the end. */
function recoveredAt(run: ModelRun): number | null {
	const backlogs = [
		...(run.room ? [run.room.waiting] : []),
		...(run.work ? [run.work.backlog] : []),
		...[...run.queues.values()].map((queue) => queue.depth),
		...[...run.gates.values()].map((gate) => gate.outside)
	];
	const ends = backlogs.map((series) => lastBusy(series));
	const last = Math.max(-1, ...ends);
	if (last === run.second.length - 1) return null;
	return last === -1 ? 0 : run.second[last + 1]!;
}

/** Index of the last step with somebody in it; −1 when nobody ever was. */
function lastBusy(series: Series): number {
	for (let i = series.length - 1; i >= 0; i--) if (series[i]! > nobody) return i;
	return -1;
}

function emptyAfterMost(run: ModelRun, series: Series): number | null {
	const peak = series.indexOf(most(series));
	for (let i = peak; i < series.length; i++) if (series[i]! <= nobody) return run.second[i]!;
	return null;
}

/** From when on it grew for a whole minute without a pause. */
function growthFrom(run: ModelRun, series: Series): number | null {
	let since: number | null = null;
	for (let i = 1; i < series.length; i++) {
		if (series[i]! <= series[i - 1]! + 1e-9) since = null;
		else since ??= run.second[i - 1]!;
		if (since !== null && run.second[i]! - since >= growsForSeconds && series[i]! > nobody) return since;
	}
	return null;
}

function secondOf(run: ModelRun, series: Series, meets: (value: number) => boolean): number | null {
	const index = series.findIndex(meets);
	return index === -1 ? null : run.second[index]!;
}

function most(series: Series): number {
	return series.reduce((top, value) => Math.max(top, value), 0);
}

function firstOf(found: readonly Bottleneck[]): Bottleneck | null {
	return found.reduce<Bottleneck | null>(
		(first, one) => (first === null || one.second < first.second ? one : first),
		null
	);
}
