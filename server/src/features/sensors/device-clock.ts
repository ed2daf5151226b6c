/** What is known of a device's clock: device time minus arrival, ms, of the newest readings. Kept in the store. */
export interface DeviceClock {
	offsetsMs: number[];
	sampledAt: number | null;
	/** When it last said what can be no time, epoch ms; null or absent once it is right again. */
	badAt?: number | null;
}

const samplesMax = 9;
/** Readings closer together than this are one sample: a backlog in one burst tells the clock once. */
const sampleEveryMs = 1_000;
/** A message that fits the known offset this well was sent just now. */
const fitsMs = 2_500;

export function newDeviceClock(): DeviceClock {
	return { offsetsMs: [], sampledAt: null };
}

/** Ahead of us by more than a day, or behind by more than the longest buffer of a device: nobody's time. */
const aheadMsMax = 24 * 3_600_000;
const behindMsMax = 48 * 3_600_000;

/** Whether a device's time can be one. What cannot neither orders messages nor measures stretches. */
export function isBelievable(deviceAt: number, receivedAt: number): boolean {
	return deviceAt - receivedAt <= aheadMsMax && receivedAt - deviceAt <= behindMsMax;
}

/** Notes what a reading says about the clock; `isBad` when the device sent no time at all where it should. */
export function sampleClock(
	clock: DeviceClock,
	deviceAt: number | null,
	receivedAt: number,
	isBad = false
): void {
	if (isBad || (deviceAt !== null && !isBelievable(deviceAt, receivedAt))) {
		clock.badAt = receivedAt;
		return;
	}
	if (deviceAt === null) return;
	clock.badAt = null;
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
	if (clock.badAt != null) return 'bad';
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
