import type { TrailEntry } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';

/** All entries of a permit in order of their corrected time, while its trail lasts. */
export async function listTrail(tx: Tx, season: string, permit: string): Promise<TrailEntry[]> {
	const rows = await tx
		.selectFrom('entries')
		.selectAll()
		.where('season', '=', season)
		.where('permit', '=', permit)
		.orderBy('at')
		.orderBy('scanner')
		.orderBy('seq')
		.limit(limits.entries.trailShown)
		.execute();
	return rows.map((row) => ({
		...{ device: row.scanner, seq: row.seq, gate: row.gate, direction: row.direction },
		...{ verdict: row.verdict ?? 'red', cause: row.cause, flags: row.flags, findings: row.findings },
		...{ people: row.people, deviceAt: row.device_at.getTime(), at: row.at.getTime() },
		...{ uncertaintyMs: row.uncertainty_ms, receivedAt: row.received_at.getTime(), offline: row.offline }
	}));
}

/**
 * Takes the permit out of everything that says where its people were, once its trail is due. Counts stay.
 * @returns how many trails went
 */
export async function forgetTrails(tx: Tx, season: string, now: number): Promise<number> {
	const due = await tx
		.selectFrom('entry_trails')
		.select('permit')
		.where('season', '=', season)
		.where('forget_at', '<=', new Date(now))
		.orderBy('permit')
		.limit(limits.entries.forgetBatch)
		.forUpdate()
		.skipLocked()
		.execute();
	const permits = due.map(({ permit }) => permit);
	if (permits.length === 0) return 0;
	const ofPermits = { season, permits };
	await tx
		.updateTable('entries')
		.set({ permit: null, content_sha256: null })
		.where('season', '=', ofPermits.season)
		.where('permit', 'in', ofPermits.permits)
		.execute();
	await tx
		.updateTable('entry_conflicts')
		.set({ permit: null })
		.where('season', '=', ofPermits.season)
		.where('permit', 'in', ofPermits.permits)
		.execute();
	await tx
		.deleteFrom('entry_trails')
		.where('season', '=', ofPermits.season)
		.where('permit', 'in', ofPermits.permits)
		.execute();
	return permits.length;
}

/** What was set aside may name a permit: its content goes as well. Minutes are kept for the seasons to come. */
export async function forgetOld(db: Db, before: { setAside: number; minutes: number }): Promise<void> {
	await db
		.updateTable('entries_set_aside')
		.set({ content: null })
		.where('received_at', '<', new Date(before.setAside))
		.where('content', 'is not', null)
		.execute();
	await db.deleteFrom('entry_minutes').where('minute', '<', new Date(before.minutes)).execute();
}
