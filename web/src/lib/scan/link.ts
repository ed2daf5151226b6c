import { calmBeforeResetMs, reconnectDelayMs, retryAfterDelayMs } from '@marsad/server/contract';

/** When this scanner speaks with the server next. Times are of the clock that never jumps, ms. */
export interface Link {
	/** `unknown` until the first answer, or the first silence. */
	state: 'unknown' | 'online' | 'offline';
	/** Attempts in a row that came to nothing. */
	attempt: number;
	nextAt: number;
	heardAt: number | null;
	/** Since when every call was answered. */
	calmSince: number | null;
}

/** An entry waits so long for others. */
export const gatherMs = 1_000;

export function newLink(now: number): Link {
	return { state: 'unknown', attempt: 0, nextAt: now, heardAt: null, calmSince: null };
}

/** After an answer: the next one comes after `pauseMs`. */
export function afterAnswer(link: Link, now: number, pauseMs: number): Link {
	const calmSince = link.calmSince ?? now;
	return {
		state: 'online',
		attempt: now - calmSince >= calmBeforeResetMs ? 0 : link.attempt,
		nextAt: now + Math.max(gatherMs, pauseMs),
		heardAt: now,
		calmSince
	};
}

/**
 * After silence, or a refusal that names a time. The first attempt comes at a random moment of the window that the server
 * names, so that scanners that lost it together do not come back together.
 */
export function afterSilence(
	link: Link,
	now: number,
	random: () => number,
	windowMs: number,
	retryAfterSeconds: number | null = null
): Link {
	const delay = reconnectDelayMs(link.attempt, random, windowMs);
	const asked = retryAfterSeconds === null ? 0 : retryAfterDelayMs(retryAfterSeconds, random);
	return {
		...link,
		state: retryAfterSeconds === null ? 'offline' : 'online',
		attempt: link.attempt + 1,
		nextAt: now + Math.max(delay, asked),
		calmSince: null
	};
}

/** The device has a network again: everybody else at this gate has, too. */
export function afterReturn(link: Link, now: number, random: () => number, windowMs: number): Link {
	if (link.state === 'online') return link;
	return { ...link, nextAt: Math.min(link.nextAt, now + random() * windowMs) };
}

/** Something new is waiting: sooner than the usual rhythm, and never sooner than a back-off that runs. */
export function afterEntry(link: Link, now: number): Link {
	if (link.state !== 'online' || link.calmSince === null) return link;
	return { ...link, nextAt: Math.min(link.nextAt, now + gatherMs) };
}
