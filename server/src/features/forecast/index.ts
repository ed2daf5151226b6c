import {
	forecastSeconds,
	forecastStepSeconds,
	type ForecastAccuracy,
	type Mark,
	type PressForecast,
	type PressForecastQuery
} from '../../../contract/index.ts';
import type { Conductor } from '../../conductor/conductor.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import type { Log } from '../../platform/log.ts';
import type { Levels } from '../levels/index.ts';
import type { Spike } from '../spike/index.ts';
import { forecastRoutes } from './forecast-routes.ts';
import { accuracyOf } from './judge.ts';
import { createForecastKeeper } from './keep-forecasts.ts';
import { outlookOf } from './outlook.ts';
import { basisOf, roomPlan, whyUnknown, type Premise, type RoomSituation } from './room-plan.ts';

/** What would come of a press, by the one model; and how right it was. */
export interface Forecast extends Feature {
	press(query: PressForecastQuery): Promise<PressForecast>;
	/** Judges what is due at once, for tests; it happens by itself otherwise. */
	judge(): Promise<number>;
}

export interface ForecastDeps {
	db: Db;
	clock: Clock;
	log: Log;
	conductor: Pick<Conductor, 'register' | 'decision' | 'leads'>;
	spike: Pick<Spike, 'now' | 'history'>;
	levels: Pick<Levels, 'current' | 'effect'>;
	season: string;
	room: string;
	/** A called person who stays away frees the place after so long. */
	claimWithinSeconds: number;
	mark: Mark;
}

const judgeEveryMs = 30_000;
const forgetEveryMs = 3_600_000;
const accuracyKeptMs = 10_000;

export function createForecast(deps: ForecastDeps): Forecast {
	const { clock, log, conductor, spike, levels, mark } = deps;
	const key = { season: deps.season, room: deps.room };
	const keeper = createForecastKeeper({ ...deps, key, history: (query) => spike.history(query) });
	const stops: StopTimer[] = [];
	let failing = false;
	/** The seconds do not wait for the store; that it is away is said once. */
	const inTheBackground = (work: Promise<unknown>) =>
		void work.then(
			() => (failing = false),
			(error: unknown) => {
				if (!failing) log.warn({ err: error }, 'forecasts cannot be kept or judged');
				failing = true;
			}
		);

	const situation = (): RoomSituation | null => {
		const now = spike.now();
		return now && { now, decision: conductor.decision(), claimWithinSeconds: deps.claimWithinSeconds };
	};
	const premiseOf = (level: number, managerPerSecond: number): Premise => {
		const effect = levels.effect(level);
		if (!effect) throw new AppError('bad_request', { field: 'level', detail: 'is not a written level' });
		return {
			...{ managerPerSecond, levelCapPerSecond: effect.rateCapPerSecond },
			joinsOff: effect.off.has('joins'),
			releasesOff: effect.off.has('releases') || effect.off.has('booking')
		};
	};
	const inForce = (): Premise => premiseOf(levels.current().level, conductor.decision().managerPerSecond);
	const outlook = (of: RoomSituation, premise: Premise) =>
		outlookOf(roomPlan(of, premise, forecastSeconds, forecastStepSeconds), of.now.at);

	let accuracy: { at: number; value: ForecastAccuracy } | null = null;
	const readAccuracy = async () => {
		if (accuracy === null || clock.elapsedMs() - accuracy.at > accuracyKeptMs)
			accuracy = { at: clock.elapsedMs(), value: accuracyOf(await keeper.list(limits.forecast.shown)) };
		return accuracy.value;
	};

	const press: Forecast['press'] = async (query) => {
		const { managerPerSecond } = conductor.decision();
		const pressed =
			query.kind === 'level'
				? premiseOf(query.level, managerPerSecond)
				: premiseOf(levels.current().level, query.perSecond);
		const of = situation();
		const unknown = of === null ? 'no-figures' : whyUnknown(of);
		const shared = { stepSeconds: forecastStepSeconds, unknown, accuracy: await readAccuracy(), mark };
		if (of === null || unknown !== null) {
			const quality = of?.now.room.quality ?? 'unknown';
			return { ...shared, at: of?.now.at ?? clock.now(), quality, basis: null, before: null, after: null };
		}
		return {
			...{ ...shared, at: of.now.at, quality: of.now.room.quality, basis: basisOf(of) },
			...{ before: outlook(of, inForce()), after: outlook(of, pressed) }
		};
	};

	conductor.register({
		name: 'forecast',
		tick(decision) {
			if (!conductor.leads()) return;
			const of = situation();
			if (of === null) return;
			const { managerPerSecond, levelCapPerSecond } = decision;
			const now = {
				managerPerSecond,
				levelCapPerSecond,
				level: levels.current().level,
				mode: of.now.room.mode
			};
			inTheBackground(
				keeper.note(of.now.at, now, () => (whyUnknown(of) === null ? outlook(of, inForce()) : null))
			);
		}
	});

	return {
		name: 'forecast',
		press,
		judge: keeper.judge,
		staffRoutes: (app) =>
			forecastRoutes(app, {
				press,
				kept: async () => {
					const kept = await keeper.list(limits.forecast.shown);
					return { kept, accuracy: accuracyOf(kept), mark };
				}
			}),
		async start() {
			stops.push(
				clock.setInterval(() => {
					if (conductor.leads()) inTheBackground(keeper.judge());
				}, judgeEveryMs),
				clock.setInterval(() => inTheBackground(keeper.forget()), forgetEveryMs)
			);
		},
		async stop() {
			for (const stop of stops) stop();
		}
	};
}
