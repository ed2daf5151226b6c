import type { SeasonPlan } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { readPlan, type Scope } from './season-store.ts';
import { showPlan, type ShowContext } from './show-plan.ts';
import type { StoredPlan } from './stored.ts';

/** The plan on every screen: each instance reads it after every change that is told, and every few seconds. */
export interface SeasonBoard {
	/** As of the last reading. */
	plan(): SeasonPlan;
	stored(): StoredPlan;
	/** Read now, from the store. */
	read(db: Db | Tx): Promise<{ stored: StoredPlan; plan: SeasonPlan }>;
	/** Tells all instances when this transaction commits. */
	tell(tx: Tx): Promise<void>;
	refresh(): void;
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
	context: Omit<ShowContext, 'at'>;
}

const changedKind = 'season.changed';

export function createSeasonBoard(deps: BoardDeps): SeasonBoard {
	const { db, clock, log, scope, notices } = deps;
	const topic = deps.hub.topic('season');
	const stops: StopTimer[] = [];
	let stored: StoredPlan = { entries: [], sightings: [] };
	let text = '';
	let changedAt = clock.now();
	let plan = showPlan(stored, { ...deps.context, at: changedAt });
	let failing = false;
	let readMs = -Infinity;
	let stopped = true;

	const read: SeasonBoard['read'] = async (from) => {
		const now = await readPlan(from, scope, limits.season.sightingsShown);
		return { stored: now, plan: showPlan(now, { ...deps.context, at: clock.now() }) };
	};
	const load = async () => {
		readMs = clock.elapsedMs();
		try {
			stored = await readPlan(db, scope, limits.season.sightingsShown);
			const next = JSON.stringify(stored);
			// A plan that did not change is not sent again: its time is that of its last change.
			if (next !== text) changedAt = clock.now();
			text = next;
			plan = showPlan(stored, { ...deps.context, at: changedAt });
			topic.set('plan', plan);
			failing = false;
		} catch (error) {
			if (!failing) log.warn({ err: error }, 'the season cannot be read: what was known is shown');
			failing = true;
		}
	};
	const readAgain = oneAtATime(load, () => stopped);
	const refresh = () => void readAgain();

	return {
		plan: () => plan,
		stored: () => stored,
		read,
		tell: async (tx) => notices?.send(tx, changedKind, scope),
		refresh,
		async start() {
			stopped = false;
			await load();
			notices?.on(changedKind, (of) => {
				const { season, site } = of as Partial<Scope>;
				if (season === scope.season && site === scope.site) refresh();
			});
			notices?.onConnect(refresh);
			// The laboratory's clock runs faster than the database can be asked.
			const reload = () => {
				if (clock.elapsedMs() - readMs >= limits.season.reloadEveryMs * 0.9) refresh();
			};
			stops.push(clock.setInterval(reload, limits.season.reloadEveryMs));
		},
		stop() {
			stopped = true;
			for (const stop of stops.splice(0)) stop();
		}
	};
}
