import { sql } from 'kysely';
import type { AlarmFigures, AlarmPriority, LocalText } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Scope } from './alarm-store.ts';
import { pointKey, type PointId } from './model.ts';

/** Points that were raised so often since a moment. */
export async function listChattering(
	db: Db | Tx,
	{ season, site }: Scope,
	since: number,
	from: number
): Promise<string[]> {
	const rows = await db
		.selectFrom('alarms')
		.select(['definition', 'subject_kind', 'subject_id'])
		.where('season', '=', season)
		.where('site', '=', site)
		.where('raised_at', '>', new Date(since))
		.groupBy(['definition', 'subject_kind', 'subject_id'])
		.having((query) => query.fn.countAll(), '>=', from)
		.execute();
	return rows.map((row) =>
		pointKey({ definition: row.definition, kind: row.subject_kind as PointId['kind'], id: row.subject_id })
	);
}

/** What the figures are made of, from one moment on. */
export async function readFigures(db: Db, { season, site }: Scope, from: number, now: number) {
	const since = new Date(from);
	const rings = await sql<{ slot: number; count: number }>`
		SELECT floor(extract(epoch FROM at) / 600)::bigint AS slot, count(*)::bigint AS count
		FROM alarm_annunciations
		WHERE season = ${season} AND site = ${site} AND at >= ${since} AND why IN ('raised', 'worsened', 'again')
		GROUP BY slot ORDER BY slot`.execute(db);
	const floods = await sql<{ minutes: number | null }>`
		SELECT (sum(extract(epoch FROM coalesce(ended_at, ${new Date(now)}) - greatest(started_at, ${since}))) / 60)::float
			AS minutes
		FROM alarm_floods
		WHERE season = ${season} AND site = ${site} AND coalesce(ended_at, ${new Date(now)}) > ${since}`.execute(db);
	const top = await sql<{
		definition: string;
		kind: string;
		id: string;
		names: LocalText;
		title: LocalText;
		count: number;
	}>`
		SELECT a.definition, a.subject_kind AS kind, a.subject_id AS id, count(*)::bigint AS count,
			(array_agg(a.shown->'names' ORDER BY a.id DESC))[1] AS names,
			(array_agg(a.shown->'title' ORDER BY a.id DESC))[1] AS title
		FROM alarm_annunciations r JOIN alarms a ON a.id = r.alarm
		WHERE r.season = ${season} AND r.site = ${site} AND r.at >= ${since} AND r.why IN ('raised', 'worsened', 'again')
		GROUP BY 1, 2, 3 ORDER BY count DESC, 1, 3 LIMIT 10`.execute(db);
	const times = await sql<{ acknowledge: number | null; confirm: number | null }>`
		SELECT avg(extract(epoch FROM (SELECT min(e.at) FROM alarm_events e
				WHERE e.alarm = a.id AND e.kind = 'acknowledged') - a.raised_at))::float AS acknowledge,
			avg(extract(epoch FROM (SELECT min(e.at) FROM alarm_events e
				WHERE e.alarm = a.id AND e.kind = 'confirmed') - a.raised_at))::float AS confirm
		FROM alarms a
		WHERE a.season = ${season} AND a.site = ${site} AND a.raised_at >= ${since}`.execute(db);
	const mix = await db
		.selectFrom('alarms')
		.select(['priority', (query) => query.fn.countAll<number>().as('count')])
		.where('season', '=', season)
		.where('site', '=', site)
		.where('raised_at', '>=', since)
		.groupBy('priority')
		.execute();
	return {
		rings: rings.rows.map(({ slot, count }) => ({
			startsAt: Number(slot) * 600_000,
			annunciations: Number(count)
		})),
		floodMinutes: Math.round((floods.rows[0]?.minutes ?? 0) * 10) / 10,
		top: top.rows.map((row) => ({ ...row, count: Number(row.count) })),
		meanSecondsToAcknowledge: times.rows[0]?.acknowledge ?? null,
		meanSecondsToConfirm: times.rows[0]?.confirm ?? null,
		mix: new Map(mix.map(({ priority, count }) => [priority as AlarmPriority, Number(count)]))
	} satisfies {
		rings: AlarmFigures['perTenMinutes'];
		[figure: string]: unknown;
	};
}
