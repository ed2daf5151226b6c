/** What is known of a device's clock: device time minus arrival, ms, of the newest readings. Kept in the store. */
export interface DeviceClock {
	offsetsMs: number[];
	sampledAt: number | null;
}

const samplesMax = 9;
/** Readings closer together than this are one sample: a backlog in one burst tells the clock once. */
const sampleEveryMs = 1_000;
/** A message that fits the known offset this well was sent just now. */
const fitsMs = 2_500;

export function newDeviceClock(): DeviceClock {
	return { offsetsMs: [], sampledAt: null };
}

export function sampleClock(clock: DeviceClock, deviceAt: number | null, receivedAt: number): void {
	if (deviceAt === null) return;
	if (clock.sampledAt !== null && receivedAt - clock.sampledAt < sampleEveryMs) return;
	clock.offsetsMs.push(deviceAt - receivedAt);
	if (clock.offsetsMs.length > samplesMax) clock.offsetsMs.shift();
	clock.sampledAt = receivedAt;
}

/** Median offset in ms; null when unknown. Arrival time wins in any case: this is shown, and orders late messages. */
export function clockOffsetMs(clock: DeviceClock): number | null {
	const sorted = [...clock.offsetsMs].sort((a, b) => a - b);
	return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** A clock that is off by more is said to be. */
const skewedMs = 60_000;

/** The clock in one word, for the sensor page. */
export function clockState(clock: DeviceClock): 'good' | 'skewed' | 'bad' | 'none' {
	const offset = clockOffsetMs(clock);
	if (offset === null) return 'none';
	return Math.abs(offset) > skewedMs ? 'skewed' : 'good';
}

/**
 * Whether a message whose device time lies before the last one's is old, rather than sent just now by a clock that
 * was set back: it is, unless it fits what the newest readings say about the clock.
 */
export function isOldByClock(clock: DeviceClock, deviceAt: number, receivedAt: number): boolean {
	const median = clockOffsetMs(clock);
	return median === null || Math.abs(deviceAt - receivedAt - median) > fitsMs;
}
