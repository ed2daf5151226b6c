import { AppError } from '../../../errors.ts';
import { limits } from '../../../limits.ts';
import { BatchDeadlineError, BatcherClosedError, createBatcher } from '../../../platform/batcher.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import { registerEntries, type Registered, type Registration } from './entries-store.ts';

/** Takes people into a draw's list, many in one commit; nobody hears of it before it is safe. */
export interface Registrar {
	/** @throws AppError `busy` when too many wait or the storage is away */
	register(draw: number, registration: Registration): Promise<Registered>;
	depth(): number;
	close(): Promise<void>;
}

const retrySeconds = 3;

export function createRegistrar(deps: { db: Db; clock: Clock; log: Log; onRefusal: () => void }): Registrar {
	const batcher = createBatcher<{ draw: number; registration: Registration }, Registered>({
		clock: deps.clock,
		sizeMax: limits.draw.registerBatchMax,
		waitMs: limits.draw.registerBatchMs,
		deadlineMs: limits.draw.registerDeadlineMs,
		runTimeoutMs: limits.draw.registerTimeoutMs,
		async run(items) {
			const answers: Registered[] = [];
			// One draw at a time is open; two only in the moment in which one ends.
			for (const draw of new Set(items.map((item) => item.draw))) {
				const indexes = items.flatMap((item, index) => (item.draw === draw ? [index] : []));
				const batch = indexes.map((index) => items[index]!.registration);
				(await registerEntries(deps.db, draw, batch)).forEach((answer, at) => {
					answers[indexes[at]!] = answer;
				});
			}
			return answers;
		}
	});
	return {
		async register(draw, registration) {
			if (batcher.depth() >= limits.draw.registerBufferMax) {
				deps.onRefusal();
				throw new AppError('busy', {}, retrySeconds);
			}
			try {
				return await batcher.add({ draw, registration });
			} catch (error) {
				if (!(error instanceof BatchDeadlineError) && !(error instanceof BatcherClosedError)) {
					const cause = error instanceof Error ? error.message : 'unknown';
					deps.log.warn({ error: cause }, 'a registration could not be stored');
				}
				throw new AppError('busy', {}, retrySeconds);
			}
		},
		depth: () => batcher.depth(),
		close: () => batcher.close()
	};
}
