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

/** All who began to wait between two writes share one promise: they are thousands a second. */
interface Waiters extends PromiseWithResolvers<void> {
	count: number;
}

/** @param write one transaction; when it throws, the batch waits for the next flush */
export function createCommitQueue(options: {
	ledger: Pick<Ledger, 'takeBatch' | 'putBack'>;
	mayWrite: () => boolean;
	write: (batch: LedgerBatch) => Promise<void>;
	onError: (error: unknown) => void;
}): CommitQueue {
	const { ledger } = options;
	let waiters: Waiters[] = [];
	/** Those who wait for what is folded now; null until somebody does. */
	let newest: Waiters | null = null;
	let flushing: Promise<void> | null = null;

	const flushOnce = async (): Promise<void> => {
		if (!options.mayWrite()) return;
		const batch = ledger.takeBatch();
		const acknowledged = waiters;
		waiters = [];
		newest = null;
		try {
			if (batch) await options.write(batch);
			for (const waiter of acknowledged) waiter.resolve();
		} catch (error) {
			options.onError(error);
			if (batch) ledger.putBack(batch);
			waiters = [...acknowledged, ...waiters];
		}
	};

	return {
		committed() {
			if (!newest) waiters.push((newest = { ...Promise.withResolvers<void>(), count: 0 }));
			newest.count += 1;
			return newest.promise;
		},
		async flush() {
			await flushing;
			flushing ??= flushOnce().finally(() => {
				flushing = null;
			});
			await flushing;
		},
		fail(reason) {
			for (const waiter of waiters) waiter.reject(new Error(reason));
			waiters = [];
			newest = null;
		},
		waiting: () => waiters.reduce((sum, { count }) => sum + count, 0)
	};
}
