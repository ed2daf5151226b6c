import type { Progress } from '@marsad/server/contract';
import { etaSeconds } from '@marsad/server/contract';

/**
 * People really ahead of a ticket, worked out from the public document alone: position = number − released, less
 * the next one's own place, scaled by the share of outstanding numbers that still waits. Never negative.
 */
export function peopleAhead(number: number, progress: Progress): number {
	const outstanding = Math.max(progress.issued, number) - progress.released;
	const before = number - progress.released - 1;
	if (before <= 0 || outstanding <= 0) return 0;
	return Math.round(before * Math.min(1, Math.max(0, progress.waiting) / outstanding));
}

/** Whether the turn may have come: only then is the status asked, and only of its holder. */
export function mayBeCalled(number: number, progress: Progress): boolean {
	return number <= progress.released;
}

/** Seconds until the turn; null when nobody can know: nobody is let in. */
export function expectedSeconds(ahead: number, progress: Progress): number | null {
	if (progress.mode === 'queue-all' || !progress.bookingOpen || !(progress.ratePerSecond > 0)) return null;
	return etaSeconds(ahead, progress.ratePerSecond);
}

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
