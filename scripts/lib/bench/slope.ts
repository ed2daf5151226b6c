/** A straight line through points, and what they scatter about it. */
export interface Slope {
	perUnit: number;
	/** What the line rises by from the first point to the last. */
	rise: number;
	/** Standard deviation of the points about the line. */
	scatter: number;
}

/** Least squares. @throws Error for fewer than three points */
export function slopeOf(points: readonly (readonly [number, number])[]): Slope {
	if (points.length < 3) throw new Error('a slope needs three points at least');
	const meanOf = (at: 0 | 1) => points.reduce((sum, point) => sum + point[at], 0) / points.length;
	const [meanX, meanY] = [meanOf(0), meanOf(1)];
	const across = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0);
	const perUnit = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / across;
	const squares = points.reduce((sum, [x, y]) => sum + (y - meanY - perUnit * (x - meanX)) ** 2, 0);
	const length = points.at(-1)![0] - points[0]![0];
	return { perUnit, rise: perUnit * length, scatter: Math.sqrt(squares / (points.length - 2)) };
}
