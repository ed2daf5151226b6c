import {
	historySeries,
	spikeSeries,
	type HistorySeries,
	type SpikeSeries,
	type Trend
} from '../../../contract/index.ts';
import { createSum, type SpikeSample, type WindowSum } from './samples.ts';

const windowMs = 60_000;
/** Seconds do not fall exactly on the grid: this late, a point is still known. */
const gapMs = 2_500;
/** About so many points when nobody says how many. */
const pointsWanted = 720;

/** The step that gives a readable chart over so many seconds. */
export function chooseStep(seconds: number): number {
	return [1, 2, 5, 10, 15, 30, 60].find((step) => seconds / step <= pointsWanted) ?? 60;
}

/** One point a step on a fixed grid, up to `to`: the newest sample at it and the window before it; null for a gap. */
export interface Point {
	at: number;
	newest: SpikeSample | null;
	window: WindowSum;
}

/** Walks the grid once; samples are in order of time. */
export function* walkGrid(
	samples: readonly SpikeSample[],
	to: number,
	seconds: number,
	stepSeconds: number
): Generator<Point> {
	const stepMs = stepSeconds * 1_000;
	const end = Math.floor(to / stepMs) * stepMs;
	const window = createSum();
	let windowStart = 0;
	let next = 0;
	for (let point = Math.floor(seconds / stepSeconds) - 1; point >= 0; point--) {
		const at = end - point * stepMs;
		while (next < samples.length && samples[next]!.at <= at) window.add(samples[next++]!);
		while (windowStart < next && samples[windowStart]!.at <= at - Math.max(windowMs, stepMs))
			window.remove(samples[windowStart++]!);
		const newest = samples[next - 1];
		const known = newest !== undefined && newest.at > at - Math.max(stepMs, gapMs);
		yield { at, newest: known ? newest : null, window: window.read() };
	}
}

/**
 * Column by column; null where nothing is known: a gap, never 0. Rates, ratios and percentiles are those of the
 * last minute (of the step, when it is longer), as the headline shows them.
 */
export function buildTrend(
	samples: readonly SpikeSample[],
	now: number,
	seconds: number,
	stepSeconds: number
): Trend {
	const at: number[] = [];
	const series = emptyColumns(spikeSeries);
	for (const point of walkGrid(samples, now, seconds, stepSeconds)) {
		at.push(point.at);
		const values = point.newest && pointOf(point.newest, point.window);
		for (const name of spikeSeries) series[name].push(values && values[name]);
	}
	return { stepSeconds, at, series };
}

/** The same with every series, and with what is a word instead of a number. */
export function buildHistory(
	samples: readonly SpikeSample[],
	span: { from: number; to: number; stepSeconds: number }
) {
	const seconds = (span.to - span.from) / 1_000;
	const at: number[] = [];
	const series = emptyColumns(historySeries);
	const words = { limitedBy: [] as (string | null)[], mode: [] as (string | null)[] };
	const breaker: (string | null)[] = [];
	for (const point of walkGrid(samples, span.to, seconds, span.stepSeconds)) {
		at.push(point.at);
		const { newest } = point;
		const values = newest && { ...pointOf(newest, point.window), ...depthOf(newest, point.window) };
		for (const name of historySeries) series[name].push(values && values[name]);
		words.limitedBy.push(newest?.decision?.limitedBy ?? null);
		words.mode.push(newest?.decision?.mode ?? null);
		breaker.push(newest?.work?.breaker ?? null);
	}
	return { stepSeconds: span.stepSeconds, at, series, words: { ...words, breaker } };
}

function emptyColumns<Name extends string>(names: readonly Name[]): Record<Name, (number | null)[]> {
	return Object.fromEntries(names.map((name) => [name, [] as (number | null)[]])) as Record<
		Name,
		(number | null)[]
	>;
}

const perSecond = (count: number, seconds: number) =>
	seconds > 0 ? Math.round((count / seconds) * 100) / 100 : null;

function pointOf(newest: SpikeSample, window: WindowSum): Record<SpikeSeries, number | null> {
	const { room, work } = newest;
	return {
		joinedPerSecond: room && perSecond(window.joined, window.roomSeconds),
		admittedPerSecond: room && perSecond(window.admitted, window.roomSeconds),
		depth: room && room.depth,
		workRatio: work && window.workRatio,
		roomRatio: room && window.roomRatio,
		p95Ms: work && window.p95Ms,
		ratePerSecond: Math.round(newest.rate * 100) / 100,
		servedPerSecond: work && perSecond(window.served, window.workSeconds),
		offeredPerSecond: work && perSecond(window.offered, window.workSeconds),
		level: newest.level
	};
}

/** What the history knows beyond the trend. */
function depthOf(
	{ room, work, machine, decision }: SpikeSample,
	window: WindowSum
): Record<Exclude<HistorySeries, SpikeSeries>, number | null> {
	const { faults, busy, closed, slotFull, alreadyBooked, noPass, notEligible } = window.outcomes;
	const refused = busy + closed + slotFull + alreadyBooked + noPass + notEligible;
	return {
		p50Ms: work && window.p50Ms,
		p99Ms: work && window.p99Ms,
		checkP95Ms: work && window.checkP95Ms,
		faultsPerSecond: work && perSecond(faults, window.workSeconds),
		refusedPerSecond: work && perSecond(refused, window.workSeconds),
		inHand: work && work.inHand,
		called: room && room.called,
		active: room && room.active,
		pending: room && room.pending,
		noShow: room && room.noShow,
		poolInUse: machine && machine.poolInUse,
		poolWaiting: machine && machine.poolWaiting,
		poolWaitP95Ms: machine && machine.poolWaitP95Ms,
		loopP99Ms: machine && machine.loopP99Ms,
		sockets: machine && machine.sockets,
		pollsPerSecond: machine && machine.polls,
		memoryMb: machine && machine.memoryMb,
		health: decision && decision.health,
		blind: decision && Number(decision.blind)
	};
}
