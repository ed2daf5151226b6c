import { randomUUID } from 'node:crypto';
import type {
	Account,
	Dispatch,
	DispatchPlace,
	DispatchRequest,
	DispatchSource,
	DispatchStatusRequest,
	DispatchStep
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import type { Board } from './board.ts';
import { isOnShift, placeQuality } from './duty.ts';
import { lockIncident } from './incident-store.ts';
import { isOpen, isWorking, mayMove } from './order-steps.ts';
import {
	countOpenOrders,
	findOrder,
	insertOrder,
	listTeamOrders,
	lockOrder,
	updateOrder,
	type StoredOrder
} from './order-store.ts';
import type { AlarmPort } from './ports.ts';
import { findPlace, refuseOld, refusePersonal } from './refusals.ts';
import { showOrder } from './shown.ts';
import { leadsTeam, lockTeam, setTeamPlace, type Scope, type StoredTeam } from './team-store.ts';
import { warnOf } from './team-warning.ts';

type LockedTeam = Omit<StoredTeam, 'leaders'>;

export interface OrderDeps {
	clock: Clock;
	record: Pick<Record, 'append'>;
	site: Site;
	scope: Scope;
	mark: Dispatch['mark'];
	board: Pick<Board, 'tell' | 'refresh'>;
	alarms: Pick<AlarmPort, 'link'> | undefined;
	/** Minutes of walking from one zone to another, as they are now; null where no path is known. */
	walk(from: string, to: string): Dispatch['walkMinutes'];
}

/** The commands about orders, each within its transaction. */
export interface OrderCommands {
	create(tx: Tx, account: Account, request: DispatchRequest): Promise<CommandAnswer>;
	move(tx: Tx, account: Account, id: string, request: DispatchStatusRequest): Promise<CommandAnswer>;
	support(
		tx: Tx,
		account: Account,
		id: string,
		request: { needed: boolean; note?: string; sentAt?: number }
	): Promise<CommandAnswer>;
	well(tx: Tx, account: Account, id: string, request: { sentAt?: number }): Promise<CommandAnswer>;
}

export function createOrderCommands(deps: OrderDeps): OrderCommands {
	const { clock, record, scope, site } = deps;

	const finish = async (
		tx: Tx,
		order: StoredOrder,
		team: LockedTeam,
		status: 200 | 201 = 200
	): Promise<CommandAnswer> => {
		await deps.board.tell(tx);
		const body = showOrder(order, team, { now: clock.now(), mark: deps.mark });
		return { status, body, afterCommit: deps.board.refresh };
	};

	/** Order and team, both locked, the team first as everywhere; only the desk and its leaders may go on. */
	const lockBoth = async (tx: Tx, account: Account, id: string) => {
		const found = await findOrder(tx, scope, id);
		if (!found) throw new AppError('not_found', { dispatch: id });
		if (account.role === 'team-leader' && !(await leadsTeam(tx, found.team, account.id)))
			throw new AppError('not_your_team', { team: found.team });
		const team = await lockTeam(tx, scope, found.team);
		const order = team && (await lockOrder(tx, scope, id));
		if (!order) throw new AppError('not_found', { dispatch: id });
		return { order, team };
	};
	const append = (tx: Tx, account: Account, action: string, order: StoredOrder, more: object = {}) =>
		record.append(tx, { actor: account.email, action, subject: `dispatch:${order.id}`, ...more });

	return {
		async create(tx, account, request) {
			const now = clock.now();
			refuseOld(request.sentAt, now);
			refusePersonal('task', request.task);
			const startsAt = readStart(request.startsAt, now);
			const place = findPlace(site, request.place);
			const team = await lockTeam(tx, scope, request.team);
			if (!team) throw new AppError('no_such_team', { team: request.team });
			const orders = await listTeamOrders(tx, scope, team.id);
			const onDuty = !team.offDuty && isOnShift(team.shift, now, site.timeZone);
			const warning = warnOf(team.id, orders, { now, startsAt, onDuty });
			if (warning && !request.force) throw new AppError('team_busy', { warning });
			if ((await countOpenOrders(tx, scope)) >= limits.dispatch.openMax)
				throw new AppError('busy', { open: limits.dispatch.openMax });
			const order: StoredOrder = {
				...firstState(account, now, startsAt),
				...{ id: randomUUID(), team: team.id, place, task: request.task.trim() },
				source: request.source ?? { kind: 'hand' },
				priority: request.priority ?? 'high',
				forced: warning ? request.force!.reason : null,
				walkMinutes: walkFor(deps, team, place, now)
			};
			await insertOrder(tx, scope, order);
			await linkSource(tx, order.source, order);
			if (request.replaces) await replace(tx, request.replaces, order, now);
			if (request.supports) await answerSupport(tx, request.supports);
			await append(tx, account, 'dispatch.send', order, {
				reason: order.forced,
				before: warning && { why: warning.why, jobs: warning.jobs.map(({ id }) => id) },
				after: { team: team.id, state: order.state, place: place.zone, source: order.source, startsAt }
			});
			return finish(tx, order, team, 201);
		},

		async move(tx, account, id, { status, reason, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			refusePersonal('reason', reason);
			if (status === 'cancelled' && account.role === 'team-leader') throw new AppError('forbidden');
			if ((status === 'cannot' || status === 'cancelled') && !reason?.trim())
				throw new AppError('reason_needed', { wanted: status });
			const { order, team } = await lockBoth(tx, account, id);
			if (order.closedAt !== null || !mayMove(order.state, status))
				throw new AppError('wrong_step', { state: order.state, steps: order.steps });
			const before = order.state;
			const moved: StoredOrder = {
				...order,
				state: status,
				steps: [...order.steps, stepOf(account, status, now)],
				wellAt: now,
				reason: reason?.trim() ?? order.reason,
				support: isWorking(status) ? order.support : null,
				closedAt: status === 'done' || status === 'cancelled' ? now : null
			};
			await updateOrder(tx, moved);
			if (status === 'on-the-spot') await setTeamPlace(tx, team.id, order.place.zone, now);
			await append(tx, account, 'dispatch.status', moved, {
				reason: reason?.trim() ?? null,
				before: { state: before },
				after: { state: status, team: team.id }
			});
			return finish(tx, moved, team);
		},

		async support(tx, account, id, { needed, note, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			refusePersonal('note', note);
			const { order, team } = await lockBoth(tx, account, id);
			if (!isWorking(order.state)) throw new AppError('wrong_step', { state: order.state });
			const support = needed ? { at: now, by: account.name, note: note?.trim() || null } : null;
			const asked = {
				...order,
				support: order.support && support ? { ...support, at: order.support.at } : support
			};
			await updateOrder(tx, asked);
			await append(tx, account, 'dispatch.support', order, {
				before: { needed: order.support !== null },
				after: { needed, team: team.id }
			});
			return finish(tx, asked, team);
		},

		async well(tx, account, id, { sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			const { order, team } = await lockBoth(tx, account, id);
			if (!isWorking(order.state)) throw new AppError('wrong_step', { state: order.state });
			const well = { ...order, wellAt: now };
			await updateOrder(tx, well);
			await append(tx, account, 'dispatch.well', order, { after: { team: team.id } });
			return finish(tx, well, team);
		}
	};

	/** The alarm gets its team, the incident must still be open. */
	async function linkSource(tx: Tx, source: DispatchSource, order: StoredOrder): Promise<void> {
		if (source.kind === 'alarm') {
			const links = { team: order.team, dispatch: order.id };
			if (!(await deps.alarms?.link(tx, source.id, links)))
				throw new AppError('not_found', { alarm: source.id });
		} else if (source.kind === 'incident') {
			const incident = await lockIncident(tx, scope, source.id);
			if (!incident) throw new AppError('not_found', { incident: source.id });
			if (incident.closed) throw new AppError('incident_closed', { incident: source.id });
		}
	}

	/** The order that came back is off the desk: another one follows it. */
	async function replace(tx: Tx, id: string, by: StoredOrder, now: number): Promise<void> {
		const order = await lockOrder(tx, scope, id);
		if (order?.state !== 'cannot' || order.closedAt !== null)
			throw new AppError('wrong_step', { dispatch: id, state: order?.state ?? null });
		await updateOrder(tx, { ...order, replacedBy: by.id, closedAt: now });
	}

	async function answerSupport(tx: Tx, id: string): Promise<void> {
		const order = await lockOrder(tx, scope, id);
		if (!order || !isOpen(order.state)) throw new AppError('not_found', { dispatch: id });
		await updateOrder(tx, { ...order, support: null });
	}
}

/** @throws AppError bad_request for a job of the past, or too far ahead */
function readStart(startsAt: number | undefined, now: number): number | null {
	if (startsAt === undefined) return null;
	if (startsAt <= now || startsAt > now + limits.dispatch.aheadMaxMs)
		throw new AppError('bad_request', { field: 'body/startsAt' });
	return startsAt;
}

function stepOf(account: Account, state: DispatchStep['state'], at: number): DispatchStep {
	return { state, at, by: account.name, byTeam: account.role === 'team-leader' };
}

function firstState(account: Account, now: number, startsAt: number | null) {
	const state: DispatchStep['state'] = startsAt === null ? 'sent' : 'reserved';
	return {
		...{ state, startsAt, steps: [stepOf(account, state, now)], createdAt: now },
		...{ wellAt: null, heat: false, support: null, reason: null, replacedBy: null, closedAt: null }
	};
}

/** As it is proposed at the moment of sending; unknown where the team's place is. */
function walkFor(
	deps: OrderDeps,
	team: LockedTeam,
	place: DispatchPlace,
	now: number
): Dispatch['walkMinutes'] {
	if (team.placeZone === null || placeQuality(team.placeAt, now) === 'unknown') return null;
	return deps.walk(team.placeZone, place.zone);
}
