/** The waiting page's arithmetic: one copy for server, page and simulators. Pure. */

import type { Progress } from './queue.ts';

export const pollMinMs = 5_000;
export const pollMaxMs = 60_000;

/** Seconds until a position is called at a rate; 0 with nobody ahead, null when the rate is 0: nobody can know. */
export function etaSeconds(position: number, ratePerSecond: number): number | null {
	if (position <= 0) return 0;
	if (!(ratePerSecond > 0)) return null;
	return position / ratePerSecond;
}

/** The expected time as a range in seconds: the rate may fall by a fifth, and a tick may pass. */
export function etaRangeSeconds(eta: number | null): [number, number] | null {
	if (eta === null) return null;
	return [Math.floor(eta * 0.9), Math.ceil(eta * 1.25) + 1];
}

/**
 * When to ask next: clamp(eta ÷ 10, 5 s, 60 s), times the level's factor, ± 15 % jitter (`random` in [0, 1)).
 * An unknown time asks at the slowest pace.
 */
export function pollAfterMs(eta: number | null, random: () => number, factor = 1): number {
	const base = eta === null ? pollMaxMs : Math.min(pollMaxMs, Math.max(pollMinMs, (eta / 10) * 1_000));
	return Math.round(base * factor * (0.85 + random() * 0.3));
}

/** People ahead as it is shown: exact below 1,000, a rounded band above (two leading digits). */
export function shownPosition(position: number): { people: number; exact: boolean } {
	if (position < 1_000) return { people: Math.max(0, position), exact: true };
	const unit = 10 ** (Math.floor(Math.log10(position)) - 1);
	return { people: Math.round(position / unit) * unit, exact: false };
}

/** What a page needs of the public document to work out its own place. */
export type PlaceFacts = Pick<Progress, 'issued' | 'released' | 'waiting'>;

/**
 * People really ahead of a ticket, worked out from the public document alone: position = number − released, less
 * the next one's own place, scaled by the share of outstanding numbers that still waits. Never negative.
 */
export function peopleAhead(number: number, progress: PlaceFacts): number {
	const outstanding = Math.max(progress.issued, number) - progress.released;
	const before = number - progress.released - 1;
	if (before <= 0 || outstanding <= 0) return 0;
	return Math.round(before * Math.min(1, Math.max(0, progress.waiting) / outstanding));
}

/** Whether the turn may have come: only then is the status asked, and only of its holder. */
export function mayBeCalled(number: number, progress: Pick<Progress, 'released'>): boolean {
	return number <= progress.released;
}

/** Seconds until the turn; null when nobody can know: nobody is let in. */
export function expectedSeconds(
	ahead: number,
	progress: Pick<Progress, 'mode' | 'bookingOpen' | 'ratePerSecond'>
): number | null {
	if (progress.mode === 'queue-all' || !progress.bookingOpen || !(progress.ratePerSecond > 0)) return null;
	return etaSeconds(ahead, progress.ratePerSecond);
}
