import type { Clock } from './clock.ts';

/** The item waited past its deadline and was never started. */
export class BatchDeadlineError extends Error {}
/** The batch did not end in time: whether it took effect is not known here. */
export class BatchTimeoutError extends Error {}
/** The batcher is stopping and takes nothing new. */
export class BatcherClosedError extends Error {}

/** Collects single requests into batches, in order of arrival: one run at a time, or a few while whole batches wait. */
export interface Batcher<Item, Answer> {
	/** Resolves with the item's own answer. @throws BatchDeadlineError, BatchTimeoutError, BatcherClosedError, or the run's error */
	add(item: Item): Promise<Answer>;
	/** Items that wait for a run (those in one are not counted). */
	depth(): number;
	/** Finishes what is in hand; later items are refused. */
	close(): Promise<void>;
}

interface Waiting<Item, Answer> {
	item: Item;
	addedMs: number;
	resolve(answer: Answer): void;
	reject(error: unknown): void;
}

/**
 * A run starts `waitMs` after the first item, at once when `sizeMax` have come, and right after the one before it:
 * while a run lasts, the next batch gathers. The caller bounds how many may wait.
 */
export function createBatcher<Item, Answer>(options: {
	clock: Clock;
	/** One answer for each item, in the same order. */
	run(items: Item[]): Promise<Answer[]>;
	sizeMax: number;
	waitMs: number;
	/** Real milliseconds that an item may wait for its run. */
	deadlineMs: number;
	/** Real milliseconds after which a run is given up; the next batch then starts beside it. */
	runTimeoutMs: number;
	/** How many runs may go side by side while whole batches wait; one when not given. */
	concurrentMax?: () => number;
}): Batcher<Item, Answer> {
	const { clock, sizeMax } = options;
	let queue: Waiting<Item, Answer>[] = [];
	let scheduled = false;
	let closed = false;
	const running = new Set<Promise<void>>();

	const flush = () => {
		scheduled = false;
		if (queue.length === 0 || running.size >= Math.max(1, options.concurrentMax?.() ?? 1)) return;
		// Beside another run only a whole batch pays: a small one is better gathered.
		if (running.size > 0 && queue.length < sizeMax) return;
		const latestMs = clock.elapsedMs() - options.deadlineMs;
		const late = queue.filter((entry) => entry.addedMs < latestMs);
		if (late.length > 0) queue = queue.filter((entry) => entry.addedMs >= latestMs);
		for (const entry of late) entry.reject(new BatchDeadlineError('deadline passed'));
		const batch = queue.splice(0, sizeMax);
		if (batch.length === 0) return;
		const run = runBatch(batch).finally(() => {
			running.delete(run);
			flush();
		});
		running.add(run);
		if (queue.length >= sizeMax) flush();
	};

	const runBatch = async (batch: Waiting<Item, Answer>[]) => {
		const run = options.run(batch.map((entry) => entry.item));
		try {
			const answers = await withTimeout(clock, run, options.runTimeoutMs);
			if (answers.length !== batch.length) throw new Error('a batch must answer each of its items');
			batch.forEach((entry, index) => entry.resolve(answers[index] as Answer));
		} catch (error) {
			for (const entry of batch) entry.reject(error);
		}
	};

	return {
		add(item) {
			if (closed) return Promise.reject(new BatcherClosedError('stopping'));
			return new Promise((resolve, reject) => {
				queue.push({ item, addedMs: clock.elapsedMs(), resolve, reject });
				if (queue.length >= sizeMax) flush();
				else if (running.size === 0 && !scheduled) {
					scheduled = true;
					clock.setTimeout(flush, options.waitMs);
				}
			});
		},
		depth: () => queue.length,
		async close() {
			closed = true;
			flush();
			while (running.size > 0) await Promise.all(running);
		}
	};
}

const lookEveryMs = 250;

/** Gives up after real milliseconds: the laboratory's fast clock must not shorten what a real database takes. */
async function withTimeout<T>(clock: Clock, work: Promise<T>, timeoutMs: number): Promise<T> {
	const startedMs = clock.elapsedMs();
	let stopLooking = () => {};
	const timeout = new Promise<never>((_resolve, reject) => {
		stopLooking = clock.setInterval(() => {
			if (clock.elapsedMs() - startedMs >= timeoutMs) reject(new BatchTimeoutError('no end in time'));
		}, lookEveryMs);
	});
	try {
		return await Promise.race([work, timeout]);
	} finally {
		stopLooking();
		work.catch(() => undefined);
	}
}
