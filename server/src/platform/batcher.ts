import type { Clock } from './clock.ts';

/** The item waited past its deadline and was never started. */
export class BatchDeadlineError extends Error {}
/** The batch did not end in time: whether it took effect is not known here. */
export class BatchTimeoutError extends Error {}
/** The batcher is stopping and takes nothing new. */
export class BatcherClosedError extends Error {}

/** Collects single requests into batches: one run at a time, in order of arrival. */
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
}): Batcher<Item, Answer> {
	const { clock, sizeMax } = options;
	let queue: Waiting<Item, Answer>[] = [];
	let scheduled = false;
	let closed = false;
	let running: Promise<void> | null = null;

	const flush = () => {
		scheduled = false;
		if (running || queue.length === 0) return;
		const latestMs = clock.elapsedMs() - options.deadlineMs;
		const late = queue.filter((entry) => entry.addedMs < latestMs);
		if (late.length > 0) queue = queue.filter((entry) => entry.addedMs >= latestMs);
		for (const entry of late) entry.reject(new BatchDeadlineError('deadline passed'));
		const batch = queue.splice(0, sizeMax);
		if (batch.length === 0) return;
		running = runBatch(batch).finally(() => {
			running = null;
			flush();
		});
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
				else if (!running && !scheduled) {
					scheduled = true;
					clock.setTimeout(flush, options.waitMs);
				}
			});
		},
		depth: () => queue.length,
		async close() {
			closed = true;
			flush();
			while (running) await running;
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
