/** Even numbers in [0, 1) that are the same for the same seed (mulberry32). */
export function createRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = state;
		mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** A seed to be named, so that a run can be played again. */
export function drawSeed(): number {
	return Math.floor(Math.random() * 4_294_967_296);
}

/** A standard normal number (Box and Muller). */
export function drawNormal(random: () => number): number {
	return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** A Poisson number: people who come independently of each other (Knuth; the normal form where it is exact enough). */
export function drawPoisson(mean: number, random: () => number): number {
	if (mean <= 0) return 0;
	if (mean > 30) return Math.max(0, Math.round(mean + Math.sqrt(mean) * drawNormal(random)));
	const limit = Math.exp(-mean);
	let count = 0;
	for (let product = random(); product > limit; product *= random()) count += 1;
	return count;
}
