import type { Drill, DrillEffect, DrillGuard } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Scope } from './levels-store.ts';

type Ending = { outcome: NonNullable<Drill['outcome']>; by: string | null; at: number };

export async function findRunningDrill(db: Db | Tx, { season, room }: Scope): Promise<Drill | null> {
	const row = await db
		.selectFrom('levels_drills')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ended_at', 'is', null)
		.executeTakeFirst();
	return row ? toDrill(row) : null;
}

/** The newest drill of each level that was brought to an end, or stopped by its guard. */
export async function lastDrills(db: Db | Tx, { season, room }: Scope): Promise<Drill[]> {
	const rows = await db
		.selectFrom('levels_drills')
		.selectAll()
		.distinctOn('level')
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ended_at', 'is not', null)
		.orderBy('level')
		.orderBy('started_at', 'desc')
		.execute();
	return rows.map(toDrill);
}

export async function listDrills(db: Db, { season, room }: Scope, limit: number): Promise<Drill[]> {
	const rows = await db
		.selectFrom('levels_drills')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.orderBy('started_at', 'desc')
		.limit(limit)
		.execute();
	return rows.map(toDrill);
}

export async function insertDrill(
	tx: Tx,
	{ season, room }: Scope,
	drill: Drill & { version: number }
): Promise<void> {
	const { id, level, from, version, reason } = drill;
	await tx
		.insertInto('levels_drills')
		.values({
			...{ id, season, room, level, from_level: from, version, by_name: drill.by, reason },
			...{ started_at: new Date(drill.startedAt), ends_at: new Date(drill.endsAt) },
			guard: JSON.stringify(drill.guard)
		})
		.execute();
}

/** Null when none was running. */
export async function endRunningDrill(
	tx: Tx,
	{ season, room }: Scope,
	{ outcome, by, at }: Ending
): Promise<Drill | null> {
	const row = await tx
		.updateTable('levels_drills')
		.set({ outcome, ended_by: by, ended_at: new Date(at) })
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ended_at', 'is', null)
		.returningAll()
		.executeTakeFirst();
	return row ? toDrill(row) : null;
}

/** Drills that are over and whose effect was not worked out yet. */
export async function listUnmeasured(db: Db, { season, room }: Scope): Promise<Drill[]> {
	const rows = await db
		.selectFrom('levels_drills')
		.selectAll()
		.where('season', '=', season)
		.where('room', '=', room)
		.where('ended_at', 'is not', null)
		.where('measured', '=', false)
		.execute();
	return rows.map(toDrill);
}

export async function saveEffect(db: Db | Tx, id: string, effect: DrillEffect | null): Promise<void> {
	await db
		.updateTable('levels_drills')
		.set({ measured: true, effect: effect && JSON.stringify(effect) })
		.where('id', '=', id)
		.execute();
}

function toDrill(row: Row<'levels_drills'>): Drill {
	return {
		...{ id: row.id, level: row.level, from: row.from_level, by: row.by_name, reason: row.reason },
		...{ startedAt: row.started_at.getTime(), endsAt: row.ends_at.getTime() },
		guard: row.guard as DrillGuard,
		endedAt: row.ended_at && row.ended_at.getTime(),
		outcome: row.outcome as Drill['outcome'],
		endedBy: row.ended_by,
		effect: row.effect as DrillEffect | null
	};
}
