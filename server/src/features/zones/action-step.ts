import type { ActionStep, Quality } from '../../../contract/index.ts';

/**
 * The highest step reached; null below the first. A zone that is stale or unknown is treated one step worse than its
 * last value, or by its worst case, whichever is worse.
 */
export function actionStep(
	steps: readonly ActionStep[],
	capacity: number,
	figures: { people: number | null; worst: number | null; quality: Quality }
): ActionStep | null {
	const reached = (people: number | null) =>
		people === null ? -1 : steps.findLastIndex(({ percent }) => (people / capacity) * 100 >= percent);
	const isBlind = figures.quality === 'stale' || figures.quality === 'unknown';
	const known = Math.min(reached(figures.people) + (isBlind ? 1 : 0), steps.length - 1);
	return steps[isBlind ? Math.max(known, reached(figures.worst)) : known] ?? null;
}
