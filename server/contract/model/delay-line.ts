/** People on their way: what is put in comes out after its time. */
export interface DelayLine {
	/** One step: takes in, gives out. */
	step(people: number): number;
	/** Everybody who is on the way. */
	inside(): number;
}

/** At least one step long: nobody is in two zones in the same step. */
export function createDelayLine(seconds: number, stepSeconds: number): DelayLine {
	const slots = new Float64Array(Math.max(1, Math.round(seconds / stepSeconds)));
	let next = 0;
	let inside = 0;
	return {
		step(people) {
			const out = slots[next]!;
			slots[next] = people;
			next = (next + 1) % slots.length;
			inside += people - out;
			return out;
		},
		inside: () => Math.max(0, inside)
	};
}
