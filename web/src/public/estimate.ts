import type { Progress } from '@marsad/server/contract';

// One copy for server, page and simulators.
export { expectedSeconds, mayBeCalled, peopleAhead } from '@marsad/server/contract';

/** The expected time at a later moment: counted down between two answers, never negative. */
export function countDown(seconds: number | null, elapsedMs: number): number | null {
	return seconds === null ? null : Math.max(0, seconds - Math.max(0, elapsedMs) / 1_000);
}

/** What was promised last, and the rise that must be explained. */
export interface Expectation {
	/** When the turn was expected (ms, the page's clock); null when unknown. */
	arrivalAt: number | null;
	/** Seconds the expected time rose by, and why; null when it did not. */
	rise: { seconds: number; why: NonNullable<Progress['slowedBy']> | 'other'; promisedAt: number } | null;
}

const riseShare = 1.2;
/** Under this a rise cannot be seen: the page says "less than a minute" before and after. */
const riseSecondsMin = 30;

/** Compares a new expected time with the one promised: a rise above 20 % carries its reason from then on. */
export function expect(
	last: Expectation,
	seconds: number | null,
	progress: Progress,
	now: number
): Expectation {
	if (seconds === null) return last;
	const arrivalAt = now + seconds * 1_000;
	if (last.arrivalAt === null) return { arrivalAt, rise: null };
	const promised = Math.max(0, (last.arrivalAt - now) / 1_000);
	if (seconds > promised * riseShare && seconds - promised >= riseSecondsMin) {
		const why = progress.slowedBy ?? 'other';
		return { arrivalAt, rise: { seconds: seconds - promised, why, promisedAt: last.arrivalAt } };
	}
	// Earlier than promised is a new promise; a little later is not, or a slow rise would never be explained.
	if (arrivalAt > last.arrivalAt) return last;
	return { arrivalAt, rise: last.rise && arrivalAt > last.rise.promisedAt ? last.rise : null };
}
