import type { DrillGuard, LevelFigures } from '../../../contract/index.ts';

/** Which figure is beyond the guard of a drill; `unknown` when nobody knows, null when all is well. */
export function checkGuard(
	guard: DrillGuard,
	figures: LevelFigures | null,
	/** The level itself has closed booking: how booking goes says nothing. */
	bookingClosed = false
): 'unknown' | 'p95' | 'work-ratio' | 'depth' | null {
	if (!figures || figures.quality === 'stale' || figures.quality === 'unknown') return 'unknown';
	const { p95Ms, workRatio, depth, offered, served } = figures;
	if (!bookingClosed && p95Ms !== null && p95Ms > guard.p95MsMax) return 'p95';
	// A handful in hand is no loss of ground.
	const losing = workRatio !== null && workRatio < guard.workRatioMin && offered - served > 5;
	if (!bookingClosed && losing) return 'work-ratio';
	if (guard.depthMax !== null && depth > guard.depthMax) return 'depth';
	return null;
}
