/** A stretch of arrivals whose rate goes in a straight line. Rates are relative: the number of people is given apart. */
export interface ArrivalPart {
	/** The server's seconds. */
	seconds: number;
	from: number;
	to: number;
}

/** How many come in a part, in people of the profile's own measure. */
const weightOf = ({ seconds, from, to }: ArrivalPart) => (seconds * (from + to)) / 2;

/**
 * The moments (the server's ms from the start, ascending) at which so many people arrive: each independently of the
 * others, as the profile has it. That is a Poisson process of which the number is known.
 */
export function drawArrivals(
	count: number,
	profile: readonly ArrivalPart[],
	random: () => number
): Float64Array {
	const total = profile.reduce((sum, part) => sum + weightOf(part), 0);
	if (!(total > 0)) throw new Error('a profile needs a part in which somebody comes');
	const moments = new Float64Array(count);
	for (let index = 0; index < count; index++) moments[index] = momentAt(random() * total, profile);
	return moments.sort();
}

/** The same, evenly spaced: the next one comes when as much of the profile has passed as for each other. */
export function spaceArrivals(count: number, profile: readonly ArrivalPart[]): Float64Array {
	const total = profile.reduce((sum, part) => sum + weightOf(part), 0);
	if (!(total > 0)) throw new Error('a profile needs a part in which somebody comes');
	return Float64Array.from({ length: count }, (_, index) =>
		momentAt(((index + 0.5) / count) * total, profile)
	);
}

/** How long the profile lasts (the server's seconds). */
export function profileSeconds(profile: readonly ArrivalPart[]): number {
	return profile.reduce((sum, { seconds }) => sum + seconds, 0);
}

/** When so much of the profile's weight has come. */
function momentAt(weight: number, profile: readonly ArrivalPart[]): number {
	let left = weight;
	let startsAt = 0;
	for (const part of profile) {
		const own = weightOf(part);
		if (left <= own) return (startsAt + secondOf(left, part)) * 1_000;
		left -= own;
		startsAt += part.seconds;
	}
	return startsAt * 1_000;
}

/** Solves from·t + (to − from)·t² ÷ (2·seconds) = weight for t. */
function secondOf(weight: number, { seconds, from, to }: ArrivalPart): number {
	const bend = (to - from) / seconds;
	if (Math.abs(bend) < 1e-12) return from > 0 ? weight / from : 0;
	return Math.min(seconds, (Math.sqrt(from * from + 2 * bend * weight) - from) / bend);
}
