import { spikeSeries, type SpikeSeries, type Trend } from '../../../contract/index.ts';
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

/**
 * Column by column, one point a step on a fixed grid; null where nothing is known: a gap, never 0. Rates, ratios and
 * percentiles are those of the last minute (of the step, when it is longer), as the headline shows them.
 */
export function buildTrend(
	samples: readonly SpikeSample[],
	now: number,
	seconds: number,
	stepSeconds: number
): Trend {
	const stepMs = stepSeconds * 1_000;
	const end = Math.floor(now / stepMs) * stepMs;
	const at: number[] = [];
	const series = Object.fromEntries(spikeSeries.map((name) => [name, []])) as unknown as Record<
		SpikeSeries,
		(number | null)[]
	>;
	const window = createSum();
	let windowStart = 0;
	let next = 0;
	for (let point = Math.floor(seconds / stepSeconds) - 1; point >= 0; point--) {
		const to = end - point * stepMs;
		at.push(to);
		while (next < samples.length && samples[next]!.at <= to) window.add(samples[next++]!);
		while (windowStart < next && samples[windowStart]!.at <= to - Math.max(windowMs, stepMs))
			window.remove(samples[windowStart++]!);
		const newest = samples[next - 1];
		const known = newest !== undefined && newest.at > to - Math.max(stepMs, gapMs);
		const values = known ? pointOf(newest, window.read()) : nothing;
		for (const name of spikeSeries) series[name].push(values[name]);
	}
	return { stepSeconds, at, series };
}

const nothing = Object.fromEntries(spikeSeries.map((name) => [name, null])) as Record<SpikeSeries, null>;

function pointOf(newest: SpikeSample, window: WindowSum): Record<SpikeSeries, number | null> {
	const perSecond = (count: number, seconds: number) =>
		seconds > 0 ? Math.round((count / seconds) * 100) / 100 : null;
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
