import { monitorEventLoopDelay } from 'node:perf_hooks';

/** One sign of load: `value` where nothing is wrong up to `start`, and nothing more can be taken from `most` on. */
export interface LoadSignal {
	name: string;
	value: number;
	start: number;
	most: number;
}

/** How loaded we are, 0 to 1: the worst of the signs. A sign that cannot be read is no load, and no relief. */
export function loadOf(signals: readonly LoadSignal[]): number {
	return signals.reduce((worst, { value, start, most }) => {
		const share = (value - start) / (most - start);
		return Number.isNaN(share) ? worst : Math.max(worst, Math.min(1, Math.max(0, share)));
	}, 0);
}

/**
 * Requests with a priority number above this are refused; 1 is the most important, 100 the least. The curve gives way
 * late and then fast (35 % load: 95.7, 80 %: 48.8, 95 %: 14.3).
 */
export function thresholdOf(load: number): number {
	return 100 * (1 - load ** 3);
}

/** Decides by priority who is refused while we cannot serve everybody. */
export interface Shedder {
	/** True for a request that must come back later; 0 and below are never refused. */
	refuses(priority: number): boolean;
	/** Seconds after which coming back makes sense; jittered, so that the refused do not return together. */
	retryAfterSeconds(): number;
	figures(): { load: number; threshold: number; worst: string | null };
}

const sampleEveryMs = 250;
/** Load is believed at once when it rises, and falls by so much a second at most: relief must last. */
const fallPerSecond = 0.5;
const retryLeastSeconds = 4;
const retryMostSeconds = 30;

/** Looks at the signs at most four times a second, when somebody asks; a look costs nothing in between. */
export function createShedder(deps: {
	signals: () => readonly LoadSignal[];
	elapsedMs: () => number;
	random: () => number;
}): Shedder {
	let sampledMs = -Infinity;
	let load = 0;
	let threshold = 100;
	let worst: string | null = null;
	const look = () => {
		const nowMs = deps.elapsedMs();
		const sinceMs = nowMs - sampledMs;
		if (sinceMs < sampleEveryMs) return;
		sampledMs = nowMs;
		const signals = deps.signals();
		const now = loadOf(signals);
		load = Math.max(now, load - (fallPerSecond * sinceMs) / 1_000, 0);
		threshold = thresholdOf(load);
		worst = now === 0 ? null : (signals.find((signal) => loadOf([signal]) === now)?.name ?? null);
	};
	return {
		refuses(priority) {
			if (priority <= 0) return false;
			look();
			return priority > threshold;
		},
		retryAfterSeconds() {
			const seconds = retryLeastSeconds + load * (retryMostSeconds - retryLeastSeconds);
			return Math.ceil(seconds + (deps.random() * seconds) / 2);
		},
		figures() {
			look();
			return { load, threshold, worst };
		}
	};
}

const resolutionMs = 20;
const windowMs = 500;
/** Windows that must all be bad: a start, a collection or one burst is no overload. */
const windowsJudged = 6;

/** How late the event loop runs, for three seconds at least: the best of the last half-seconds' means, milliseconds. */
export function watchEventLoop(elapsedMs: () => number): { delayMs(): number; stop(): void } {
	const histogram = monitorEventLoopDelay({ resolution: resolutionMs });
	histogram.enable();
	const windows: number[] = Array.from({ length: windowsJudged }, () => 0);
	let takenMs = elapsedMs();
	return {
		delayMs() {
			if (elapsedMs() - takenMs >= windowMs && histogram.count > 0) {
				windows.push(Math.max(0, histogram.mean / 1e6 - resolutionMs));
				windows.shift();
				histogram.reset();
				takenMs = elapsedMs();
			}
			return Math.min(...windows);
		},
		stop: () => void histogram.disable()
	};
}
