import type { Trend } from '@marsad/server/contract';

/** Columns of a trend as the charts draw them: times and one value or nothing a time. */
export interface Columns {
	readonly at: readonly number[];
	readonly series: Readonly<Record<string, readonly (number | null)[]>>;
}

export const noColumns: Columns = { at: [], series: {} };

/** Takes the server's history; columns of another length are left out rather than drawn askew. */
export function columnsOf(trend: Trend): Columns {
	return {
		at: trend.at,
		series: Object.fromEntries(
			Object.entries(trend.series).filter(([, values]) => values.length === trend.at.length)
		)
	};
}

/**
 * Adds a live point behind the history. A pause longer than `gapMs` gets an empty point first, so that a hole in
 * our knowledge is a hole in the line; what is older than `keepMs` goes.
 */
export function appendPoint(
	columns: Columns,
	at: number,
	values: Readonly<Record<string, number | null>>,
	options: { everyMs: number; gapMs: number; keepMs: number }
): Columns {
	const last = columns.at.at(-1);
	if (last !== undefined && at - last < options.everyMs) return columns;
	const times = [...columns.at];
	const added: Record<string, number | null>[] = [];
	if (last !== undefined && at - last > options.gapMs) {
		times.push(last + 1);
		added.push({});
	}
	times.push(at);
	added.push(values);
	const from = times.findIndex((each) => each >= at - options.keepMs);
	const names = new Set([...Object.keys(columns.series), ...Object.keys(values)]);
	const series: Record<string, (number | null)[]> = {};
	for (const name of names) {
		const before = columns.series[name] ?? columns.at.map(() => null);
		series[name] = [...before, ...added.map((point) => point[name] ?? null)].slice(from);
	}
	return { at: times.slice(from), series };
}

/** The part of the columns since a time. */
export function since(columns: Columns, from: number): Columns {
	const start = columns.at.findIndex((each) => each >= from);
	if (start < 0)
		return { at: [], series: Object.fromEntries(Object.keys(columns.series).map((name) => [name, []])) };
	return {
		at: columns.at.slice(start),
		series: Object.fromEntries(
			Object.entries(columns.series).map(([name, values]) => [name, values.slice(start)])
		)
	};
}

/** For how many seconds a series has now been above a limit without a break; 0 when its newest value is not. */
export function secondsAbove(columns: Columns, name: string, limit: number): number {
	const values = columns.series[name] ?? [];
	let index = values.length - 1;
	if (index < 0 || !((values[index] ?? -Infinity) > limit)) return 0;
	while (index > 0 && (values[index - 1] ?? -Infinity) > limit) index -= 1;
	return Math.round(((columns.at.at(-1) ?? 0) - (columns.at[index] ?? 0)) / 1_000);
}
