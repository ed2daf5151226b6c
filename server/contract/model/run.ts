import { checkPlan, type ModelChange, type ModelPlan } from './plan.ts';
import { createQueue, createRoom, createWork, type RoomSettings } from './room-steps.ts';
import { createZones, type GateSettings } from './zone-steps.ts';

/** One figure after each step; index 0 is after the first. */
export type Series = Float64Array;

/** What the model expects, step by step. */
export interface ModelRun {
	stepSeconds: number;
	/** End of each step, seconds from the start of the run. */
	second: Series;
	room: Record<
		'joinedPerSecond' | 'admittedPerSecond' | 'waiting' | 'called' | 'active' | 'oldestSeconds',
		Series
	> | null;
	work: Record<'offeredPerSecond' | 'servedPerSecond' | 'backlog' | 'waitSeconds', Series> | null;
	queues: ReadonlyMap<string, Record<'depth' | 'oldestSeconds' | 'inPerSecond' | 'outPerSecond', Series>>;
	zones: ReadonlyMap<string, Series>;
	gates: ReadonlyMap<string, Record<'outside' | 'camePerSecond' | 'passedPerSecond', Series>>;
}

/** Chance, where it is wanted: a seeded source of even numbers in [0, 1) and what it makes of a mean. */
export type DrawNumber = (mean: number) => number;

/**
 * Runs a plan: pure, and the same for the same plan. People are a fluid, so that a run of ninety minutes costs
 * milliseconds; with `draw` (a seeded Poisson number) arrivals at the room scatter as real ones do.
 * @throws RangeError for a plan that is out of bounds
 */
export function runModel(plan: ModelPlan, draw?: DrawNumber): ModelRun {
	checkPlan(plan);
	const { stepSeconds } = plan;
	const steps = Math.floor(plan.seconds / stepSeconds);
	const run = emptyRun(plan, steps);
	const state = createState(plan);
	const room = plan.room && createRoom(plan.room, stepSeconds);
	const work = plan.work && createWork(plan.work, plan.room?.active ?? 0, stepSeconds);
	const queues = plan.queues.map((part) => ({ part, queue: createQueue(part, stepSeconds) }));
	const zones = createZones(plan.zones, plan.gates, plan.paths, stepSeconds);
	const changes = [...plan.changes].sort((a, b) => a.second - b.second);
	let next = 0;
	let served = 0;
	for (let i = 0; i < steps; i++) {
		const second = i * stepSeconds;
		while (next < changes.length && changes[next]!.second < second + stepSeconds)
			apply(changes[next++]!, state);
		run.second[i] = second + stepSeconds;
		let letIn = 0;
		if (room && run.room) {
			const step = room.step(second, state.room, served, draw);
			letIn = step.claimed;
			run.room.joinedPerSecond[i] = step.joined / stepSeconds;
			run.room.admittedPerSecond[i] = step.released / stepSeconds;
			for (const name of ['waiting', 'called', 'active', 'oldestSeconds'] as const)
				run.room[name][i] = step[name];
		}
		// Without a service behind it whoever comes in is done at once.
		served = letIn;
		if (work && run.work) {
			const step = work.step(letIn, state.capacityPerSecond);
			served = step.served;
			run.work.offeredPerSecond[i] = step.offered / stepSeconds;
			run.work.servedPerSecond[i] = step.served / stepSeconds;
			run.work.backlog[i] = step.backlog;
			run.work.waitSeconds[i] = step.waitSeconds;
		}
		for (const { part, queue } of queues) {
			const step = queue.step(served, state.drains.get(part.id)!);
			const series = run.queues.get(part.id)!;
			series.depth[i] = step.depth;
			series.oldestSeconds[i] = step.oldestSeconds;
			series.inPerSecond[i] = step.came / stepSeconds;
			series.outPerSecond[i] = step.drained / stepSeconds;
		}
		const { gates, present } = zones.step(second, state.gates);
		for (const [id, series] of run.zones) series[i] = present.get(id)!;
		for (const [id, series] of run.gates) {
			const step = gates.get(id)!;
			series.outside[i] = step.outside;
			series.camePerSecond[i] = step.came / stepSeconds;
			series.passedPerSecond[i] = step.passed / stepSeconds;
		}
	}
	return run;
}

interface State {
	room: RoomSettings;
	capacityPerSecond: number;
	drains: Map<string, number>;
	gates: Map<string, GateSettings>;
}

function createState(plan: ModelPlan): State {
	return {
		room: { ratePerSecond: plan.room?.ratePerSecond ?? 0, placesMax: plan.room?.placesMax ?? null },
		capacityPerSecond: plan.work?.capacityPerSecond ?? 0,
		drains: new Map(plan.queues.map((queue) => [queue.id, queue.drainPerSecond])),
		gates: new Map(
			plan.gates.map((gate) => [gate.id, { openShare: gate.openShare, lanes: gate.lanes, sent: [] }])
		)
	};
}

function apply(change: ModelChange, state: State): void {
	switch (change.kind) {
		case 'rate':
			state.room.ratePerSecond = change.perSecond;
			return;
		case 'places':
			state.room.placesMax = change.max;
			return;
		case 'capacity':
			state.capacityPerSecond = change.perSecond;
			return;
		case 'drain':
			state.drains.set(change.queue, change.perSecond);
			return;
		case 'gate': {
			const gate = gateOf(state, change.gate);
			gate.openShare = change.openShare;
			gate.lanes = change.lanes ?? gate.lanes;
			return;
		}
		case 'send': {
			const overSeconds = Math.max(1, change.overSeconds);
			const until = change.second + overSeconds;
			gateOf(state, change.gate).sent.push({
				...{ from: change.second, until },
				perSecond: change.people / overSeconds
			});
		}
	}
}

function gateOf(state: State, id: string): GateSettings {
	const gate = state.gates.get(id);
	if (!gate) throw new RangeError(`a change names an unknown gate: ${id}`);
	return gate;
}

function emptyRun(plan: ModelPlan, steps: number): ModelRun {
	const series = () => new Float64Array(steps);
	const named = <const N extends string>(names: readonly N[]) =>
		Object.fromEntries(names.map((name) => [name, series()])) as Record<N, Series>;
	return {
		stepSeconds: plan.stepSeconds,
		second: series(),
		room: plan.room
			? named(['joinedPerSecond', 'admittedPerSecond', 'waiting', 'called', 'active', 'oldestSeconds'])
			: null,
		work: plan.work ? named(['offeredPerSecond', 'servedPerSecond', 'backlog', 'waitSeconds']) : null,
		queues: new Map(
			plan.queues.map((queue) => [queue.id, named(['depth', 'oldestSeconds', 'inPerSecond', 'outPerSecond'])])
		),
		zones: new Map(plan.zones.map((zone) => [zone.id, series()])),
		gates: new Map(
			plan.gates.map((gate) => [gate.id, named(['outside', 'camePerSecond', 'passedPerSecond'])])
		)
	};
}
