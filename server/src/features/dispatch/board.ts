import type { Mark } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { listIncidents } from './incident-store.ts';
import { listIncidentOrders, listOrders } from './order-store.ts';
import { showAll, type Shown, type Stored } from './shown.ts';
import { listTeams, type Scope } from './team-store.ts';

/**
 * Teams, orders and incidents on every screen. The store is the one truth: each instance reads it after every change
 * that is told, and every few seconds; what depends on the time is worked out once a second.
 */
export interface Board {
	/** As of the last reading. */
	shown(): Shown;
	/** False while the store cannot be read. */
	isFresh(): boolean;
	/** Read now, from the store. */
	read(): Promise<Shown>;
	/** Tells all instances when this transaction commits. */
	tell(tx: Tx): Promise<void>;
	/** Something changed: reads it and shows it. */
	refresh(): void;
	/** Called after each look, once a second. */
	onLook(listener: (shown: Shown) => void): void;
	/** One look by hand, for tests. */
	look(): void;
	start(): Promise<void>;
	stop(): void;
}

export interface BoardDeps {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	notices: Notices | undefined;
	scope: Scope;
	timeZone: string;
	mark: Mark;
}

const changedKind = 'dispatch.changed';
const nothing: Stored = { teams: [], orders: [], incidents: [], incidentOrders: new Map() };

export function createBoard(deps: BoardDeps): Board {
	const { db, clock, log, scope, notices } = deps;
	const topic = deps.hub.topic('dispatch');
	const listeners: ((shown: Shown) => void)[] = [];
	const keys = new Set<string>();
	const stops: StopTimer[] = [];
	let stored = nothing;
	let shown: Shown = { teams: [], dispatches: [], incidents: [] };
	let failing = false;
	let readMs = -Infinity;
	let stopped = true;

	const show = () => {
		shown = showAll(stored, { now: clock.now(), timeZone: deps.timeZone, mark: deps.mark });
		const values = new Map<string, unknown>([
			...shown.teams.map((team) => [`team:${team.id}`, team] as const),
			...shown.dispatches.map((dispatch) => [`dispatch:${dispatch.id}`, dispatch] as const),
			...shown.incidents.map((incident) => [`incident:${incident.id}`, incident] as const)
		]);
		for (const [key, value] of values) topic.set(key, value);
		for (const key of keys) if (!values.has(key)) topic.remove(key);
		keys.clear();
		for (const key of values.keys()) keys.add(key);
	};
	const load = async () => {
		readMs = clock.elapsedMs();
		try {
			stored = await readStored(db, scope, clock.now());
			if (failing) log.info('teams and orders are read again');
			failing = false;
			show();
		} catch (error) {
			if (!failing) log.warn({ err: error }, 'teams and orders cannot be read: what was known is shown');
			failing = true;
		}
	};
	const readAgain = oneAtATime(load, () => stopped);
	const refresh = () => void readAgain();
	/** The laboratory's clock runs faster than the database can be asked. */
	const reload = () => {
		if (clock.elapsedMs() - readMs >= limits.dispatch.reloadEveryMs * 0.9) refresh();
	};
	const look = () => {
		show();
		for (const listener of listeners) listener(shown);
	};

	return {
		shown: () => shown,
		isFresh: () => !failing && !stopped,
		async read() {
			const context = { now: clock.now(), timeZone: deps.timeZone, mark: deps.mark };
			return showAll(await readStored(db, scope, context.now), context);
		},
		tell: async (tx) => notices?.send(tx, changedKind, scope),
		refresh,
		onLook: (listener) => void listeners.push(listener),
		look,
		async start() {
			stopped = false;
			await load();
			notices?.on(changedKind, (of) => {
				const { season, site } = of as Partial<Scope>;
				if (season === scope.season && site === scope.site) refresh();
			});
			notices?.onConnect(refresh);
			stops.push(clock.setInterval(look, 1_000), clock.setInterval(reload, limits.dispatch.reloadEveryMs));
		},
		stop() {
			stopped = true;
			for (const stop of stops.splice(0)) stop();
		}
	};
}

async function readStored(db: Db, scope: Scope, now: number): Promise<Stored> {
	const since = now - limits.dispatch.shownAfterMs;
	return db
		.transaction()
		.setIsolationLevel('repeatable read')
		.execute(async (tx) => {
			const teams = await listTeams(tx, scope);
			const orders = await listOrders(tx, scope, since);
			const incidents = await listIncidents(tx, scope, since);
			const links = await listIncidentOrders(
				tx,
				incidents.map(({ id }) => id)
			);
			const incidentOrders = new Map<string, string[]>();
			for (const { incident, id } of links)
				incidentOrders.set(incident, [...(incidentOrders.get(incident) ?? []), id]);
			return { teams, orders, incidents, incidentOrders };
		});
}
