import { rateAt, type Curve, type GatePart, type ModelPlan, type ZonePart } from './plan.ts';
import { readRun } from './read-run.ts';
import { shareWithin } from './room-steps.ts';
import { runModel } from './run.ts';

/** One slot whose permits lead to a gate. */
export interface SlotPeople {
	/** Its beginning, seconds from now; negative: it has begun. */
	beginsAtSecond: number;
	/** People on permits that are in force. */
	permits: number;
	/** Of them inside already. */
	entered: number;
}

/**
 * When people of a slot come, learned from days before: the share that has come by so many seconds after its beginning
 * (before it: negative). Ascends, and ends at the share that comes at all (below 1: some never do).
 */
export type ShowUpCurve = readonly { readonly second: number; readonly share: number }[];

export interface NinetyGate extends Omit<GatePart, 'arrivals'> {
	readonly slots: readonly SlotPeople[];
	/** What was counted before the gate over the last minutes, people a second; null: not known. */
	readonly countedPerSecond: number | null;
}

/** Spans in which people stay away from gates or leave towards them: prayer. */
export interface Pause {
	readonly fromSecond: number;
	readonly untilSecond: number;
	/** 0: nobody comes; 1: as always. Who stays away comes after it. */
	readonly share: number;
}

export interface NinetyInput {
	readonly gates: readonly NinetyGate[];
	readonly zones: readonly ZonePart[];
	readonly showUp: ShowUpCurve;
	readonly pauses: readonly Pause[];
}

/** What helps: the least of it that keeps the gate and its zone whole. */
export type Cure =
	| { kind: 'lanes'; lanes: number }
	/** So much of what comes here goes to another gate. */
	| { kind: 'divert'; to: string; share: number }
	/** Nothing within the site helps: fewer must come. */
	| { kind: 'fewer-people'; perSecond: number };

export interface NinetyGateAnswer {
	gate: string;
	/** When it breaks, seconds from now; null: not within the ninety minutes. */
	breaksAtSecond: number | null;
	/** What breaks first: the crowd before it, or the zone behind it. */
	because: 'outside' | 'zone' | null;
	outsideMost: number;
	cameMost: number;
	passesPerSecond: number;
	cure: Cure | null;
}

export const ninetySeconds = 5_400;
const stepSeconds = 30;
/** The count of the last minutes fades into the curve over this time. */
const countFadesSeconds = 900;
/** Who stayed away for a prayer comes after it: in the mean so long after. */
const comesBackSeconds = 300;
const lanesMoreMax = 8;

/** The next ninety minutes of every gate. Pure; one run of the model for each question. */
export function nextNinetyMinutes(input: NinetyInput): NinetyGateAnswer[] {
	const plan = ninetyPlan(input);
	const run = runModel(plan);
	const reading = readRun(plan, run);
	return input.gates.map((gate) => {
		const outsideAt = reading.gateBreaksAtSecond.get(gate.id) ?? null;
		const zoneAt = reading.zoneFullAtSecond.get(gate.zone) ?? null;
		const breaksAtSecond = earliest(outsideAt, zoneAt);
		const series = run.gates.get(gate.id)!;
		return {
			gate: gate.id,
			breaksAtSecond,
			because: breaksAtSecond === null ? null : breaksAtSecond === outsideAt ? 'outside' : 'zone',
			outsideMost: Math.round(Math.max(...series.outside)),
			cameMost: Math.max(...series.camePerSecond),
			passesPerSecond: gate.lanes * gate.perLanePerSecond * gate.openShare,
			cure: breaksAtSecond === null ? null : findCure(plan, gate, breaksAtSecond === outsideAt)
		};
	});
}

/** The situation as a plan of the model: permits still to come by the curve, corrected by what is counted now. */
export function ninetyPlan(input: NinetyInput): ModelPlan {
	return {
		...{ seconds: ninetySeconds, stepSeconds, room: null, work: null, queues: [], paths: [], changes: [] },
		zones: input.zones,
		gates: input.gates.map(({ slots, countedPerSecond, ...gate }) => ({
			...gate,
			arrivals: arrivalsOf(slots, countedPerSecond, input)
		}))
	};
}

