import type { Ledger, LedgerBatch } from './ledger.ts';

/** Writes what the ledger has gathered, and tells those who wait for it. */
export interface CommitQueue {
	/** Resolves when a commit that holds everything folded so far has succeeded. */
	committed(): Promise<void>;
	/** Writes what waits, after a write that is under way. */
	flush(): Promise<void>;
	/** Tells everybody who waits that it was not written. */
	fail(reason: string): void;
	waiting(): number;
}

interface Waiter {
	done: () => void;
	failed: (error: Error) => void;
}

/** @param write one transaction; when it throws, the batch waits for the next flush */
export function createCommitQueue(options: {
	ledger: Pick<Ledger, 'takeBatch' | 'putBack'>;
	mayWrite: () => boolean;
	write: (batch: LedgerBatch) => Promise<void>;
	onError: (error: unknown) => void;
}): CommitQueue {
	const { ledger } = options;
	let waiters: Waiter[] = [];
	let flushing: Promise<void> | null = null;

	const flushOnce = async (): Promise<void> => {
		if (!options.mayWrite()) return;
		const batch = ledger.takeBatch();
		const acknowledged = waiters;
		waiters = [];
		try {
			if (batch) await options.write(batch);
			for (const waiter of acknowledged) waiter.done();
		} catch (error) {
			options.onError(error);
			if (batch) ledger.putBack(batch);
			waiters = [...acknowledged, ...waiters];
		}
	};

	return {
		committed: () => new Promise<void>((done, failed) => void waiters.push({ done, failed })),
		async flush() {
			await flushing;
			flushing ??= flushOnce().finally(() => {
				flushing = null;
			});
			await flushing;
		},
		fail(reason) {
			for (const waiter of waiters) waiter.failed(new Error(reason));
			waiters = [];
		},
		waiting: () => waiters.length
	};
}
