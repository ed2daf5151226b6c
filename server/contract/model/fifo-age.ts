/** How long the oldest of a first-in first-out queue has waited, by what came and what went in each step. */
export interface FifoAge {
	/** One step's arrivals and departures. Returns the age of the oldest, seconds; 0 while nobody waits. */
	step(arrived: number, left: number): number;
}

/** Who stood there at the start counts as having come just before it: their real age is not known to the model. */
export function createFifoAge(startDepth: number, stepSeconds: number): FifoAge {
	const arrivals: number[] = [startDepth];
	let oldest = 0;
	let now = 0;
	return {
		step(arrived, left) {
			arrivals.push(arrived);
			now += 1;
			let open = left;
			while (oldest < arrivals.length && arrivals[oldest]! - open <= 1e-9) {
				open -= arrivals[oldest]!;
				oldest += 1;
			}
			if (oldest >= arrivals.length) return 0;
			arrivals[oldest]! -= Math.max(0, open);
			return (now - oldest) * stepSeconds;
		}
	};
}
