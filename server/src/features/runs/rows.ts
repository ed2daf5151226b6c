import {
	phaseSpans,
	runPhases,
	type GeneratorSecond,
	type RunColumn,
	type RunParameters,
	type RunReport,
	type RunSeries
} from '../../../contract/index.ts';
import { mergeBuckets, percentilesMs } from '../spike/index.ts';
import { meanOf, mostOf, type RunSecond, type ServerSecond } from './run-seconds.ts';

const pointsMax = 600;
const steps = [1, 2, 5, 10, 15, 30, 60];

/** A row is a minute; of a run that lasts but a few minutes, less. */
export function rowSecondsOf(seconds: number): number {
	if (seconds >= 300) return 60;
	return seconds >= 60 ? 10 : 5;
}

/** Which phase a second belongs to; after the last one people are still on their way. */
export function phaseAt(second: number, parameters: RunParameters): string {
	const spans = phaseSpans(parameters);
	return runPhases.find((name) => second <= spans[name].to && second > spans[name].from) ?? 'after';
}

/** The table: counts are of the whole row, gauges the worst second, percentiles of all bookings in it. */
export function rowsOf(
	seconds: readonly RunSecond[],
	parameters: RunParameters
): Pick<RunReport, 'rowSeconds' | 'rows'> {
	const rowSeconds = rowSecondsOf(seconds.length);
	const rows: RunReport['rows'] = [];
	for (let first = 0; first < seconds.length; first += rowSeconds) {
		const part = seconds.slice(first, first + rowSeconds);
		rows.push({ second: first, phase: phaseAt(first + 1, parameters), ...columnsOf(part) });
	}
	return { rowSeconds, rows };
}

/** Percentiles of every booking in a stretch, never averaged ones. */
export function latencyOf(seconds: readonly RunSecond[]) {
	const buckets = mergeBuckets(seconds.flatMap(({ server }) => (server ? [server.latency] : [])));
	const [p50Ms = null, p95Ms = null, p99Ms = null] = percentilesMs(new Map(buckets), [50, 95, 99]);
	return { p50Ms: whole(p50Ms), p95Ms: whole(p95Ms), p99Ms: whole(p99Ms) };
}

function columnsOf(part: readonly RunSecond[]): Record<RunColumn, number | null> {
	const told = part.flatMap(({ generator }) => generator ?? []);
	const server = part.flatMap((one) => one.server ?? []);
	const count = (name: Exclude<keyof GeneratorSecond, 'second'>) =>
		told.length === 0 ? null : told.reduce((sum, one) => sum + one[name], 0);
	const sum = (of: (one: ServerSecond) => number) =>
		server.length === 0 ? null : whole(server.reduce((all, one) => all + of(one), 0));
	const worst = (of: (one: ServerSecond) => number | null) => whole(mostOf(server.map(of)));
	return {
		...{ arrivals: count('started'), dropped: count('dropped') },
		...{ joined: sum(({ joined }) => joined), admitted: sum(({ admitted }) => admitted) },
		...{ offered: sum(({ offered }) => offered), served: sum(({ served }) => served) },
		...{ waiting: worst(({ waiting }) => waiting), active: worst(({ active }) => active) },
		inHand: worst(({ inHand }) => inHand),
		...latencyOf(part),
		...{ ok: count('ok'), conflict409: count('conflict409'), refused429: count('refused429') },
		...{ refused503: count('refused503'), timeout504: count('timeout504') },
		...{ faults: count('faults'), unanswered: count('unanswered') },
		instances: worst(({ instances }) => instances),
		...{ poolInUse: worst(({ poolInUse }) => poolInUse), poolSize: worst(({ poolSize }) => poolSize) },
		poolWaiting: worst(({ poolWaiting }) => poolWaiting),
		poolWaitP95Ms: worst(({ poolWaitP95Ms }) => poolWaitP95Ms),
		queueDepth: worst(queueDepth),
		queueOldestSeconds: worst(({ queues, oldestSeconds }) =>
			mostOf([oldestSeconds, ...queues.map((queue) => queue.oldestSeconds)])
		),
		ratePerSecond: tenth(meanOf(server.map(({ ratePerSecond }) => ratePerSecond))),
		level: worst(({ level }) => level)
	};
}

/** The curves of the charts, on one grid that a screen can hold. */
export function seriesOf(seconds: readonly RunSecond[]): RunReport['series'] {
	const stepSeconds = steps.find((step) => seconds.length / step <= pointsMax) ?? 60;
	const series: RunReport['series'] = {
		...{ stepSeconds, second: [], arrivals: [], admitted: [], served: [], waiting: [], inHand: [] },
		...{ queueDepth: [], p95Ms: [], refused: [], faults: [], ratePerSecond: [], level: [] }
	};
	for (let first = 0; first < seconds.length; first += stepSeconds) {
		const part = seconds.slice(first, first + stepSeconds);
		series.second.push(Math.min(first + stepSeconds, seconds.length));
		const point = pointOf(part);
		for (const name of Object.keys(point) as RunSeries[]) series[name].push(point[name]);
	}
	return series;
}

function pointOf(part: readonly RunSecond[]): Record<RunSeries, number | null> {
	const server = part.flatMap((one) => one.server ?? []);
	const told = part.flatMap(({ generator }) => generator ?? []);
	const mean = (of: (one: ServerSecond) => number) => tenth(meanOf(server.map(of)));
	const answers = (of: (one: GeneratorSecond) => number) => tenth(meanOf(told.map(of)));
	return {
		arrivals: answers(({ started }) => started),
		...{ admitted: mean(({ admitted }) => admitted), served: mean(({ served }) => served) },
		...{ waiting: mean(({ waiting }) => waiting), inHand: mean(({ inHand }) => inHand) },
		queueDepth: mean(queueDepth),
		p95Ms: latencyOf(part).p95Ms,
		refused: answers(({ refused429, refused503, conflict409 }) => refused429 + refused503 + conflict409),
		faults: answers(({ faults, timeout504 }) => faults + timeout504),
		...{ ratePerSecond: mean(({ ratePerSecond }) => ratePerSecond), level: mean(({ level }) => level) }
	};
}

const queueDepth = ({ queues }: ServerSecond) => queues.reduce((sum, { depth }) => sum + depth, 0);
const whole = (value: number | null) => (value === null ? null : Math.round(value));
const tenth = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);
