import { sql } from 'kysely';
import type { Alarm, AlarmEvent, AlarmPriority, AlarmSound, Mark, Quality } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import { pointKey, type AlarmChange, type PointId, type StoredAlarm } from './model.ts';

/** Whose alarms. */
export interface Scope {
	season: string;
	site: string;
}

export type WrittenAlarm = StoredAlarm & { id: number };

const ofScope = (db: Db | Tx, { season, site }: Scope) =>
	db.selectFrom('alarms').selectAll().where('season', '=', season).where('site', '=', site);

/** Everything that is not over, oldest first. */
export async function listStanding(db: Db | Tx, scope: Scope): Promise<WrittenAlarm[]> {
	const rows = await ofScope(db, scope).where('over_at', 'is', null).orderBy('id').execute();
	return rows.map(toAlarm);
}

/** The same; nobody else changes them until this transaction ends. */
export async function lockStanding(tx: Tx, scope: Scope): Promise<WrittenAlarm[]> {
	const rows = await ofScope(tx, scope).where('over_at', 'is', null).orderBy('id').forUpdate().execute();
	return rows.map(toAlarm);
}

export async function findAlarm(db: Db | Tx, scope: Scope, id: number): Promise<WrittenAlarm | undefined> {
	const row = await ofScope(db, scope).where('id', '=', id).executeTakeFirst();
	return row && toAlarm(row);
}

/** In one fixed order: two desks that acknowledge the same ones wait, and never for each other. */
export async function lockAlarms(tx: Tx, scope: Scope, ids: readonly number[]): Promise<WrittenAlarm[]> {
	if (ids.length === 0) return [];
	const rows = await ofScope(tx, scope)
		.where('id', 'in', [...ids])
		.orderBy('id')
		.forUpdate()
		.execute();
	return rows.map(toAlarm);
}

/** Newest first, over or not. */
export async function listHistory(
	db: Db,
	scope: Scope,
	page: { before: number | null; limit: number }
): Promise<WrittenAlarm[]> {
	let query = ofScope(db, scope).orderBy('id', 'desc').limit(page.limit);
	if (page.before !== null) query = query.where('id', '<', page.before);
	return (await query.execute()).map(toAlarm);
}

/** The newest occurrence of a point. */
export async function findNewest(db: Db | Tx, scope: Scope, point: PointId): Promise<number | null> {
	const row = await db
		.selectFrom('alarms')
		.select('id')
		.where('season', '=', scope.season)
		.where('site', '=', scope.site)
		.where('definition', '=', point.definition)
		.where('subject_kind', '=', point.kind)
		.where('subject_id', '=', point.id)
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row?.id ?? null;
}

/** Stores new occurrences, which get their numbers by it. */
export async function insertAlarms(
	tx: Tx,
	{ season, site }: Scope,
	alarms: readonly StoredAlarm[]
): Promise<void> {
	const byPoint = new Map(alarms.map((alarm) => [pointKey(alarm.point), alarm]));
	for (let from = 0; from < alarms.length; from += rowsMax) {
		const rows = await tx
			.insertInto('alarms')
			.values(
				alarms.slice(from, from + rowsMax).map((alarm) => {
					const { definition, kind, id } = alarm.point;
					const point = { season, site, definition, subject_kind: kind, subject_id: id };
					return { ...point, raised_at: new Date(alarm.raisedAt), ...toColumns(alarm) };
				})
			)
			.returning(['id', 'definition', 'subject_kind', 'subject_id'])
			.execute();
		for (const { id, definition, subject_kind, subject_id } of rows) {
			const point = { definition, kind: subject_kind as PointId['kind'], id: subject_id };
			byPoint.get(pointKey(point))!.id = id;
		}
	}
}

/** Writes what may change about occurrences, all in one statement; they have to be locked. */
export async function updateAlarms(tx: Tx, alarms: readonly WrittenAlarm[]): Promise<void> {
	if (alarms.length === 0) return;
	const names = Object.keys(columnTypes) as (keyof typeof columnTypes)[];
	const rows = alarms.map((alarm) => {
		const columns = toColumns(alarm);
		const plain = names.map((name) => {
			const value = columns[name];
			return [name, columnTypes[name] === 'jsonb' && value !== null ? JSON.parse(String(value)) : value];
		});
		return { id: alarm.id, ...(Object.fromEntries(plain) as object) };
	});
	const set = sql.join(names.map((name) => sql`${sql.id(name)} = x.${sql.id(name)}`));
	const types = sql.join(
		[['id', 'bigint'], ...Object.entries(columnTypes)].map(
			([name, type]) => sql`${sql.id(name!)} ${sql.raw(type!)}`
		)
	);
	await sql`UPDATE alarms SET ${set} FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS x(${types})
		WHERE alarms.id = x.id`.execute(tx);
}

export const updateAlarm = (tx: Tx, alarm: WrittenAlarm): Promise<void> => updateAlarms(tx, [alarm]);

/** The holder is still there; false when somebody else holds it, or nobody. */
export async function touchClaim(
	db: Db,
	{ season, site }: Scope,
	claim: { alarm: number; account: string; at: number }
): Promise<boolean> {
	const result = await db
		.updateTable('alarms')
		.set({ heartbeat_at: new Date(claim.at) })
		.where('id', '=', claim.alarm)
		.where('season', '=', season)
		.where('site', '=', site)
		.where('claim_by_id', '=', claim.account)
		.where('over_at', 'is', null)
		.executeTakeFirst();
	return result.numUpdatedRows > 0n;
}

