import type { ForecastAccuracy, KeptForecast, SpikeHistory } from '../../../contract/index.ts';
import { scorePrediction } from '../../../contract/model/index.ts';

/** What is found when the time of a kept forecast is over. */
export type Judgement = Pick<
	KeptForecast,
	'points' | 'waitingError' | 'waitingShare' | 'waitingBias' | 'admittedError'
>;

/** With fewer points there is nothing to judge: half a minute of ten-second steps and less. */
const pointsMin = 4;
/** Fewer people waiting are a handful: a share of them says nothing. */
const fewWaiting = 10;

/**
 * Compares a forecast with what the seconds then said. A step that nobody has figures for does not count, nor one
 * after `until`.
 */
export function judgeForecast(
	kept: Pick<KeptForecast, 'at' | 'until' | 'stepSeconds' | 'waiting' | 'admittedPerSecond'>,
	actual: SpikeHistory
): Judgement {
	const steps = Math.floor((kept.until - kept.at) / (kept.stepSeconds * 1_000));
	const depth = atSteps(kept, steps, actual, 'depth');
	const admitted = atSteps(kept, steps, actual, 'admittedPerSecond');
	const waiting = scorePrediction(kept.waiting.slice(0, steps), depth);
	const rate = scorePrediction(kept.admittedPerSecond.slice(0, steps), admitted);
	if (waiting.points < pointsMin)
		return {
			...{ points: waiting.points, waitingError: null, waitingShare: null },
			...{ waitingBias: null, admittedError: null }
		};
	const most = Math.max(...depth.map((people) => people ?? 0), ...kept.waiting.slice(0, steps));
	return {
		points: waiting.points,
		waitingError: waiting.meanError,
		waitingShare: most < fewWaiting ? null : waiting.meanError! / most,
		waitingBias: waiting.bias,
		admittedError: rate.meanError
	};
}

/** What a series says at the end of each step; null where it says nothing. */
function atSteps(
	kept: Pick<KeptForecast, 'at' | 'stepSeconds'>,
	steps: number,
	actual: SpikeHistory,
	name: 'depth' | 'admittedPerSecond'
): (number | null)[] {
	const column = actual.series[name];
	const first = actual.at[0];
	return Array.from({ length: steps }, (_, step) => {
		if (first === undefined) return null;
		const at = kept.at + (step + 1) * kept.stepSeconds * 1_000;
		const index = Math.floor((at - first) / (actual.stepSeconds * 1_000));
		return column[index] ?? null;
	});
}

/** The middle of what the last judged forecasts were off by. */
export function accuracyOf(kept: readonly KeptForecast[]): ForecastAccuracy {
	const judged = kept.filter((one) => one.waitingError !== null);
	const middle = (values: readonly (number | null)[]) => {
		const known = values.filter((value) => value !== null).toSorted((a, b) => a - b);
		return known.length === 0 ? null : known[Math.floor((known.length - 1) / 2)]!;
	};
	return {
		judged: judged.length,
		waitingError: middle(judged.map((one) => one.waitingError)),
		waitingShare: middle(judged.map((one) => one.waitingShare)),
		admittedError: middle(judged.map((one) => one.admittedError)),
		waitingBias: middle(judged.map((one) => one.waitingBias))
	};
}
