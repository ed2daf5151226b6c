import type { FlowRate } from './flow-window.ts';

export interface TimeToCapacity {
	fromSeconds: number;
	toSeconds: number;
	/** When it was worked out, epoch ms: what is left counts down from here, also when nothing newer is known. */
	since: number;
}

/** Beyond this nobody acts on it, and the error is larger than the figure. */
const shownMaxSeconds = 4 * 3_600;
/** Where only one window speaks, its figure may be off by as much. */
const singleWindowShare = 0.25;

/**
 * Time to capacity = (capacity − present) ÷ (inflow − outflow), over the last minute and the last five, as a range.
 * Null when the newest minute's net is not positive, whatever the five minutes say, or when it lies beyond what
 * anybody would act on. Where only the five minutes' net is not positive the minute stands alone: people who have
 * just begun to come must not be hidden by the calm before.
 */
export function timeToCapacity(
	left: number,
	lastMinute: FlowRate | null,
	lastFive: FlowRate | null,
	now: number
): TimeToCapacity | null {
	const shortSeconds = secondsLeft(left, lastMinute);
	if (shortSeconds === null) return null;
	const longSeconds = secondsLeft(left, lastFive);
	const [from, to] =
		longSeconds === null
			? [shortSeconds * (1 - singleWindowShare), shortSeconds * (1 + singleWindowShare)]
			: [Math.min(shortSeconds, longSeconds), Math.max(shortSeconds, longSeconds)];
	if (from > shownMaxSeconds) return null;
	return {
		fromSeconds: coarse(from, Math.floor),
		toSeconds: coarse(Math.min(to, shownMaxSeconds), Math.ceil),
		since: now
	};
}

function secondsLeft(left: number, rate: FlowRate | null): number | null {
	if (!rate || rate.in - rate.out <= 0) return null;
	return Math.max(0, left) / (rate.in - rate.out);
}

/** To ten seconds below ten minutes, to the minute above: a finer figure would only flicker. */
function coarse(seconds: number, round: (value: number) => number): number {
	const unit = seconds < 600 ? 10 : 60;
	return round(seconds / unit) * unit;
}
