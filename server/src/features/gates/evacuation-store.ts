import { sql } from 'kysely';
import type { EvacuationScope } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';

/** An evacuation as it stands in the store: the newest one of a site, over or not. */
export interface StoredEvacuation {
	id: string;
	version: number;
	scope: EvacuationScope;
	reason: string;
	holder: { id: string; name: string; since: number };
	startedAt: number;
	ended: { at: number; by: string; reason: string } | null;
}

/** Until the end of the transaction nobody else starts, widens, takes or ends an evacuation of this site. */
export async function lockEvacuation(tx: Tx, site: string): Promise<StoredEvacuation | null> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${`marsad evacuation ${site}`}, 0))`.execute(tx);
	return findNewest(tx, site);
}

export async function findNewest(db: Db | Tx, site: string): Promise<StoredEvacuation | null> {
	return (await findNewestTwo(db, site))[0] ?? null;
}

/** The newest one, and the one before it. */
export async function findNewestTwo(db: Db | Tx, site: string): Promise<StoredEvacuation[]> {
	const rows = await db
		.selectFrom('evacuations')
		.selectAll()
		.where('site', '=', site)
		.orderBy('version', 'desc')
		.limit(2)
		.execute();
	return rows.map(toEvacuation);
}

export async function insertEvacuation(tx: Tx, site: string, next: StoredEvacuation): Promise<void> {
	await tx
		.insertInto('evacuations')
		.values({ id: next.id, site, started_at: new Date(next.startedAt), ...columnsOf(next) })
		.execute();
}

export async function updateEvacuation(tx: Tx, next: StoredEvacuation): Promise<void> {
	await tx.updateTable('evacuations').set(columnsOf(next)).where('id', '=', next.id).execute();
}

function columnsOf({ version, scope, reason, holder, ended }: StoredEvacuation) {
	return {
		version,
		scope: JSON.stringify(scope),
		reason,
		holder_id: holder.id,
		holder_name: holder.name,
		holder_since: new Date(holder.since),
		ended_at: ended && new Date(ended.at),
		ended_by: ended?.by ?? null,
		end_reason: ended?.reason ?? null
	};
}

function toEvacuation(row: Row<'evacuations'>): StoredEvacuation {
	return {
		id: row.id,
		version: row.version,
		scope: row.scope as EvacuationScope,
		reason: row.reason,
		holder: { id: row.holder_id, name: row.holder_name, since: row.holder_since.getTime() },
		startedAt: row.started_at.getTime(),
		ended: row.ended_at && {
			at: row.ended_at.getTime(),
			by: row.ended_by ?? '',
			reason: row.end_reason ?? ''
		}
	};
}
