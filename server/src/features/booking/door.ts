/** Somebody let in; `leave` when answered. */
export interface Visit {
	leave(): void;
}

/** Decides at the door whether a booking can still be answered in time, before anything is spent on it. */
export interface Door {
	/** Null: refuse now, with {@link Door.retryAfterSeconds}. */
	enter(): Visit | null;
	/** Seconds after which coming back makes sense, with jitter so that the refused do not return together. */
	retryAfterSeconds(): number;
	figures(): { depth: number; oldestSeconds: number | null; drainPerSecond: number };
}

/** The drain is judged only after the door was occupied for so long without a break, over windows of `windowMs`. */
const judgeAfterMs = 1_000;
const windowMs = 5_000;
const retrySecondsMax = 30;

/**
 * Refuses when `insideMax` are inside, or when a newcomer's wait would pass the deadline: people inside ÷ the drain
 * measured while the door was occupied (Little's law), or twice the age of the oldest while nobody leaves.
 */
export function createDoor(options: {
	elapsedMs: () => number;
	insideMax: number;
	deadlineMs: number;
	random: () => number;
	onRefused?: () => void;
}): Door {
	const { elapsedMs } = options;
	/** Arrival times; a set keeps their order, so the first is the oldest. */
	const inside = new Set<{ enteredMs: number }>();
	let windowStartMs = 0;
	let left = 0;
	let earlier: { left: number; ms: number } | null = null;

	const oldestAgeMs = () => {
		const [oldest] = inside;
		return oldest ? elapsedMs() - oldest.enteredMs : 0;
	};

	/** Leaves a second since the door was last empty, over at most two windows; null when it is too early to say. */
	const drainPerSecond = (): number | null => {
		const spanMs = elapsedMs() - windowStartMs + (earlier?.ms ?? 0);
		if (inside.size === 0 || spanMs < judgeAfterMs) return null;
		return ((left + (earlier?.left ?? 0)) * 1_000) / spanMs;
	};

	const roll = () => {
		const ms = elapsedMs() - windowStartMs;
		if (ms < windowMs) return;
		earlier = { left, ms };
		left = 0;
		windowStartMs = elapsedMs();
	};

	const waitMs = (): number => {
		const drain = drainPerSecond();
		if (drain === null) return 0;
		return drain > 0 ? (inside.size / drain) * 1_000 : oldestAgeMs() * 2;
	};

	return {
		enter() {
			roll();
			if (inside.size >= options.insideMax || waitMs() > options.deadlineMs) {
				options.onRefused?.();
				return null;
			}
			if (inside.size === 0) {
				windowStartMs = elapsedMs();
				left = 0;
				earlier = null;
			}
			const entry = { enteredMs: elapsedMs() };
			inside.add(entry);
			return {
				leave() {
					if (inside.delete(entry)) left += 1;
				}
			};
		},
		retryAfterSeconds() {
			const seconds = Math.min(retrySecondsMax, Math.max(2, Math.ceil(waitMs() / 1_000)));
			return seconds + Math.floor(options.random() * (seconds + 1));
		},
		figures: () => ({
			depth: inside.size,
			oldestSeconds: inside.size === 0 ? null : oldestAgeMs() / 1_000,
			drainPerSecond: drainPerSecond() ?? 0
		})
	};
}