export async function insertEvents(
	tx: Tx,
	changed: readonly (readonly [StoredAlarm, readonly AlarmChange[]])[]
): Promise<void> {
	const rows = changed.flatMap(([alarm, changes]) =>
		changes.map(({ at, kind, by, text }) => ({
			...{ alarm: alarm.id!, at: new Date(at), kind, by_name: by, words: text },
			...{ priority: alarm.priority, value: alarm.evidence.value }
		}))
	);
	for (let from = 0; from < rows.length; from += rowsMax)
		await tx
			.insertInto('alarm_events')
			.values(rows.slice(from, from + rowsMax))
			.execute();
}

/** The history of one alarm, oldest first. */
export async function listEvents(db: Db | Tx, alarm: number, limit: number): Promise<AlarmEvent[]> {
	const rows = await db
		.selectFrom('alarm_events')
		.selectAll()
		.where('alarm', '=', alarm)
		.orderBy('id', 'desc')
		.limit(limit)
		.execute();
	return rows.toReversed().map((row) => ({
		at: row.at.getTime(),
		kind: row.kind as AlarmEvent['kind'],
		...{ by: row.by_name, text: row.words, value: row.value },
		priority: row.priority as AlarmPriority
	}));
}

/** Rows of one statement: it takes a bounded number of values. */
const rowsMax = 500;

/** What may change about an occurrence, as {@link toColumns} gives it. */
const columnTypes = {
	...{ level: 'integer', priority: 'text', quality: 'text', mark: 'text', shown: 'jsonb', evidence: 'jsonb' },
	...{ worsened_at: 'timestamptz', returned_at: 'timestamptz', over_at: 'timestamptz', data_lost: 'boolean' },
	...{ links: 'jsonb', acknowledged: 'jsonb', confirmed: 'jsonb', claim_by: 'text', claim_by_id: 'text' },
	...{ claim_at: 'timestamptz', heartbeat_at: 'timestamptz', annunciated_at: 'timestamptz' },
	...{ rings_again_at: 'timestamptz', rang_again: 'integer', escalation: 'jsonb', suppressed: 'jsonb' },
	...{ sound_seq: 'bigint', in_flood: 'boolean' }
} as const;

function toColumns(alarm: StoredAlarm) {
	const { claim } = alarm;
	return {
		...{ level: alarm.level, priority: alarm.priority, quality: alarm.quality, mark: alarm.mark },
		...{ shown: JSON.stringify(alarm.shown), evidence: JSON.stringify(alarm.evidence) },
		...{ worsened_at: toDate(alarm.worsenedAt), returned_at: toDate(alarm.returnedAt) },
		...{ over_at: toDate(alarm.overAt), data_lost: alarm.dataLost, links: JSON.stringify(alarm.links) },
		...{ acknowledged: toJson(alarm.acknowledged), confirmed: toJson(alarm.confirmed) },
		...{ claim_by: claim?.by ?? null, claim_by_id: claim?.byId ?? null },
		...{ claim_at: toDate(claim?.at ?? null), heartbeat_at: toDate(claim?.heartbeatAt ?? null) },
		...{ annunciated_at: toDate(alarm.annunciatedAt), rings_again_at: toDate(alarm.ringsAgainAt) },
		...{ rang_again: alarm.rangAgain, escalation: toJson(alarm.escalation) },
		...{ suppressed: toJson(alarm.suppressed), sound_seq: alarm.soundSeq, in_flood: alarm.inFlood }
	};
}

const toDate = (at: number | null) => (at === null ? null : new Date(at));
const toJson = (value: unknown) => (value === null ? null : JSON.stringify(value));
const toTime = (at: Date | null) => at && at.getTime();

function toAlarm(row: Row<'alarms'>): WrittenAlarm {
	return {
		id: row.id,
		point: { definition: row.definition, kind: row.subject_kind as PointId['kind'], id: row.subject_id },
		...{ level: row.level, priority: row.priority as AlarmPriority, raisedAt: row.raised_at.getTime() },
		...{ shown: row.shown as StoredAlarm['shown'], evidence: row.evidence as Alarm['evidence'] },
		...{ worsenedAt: toTime(row.worsened_at), returnedAt: toTime(row.returned_at) },
		...{ overAt: toTime(row.over_at), dataLost: row.data_lost },
		...{ quality: row.quality as Quality, mark: row.mark as Mark },
		acknowledged: row.acknowledged as Alarm['acknowledged'],
		confirmed: row.confirmed as Alarm['confirmed'],
		claim:
			row.claim_by_id === null
				? null
				: {
						...{ by: row.claim_by ?? '', byId: row.claim_by_id },
						...{ at: row.claim_at!.getTime(), heartbeatAt: row.heartbeat_at!.getTime() }
					},
		links: row.links as Alarm['links'],
		...{ annunciatedAt: toTime(row.annunciated_at), ringsAgainAt: toTime(row.rings_again_at) },
		...{ rangAgain: row.rang_again, escalation: row.escalation as Alarm['escalation'] },
		suppressed: row.suppressed as Alarm['suppressed'],
		...{ soundSeq: row.sound_seq, inFlood: row.in_flood }
	};
}

/** One annunciation to be stored. */
export interface NewRing {
	alarm: number | null;
	at: number;
	why: AlarmSound['why'];
	priority: AlarmPriority;
	sounds: boolean;
}

/** Stores annunciations and returns their numbers, in order. */
export async function insertRings(
	tx: Tx,
	{ season, site }: Scope,
	rings: readonly NewRing[]
): Promise<number[]> {
	const ids: number[] = [];
	for (let from = 0; from < rings.length; from += rowsMax) {
		const values = rings
			.slice(from, from + rowsMax)
			.map((ring) => ({ season, site, ...ring, at: new Date(ring.at) }));
		const rows = await tx.insertInto('alarm_annunciations').values(values).returning('id').execute();
		ids.push(...rows.map(({ id }) => id));
	}
	return ids;
}
