/** How well a prediction met what then happened. Null where there is nothing to compare. */
export interface PredictionScore {
	/** Points that both know. */
	points: number;
	/** Mean of |predicted − actual|, in the figure's own unit. */
	meanError: number | null;
	/** Mean of predicted − actual: above 0 it promised too much. */
	bias: number | null;
	/** Mean error as a share of the actual range's most; null while nothing happened. */
	share: number | null;
}

/** Compares two series point by point; where either is unknown, it does not count. Pure. */
export function scorePrediction(
	predicted: readonly (number | null)[],
	actual: readonly (number | null)[]
): PredictionScore {
	let points = 0;
	let error = 0;
	let bias = 0;
	let most = 0;
	for (const [index, expected] of predicted.entries()) {
		const real = actual[index] ?? null;
		if (expected === null || real === null) continue;
		points += 1;
		error += Math.abs(expected - real);
		bias += expected - real;
		most = Math.max(most, Math.abs(real));
	}
	if (points === 0) return { points, meanError: null, bias: null, share: null };
	const meanError = error / points;
	return { points, meanError, bias: bias / points, share: most === 0 ? null : meanError / most };
}
