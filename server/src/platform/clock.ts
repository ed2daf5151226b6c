/** Ends a timer; calling it twice is harmless. */
export type StopTimer = () => void;

/** The only source of time. `now` may be sped up in the laboratory; `elapsedMs` never is: it measures real durations. */
export interface Clock {
	/** Epoch milliseconds. */
	now(): number;
	/** Monotonic real milliseconds, for latencies. */
	elapsedMs(): number;
	/** By how far `now` is ahead of the machine's clock: 0 unless the laboratory or a test moves it. */
	aheadMs(): number;
	setTimeout(run: () => void, delayMs: number): StopTimer;
	setInterval(run: () => void, everyMs: number): StopTimer;
	sleep(delayMs: number): Promise<void>;
}

/**
 * The machine's clock, running `timeScale` times faster than the wall (1 outside the laboratory) from `startedAt` on:
 * instances that share a room share that moment, too.
 */
export function createClock(timeScale = 1, startedAt = Date.now()): Clock {
	const clock: Clock = {
		now: () => (timeScale === 1 ? Date.now() : Math.round(startedAt + (Date.now() - startedAt) * timeScale)),
		elapsedMs: () => performance.now(),
		aheadMs: () => (timeScale === 1 ? 0 : clock.now() - Date.now()),
		setTimeout(run, delayMs) {
			const timer = setTimeout(run, delayMs / timeScale);
			return () => clearTimeout(timer);
		},
		setInterval(run, everyMs) {
			const timer = setInterval(run, everyMs / timeScale);
			return () => clearInterval(timer);
		},
		sleep: (delayMs) => new Promise((resolve) => setTimeout(resolve, delayMs / timeScale))
	};
	return clock;
}

/** A clock that tests move by hand: timers fire in order of time, inside `advance`. */
export interface TestClock extends Clock {
	advance(ms: number): void;
}

/** Stands still at `startAt` (epoch ms) until it is advanced. */
export function createTestClock(startAt = Date.UTC(2026, 1, 25, 18, 0, 0)): TestClock {
	let now = startAt;
	let nextId = 1;
	const timers = new Map<number, { at: number; everyMs: number | null; run: () => void }>();
	const add = (run: () => void, delayMs: number, everyMs: number | null): StopTimer => {
		const id = nextId++;
		timers.set(id, { at: now + delayMs, everyMs, run });
		return () => timers.delete(id);
	};
	return {
		now: () => now,
		elapsedMs: () => now,
		aheadMs: () => now - Date.now(),
		setTimeout: (run, delayMs) => add(run, delayMs, null),
		setInterval: (run, everyMs) => add(run, everyMs, everyMs),
		sleep: (delayMs) => new Promise((resolve) => add(resolve, delayMs, null)),
		advance(ms) {
			const until = now + ms;
			for (;;) {
				let due: [number, { at: number; everyMs: number | null; run: () => void }] | undefined;
				for (const entry of timers)
					if (entry[1].at <= until && (!due || entry[1].at < due[1].at)) due = entry;
				if (!due) break;
				const [id, timer] = due;
				now = Math.max(now, timer.at);
				if (timer.everyMs === null) timers.delete(id);
				else timer.at += timer.everyMs;
				timer.run();
			}
			now = until;
		}
	};
}
