import { drillFigures, type Drill, type DrillEffect, type SpikeHistory } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

type Span = DrillEffect['before'];
/** Fewer seconds say nothing. */
const leastMs = 10_000;

/** What is to be read to measure a drill; null when it was too short for its windows to be of the drill alone. */
export function spansOf({ startedAt, endedAt }: Drill): { before: Span; during: Span } | null {
	const from = startedAt + limits.levels.settleMs;
	if (endedAt === null || endedAt - from < leastMs) return null;
	return {
		before: { from: startedAt - limits.levels.drillBeforeMs, to: startedAt },
		during: { from, to: endedAt }
	};
}

/** Means before and during; null where nothing was known, and no effect where nothing was known at all. */
export function measureDrill(
	spans: { before: Span; during: Span },
	before: SpikeHistory,
	during: SpikeHistory
): DrillEffect | null {
	const figures = drillFigures.map((name) => ({
		name,
		before: meanOf(before.series[name]),
		during: meanOf(during.series[name])
	}));
	return figures.every((figure) => figure.during === null) ? null : { ...spans, figures };
}

function meanOf(values: readonly (number | null)[]): number | null {
	const known = values.filter((value) => value !== null);
	if (known.length === 0) return null;
	return Math.round((known.reduce((sum, value) => sum + value, 0) / known.length) * 100) / 100;
}
