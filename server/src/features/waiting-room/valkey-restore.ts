import { randomUUID } from 'node:crypto';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { loadLedger, readMarks, type LedgerRoom } from './ledger-store.ts';
import { lateLaneMs } from './round.ts';
import type { RunScript } from './valkey-scripts.ts';
import { toArguments } from './valkey-tickets.ts';
import type { RoomKey } from './waiting-room-store.ts';

/** Versions given out after PostgreSQL last heard of one: no new one may equal one of those. */
const versionGap = 1_000_000;

/**
 * Rebuilds a room that Valkey lost, or of which it may have lost the last moments: every living ticket that
 * PostgreSQL knows at its number and state, every written pass with its lease, numbers after all that were ever
 * reserved. What stands in Valkey in a newer version stays. One instance does it, the others wait.
 * @returns false while another instance is at it
 */
export async function restoreRoom(deps: {
	db: Db;
	key: RoomKey;
	clock: Clock;
	run: RunScript;
	/** Reads the room anew: numbers may have been reserved meanwhile. */
	room: () => Promise<LedgerRoom>;
}): Promise<boolean> {
	const { db, key, clock, run } = deps;
	const id = randomUUID();
	const { epoch } = await deps.room();
	const [begun] = await run('restore-begin', id, clock.aheadMs(), epoch);
	if (begun === 'done') return true;
	if (begun === 'wait') return false;
	const limit = limits.waitingRoom.valkeyBatchMax;
	for (let after = 0; ;) {
		const page = await loadLedger(db, key, epoch, { after, endedAfter: clock.now() - lateLaneMs, limit });
		if (page.length > 0) {
			const [word] = await run('restore', id, clock.aheadMs(), ...page.flatMap(toArguments));
			if (word === 'lost') return false;
		}
		if (page.length < limit) break;
		after = page.at(-1)!.number;
	}
	const { version, origins } = await readMarks(db, key, epoch);
	// Last of all: no block reserved before this is given out after it.
	const room = await deps.room();
	if (room.epoch !== epoch) return false;
	const [ended] = await run(
		'restore-end',
		...[id, clock.aheadMs(), room.lastNumber, version + versionGap, Math.round(room.aliveAt)],
		...[Math.round(room.stoppedMs), Math.round(room.frozenSince ?? 0), room.stops, ...origins]
	);
	return ended === 'ok';
}
