/** The two clocks of a device, and what it makes of them. All times are ms. */
export interface DeviceClock {
	/** What stands on the device's clock: epoch, right or wrong. */
	wallMs(): number;
	/** Since this start, by the clock that never jumps. */
	uptimeMs(): number;
	/** Names this start. */
	boot(): string;
	/** The best guess of the true time; null where nothing is to be trusted. */
	correctedMs(): number | null;
	/** Somebody sets the device's clock. */
	setOffByMs(offByMs: number): void;
	/** The server said its time while the device read these. */
	learn(serverAt: number, uptimeMs: number): void;
	/** A time that is surely past, such as that of a signed list. */
	notBefore(ms: number): void;
	/** The page starts anew: the clock that never jumps begins at nothing. */
	restart(boot: string): void;
}

/**
 * Within one start what the server said goes on with the clock that never jumps, whatever is done to the other one.
 * After a restart the device's clock tells, less what it was last known to be off by; behind a time that is surely
 * past, it is not believed.
 * @param now the true time, which the device does not know
 */
export function createDeviceClock(options: {
	now: () => number;
	elapsedMs: () => number;
	boot: string;
	offByMs?: number;
}): DeviceClock {
	const { now, elapsedMs } = options;
	let offByMs = options.offByMs ?? 0;
	let boot = options.boot;
	let startedMs = elapsedMs();
	let anchor: { serverAt: number; uptimeMs: number } | null = null;
	/** Kept over a restart, as the queue is. */
	let knownOffByMs: number | null = null;
	let floorMs = 0;
	const uptimeMs = () => Math.round(elapsedMs() - startedMs);
	const wallMs = () => Math.round(now() + offByMs);
	return {
		...{ wallMs, uptimeMs },
		boot: () => boot,
		correctedMs() {
			if (anchor) return anchor.serverAt + (uptimeMs() - anchor.uptimeMs);
			const guess = wallMs() - (knownOffByMs ?? 0);
			return guess < floorMs ? null : guess;
		},
		setOffByMs: (next) => void (offByMs = next),
		learn(serverAt, atUptimeMs) {
			anchor = { serverAt, uptimeMs: atUptimeMs };
			knownOffByMs = wallMs() - (serverAt + (uptimeMs() - atUptimeMs));
			floorMs = Math.max(floorMs, serverAt);
		},
		notBefore: (ms) => void (floorMs = Math.max(floorMs, ms)),
		restart(next) {
			boot = next;
			startedMs = elapsedMs();
			anchor = null;
		}
	};
}
