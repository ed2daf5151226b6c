import type { ActionStep, Quality } from '../../../contract/index.ts';

/** A step stands until its zone is emptier by so many per cent of capacity: at its edge it would come and go. */
const deadbandPercent = 1;

/**
 * The highest step reached; null below the first. A step that was in force before stays within its deadband. A zone that is stale or unknown is treated one step worse than its
 * last value, or by its worst case, whichever is worse.
 */
export function actionStep(
	steps: readonly ActionStep[],
	capacity: number,
	figures: { people: number | null; worst: number | null; quality: Quality },
	before: ActionStep | null = null
): ActionStep | null {
	const isBlind = figures.quality === 'stale' || figures.quality === 'unknown';
	// Nobody hears a blind zone move: its step has no edge to waver at.
	const heldPercent = isBlind ? 0 : (before?.percent ?? 0);
	const reached = (people: number | null) =>
		people === null
			? -1
			: steps.findLastIndex(
					({ percent }) =>
						(people / capacity) * 100 >= (percent <= heldPercent ? percent - deadbandPercent : percent)
				);
	const known = Math.min(reached(figures.people) + (isBlind ? 1 : 0), steps.length - 1);
	return steps[isBlind ? Math.max(known, reached(figures.worst)) : known] ?? null;
}
