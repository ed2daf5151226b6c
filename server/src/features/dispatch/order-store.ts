import type { Dispatch, DispatchPlace, DispatchSource, DispatchStep } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Scope } from './team-store.ts';

/** An order as it is stored; what depends on the time of day is worked out when it is shown. */
export interface StoredOrder {
	id: string;
	team: string;
	source: DispatchSource;
	place: DispatchPlace;
	/** Null once its time is over. */
	task: string | null;
	priority: Dispatch['priority'];
	state: Dispatch['state'];
	steps: DispatchStep[];
	startsAt: number | null;
	createdAt: number;
	wellAt: number | null;
	heat: boolean;
	support: Dispatch['support'];
	reason: string | null;
	forced: string | null;
	walkMinutes: Dispatch['walkMinutes'];
	replacedBy: string | null;
	closedAt: number | null;
}

/** Open orders, and those closed since `closedSince`, oldest first. */
export async function listOrders(db: Db | Tx, scope: Scope, closedSince: number): Promise<StoredOrder[]> {
	const open = await ofScope(db, scope)
		.where('closed_at', 'is', null)
		.orderBy('created_at')
		.orderBy('id')
		.execute();
	const closed = await ofScope(db, scope)
		.where('closed_at', '>', new Date(closedSince))
		.orderBy('closed_at', 'desc')
		.limit(limits.dispatch.closedShown)
		.execute();
	return [...closed.toReversed(), ...open].map(toOrder);
}

/** Open orders of one team, oldest first. */
export async function listTeamOrders(tx: Tx, scope: Scope, team: string): Promise<StoredOrder[]> {
	const rows = await ofScope(tx, scope)
		.where('team', '=', team)
		.where('closed_at', 'is', null)
		.orderBy('created_at')
		.execute();
	return rows.map(toOrder);
}

export async function findOrder(db: Db | Tx, scope: Scope, id: string): Promise<StoredOrder | undefined> {
	const row = await ofScope(db, scope).where('id', '=', id).executeTakeFirst();
	return row && toOrder(row);
}

/** The order as it is now; nobody else moves it until this transaction ends. */
export async function lockOrder(tx: Tx, scope: Scope, id: string): Promise<StoredOrder | undefined> {
	const row = await ofScope(tx, scope).where('id', '=', id).forUpdate().executeTakeFirst();
	return row && toOrder(row);
}

export async function countOpenOrders(tx: Tx, { season, site }: Scope): Promise<number> {
	const row = await tx
		.selectFrom('dispatches')
		.select((query) => query.fn.countAll<number>().as('count'))
		.where('season', '=', season)
		.where('site', '=', site)
		.where('closed_at', 'is', null)
		.executeTakeFirstOrThrow();
	return Number(row.count);
}

export async function insertOrder(tx: Tx, { season, site }: Scope, order: StoredOrder): Promise<void> {
	await tx
		.insertInto('dispatches')
		.values({
			...{ season, site, id: order.id, team: order.team },
			source_kind: order.source.kind,
			source_id: order.source.kind === 'hand' ? null : order.source.id,
			...{ task: order.task, priority: order.priority, place: JSON.stringify(order.place) },
			created_at: new Date(order.createdAt),
			starts_at: toDate(order.startsAt),
			...toColumns(order)
		})
		.execute();
}

/** Writes what may change about an order. */
export async function updateOrder(tx: Tx, order: StoredOrder): Promise<void> {
	await tx.updateTable('dispatches').set(toColumns(order)).where('id', '=', order.id).execute();
}

/** Jobs of the future whose time has come; locked, and left to who came first where two instances look. */
export async function lockDueOrders(tx: Tx, scope: Scope, now: number): Promise<StoredOrder[]> {
	const rows = await ofScope(tx, scope)
		.where('state', '=', 'reserved')
		.where('closed_at', 'is', null)
		.where('starts_at', '<=', new Date(now))
		.forUpdate()
		.skipLocked()
		.execute();
	return rows.map(toOrder);
}

/** These orders are in heat from now on; an order stays so to its end. */
export async function setHeat(db: Db, ids: readonly string[]): Promise<void> {
	if (ids.length === 0) return;
	await db
		.updateTable('dispatches')
		.set({ heat: true })
		.where('id', 'in', [...ids])
		.execute();
}

/** Which orders came from these incidents. */
export async function listIncidentOrders(
	db: Db | Tx,
	incidents: readonly string[]
): Promise<{ incident: string; id: string }[]> {
	if (incidents.length === 0) return [];
	const rows = await db
		.selectFrom('dispatches')
		.select(['id', 'source_id'])
		.where('source_kind', '=', 'incident')
		.where('source_id', 'in', [...incidents])
		.orderBy('created_at')
		.execute();
	return rows.map(({ id, source_id }) => ({ incident: source_id!, id }));
}

/** Deletes the words of what was closed before; the clocks stay. */
export async function forgetOrderWords(db: Db, closedBefore: number): Promise<void> {
	await db
		.updateTable('dispatches')
		.set({ task: null, reason: null, forced: null, support: null })
		.where('closed_at', '<', new Date(closedBefore))
		.where('task', 'is not', null)
		.execute();
}

function ofScope(db: Db | Tx, { season, site }: Scope) {
	return db.selectFrom('dispatches').selectAll().where('season', '=', season).where('site', '=', site);
}

function toColumns(order: StoredOrder) {
	return {
		state: order.state,
		steps: JSON.stringify(order.steps),
		well_at: toDate(order.wellAt),
		heat: order.heat,
		support: order.support && JSON.stringify(order.support),
		reason: order.reason,
		forced: order.forced,
		walk_minutes: order.walkMinutes && JSON.stringify(order.walkMinutes),
		replaced_by: order.replacedBy,
		closed_at: toDate(order.closedAt)
	};
}

const toDate = (at: number | null) => (at === null ? null : new Date(at));

function toOrder(row: Row<'dispatches'>): StoredOrder {
	return {
		...{ id: row.id, team: row.team, task: row.task, heat: row.heat },
		source: (row.source_kind === 'hand'
			? { kind: 'hand' }
			: { kind: row.source_kind, id: row.source_id }) as DispatchSource,
		place: row.place as DispatchPlace,
		priority: row.priority as Dispatch['priority'],
		state: row.state as Dispatch['state'],
		steps: row.steps as DispatchStep[],
		startsAt: row.starts_at?.getTime() ?? null,
		createdAt: row.created_at.getTime(),
		wellAt: row.well_at?.getTime() ?? null,
		support: row.support as Dispatch['support'],
		...{ reason: row.reason, forced: row.forced, replacedBy: row.replaced_by },
		walkMinutes: row.walk_minutes as Dispatch['walkMinutes'],
		closedAt: row.closed_at?.getTime() ?? null
	};
}
