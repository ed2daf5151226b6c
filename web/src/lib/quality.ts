import { worseQuality, type Mark, type Quality } from '@marsad/server/contract';

/** After so long without a newer figure a screen calls it stale, whatever the server said last. */
export const staleAfterMs = 15_000;

/** A figure that comes once a second and is older than this is shown as old. */
export const figureStaleAfterMs = 10_000;

/** What is known about the link when a figure is judged. */
export interface LinkAge {
	isLive: boolean;
	/** Server time of the last sign of life, epoch ms. */
	heardAt: number;
}

/** A figure's quality as it must be shown now: a link that says nothing makes everything it carried stale. */
export function shownQuality(said: Quality, link: LinkAge, now: number): Quality {
	if (link.isLive || now - link.heardAt < staleAfterMs) return said;
	return worseQuality(said, 'stale');
}

/** The same for figures that come once a second: they are stale too when only they stand still. */
export function shownQualityEachSecond(said: Quality, at: number, link: LinkAge, now: number): Quality {
	if (now - at >= figureStaleAfterMs) return worseQuality(said, 'stale');
	return shownQuality(said, link, now);
}

/** The mark that must be drawn: exercise stands above simulated. */
export function strongerMark(a: Mark, b: Mark): Mark {
	if (a === 'exercise' || b === 'exercise') return 'exercise';
	return a === 'simulated' || b === 'simulated' ? 'simulated' : 'none';
}
