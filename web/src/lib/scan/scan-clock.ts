/** Both clocks of this device at one moment: its own, right or wrong, and the one that never jumps. */
export interface Reading {
	/** Epoch ms by the device. */
	deviceAt: number;
	/** Milliseconds since this page started. */
	uptimeMs: number;
	/** Names this start of the page. */
	boot: string;
}

/** The server's time beside a reading of ours. */
export interface ClockPair extends Reading {
	serverAt: number;
}

/**
 * How far the time can be trusted. `server`: compared with the server since the page started, and nothing jumped since.
 * `device`: the device's own clock, less what it was off by when it was last compared. `untrusted`: never compared, behind
 * what is known to have been, or the two clocks have parted.
 */
export type ClockTrust = 'server' | 'device' | 'untrusted';
export interface KnownTime {
	/** Epoch ms. */
	at: number;
	trust: ClockTrust;
}

/** Two clocks that part by more than this do not measure the same any more: one was set, or the device slept. */
export const partedMs = 60_000;

/** Server time of the moment in which an answer came: what it says, and half of the way there and back. */
export function pairOf(serverAt: number, roundTripMs: number, reading: Reading): ClockPair {
	return { ...reading, serverAt: Math.round(serverAt + roundTripMs / 2) };
}

/**
 * What time it is.
 * @param pair the newest comparison, of this start or of an earlier one; null for none
 * @param notBefore epoch ms: the latest moment that is known to be over (build, server, signed lists)
 */
export function timeOf(reading: Reading, pair: ClockPair | null, notBefore: number): KnownTime {
	if (!pair) return { at: Math.max(reading.deviceAt, notBefore), trust: 'untrusted' };
	const byDevice = reading.deviceAt - (pair.deviceAt - pair.serverAt);
	if (pair.boot !== reading.boot)
		return byDevice < notBefore ? { at: notBefore, trust: 'untrusted' } : { at: byDevice, trust: 'device' };
	const bySteady = pair.serverAt + (reading.uptimeMs - pair.uptimeMs);
	const hasParted = Math.abs(byDevice - bySteady) > partedMs || bySteady < notBefore;
	return { at: Math.max(bySteady, notBefore), trust: hasParted ? 'untrusted' : 'server' };
}

/** How far the device's own clock is from the time that is known, ms; null while none is. */
export function offByMs(reading: Reading, pair: ClockPair | null): number | null {
	if (!pair || pair.boot !== reading.boot) return null;
	return reading.deviceAt - (pair.serverAt + (reading.uptimeMs - pair.uptimeMs));
}
