import { createHmac } from 'node:crypto';
import type { Mark, RunOutcome, RunRefusal, RunProfile } from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Booking } from '../booking/index.ts';
import type { Levels } from '../levels/index.ts';
import type { People } from '../people/index.ts';
import type { Record } from '../record/index.ts';
import type { Season } from '../season/index.ts';
import type { Spike } from '../spike/index.ts';
import { createGeneratorProcess } from './generator-process.ts';
import { generatorRoutes } from './generator-routes.ts';
import type { Evidence } from './run-commands.ts';
import { refusalOf } from './run-guard.ts';
import { createRunWatch } from './run-watch.ts';
import { runsRoutes } from './runs-routes.ts';
import { listRuns, readDatabaseFacts } from './runs-store.ts';

/** Spike runs: rehearsals of a known surge, and what they proved. */
export interface Runs extends Feature {
	/** Stored runs, newest first: what readiness goes by. */
	outcomes(): Promise<RunOutcome[]>;
	/** What a run would be evidence for now. */
	evidence(): Promise<Evidence>;
	/** Where this server answers, known once it listens. */
	servesAt(url: string): void;
	/** One look by hand, for tests; it happens by itself once a second. */
	look(): Promise<void>;
}

export interface RunsDeps {
	db: Db;
	clock: Clock;
	log: Log;
	record: Pick<Record, 'append' | 'runCommand'>;
	people: Pick<People, 'holdsRole'>;
	booking: Pick<Booking, 'figures' | 'oversold' | 'simulatedCheck'>;
	spike: Pick<Spike, 'now' | 'samples'>;
	levels: Pick<Levels, 'current'>;
	seasonPlan: Season['plan'];
	conductor: Pick<Conductor, 'register' | 'decision' | 'leads'>;
	season: string;
	room: string;
	secret: string;
	mark: Mark;
	/** Demo or laboratory: one person is enough, and the server starts the generator itself. */
	simulated: boolean;
	/** Of the laboratory's clock. */
	timeScale: number;
	shared: boolean;
	/** Entry of the simulators, a program of its own. */
	generatorFile: string;
	/** Of the demo's accounts. */
	demoPassword: string | undefined;
	/** Hashes of the code with its web, and of site, levels and settings. */
	build: string;
	config: string;
}

export function createRuns(deps: RunsDeps): Runs {
	const { db, clock, log, conductor, spike, levels, simulated, timeScale } = deps;
	const scope = { season: deps.season, room: deps.room };
	let url: string | null = null;
	let schema: string | null = null;
	const evidence = async (): Promise<Evidence> => {
		// Migrations run before anybody listens: it does not change under us.
		schema ??= (await readDatabaseFacts(db)).schema;
		return { build: deps.build, config: deps.config, schema };
	};
	const refusal = (run: { seconds: number; profile: RunProfile }): RunRefusal | null => {
		const now = clock.now();
		const figures = spike.now();
		const isFresh = figures !== null && now - figures.at <= limits.runs.figuresFreshMs * timeScale;
		const { level, exercise } = levels.current();
		const { depth = 0, called = 0, active = 0 } = figures?.room ?? {};
		const people = isFresh ? depth + called + active : null;
		return refusalOf({ now, plan: deps.seasonPlan(), level, exercise, people, simulated }, run);
	};
	const tokenOf = (id: string) =>
		createHmac('sha256', deps.secret).update(`spike run ${id}`).digest('base64url');
	const { killAfterMs } = limits.runs;
	const generator = createGeneratorProcess({ file: deps.generatorFile, log, killAfterMs });
	const shared = {
		...{ db, clock, scope, evidence, refusal, tokenOf, timeScale, simulated },
		standing: () => ({
			ratePerSecond: Math.round(conductor.decision().ratePerSecond * 10) / 10,
			level: levels.current().level
		}),
		stopGenerator: () => generator.stop()
	};
	const watch = createRunWatch({ ...deps, ...shared });
	let failing = false;
	conductor.register({
		name: 'runs',
		tick() {
			if (!conductor.leads()) return;
			// The seconds of the room do not wait for it; that the store is away is said once.
			void watch.look().then(
				() => (failing = false),
				(error: unknown) => {
					if (!failing) log.warn({ err: error }, 'spike runs cannot be watched');
					failing = true;
				}
			);
		}
	});
	return {
		name: 'runs',
		outcomes: () => listRuns(db, scope, limits.runs.shown),
		evidence,
		servesAt: (at) => void (url = at),
		look: watch.look,
		staffRoutes(app) {
			runsRoutes(app, {
				...deps,
				...shared,
				url: () => url,
				launch(id) {
					if (url !== null)
						generator.start({ id, token: tokenOf(id), server: url, password: deps.demoPassword });
				}
			});
			generatorRoutes(app, shared);
		},
		async stop() {
			watch.stop();
			generator.close();
		}
	};
}
