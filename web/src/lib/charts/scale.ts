/** Pure geometry of the charts. Time always runs from left to right, in both languages. */

export interface Range {
	readonly from: number;
	readonly to: number;
}

/** Maps a value of a range to 0..size; the middle when the range has no width. */
export function place(value: number, range: Range, size: number): number {
	const width = range.to - range.from;
	return width > 0 ? ((value - range.from) / width) * size : size / 2;
}

const leastStretchMs = 10_000;

/** From one moment to another, drawn in either direction; null where they are too near to have been meant. */
export function stretchOf(a: number, b: number): Range | null {
	const [from, to] = a < b ? [a, b] : [b, a];
	return to - from < leastStretchMs ? null : { from, to };
}

/** The least round number at or above a value. */
export function roundUp(value: number): number {
	if (!(value > 0)) return 1;
	const power = 10 ** Math.floor(Math.log10(value));
	const step =
		[1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((each) => each * power >= value * (1 - 1e-9)) ?? 10;
	return Number((step * power).toPrecision(6));
}

/**
 * Value axis from 0 to a round number that holds every value and limit, with a few ticks. Above `atMost` values are
 * drawn at the edge: one odd second must not flatten an hour.
 */
export function valueAxis(
	values: readonly (number | null)[],
	atLeast = 0,
	parts = 2,
	atMost = Infinity
): { range: Range; ticks: number[] } {
	let greatest = atLeast;
	for (const value of values) if (value !== null && value > greatest) greatest = value;
	const to = roundUp(Math.min(greatest, Math.max(atMost, atLeast)));
	return { range: { from: 0, to }, ticks: Array.from({ length: parts + 1 }, (_, i) => (to / parts) * i) };
}

const minuteMs = 60_000;
const timeSteps = [1, 2, 5, 10, 15, 30, 60, 120].map((minutes) => minutes * minuteMs);

/** Round times inside a range, at most `count` of them. */
export function timeTicks(range: Range, count: number): number[] {
	const step = timeSteps.find((each) => (range.to - range.from) / each <= count) ?? timeSteps.at(-1)!;
	const ticks: number[] = [];
	for (let at = Math.ceil(range.from / step) * step; at <= range.to; at += step) ticks.push(at);
	return ticks;
}

/** Runs of known neighbours: a null ends a run, so that a line never bridges what nobody knows. */
export function knownRuns(
	at: readonly number[],
	values: readonly (number | null)[]
): { at: number; value: number }[][] {
	const runs: { at: number; value: number }[][] = [];
	let run: { at: number; value: number }[] = [];
	for (let i = 0; i < at.length; i += 1) {
		const value = values[i];
		if (value === null || value === undefined) {
			if (run.length > 0) runs.push(run);
			run = [];
		} else run.push({ at: at[i]!, value });
	}
	if (run.length > 0) runs.push(run);
	return runs;
}

/** Keeps the extremes of each pixel column: a spike of one second stays visible on a small chart. */
export function thin<T extends { at: number; value: number }>(run: readonly T[], columns: number): T[] {
	if (run.length <= columns * 2) return [...run];
	const kept: T[] = [];
	const perColumn = run.length / columns;
	for (let column = 0; column < columns; column += 1) {
		const part = run.slice(Math.floor(column * perColumn), Math.floor((column + 1) * perColumn));
		if (part.length === 0) continue;
		let low = part[0]!;
		let high = part[0]!;
		for (const each of part) {
			if (each.value < low.value) low = each;
			if (each.value > high.value) high = each;
		}
		kept.push(
			...(low.at <= high.at ? [low, high] : [high, low]).filter(
				(each, i, both) => i === 0 || each !== both[0]
			)
		);
	}
	const last = run.at(-1)!;
	if (kept.at(-1) !== last) kept.push(last);
	return kept;
}

const round = (value: number) => Math.round(value * 10) / 10;

/** SVG path of a series; each run starts anew. */
export function linePath(
	at: readonly number[],
	values: readonly (number | null)[],
	box: { time: Range; value: Range; width: number; height: number }
): string {
	return knownRuns(at, values)
		.map((run) =>
			thin(run, Math.max(2, Math.ceil(box.width / 2)))
				.map((point, i) => {
					const x = round(place(point.at, box.time, box.width));
					const y = round(box.height - place(Math.min(point.value, box.value.to), box.value, box.height));
					return `${i === 0 ? 'M' : 'L'}${x} ${y}`;
				})
				// A single point draws as a short dash, for a lone value is knowledge too.
				.concat(run.length === 1 ? ['h2'] : [])
				.join('')
		)
		.join('');
}

/** SVG path of the area where `upper` lies above `lower`: the gap that fills the waiting room. */
export function gapPath(
	at: readonly number[],
	upper: readonly (number | null)[],
	lower: readonly (number | null)[],
	box: { time: Range; value: Range; width: number; height: number }
): string {
	const y = (value: number) =>
		round(box.height - place(Math.min(value, box.value.to), box.value, box.height));
	const x = (time: number) => round(place(time, box.time, box.width));
	let path = '';
	let run: { at: number; high: number; low: number }[] = [];
	const close = () => {
		if (run.length > 1) {
			const there = run.map((p, i) => `${i === 0 ? 'M' : 'L'}${x(p.at)} ${y(p.high)}`).join('');
			path += `${there}${run
				.reverse()
				.map((p) => `L${x(p.at)} ${y(p.low)}`)
				.join('')}Z`;
		}
		run = [];
	};
	for (let i = 0; i < at.length; i += 1) {
		const [high, low] = [upper[i], lower[i]];
		if (high === null || high === undefined || low === null || low === undefined) close();
		else run.push({ at: at[i]!, high: Math.max(high, low), low });
	}
	close();
	return path;
}
