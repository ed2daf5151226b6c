import type pg from 'pg';
import {
	protectedFeatures,
	type CurrentLevel,
	type LevelsFile,
	type LevelsState,
	type UnleashState
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { Log } from '../../platform/log.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import type { Signal } from '../../platform/signal.ts';
import { undoOf } from './levels-commands.ts';
import { effectOf, switchesOf } from './levels-plan.ts';
import {
	ensureCurrent,
	forgetInstances,
	listenForSwitches,
	readLevels,
	saveSeen,
	type Scope,
	type StoredLevels
} from './levels-store.ts';

/** A level that came into force here, whoever switched it and wherever. */
export interface LevelSwitch {
	from: number;
	to: number;
	current: CurrentLevel;
}

export interface FollowerDeps {
	database: Database;
	clock: Clock;
	log: Log;
	hub: Hub;
	flags: Flags;
	file: LevelsFile;
	scope: Scope;
	instance: string;
	onSwitch: Signal<LevelSwitch>;
	/** How Unleash stands, and how its flags differ. */
	unleash(): UnleashState;
}

/** Keeps this instance at the level in force: at once for its own switches, by notice or poll for those of others. */
export interface Follower {
	current(): CurrentLevel;
	/** What screens see: of what is in force here, or of what was just stored. */
	state(of?: StoredLevels): LevelsState;
	/** Takes over what was just committed here. */
	adopt(stored: StoredLevels): void;
	/** Something that is shown has changed beside the level. */
	publish(): void;
	/** The stored level was read just now. */
	isFresh(): boolean;
	/** Knows the level when it resolves. */
	start(): Promise<void>;
	stop(): Promise<void>;
}

/** Before anything was read. */
const unknownLevel: Omit<CurrentLevel, 'since'> = {
	...{ level: 0, version: -1, by: null, reason: null, source: 'start', chips: [], exercise: false },
	...{ from: null, until: null, rule: null }
};

export function createFollower(deps: FollowerDeps): Follower {
	const { clock, flags, file, scope, instance, log } = deps;
	const { db } = deps.database;
	let stored: StoredLevels = {
		current: { ...unknownLevel, since: clock.now() },
		...{ proposal: null, ruleProposal: null, drill: null, lastDrills: [], instances: [], history: [] }
	};
	let stopped = true;
	let polling = false;
	let failing = false;
	let polledMs = -Infinity;
	let heardMs = -Infinity;
	let read: { at: number; elapsedMs: number } | null = null;
	let toldBy: string | null = null;
	const stops: StopTimer[] = [];
	const isFresh = () => read !== null && clock.elapsedMs() - read.elapsedMs < limits.levels.freshMs;
	const follows = (): NonNullable<LevelsState['follows']> => {
		const by = failing || !isFresh() ? 'nothing' : notices.isListening() ? 'notice' : 'poll';
		const at = read?.at ?? null;
		// While all is well its time is told to the minute: each reading would be a message to every screen otherwise.
		return { by, at: at !== null && by !== 'nothing' ? Math.floor(at / 60_000) * 60_000 : at };
	};

	const state = (of: StoredLevels = stored): LevelsState => ({
		...of,
		undo: undoOf(of.current, clock.now()),
		levels: file.levels,
		switches: switchesOf(file),
		rules: file.rules,
		flags: flags.all(effectOf(file, of.current.level).off),
		protectedFeatures: [...protectedFeatures],
		unleash: deps.unleash(),
		follows: follows()
	});
	const publish = () => deps.hub.topic('levels').set('state', state());

	const adopt = (next: StoredLevels) => {
		// Readings overtake each other: an older version never replaces a newer one.
		if (next.current.version < stored.current.version) return;
		const before = stored.current;
		stored = next;
		if (next.current.version === before.version) return publish();
		flags.setOverride(effectOf(file, next.current.level).off);
		publish();
		heardMs = -Infinity;
		if (before.version < 0) return;
		log.warn(
			{ from: before.level, to: next.current.level, version: next.current.version },
			'another level is in force'
		);
		deps.onSwitch.emit({ from: before.level, to: next.current.level, current: next.current });
	};

	/** Says that this instance is here and what it has seen, then reads how the others are. */
	const refresh = async () => {
		if (clock.elapsedMs() - heardMs >= limits.levels.heardEveryMs) {
			heardMs = clock.elapsedMs();
			const { version, level } = stored.current;
			await saveSeen(db, scope, { instance, version, level, at: clock.now() });
		}
		const next = await readLevels(db, scope, clock.now());
		read = { at: clock.now(), elapsedMs: clock.elapsedMs() };
		adopt(next);
	};
	const poll = async () => {
		// In the laboratory the clock runs faster than the database can be asked.
		if (polling || stopped || clock.elapsedMs() - polledMs < limits.levels.pollMs * 0.9) return;
		polling = true;
		polledMs = clock.elapsedMs();
		try {
			const { version } = stored.current;
			await inTime(refresh());
			if (stored.current.version !== version) await inTime(refresh());
			failing = false;
		} catch (error) {
			if (!failing) log.warn({ err: error }, 'the level cannot be read: the last known one stays in force');
			failing = true;
		} finally {
			polling = false;
			const { by } = follows();
			if (by !== toldBy) publish();
			toldBy = by;
		}
	};
	/** A connection that was cut without a word would hold the next question up for minutes. */
	const inTime = (work: Promise<void>) =>
		Promise.race([
			work,
			new Promise<never>((_resolve, reject) => {
				setTimeout(() => reject(new Error('no answer in time')), limits.levels.readTimeoutMs).unref();
			})
		]);

	const notices = createNotices(deps, (current) => {
		// A proposal is void once anything was switched; the rest of the reading follows.
		const isNew = current.version !== stored.current.version;
		adopt({ ...stored, current, ...(isNew ? { proposal: null, ruleProposal: null, drill: null } : {}) });
		polledMs = -Infinity;
		void poll();
	});

	return {
		current: () => stored.current,
		state,
		adopt,
		publish,
		isFresh,
		async start() {
			stopped = false;
			await ensureCurrent(db, scope, clock.now());
			await refresh();
			await refresh();
			await notices.listen();
			stops.push(
				flags.onChange(publish),
				clock.setInterval(() => void poll(), limits.levels.pollMs),
				clock.setInterval(() => void notices.listen(), limits.levels.heardEveryMs)
			);
		},
		async stop() {
			stopped = true;
			for (const stop of stops.splice(0)) stop();
			await notices.stop();
			await forgetInstances(db, scope, instance, clock.now()).catch(() => undefined);
		}
	};
}

/** Hears of switches on a connection of its own, past any pooler. `listen` is called again and again: it mends. */
function createNotices(
	{ database, scope, log }: Pick<FollowerDeps, 'database' | 'scope' | 'log'>,
	onNotice: (current: CurrentLevel) => void
) {
	let client: pg.Client | null = null;
	let connecting = false;
	let stopped = false;
	return {
		isListening: () => client !== null && !connecting,
		async listen() {
			if (stopped || client || connecting) return;
			connecting = true;
			try {
				const next = await database.connectDirect('levels');
				client = next;
				next.on('end', () => {
					if (client === next) client = null;
				});
				await listenForSwitches(next, scope, onNotice);
				if (stopped) await next.end();
			} catch (error) {
				await client?.end().catch(() => undefined);
				client = null;
				log.warn(
					{ err: error },
					'notices of level switches do not arrive: the level is asked for every second'
				);
			} finally {
				connecting = false;
			}
		},
		async stop() {
			stopped = true;
			await client?.end().catch(() => undefined);
		}
	};
}
