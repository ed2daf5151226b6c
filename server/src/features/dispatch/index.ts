import path from 'node:path';
import type { DispatchCondition, Mark, Zone } from '../../../contract/index.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { People } from '../people/index.ts';
import type { Record } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { conditionsOf, dispatchAlarms, feedAlarms } from './alarms.ts';
import { createBoard } from './board.ts';
import { ensureDemoTeams } from './demo-teams.ts';
import { createIncidentCommands } from './incident-commands.ts';
import { incidentRoutes } from './incident-routes.ts';
import { createOrderCommands } from './order-commands.ts';
import { orderRoutes } from './order-routes.ts';
import type { AlarmPort, SheetSources, ZonePort } from './ports.ts';
import { createSheetKeeper } from './sheet-keeper.ts';
import { sheetRoutes } from './sheet-routes.ts';
import { buildStateSheet, type SheetParts } from './sheets.ts';
import type { Shown } from './shown.ts';
import { createSitePaths } from './site-paths.ts';
import { teamRoutes } from './team-routes.ts';
import { metreCosts, walkMinutes } from './walking.ts';
import { createWatch } from './watch.ts';

export type { AlarmPort, SheetSources } from './ports.ts';

/** Teams, their orders, incidents, and the sheets of the shift. */
export interface Dispatching extends Feature {
	/** Teams, orders and incidents as screens see them now. */
	shown(): Shown;
	/** What orders say to the alarms now; an order that is not in it is over. */
	conditions(): DispatchCondition[];
}

export interface DispatchDeps {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	notices: Notices | undefined;
	record: Pick<Record, 'append' | 'runCommand' | 'since'>;
	people: Pick<People, 'accountsOfRole' | 'peopleOfRole'>;
	site: Site;
	zones: { list(): readonly Zone[] };
	alarms?: AlarmPort | undefined;
	sources: SheetSources;
	season: string;
	mark: Mark;
	/** Whether this instance decides for all. */
	leads(): boolean;
	/** Where the state sheets lie as files. */
	sheetFolder: string;
	/** Makes teams of its own where there are none. */
	demo: boolean;
}

export function createDispatch(deps: DispatchDeps): Dispatching {
	const { clock, site, mark, alarms } = deps;
	const scope = { season: deps.season, site: site.id };
	const board = createBoard({ ...deps, scope, timeZone: site.timeZone });
	const zones = createZonePort(deps);
	const paths = createSitePaths(site.file);
	const walk = (from: string, to: string) => {
		const way = paths.waysTo(to, (zone) => metreCosts(zone === null ? undefined : zones.walk(zone)).high);
		const own = way.get(from);
		return own ? walkMinutes(own, zones.walk) : null;
	};
	const inner = { ...deps, scope, board, paths, zones, alarms, walk };
	const orders = createOrderCommands(inner);
	const incidents = createIncidentCommands(inner);
	const watch = createWatch(inner);
	const partsOf = (shown: Shown): SheetParts => ({
		...{ at: clock.now(), site, mark, shown, sources: deps.sources },
		zones: deps.zones.list()
	});
	const parts = async () => partsOf(await board.read());
	const keeper = createSheetKeeper({
		...{ ...deps, scope, folder: path.join(deps.sheetFolder, scope.site) },
		make: () => buildStateSheet(partsOf(board.shown()))
	});
	const stops: StopTimer[] = [];
	const conditions = () =>
		conditionsOf(board.shown().dispatches, { now: clock.now(), fresh: board.isFresh() });
	alarms?.define(dispatchAlarms);
	board.onLook((shown) => {
		if (alarms) feedAlarms(alarms, conditions(), board.isFresh());
		watch.look(shown);
		keeper.look();
	});

	return {
		name: 'dispatch',
		shown: board.shown,
		conditions: () => conditionsOf(board.shown().dispatches, { now: clock.now(), fresh: board.isFresh() }),
		staffRoutes(app) {
			teamRoutes(app, inner);
			orderRoutes(app, { ...inner, orders });
			incidentRoutes(app, { ...inner, incidents });
			sheetRoutes(app, { ...inner, parts, makeState: async () => buildStateSheet(await parts()) });
		},
		async start() {
			if (deps.demo) await ensureDemoTeams(deps.db, { ...inner, now: clock.now() });
			await keeper.start();
			await board.start();
			stops.push(clock.setInterval(watch.forget, 3_600_000));
		},
		async stop() {
			for (const stop of stops.splice(0)) stop();
			board.stop();
		}
	};
}

/** What the counting says of a zone, for walking and for heat; asked for many zones at once. */
function createZonePort({ site, zones, clock }: Pick<DispatchDeps, 'site' | 'zones' | 'clock'>): ZonePort {
	let known = new Map<string, Zone>();
	let readMs = -Infinity;
	const find = (id: string) => {
		if (clock.elapsedMs() - readMs >= zonesFreshMs) {
			readMs = clock.elapsedMs();
			known = new Map(zones.list().map((zone) => [zone.id, zone]));
		}
		return known.get(id);
	};
	return {
		walk(id) {
			const zone = site.zones.get(id);
			if (!zone) return undefined;
			const { use, areaSquareMetres, capacity } = zone;
			const now = find(id);
			const people = { present: now?.present ?? null, worst: now?.worstCase?.high ?? null };
			return { use, areaSquareMetres, capacity, ...people, quality: now?.quality ?? 'unknown' };
		},
		heat: (id) => find(id)?.heat?.wbgtCelsius ?? null
	};
}

const zonesFreshMs = 500;