/** People a second towards a gate, step by step. */
export function arrivalsOf(
	slots: readonly SlotPeople[],
	countedPerSecond: number | null,
	{ showUp, pauses }: Pick<NinetyInput, 'showUp' | 'pauses'>
): Curve {
	/** People whom a pause keeps away. */
	let owed = 0;
	const curve: { second: number; perSecond: number }[] = [];
	for (let second = 0; second < ninetySeconds; second += stepSeconds) {
		const planned = slots.reduce((sum, slot) => sum + comesIn(slot, showUp, second), 0) / stepSeconds;
		const weight = countedPerSecond === null ? 0 : Math.max(0, 1 - second / countFadesSeconds);
		const wished = planned * (1 - weight) + (countedPerSecond ?? 0) * weight;
		const pause = pauses.find((one) => second >= one.fromSecond && second < one.untilSecond);
		const back = pause ? 0 : owed * shareWithin(stepSeconds, comesBackSeconds);
		const perSecond = wished * (pause?.share ?? 1) + back / stepSeconds;
		owed = pause ? owed + (wished - perSecond) * stepSeconds : owed - back;
		curve.push({ second: second + stepSeconds / 2, perSecond });
	}
	return curve;
}

/** People of a slot who come within the step that begins at `second`, of those who are not in yet. */
function comesIn(slot: SlotPeople, showUp: ShowUpCurve, second: number): number {
	const before = shareBy(showUp, second - slot.beginsAtSecond);
	const after = shareBy(showUp, second + stepSeconds - slot.beginsAtSecond);
	const now = shareBy(showUp, -slot.beginsAtSecond);
	const end = showUp.at(-1)?.share ?? 0;
	// Whoever still comes, comes in the proportions that are left of the curve.
	const expected = Math.max(0, slot.permits * end - slot.entered);
	return end - now <= 1e-9 ? 0 : (expected * (after - before)) / (end - now);
}

/** The share that has come by a second of the slot: a straight line between the points. */
export function shareBy(showUp: ShowUpCurve, second: number): number {
	const first = showUp[0];
	if (!first || second < first.second) return 0;
	return rateAt(
		showUp.map(({ second: at, share }) => ({ second: at, perSecond: share })),
		second
	);
}

/** Tries what a person at the gates can do, the smallest thing first. */
function findCure(plan: ModelPlan, gate: NinetyGate, isOutside: boolean): Cure {
	if (isOutside) {
		for (let more = 1; more <= lanesMoreMax; more++) {
			const lanes = gate.lanes + more;
			if (holds(replaceGate(plan, gate.id, { lanes }), gate)) return { kind: 'lanes', lanes };
		}
	}
	for (const other of plan.gates) {
		if (other.id === gate.id || (!isOutside && other.zone === gate.zone)) continue;
		for (const share of [0.25, 0.5, 0.75]) {
			const moved = divert(plan, gate.id, other.id, share);
			if (holds(moved, gate) && holds(moved, other)) return { kind: 'divert', to: other.id, share };
		}
	}
	return { kind: 'fewer-people', perSecond: gate.lanes * gate.perLanePerSecond * gate.openShare };
}

function holds(plan: ModelPlan, gate: Pick<GatePart, 'id' | 'zone'>): boolean {
	const reading = readRun(plan, runModel(plan));
	return (
		reading.gateBreaksAtSecond.get(gate.id) === null &&
		(reading.zoneFullAtSecond.get(gate.zone) ?? null) === null
	);
}

function replaceGate(plan: ModelPlan, id: string, change: Partial<GatePart>): ModelPlan {
	return { ...plan, gates: plan.gates.map((gate) => (gate.id === id ? { ...gate, ...change } : gate)) };
}

function divert(plan: ModelPlan, from: string, to: string, share: number): ModelPlan {
	const moved = plan.gates.find((gate) => gate.id === from)!.arrivals;
	const scaled = moved.map((point) => ({ ...point, perSecond: point.perSecond * (1 - share) }));
	const target = plan.gates.find((gate) => gate.id === to)!.arrivals;
	const raised = moved.map((point) => ({
		...point,
		perSecond: rateAt(target, point.second) + point.perSecond * share
	}));
	return replaceGate(replaceGate(plan, from, { arrivals: scaled }), to, { arrivals: raised });
}

function earliest(a: number | null, b: number | null): number | null {
	return a === null ? b : b === null ? a : Math.min(a, b);
}
