import { randomUUID } from 'node:crypto';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Ingest } from './sensor-ingest.ts';

/** What another instance counts, as far as this one must know it. */
export interface StoredCounts {
	/**
	 * Everything read so far, by whichever instance counts, is stored, and the counters here hold it.
	 * @throws AppError `not_ready` when the instance that counts does not answer
	 */
	settle(): Promise<void>;
	/** Where another instance counts, the counters here hold what it had stored a second ago or later. */
	refresh(): Promise<void>;
}

const flushKind = 'sensors.flush';
const flushedKind = 'sensors.flushed';
const answerWithinMs = 2_500;
const freshMs = 1_000;

export function createStoredCounts(deps: {
	db: Db;
	clock: Pick<Clock, 'elapsedMs'>;
	ingest: Pick<Ingest, 'flush' | 'isReady' | 'refresh'>;
	/** Absent where there is one instance alone. */
	notices: Notices | undefined;
}): StoredCounts {
	const { db, clock, ingest, notices } = deps;
	const asked = new Map<string, () => void>();
	let refreshedMs = -Infinity;

	notices?.on(flushKind, (id) => {
		if (!ingest.isReady()) return;
		void ingest
			.flush()
			.then(() => notices.send(db, flushedKind, id))
			.catch(() => undefined);
	});
	notices?.on(flushedKind, (id) => asked.get(String(id))?.());

	/** Asks the instance that counts to write what it has. */
	const askOther = async (sender: Notices) => {
		const id = randomUUID();
		const answered = new Promise<boolean>((resolve) => {
			const timer = setTimeout(() => resolve(false), answerWithinMs);
			asked.set(id, () => {
				clearTimeout(timer);
				resolve(true);
			});
		});
		try {
			await sender.send(db, flushKind, id);
			if (!(await answered)) throw new AppError('not_ready', {}, 3);
		} finally {
			asked.delete(id);
		}
	};

	return {
		async settle() {
			if (ingest.isReady() || !notices) return ingest.flush();
			await askOther(notices);
			await ingest.refresh();
			refreshedMs = clock.elapsedMs();
		},
		async refresh() {
			if (ingest.isReady() || !notices || clock.elapsedMs() - refreshedMs < freshMs) return;
			await ingest.refresh();
			refreshedMs = clock.elapsedMs();
		}
	};
}
