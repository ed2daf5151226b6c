import { sql } from 'kysely';
import type { Quality } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { ZoneSample } from './trend.ts';
import type { Anchor } from './zone-watch.ts';

/** A recount, or the people a simulated crowd starts with. */
export interface NewAnchor extends Anchor {
	zone: string;
	correction: number | null;
	actor: string;
	reason: string;
}

export async function insertAnchors(tx: Tx, site: string, anchors: readonly NewAnchor[]): Promise<void> {
	if (anchors.length === 0) return;
	await tx
		.insertInto('zone_anchors')
		.values(
			anchors.map(({ zone, at, present, netFlow, correction, actor, reason }) => ({
				site,
				zone,
				at: new Date(at),
				present,
				net_flow: netFlow,
				correction,
				actor,
				reason
			}))
		)
		.execute();
}

/** The newest anchor of each zone. */
export async function loadAnchors(db: Db, site: string): Promise<Map<string, Anchor>> {
	const rows = await db
		.selectFrom('zone_anchors')
		.distinctOn('zone')
		.select(['zone', 'at', 'present', 'net_flow'])
		.where('site', '=', site)
		.orderBy('zone')
		.orderBy('id', 'desc')
		.execute();
	return new Map(
		rows.map((row) => [row.zone, { at: row.at.getTime(), present: row.present, netFlow: row.net_flow }])
	);
}

/** Writes one sample of every zone; a second one for the same step changes nothing. */
export async function insertSamples(db: Db, site: string, samples: readonly ZoneSample[]): Promise<void> {
	if (samples.length === 0) return;
	const rows = samples.map(({ zone, at, present, netPerMinute, quality }) => ({
		zone,
		at: new Date(at),
		present,
		net_per_minute: netPerMinute,
		quality
	}));
	await sql`insert into zone_samples (site, zone, at, present, net_per_minute, quality)
		select ${site}, zone, at, present, net_per_minute, quality from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
			as r(zone text, at timestamptz, present bigint, net_per_minute real, quality text)
		on conflict do nothing`.execute(db);
}

export async function loadSamples(db: Db, site: string, since: number): Promise<ZoneSample[]> {
	const rows = await db
		.selectFrom('zone_samples')
		.selectAll()
		.where('site', '=', site)
		.where('at', '>=', new Date(since))
		.orderBy('at')
		.execute();
	return rows.map((row) => ({
		zone: row.zone,
		at: row.at.getTime(),
		present: row.present,
		netPerMinute: row.net_per_minute,
		quality: row.quality as Quality
	}));
}

export async function forgetSamples(db: Db, before: number): Promise<number> {
	const result = await db.deleteFrom('zone_samples').where('at', '<', new Date(before)).executeTakeFirst();
	return Number(result.numDeletedRows);
}
