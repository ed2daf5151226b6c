import type { DispatchPlace, Incident, IncidentKind, IncidentOutcome } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Scope } from './team-store.ts';

/** An incident as it is stored. */
export interface StoredIncident {
	id: string;
	kind: IncidentKind;
	place: DispatchPlace;
	note: string | null;
	openedAt: number;
	openedBy: string;
	told: Incident['told'];
	claim: { by: string; byId: string; at: number; heartbeatAt: number } | null;
	closed: Incident['closed'];
}

/** Open incidents, and those closed since `closedSince`, oldest first. */
export async function listIncidents(
	db: Db | Tx,
	scope: Scope,
	closedSince: number
): Promise<StoredIncident[]> {
	const open = await ofScope(db, scope)
		.where('closed_at', 'is', null)
		.orderBy('opened_at')
		.orderBy('id')
		.execute();
	const closed = await ofScope(db, scope)
		.where('closed_at', '>', new Date(closedSince))
		.orderBy('closed_at', 'desc')
		.limit(limits.dispatch.closedShown)
		.execute();
	return [...closed.toReversed(), ...open].map(toIncident);
}

export async function findIncident(
	db: Db | Tx,
	scope: Scope,
	id: string
): Promise<StoredIncident | undefined> {
	const row = await ofScope(db, scope).where('id', '=', id).executeTakeFirst();
	return row && toIncident(row);
}

/** The incident as it is now; nobody else changes it until this transaction ends. */
export async function lockIncident(tx: Tx, scope: Scope, id: string): Promise<StoredIncident | undefined> {
	const row = await ofScope(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst();
	return row && toIncident(row);
}

export async function countOpenIncidents(tx: Tx, { season, site }: Scope): Promise<number> {
	const row = await tx
		.selectFrom('incidents')
		.select((query) => query.fn.countAll<number>().as('count'))
		.where('season', '=', season)
		.where('site', '=', site)
		.where('closed_at', 'is', null)
		.executeTakeFirstOrThrow();
	return Number(row.count);
}

export async function insertIncident(
	tx: Tx,
	{ season, site }: Scope,
	incident: StoredIncident
): Promise<void> {
	const { id, kind, note } = incident;
	await tx
		.insertInto('incidents')
		.values({
			...{ season, site, id, kind, note },
			place: JSON.stringify(incident.place),
			opened_at: new Date(incident.openedAt),
			opened_by: incident.openedBy,
			...toColumns(incident)
		})
		.execute();
}

/** Writes what may change about an incident. */
export async function updateIncident(tx: Tx, incident: StoredIncident): Promise<void> {
	await tx.updateTable('incidents').set(toColumns(incident)).where('id', '=', incident.id).execute();
}

/** The holder is still there; false when somebody else holds it, or nobody. */
export async function touchClaim(
	db: Db,
	{ season, site }: Scope,
	claim: { incident: string; account: string; at: number }
): Promise<boolean> {
	const result = await db
		.updateTable('incidents')
		.set({ heartbeat_at: new Date(claim.at) })
		.where('id', '=', claim.incident)
		.where('season', '=', season)
		.where('site', '=', site)
		.where('claim_by_id', '=', claim.account)
		.where('closed_at', 'is', null)
		.executeTakeFirst();
	return result.numUpdatedRows > 0n;
}

/** Deletes the words of what was closed before; kind, place and clocks stay. */
export async function forgetIncidentWords(db: Db, closedBefore: number): Promise<void> {
	await db
		.updateTable('incidents')
		.set({ note: null, outcome_note: null })
		.where('closed_at', '<', new Date(closedBefore))
		.where((or) => or.or([or('note', 'is not', null), or('outcome_note', 'is not', null)]))
		.execute();
}

function ofScope(db: Db | Tx, { season, site }: Scope) {
	return db.selectFrom('incidents').selectAll().where('season', '=', season).where('site', '=', site);
}

function toColumns({ told, claim, closed }: StoredIncident) {
	return {
		told: JSON.stringify(told),
		claim_by: claim?.by ?? null,
		claim_by_id: claim?.byId ?? null,
		claim_at: claim && new Date(claim.at),
		heartbeat_at: claim && new Date(claim.heartbeatAt),
		outcome: closed?.outcome ?? null,
		outcome_note: closed?.note ?? null,
		closed_by: closed?.by ?? null,
		closed_at: closed && new Date(closed.at)
	};
}

function toIncident(row: Row<'incidents'>): StoredIncident {
	return {
		...{ id: row.id, note: row.note, openedBy: row.opened_by },
		kind: row.kind as IncidentKind,
		place: row.place as DispatchPlace,
		openedAt: row.opened_at.getTime(),
		told: row.told as Incident['told'],
		claim:
			row.claim_by_id === null
				? null
				: {
						by: row.claim_by ?? '',
						byId: row.claim_by_id,
						at: row.claim_at!.getTime(),
						heartbeatAt: row.heartbeat_at!.getTime()
					},
		closed: row.closed_at && {
			at: row.closed_at.getTime(),
			by: row.closed_by ?? '',
			outcome: row.outcome as IncidentOutcome,
			note: row.outcome_note
		}
	};
}
