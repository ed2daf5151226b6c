import type { CurrentLevel, LevelsFile, LocalText, Mark } from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Flags } from '../../platform/flags/flags.ts';
import type { UnleashAdmin } from '../../platform/flags/unleash-admin.ts';
import type { Log } from '../../platform/log.ts';
import type { Hub } from '../../platform/realtime/hub.ts';
import { createSignal, type Signal } from '../../platform/signal.ts';
import type { Alarms } from '../alarms/index.ts';
import type { People } from '../people/index.ts';
import type { Record } from '../record/index.ts';
import type { Spike } from '../spike/index.ts';
import { createDrills } from './drills.ts';
import { figuresOf } from './level-figures.ts';
import { createForce } from './levels-force.ts';
import { createFollower, type LevelSwitch } from './levels-live.ts';
import { effectOf, entryOf } from './levels-plan.ts';
import { levelsRoutes } from './levels-routes.ts';
import { createUnleashMirror } from './unleash-mirror.ts';
import { restoreRoute } from './restore-route.ts';

export { LevelsFileError, loadLevels } from './levels-file.ts';
export type { LevelSwitch } from './levels-live.ts';

/** The written degradation levels: which one is in force, what it switches off, who switched it. */
export interface Levels extends Feature {
	/** The level in force here, known from `start` on. */
	current(): CurrentLevel & { name: LocalText };
	/** A level came into force on this instance. */
	onSwitch: Signal<LevelSwitch>;
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
	alarms: Pick<Alarms, 'define' | 'feed' | 'list' | 'link'>;
	/** What the rules look at. */
	spike: Pick<Spike, 'now' | 'trend' | 'history'>;
	mark: Mark;
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
	const { log, file } = deps;
	const scope = { season: deps.season, room: deps.room };
	const onSwitch = createSignal<LevelSwitch>((error) => log.error({ err: error }, 'a listener failed'));
	const follower = createFollower({ ...deps, scope, onSwitch, unleash: () => mirror.shown() });
	const mirror = createUnleashMirror({
		...{ ...deps, scope, db: deps.database.db, admin: deps.unleashAdmin ?? null },
		leads: deps.conductor.leads,
		level: follower.current,
		isFresh: follower.isFresh,
		onChange: follower.publish
	});
	onSwitch.on(mirror.look);
	const level = () => follower.current().level;
	const figures = () => figuresOf(deps.spike.now(), deps.clock.now());
	const force = createForce({ ...deps, scope, follower });
	const drills = createDrills({ ...deps, scope, force, figures });

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
		current: () => ({ ...follower.current(), name: entryOf(file, level())!.name }),
		staffRoutes(app) {
			levelsRoutes(app, { ...deps, db: deps.database.db, scope, follower, force, drills, figures });
			restoreRoute(app, { record: deps.record, mirror, state: follower.state });
		},
		async start() {
			await follower.start();
			mirror.start();
		},
		async stop() {
			await mirror.stop();
			await follower.stop();
		}
	};
}
