import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { RoomControl } from './room-control.ts';
import { readSettings, type RoomKey } from './waiting-room-store.ts';

const readEveryMs = 500;

/** The duty manager's hand, laid on any instance, holds on this one within a second. Returns a function that ends it. */
export function followSettings(
	{ db, log }: { db: Db; log: Log },
	key: RoomKey,
	control: Pick<RoomControl, 'set' | 'sets'>,
	onChange: () => void
): () => void {
	let reading = false;
	let failing = false;
	const read = async () => {
		if (reading) return;
		reading = true;
		const before = control.sets();
		try {
			const stored = await readSettings(db, key);
			// What was set here meanwhile is newer than what was read.
			if (stored && control.sets() === before && control.set(stored)) onChange();
			failing = false;
		} catch (error) {
			if (!failing) log.warn({ err: error }, 'rate and mode cannot be read: the last known ones hold');
			failing = true;
		} finally {
			reading = false;
		}
	};
	// Real time: the database does not run faster with the laboratory's clock.
	const timer = setInterval(() => void read(), readEveryMs);
	return () => clearInterval(timer);
}
