import { sql } from 'kysely';
import type { Quality } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { ZoneSample } from './trend.ts';
import type { Anchor } from './zone-watch.ts';

/** A recount, a nightly anchor, or the people a simulated crowd starts with. */
export interface NewAnchor extends Anchor {
	zone: string;
	correction: number | null;
	actor: string;
	reason: string;
}

/** @returns zones whose anchor was written: the one of a night that has one already is left out */
export async function insertAnchors(tx: Tx, site: string, anchors: readonly NewAnchor[]): Promise<string[]> {
	if (anchors.length === 0) return [];
	const written = await tx
		.insertInto('zone_anchors')
		.values(
			anchors.map(({ zone, at, present, netFlow, flowIn, error, night, correction, actor, reason }) => ({
				site,
				zone,
				at: new Date(at),
				present,
				net_flow: netFlow,
				flow_in: flowIn,
				error,
				night,
				correction,
				actor,
				reason
			}))
		)
		.onConflict((conflict) => conflict.doNothing())
		.returning('zone')
		.execute();
	return written.map(({ zone }) => zone);
}

/** The newest anchor of each zone. */
export async function loadAnchors(db: Db, site: string): Promise<Map<string, Anchor>> {
	const rows = await db
		.selectFrom('zone_anchors')
		.distinctOn('zone')
		.select(['zone', 'at', 'present', 'net_flow', 'flow_in', 'error'])
		.select(sql<string | null>`night::text`.as('night'))
		.where('site', '=', site)
		.orderBy('zone')
		.orderBy('id', 'desc')
		.execute();
	return new Map(
		rows.map((row) => [
			row.zone,
			{
				at: row.at.getTime(),
				present: row.present,
				netFlow: row.net_flow,
				flowIn: row.flow_in,
				error: row.error,
				night: row.night
			}
		])
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
