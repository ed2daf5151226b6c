/** Width of the first reconnect window: clients return at a random moment inside it. */
export const reconnectWindowMs = 30_000;
/** A connection must have been calm so long before the attempts start again from nothing. */
export const calmBeforeResetMs = 60_000;
const baseMs = 1_000;
const capMs = 60_000;

/**
 * Full-jitter delay before reconnect attempt `attempt` (0 first), in milliseconds. The first is uniform in the
 * window the server names; later ones are uniform in [0, min(cap, base·2^n)], jitter applied after the cap, so
 * clients never fall into step (the usual clamp after jitter makes all of them return in the same second).
 */
export function reconnectDelayMs(
	attempt: number,
	random: () => number,
	windowMs = reconnectWindowMs
): number {
	if (attempt <= 0) return random() * windowMs;
	return random() * Math.min(capMs, Math.max(windowMs, baseMs * 2 ** Math.min(attempt, 20)));
}

/** Wait after a `Retry-After` of R seconds: R plus up to half of it, never less (ms). */
export function retryAfterDelayMs(retryAfterSeconds: number, random: () => number): number {
	const ms = Math.max(0, retryAfterSeconds) * 1_000;
	return ms + random() * (ms / 2);
}
