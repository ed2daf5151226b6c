/**
 * Work that many may ask for while it runs, and that runs once at a time: a reading of the store, say. Whatever is asked
 * for meanwhile is done once more afterwards, for what runs may have missed it.
 * @param work says its own failures; one that it throws is the caller's
 * @param isOver nothing is begun any more
 * @returns asks for it, and resolves once nothing that was asked for is left
 */
export function oneAtATime(work: () => Promise<void>, isOver: () => boolean): () => Promise<void> {
	let running: Promise<void> | null = null;
	let again = false;
	const runAll = async () => {
		try {
			do {
				again = false;
				await work();
			} while (again && !isOver());
		} finally {
			// In the same step as the last look at `again`: whoever asks after it begins anew.
			running = null;
		}
	};
	return async () => {
		if (isOver()) return;
		again = running !== null;
		running ??= runAll();
		await running;
	};
}
