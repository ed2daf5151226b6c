import {
	chatteringFrom,
	chatteringWindowMs,
	floodWindowMs,
	type LocalText,
	type Mark
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import { oneAtATime } from '../../platform/one-at-a-time.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { listStanding, type Scope } from './alarm-store.ts';
import { listChattering } from './figures-store.ts';
import { inOrder, isAside, showAll, type ShowContext, type Shown, type Stored } from './show.ts';
import { readWatch } from './watch-store.ts';

/**
 * Alarms on every screen. The store is the one truth: each instance reads it after every change that is told, and every
 * few seconds.
 */
export interface AlarmBoard {
	/** As of the last reading. */
	shown(): Shown;
	/** Read now, from the store. */
	read(): Promise<Shown>;
	/** Tells all instances when this transaction commits. */
	tell(tx: Tx): Promise<void>;
	/** Reads and shows what there is now. */
	refresh(): Promise<void>;
	start(): Promise<void>;
	stop(): void;
}

const changedKind = 'alarms.changed';

export function createAlarmBoard(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	hub: Hub;
	notices: Notices | undefined;
	scope: Scope;
	mark: Mark;
	titleOf(definition: string): LocalText;
}): AlarmBoard {
	const { db, clock, log, scope, notices } = deps;
	const topic = deps.hub.topic('alarms');
	const keys = new Set<string>();
	const stops: StopTimer[] = [];
	let stored: Stored | null = null;
	let failing = false;
	let stopped = true;

	const context = (): ShowContext => ({ now: clock.now(), mark: deps.mark, titleOf: deps.titleOf });
	const nothing: Stored = {
		standing: [],
		watch: { flood: null, sound: null, recent: 0, asides: [], evaluatedAt: 0 },
		chattering: new Set()
	};
	const shown = () => showAll(stored ?? nothing, context());
	const show = () => {
		const { alarms, summary, aside } = shown();
		topic.set('summary', summary);
		topic.set('aside', aside);
		const values = new Map(
			[...inOrder(alarms.filter((alarm) => !isAside(alarm))), ...inOrder(alarms.filter(isAside))]
				.slice(0, limits.alarms.shownMax)
				.map((alarm) => [`alarm:${alarm.id}`, alarm])
		);
		for (const [key, value] of values) topic.set(key, value);
		for (const key of keys) if (!values.has(key)) topic.remove(key);
		keys.clear();
		for (const key of values.keys()) keys.add(key);
	};
	const load = async () => {
		try {
			stored = await readStored(db, scope, clock.now());
			if (failing) log.info('alarms are read again');
			failing = false;
			if (!stopped) show();
		} catch (error) {
			if (!failing) log.warn({ err: error }, 'alarms cannot be read: what was known is shown');
			failing = true;
		}
	};
	const refresh = oneAtATime(load, () => stopped);

	return {
		shown,
		read: async () => showAll(await readStored(db, scope, clock.now()), context()),
		tell: async (tx) => notices?.send(tx, changedKind, scope),
		refresh,
		async start() {
			stopped = false;
			await load();
			notices?.on(changedKind, (of) => {
				const { season, site } = of as Partial<Scope>;
				if (season === scope.season && site === scope.site) void refresh();
			});
			notices?.onConnect(() => void refresh());
			stops.push(
				clock.setInterval(show, limits.alarms.showEveryMs),
				clock.setInterval(() => void refresh(), limits.alarms.reloadEveryMs)
			);
		},
		stop() {
			stopped = true;
			for (const stop of stops.splice(0)) stop();
		}
	};
}

async function readStored(db: Db, scope: Scope, now: number): Promise<Stored> {
	return db
		.transaction()
		.setIsolationLevel('repeatable read')
		.execute(async (tx) => ({
			standing: await listStanding(tx, scope),
			watch: await readWatch(tx, scope, now - floodWindowMs),
			chattering: new Set(await listChattering(tx, scope, now - chatteringWindowMs, chatteringFrom))
		}));
}
