import type { Mark, SpikeHistory, SpikeHistoryQuery } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Keeper } from './keeper.ts';
import type { Step } from './spike-store.ts';
import { buildHistory } from './trend.ts';

export interface HistorySpan {
	from: number;
	to: number;
	stepSeconds: Step;
}

const steps: readonly Step[] = [1, 10, 60];
/** Rates and percentiles of the first point need the minute before it. */
const leadMs = 60_000;
/** Roll-ups lag so far behind: the newest part is read from the seconds. */
const freshMs = 180_000;

/**
 * What is asked for, within bounds and on the grid. Without a resolution the finest that fits is taken.
 * @throws AppError `bad_request` when the span is empty, too long for the resolution, or in the future
 */
export function planHistory(query: SpikeHistoryQuery, now: number): HistorySpan {
	const to = Math.min(query.to ?? now, now);
	const { from } = query;
	if (from >= to) throw refuse('from', 'must be before to, and in the past');
	const points = (step: Step) => Math.floor((to - from) / (step * 1_000));
	const fits = (step: Step) => points(step) <= limits.spike.historyPointsMax;
	const stepSeconds = query.resolution ?? steps.find(fits);
	if (stepSeconds === undefined || !fits(stepSeconds))
		throw refuse('resolution', `gives more than ${limits.spike.historyPointsMax} points`);
	const stepMs = stepSeconds * 1_000;
	return { stepSeconds, from: Math.floor(from / stepMs) * stepMs, to: Math.floor(to / stepMs) * stepMs };
}

function refuse(field: string, detail: string): AppError {
	return new AppError('bad_request', { field, detail });
}

/** Reads and builds a history: all instances together, at one of the kept resolutions. */
export async function readHistory(
	keeper: Pick<Keeper, 'load'>,
	span: HistorySpan,
	now: number,
	mark: Mark
): Promise<SpikeHistory> {
	const { from, to, stepSeconds } = span;
	const samples = await keeper.load(stepSeconds, from - leadMs, to);
	const rolledTo = samples.at(-1)?.at ?? from - leadMs;
	const isFresh = stepSeconds > 1 && to > now - freshMs && rolledTo < to;
	const fresh = isFresh ? await keeper.load(1, Math.max(rolledTo, now - 2 * freshMs), to) : [];
	return { ...buildHistory([...samples, ...fresh], span), mark };
}
