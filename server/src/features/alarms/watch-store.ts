import type { AlarmPriority, AlarmSound, LocalText } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Scope } from './alarm-store.ts';
import type { Aside, PointId } from './model.ts';

/** What else the glass shows: the flood, the newest sound, how often it rang, what is put aside, and when it was seen to. */
export interface StoredWatch {
	flood: { since: number; first: number | null } | null;
	sound: AlarmSound | null;
	recent: number;
	asides: Aside[];
	evaluatedAt: number;
	/** On and off in the last minute, by point. */
}

const counted = ['raised', 'worsened', 'again'];

/** Annunciations since a moment; escalations and the sound of a flood are none of their own. */
export async function countRings(db: Db | Tx, { season, site }: Scope, since: number): Promise<number> {
	const row = await db
		.selectFrom('alarm_annunciations')
		.select((query) => query.fn.countAll<number>().as('count'))
		.where('season', '=', season)
		.where('site', '=', site)
		.where('at', '>', new Date(since))
		.where('why', 'in', counted)
		.executeTakeFirstOrThrow();
	return Number(row.count);
}

export async function findFlood(db: Db | Tx, { season, site }: Scope): Promise<StoredWatch['flood']> {
	const row = await db
		.selectFrom('alarm_floods')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('ended_at', 'is', null)
		.executeTakeFirst();
	return row ? { since: row.started_at.getTime(), first: row.first_alarm } : null;
}

export async function beginFlood(
	tx: Tx,
	{ season, site }: Scope,
	flood: { at: number; first: number | null }
): Promise<void> {
	await tx
		.insertInto('alarm_floods')
		.values({ season, site, started_at: new Date(flood.at), ended_at: null, first_alarm: flood.first })
		.execute();
}

export async function endFlood(tx: Tx, { season, site }: Scope, at: number): Promise<void> {
	await tx
		.updateTable('alarm_floods')
		.set({ ended_at: new Date(at) })
		.where('season', '=', season)
		.where('site', '=', site)
		.where('ended_at', 'is', null)
		.execute();
}

async function newestSound(db: Db | Tx, { season, site }: Scope): Promise<AlarmSound | null> {
	const row = await db
		.selectFrom('alarm_annunciations')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.where('sounds', '=', true)
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	if (!row) return null;
	const alarm = row.alarm === null ? null : String(row.alarm);
	const { why, priority } = row as { why: AlarmSound['why']; priority: AlarmPriority };
	return { seq: row.id, at: row.at.getTime(), why, priority, alarm };
}

export async function listAsides(db: Db | Tx, { season, site }: Scope): Promise<Aside[]> {
	const rows = await db
		.selectFrom('alarm_asides')
		.selectAll()
		.where('season', '=', season)
		.where('site', '=', site)
		.orderBy('at')
		.execute();
	return rows.map((row) => ({
		point: { definition: row.definition, kind: row.subject_kind as PointId['kind'], id: row.subject_id },
		how: row.how as Aside['how'],
		names: row.names as LocalText,
		...{ by: row.by_name, byId: row.by_id, at: row.at.getTime(), reason: row.reason },
		until: row.until && row.until.getTime()
	}));
}

export async function saveAside(tx: Tx, { season, site }: Scope, aside: Aside): Promise<void> {
	const { definition, kind, id } = aside.point;
	const values = {
		...{ names: JSON.stringify(aside.names), by_name: aside.by, by_id: aside.byId, reason: aside.reason },
		...{ at: new Date(aside.at), until: aside.until === null ? null : new Date(aside.until) }
	};
	await tx
		.insertInto('alarm_asides')
		.values({ season, site, definition, subject_kind: kind, subject_id: id, how: aside.how, ...values })
		.onConflict((conflict) =>
			conflict
				.columns(['season', 'site', 'definition', 'subject_kind', 'subject_id', 'how'])
				.doUpdateSet(values)
		)
		.execute();
}

/** False when there was none. */
export async function deleteAside(
	tx: Tx,
	{ season, site }: Scope,
	{ definition, kind, id }: PointId,
	how: Aside['how']
): Promise<boolean> {
	const result = await tx
		.deleteFrom('alarm_asides')
		.where('season', '=', season)
		.where('site', '=', site)
		.where('definition', '=', definition)
		.where('subject_kind', '=', kind)
		.where('subject_id', '=', id)
		.where('how', '=', how)
		.executeTakeFirst();
	return result.numDeletedRows > 0n;
}

/** The rules were looked at. */
export async function noteEvaluated(db: Db | Tx, { season, site }: Scope, at: number): Promise<void> {
	await db
		.insertInto('alarm_watch')
		.values({ season, site, evaluated_at: new Date(at) })
		.onConflict((conflict) =>
			conflict.columns(['season', 'site']).doUpdateSet({ evaluated_at: new Date(at) })
		)
		.execute();
}

export async function readWatch(db: Db | Tx, scope: Scope, recentSince: number): Promise<StoredWatch> {
	const flood = await findFlood(db, scope);
	const sound = await newestSound(db, scope);
	const recent = await countRings(db, scope, recentSince);
	const asides = await listAsides(db, scope);
	const watch = await db
		.selectFrom('alarm_watch')
		.select('evaluated_at')
		.where('season', '=', scope.season)
		.where('site', '=', scope.site)
		.executeTakeFirst();
	return { flood, sound, recent, asides, evaluatedAt: watch?.evaluated_at.getTime() ?? 0 };
}

/** Deletes what is over since long. */
export async function forgetAlarms(db: Db, { season, site }: Scope, before: number): Promise<void> {
	const at = new Date(before);
	await db
		.deleteFrom('alarms')
		.where('season', '=', season)
		.where('site', '=', site)
		.where('over_at', '<', at)
		.execute();
	await db
		.deleteFrom('alarm_annunciations')
		.where('season', '=', season)
		.where('site', '=', site)
		.where('at', '<', at)
		.execute();
	await db
		.deleteFrom('alarm_floods')
		.where('season', '=', season)
		.where('site', '=', site)
		.where('ended_at', '<', at)
		.execute();
}
