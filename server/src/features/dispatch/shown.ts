import {
	claimGoneAfterMs,
	type Claim,
	type Dispatch,
	type Incident,
	type Mark,
	type Team
} from '../../../contract/index.ts';
import type { StoredIncident } from './incident-store.ts';
import { isOnShift, placeQuality, teamState } from './duty.ts';
import { isUnanswered, isWorking, welfareOf } from './order-steps.ts';
import type { StoredOrder } from './order-store.ts';
import type { StoredTeam } from './team-store.ts';

/** What is stored, read at one moment. */
export interface Stored {
	teams: readonly StoredTeam[];
	orders: readonly StoredOrder[];
	incidents: readonly StoredIncident[];
	/** Which orders came from which incident, open or not. */
	incidentOrders: ReadonlyMap<string, readonly string[]>;
}

/** What screens see of it at this moment. */
export interface Shown {
	teams: Team[];
	dispatches: Dispatch[];
	incidents: Incident[];
}

/** Works out everything that depends on the time. Pure: after a restart every clock stands where it stood. */
export function showAll(stored: Stored, context: { now: number; timeZone: string; mark: Mark }): Shown {
	const teams = new Map(stored.teams.map((team) => [team.id, team]));
	return {
		teams: stored.teams.map((team) => showTeam(team, stored.orders, context)),
		dispatches: stored.orders.map((order) => showOrder(order, teams.get(order.team), context)),
		incidents: stored.incidents.map((incident) =>
			showIncident(incident, stored.incidentOrders.get(incident.id) ?? [], context)
		)
	};
}

export function showTeam(
	team: StoredTeam,
	orders: readonly StoredOrder[],
	{ now, timeZone }: { now: number; timeZone: string }
): Team {
	const own = orders.filter((order) => order.team === team.id);
	const jobs = own.filter(({ state }) => isWorking(state)).map(({ id }) => id);
	const reserved = own.flatMap(({ state, startsAt }) =>
		state === 'reserved' && startsAt !== null ? [startsAt] : []
	);
	const { id, version, names, channel, phone, leaders, members, home, shift, offDuty } = team;
	return {
		...{ id, version, names, channel, phone, leaders, members, home, shift, offDuty, jobs },
		place: { zone: team.placeZone, at: team.placeAt, quality: placeQuality(team.placeAt, now) },
		state: teamState(jobs.length, !offDuty && isOnShift(shift, now, timeZone)),
		reservedFrom: reserved.length > 0 ? Math.min(...reserved) : null
	};
}

const nobody = { ar: 'فريق ملغى', en: 'Retired team' };

export function showOrder(
	order: StoredOrder,
	team: Pick<StoredTeam, 'names' | 'channel' | 'phone'> | undefined,
	{ now, mark }: { now: number; mark: Mark }
): Dispatch {
	const { id, source, place, priority, state, steps, startsAt, support, reason, forced } = order;
	const sentAt = steps.find((step) => step.state === 'sent')?.at ?? order.createdAt;
	return {
		...{ id, source, place, priority, state, steps, startsAt, support, reason, forced, mark },
		team: order.team,
		teamNames: team?.names ?? nobody,
		channel: team?.channel ?? '',
		phone: team?.phone ?? '',
		task: order.task ?? '',
		unanswered: isUnanswered(state, sentAt, now),
		walkMinutes: order.walkMinutes,
		replacedBy: order.replacedBy,
		welfare: welfareOf(state, order.wellAt, order.heat, now)
	};
}

export function showIncident(
	incident: StoredIncident,
	dispatches: readonly string[],
	{ now, mark }: { now: number; mark: Mark }
): Incident {
	const { id, kind, place, note, openedAt, openedBy, told, closed } = incident;
	return {
		...{ id, kind, place, note, openedAt, openedBy, told, closed, mark },
		state: closed ? 'closed' : 'open',
		claim: showClaim(incident.claim, now),
		dispatches: [...dispatches]
	};
}

export function showClaim(claim: StoredIncident['claim'], now: number): Claim | null {
	return claim && { ...claim, alive: now - claim.heartbeatAt < claimGoneAfterMs };
}
