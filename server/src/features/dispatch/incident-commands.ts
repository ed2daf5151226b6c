import { randomUUID } from 'node:crypto';
import type {
	Account,
	Agency,
	Incident,
	IncidentRequest,
	IncidentStatusRequest,
	Mark
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { CommandAnswer, Record } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import type { Board } from './board.ts';
import {
	countOpenIncidents,
	insertIncident,
	lockIncident,
	updateIncident,
	type StoredIncident
} from './incident-store.ts';
import { listIncidentOrders } from './order-store.ts';
import { findPlace, refuseOld, refusePersonal } from './refusals.ts';
import { showClaim, showIncident } from './shown.ts';
import type { Scope } from './team-store.ts';

export interface IncidentDeps {
	clock: Clock;
	record: Pick<Record, 'append'>;
	site: Site;
	scope: Scope;
	mark: Mark;
	board: Pick<Board, 'tell' | 'refresh'>;
}

/** The commands about incidents, each within its transaction. No word about a person gets into the record. */
export interface IncidentCommands {
	open(tx: Tx, account: Account, request: IncidentRequest): Promise<CommandAnswer>;
	tell(
		tx: Tx,
		account: Account,
		id: string,
		request: { agency: Agency; sentAt?: number }
	): Promise<CommandAnswer>;
	close(tx: Tx, account: Account, id: string, request: IncidentStatusRequest): Promise<CommandAnswer>;
	take(
		tx: Tx,
		account: Account,
		id: string,
		request: { reason?: string; sentAt?: number }
	): Promise<CommandAnswer>;
	release(tx: Tx, account: Account, id: string): Promise<CommandAnswer>;
}

export function createIncidentCommands(deps: IncidentDeps): IncidentCommands {
	const { clock, scope, record } = deps;

	const finish = async (
		tx: Tx,
		incident: StoredIncident,
		status: 200 | 201 = 200
	): Promise<CommandAnswer> => {
		await deps.board.tell(tx);
		const orders = await listIncidentOrders(tx, [incident.id]);
		const body: Incident = showIncident(
			incident,
			orders.map(({ id }) => id),
			{ now: clock.now(), mark: deps.mark }
		);
		return { status, body, afterCommit: deps.board.refresh };
	};
	const lockOpen = async (tx: Tx, id: string): Promise<StoredIncident> => {
		const incident = await lockIncident(tx, scope, id);
		if (!incident) throw new AppError('not_found', { incident: id });
		if (incident.closed) throw new AppError('incident_closed', { closed: incident.closed });
		return incident;
	};
	const append = (tx: Tx, account: Account, action: string, id: string, more: object) =>
		record.append(tx, { actor: account.email, action, subject: `incident:${id}`, ...more });

	return {
		async open(tx, account, request) {
			const now = clock.now();
			refuseOld(request.sentAt, now);
			refusePersonal('note', request.note);
			const place = findPlace(deps.site, request.place);
			if ((await countOpenIncidents(tx, scope)) >= limits.dispatch.openMax)
				throw new AppError('busy', { open: limits.dispatch.openMax });
			const agencies = [...new Set(request.told ?? [])];
			const incident: StoredIncident = {
				...{ id: randomUUID(), kind: request.kind, place, note: request.note?.trim() || null },
				...{ openedAt: now, openedBy: account.name, claim: null, closed: null },
				told: agencies.map((agency) => ({ agency, at: now, by: account.name }))
			};
			await insertIncident(tx, scope, incident);
			await append(tx, account, 'incident.open', incident.id, {
				after: { kind: incident.kind, place: place.zone, told: agencies }
			});
			return finish(tx, incident, 201);
		},

		async tell(tx, account, id, { agency, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			const incident = await lockOpen(tx, id);
			// The first call counts: its time is what others will ask about.
			if (incident.told.some((told) => told.agency === agency)) return finish(tx, incident);
			const told = [...incident.told, { agency, at: now, by: account.name }];
			await updateIncident(tx, { ...incident, told });
			await append(tx, account, 'incident.told', id, { after: { agency } });
			return finish(tx, { ...incident, told });
		},

		async close(tx, account, id, { outcome, note, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			refusePersonal('note', note);
			const incident = await lockOpen(tx, id);
			const closed = { at: now, by: account.name, outcome, note: note?.trim() || null };
			await updateIncident(tx, { ...incident, closed, claim: null });
			await append(tx, account, 'incident.close', id, { after: { outcome } });
			return finish(tx, { ...incident, closed, claim: null });
		},

		async take(tx, account, id, { reason, sentAt }) {
			const now = clock.now();
			refuseOld(sentAt, now);
			const incident = await lockOpen(tx, id);
			const holder = showClaim(incident.claim, now);
			const others = holder !== null && holder.byId !== account.id;
			if (others && holder.alive && !reason?.trim()) throw new AppError('claim_held', { claim: holder });
			const since = holder && !others ? holder.at : now;
			const claim = { by: account.name, byId: account.id, at: since, heartbeatAt: now };
			await updateIncident(tx, { ...incident, claim });
			await append(tx, account, 'incident.take', id, {
				reason: reason?.trim() ?? null,
				before: holder && { by: holder.by, alive: holder.alive },
				after: { by: account.name }
			});
			return finish(tx, { ...incident, claim });
		},

		async release(tx, account, id) {
			const incident = await lockOpen(tx, id);
			if (incident.claim && incident.claim.byId !== account.id)
				throw new AppError('claim_held', { claim: showClaim(incident.claim, clock.now()) });
			await updateIncident(tx, { ...incident, claim: null });
			await append(tx, account, 'incident.release', id, {});
			return finish(tx, { ...incident, claim: null });
		}
	};
}
