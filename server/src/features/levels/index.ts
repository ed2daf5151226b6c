import type {
	CurrentLevel,
	LevelFigures,
	LevelsFile,
	LevelsState,
	LocalText,
	Mark
} from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { UnleashAdmin } from '../../platform/flags/unleash-admin.ts';
import type { Log } from '../../platform/log.ts';
import { createLeader, TermOver } from '../../platform/leader/leader.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import type { Alarms } from '../alarms/index.ts';
import type { People } from '../people/index.ts';
import type { Record } from '../record/index.ts';
import type { Spike } from '../spike/index.ts';
import { createDrillWatch } from './drill-watch.ts';
import { createDrills, type Drills } from './drills.ts';
import { feedLevelAlarms, levelAlarms, levelConditions } from './level-alarms.ts';
import { figuresOf } from './level-figures.ts';
import { createForce, type Force } from './levels-force.ts';
import { createFollower, type Follower, type LevelSwitch } from './levels-live.ts';
import { effectOf, entryOf, type LevelEffect } from './levels-plan.ts';
import { levelsRoutes } from './levels-routes.ts';
import type { Scope } from './levels-store.ts';
import { createLevelsWatch } from './levels-watch.ts';
import { createUnleashMirror } from './unleash-mirror.ts';
import { restoreRoute } from './restore-route.ts';

export { LevelsFileError, loadLevels } from './levels-file.ts';
export type { LevelSwitch } from './levels-live.ts';

/** The written degradation levels: which one is in force, what it switches off, who switched it. */
export interface Levels extends Feature {
	/** The level in force here, known from `start` on. */
	current(): CurrentLevel & { name: LocalText };
	/** Everything that screens show of it. */
	state(): LevelsState;
	/** What a level does, with those below it; null for one that is not written. */
	effect(level: number): LevelEffect | null;
	/** A level came into force on this instance. */
	onSwitch: Signal<LevelSwitch>;
	/** The instance that acts on the rules. */
	leads(): boolean;
	/** One look at the rules by hand, for tests. */
	look(): Promise<void>;
}

export interface LevelsDeps {
	database: Database;
	clock: Clock;
	log: Log;
	hub: Hub;
	flags: Flags;
	record: Pick<Record, 'append' | 'runCommand'>;
	people: Pick<People, 'holdsRole'>;
	conductor: Pick<Conductor, 'register' | 'leads'>;
	alarms: Pick<Alarms, 'define' | 'feed'>;
	/** What the rules look at. */
	spike: Pick<Spike, 'now' | 'history'>;
	mark: Mark;
	metrics: Metrics;
	/** From `loadLevels`. */
	file: LevelsFile;
	season: string;
	room: string;
	/** Names this process among instances. */
	instance: string;
	/** Writes flags in Unleash, where a token for that is named. */
	unleashAdmin?: UnleashAdmin | null;
	/** What Unleash says is judged only so long after a writing; by default that of the limits. */
	settleMs?: number;
}

export function createLevels(deps: LevelsDeps): Levels {
	const { log, file, clock } = deps;
	const { db } = deps.database;
	const scope = { season: deps.season, room: deps.room };
	const onSwitch = createSignal<LevelSwitch>((error) => log.error({ err: error }, 'a listener failed'));
	const follower = createFollower({ ...deps, scope, onSwitch, unleash: () => mirror.shown() });
	const mirror = createUnleashMirror({
		...{ ...deps, scope, db, admin: deps.unleashAdmin ?? null },
		leads: deps.conductor.leads,
		level: follower.current,
		isFresh: follower.isFresh,
		onChange: follower.publish
	});
	onSwitch.on(mirror.look);
	const level = () => follower.current().level;
	const figures = () => figuresOf(deps.spike.now(), clock.now());
	const force = createForce({ ...deps, scope, follower });
	const drills = createDrills({ ...deps, scope, force, figures });
	const rules = createRuleWatch(deps, { scope, follower, force, drills, figures });
	const count = countSwitches(deps.metrics);
	onSwitch.on(({ current }) => count(current));

	deps.conductor.register({
		name: 'levels',
		limits() {
			const { rateCapPerSecond } = effectOf(file, level());
			return rateCapPerSecond === null ? [] : [{ source: 'level', perSecond: rateCapPerSecond }];
		}
	});
	return {
		name: 'levels',
		onSwitch,
		look: rules.look,
		leads: rules.leads,
		current: () => ({ ...follower.current(), name: entryOf(file, level())!.name }),
		state: () => follower.state(),
		effect: (asked) => (entryOf(file, asked) ? effectOf(file, asked) : null),
		staffRoutes(app) {
			levelsRoutes(app, { ...deps, db, scope, follower, force, drills, figures });
			restoreRoute(app, { clock: deps.clock, record: deps.record, mirror, state: follower.state });
		},
		async start() {
			await follower.start();
			mirror.start();
			count(follower.current(), 0);
			await rules.start();
		},
		async stop() {
			await rules.stop();
			await mirror.stop();
			await follower.stop();
		}
	};
}

/** The written rules, looked at once a second: every instance shows how they stand, the one that leads acts. */
function createRuleWatch(
	deps: LevelsDeps,
	parts: {
		scope: Scope;
		follower: Follower;
		force: Force;
		drills: Drills;
		figures: () => LevelFigures | null;
	}
) {
	const { clock, log, database, file, alarms } = deps;
	const { scope, follower } = parts;
	const { db } = database;
	const leader = createLeader({
		...{ name: `levels ${scope.season} ${scope.room}`, instance: deps.instance, database, clock, log }
	});
	const running = () => follower.state().drill;
	const drillWatch = createDrillWatch({ ...deps, ...parts, db, running });
	const watch = createLevelsWatch({ ...deps, ...parts, db, drillWatch, leader });
	let failing = false;
	let stopTimer: StopTimer = () => {};
	alarms.define(levelAlarms);
	const look = async () => {
		const facts = { now: clock.now(), known: follower.isFresh(), mark: deps.mark };
		feedLevelAlarms(alarms, levelConditions(file, follower.current(), facts));
		try {
			await watch.look();
			failing = false;
		} catch (error) {
			if (!failing && !(error instanceof TermOver))
				log.warn({ err: error }, 'what the rules decided could not be stored');
			failing = true;
		}
	};
	return {
		look,
		leads: () => leader.term() !== null,
		async start() {
			await watch.resume();
			leader.start();
			stopTimer = clock.setInterval(() => void look(), limits.levels.lookEveryMs);
		},
		async stop() {
			stopTimer();
			await leader.stop();
		}
	};
}

/** `marsad_level` itself stands with the figures of every second. */
function countSwitches(metrics: Metrics) {
	const exercise = metrics.gauge('marsad_level_exercise', 'The level in force is a drill');
	const switches = metrics.counter('marsad_level_switches_total', 'Switches this instance has seen', [
		'source'
	]);
	return (current: CurrentLevel, by = 1) => {
		exercise.set(Number(current.exercise));
		if (by > 0) switches.inc({ source: current.source }, by);
	};
}
