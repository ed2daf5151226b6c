import type { Clock, StopTimer } from '../../platform/clock.ts';

/** Runs one thing at a time, soon after somebody asked for it. */
export interface RoundTimer {
	/** Asks for a round in at most so many milliseconds. */
	wake(delayMs: number): void;
	/** Runs something when no round runs, and no round meanwhile. */
	serial<T>(run: () => Promise<T>): Promise<T>;
	/** No more rounds; resolves when the one in hand is through. */
	stop(): Promise<void>;
}

/** `round` says in how many milliseconds it wants to run again, or null when there is nothing to do. */
export function createRoundTimer(clock: Clock, round: () => Promise<number | null>): RoundTimer {
	let tail: Promise<unknown> = Promise.resolve();
	let stopTimer: StopTimer | null = null;
	let dueAt = Infinity;
	let running = false;
	/** The soonest wish that came while a round ran: the round may have looked before it. */
	let wishInMs: number | null = null;
	let stopped = false;

	const serial = <T>(run: () => Promise<T>): Promise<T> => {
		const next = tail.then(run, run);
		tail = next.catch(() => undefined);
		return next;
	};
	const wake = (delayMs: number) => {
		if (running) wishInMs = Math.min(delayMs, wishInMs ?? Infinity);
		const at = clock.elapsedMs() + delayMs;
		if (stopped || running || (stopTimer && at >= dueAt)) return;
		stopTimer?.();
		dueAt = at;
		stopTimer = clock.setTimeout(() => {
			stopTimer = null;
			running = true;
			void serial(round).then((againInMs) => {
				running = false;
				const wishes = [againInMs, wishInMs].filter((inMs) => inMs !== null);
				wishInMs = null;
				if (wishes.length > 0) wake(Math.min(...wishes));
			});
		}, delayMs);
	};
	return {
		wake,
		serial,
		async stop() {
			stopped = true;
			stopTimer?.();
			await tail;
		}
	};
}
