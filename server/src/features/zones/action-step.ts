import type { ActionStep, Quality, ReachedStep } from '../../../contract/index.ts';

/** A step stands until its zone is emptier by so many per cent of capacity: at its edge it would come and go. */
const deadbandPercent = 1;
/** The same for densities and times, a share of their limit. */
const deadbandShare = 0.1;

/** What a zone is judged by. */
export interface StepFigures {
	capacity: number;
	/** Null where the area is not known. */
	areaSquareMetres: number | null;
	/** People now, or when it was last known. */
	people: number | null;
	/** The most people it can hold while it is not wholly heard. */
	worst: number | null;
	/** Time until full, by the nearer end of the range; it counts down on while nobody sees the zone. */
	secondsToCapacity: number | null;
	quality: Quality;
}

type Why = ReachedStep['why'];
type Reached = { index: number; why: Why };

/**
 * The highest step reached by occupancy, density or time to capacity, whichever is worse; null below the first. A
 * step that was in force before stays within its deadband. A zone that is stale or unknown is treated one step worse
 * than its last value, or by its worst case, whichever is worse.
 */
export function actionStep(
	steps: readonly ActionStep[],
	figures: StepFigures,
	before: ActionStep | null = null
): ReachedStep | null {
	const isBlind = figures.quality === 'stale' || figures.quality === 'unknown';
	// Nobody hears a blind zone move: its step has no edge to waver at.
	const heldPercent = isBlind ? 0 : (before?.percent ?? 0);
	const known = reach(steps, figures, figures.people, heldPercent);
	const worst = isBlind ? reach(steps, figures, figures.worst, 0) : known;
	const oneWorse: Reached = isBlind
		? { index: Math.min(known.index + 1, steps.length - 1), why: 'blind' }
		: known;
	const reached = worst.index > oneWorse.index ? worst : oneWorse;
	const step = steps[reached.index];
	return step ? { ...step, why: reached.why } : null;
}

/** How far each measure leads; the first named wins where two lead equally far. */
function reach(
	steps: readonly ActionStep[],
	figures: StepFigures,
	people: number | null,
	heldPercent: number
): Reached {
	const { capacity, areaSquareMetres: area, secondsToCapacity: seconds } = figures;
	const last = (isReached: (step: ActionStep, isHeld: boolean) => boolean) =>
		steps.findLastIndex((step) => isReached(step, step.percent <= heldPercent));
	const share = people === null ? null : (people / capacity) * 100;
	const density = people === null || area === null ? null : people / area;
	const by: Reached[] = [
		{
			why: 'occupancy',
			index:
				share === null ? -1 : last(({ percent }, held) => share >= percent - (held ? deadbandPercent : 0))
		},
		{
			why: 'density',
			index:
				density === null
					? -1
					: last(
							({ density: limit }, held) =>
								limit !== undefined && density >= limit * (held ? 1 - deadbandShare : 1)
						)
		},
		{
			why: 'time',
			index:
				seconds === null
					? -1
					: last(
							({ timeToCapacitySeconds: limit }, held) =>
								limit !== undefined && seconds <= limit * (held ? 1 + deadbandShare : 1)
						)
		}
	];
	return by.reduce((most, next) => (next.index > most.index ? next : most));
}
