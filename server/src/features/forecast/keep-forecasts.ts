import {
	forecastStepSeconds,
	keptForecastSeconds,
	type ForecastReason,
	type KeptForecast,
	type RoomOutlook,
	type SpikeHistory
} from '../../../contract/index.ts';
import type { Decision } from '../../conductor/decide.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import {
	forgetForecasts,
	keepForecast,
	listDue,
	listForecasts,
	saveJudgement,
	type ForecastKey
} from './forecast-store.ts';
import { judgeForecast } from './judge.ts';

/** What decides the rate in one second; a change of it is a press. */
export interface InForce extends Pick<Decision, 'managerPerSecond' | 'levelCapPerSecond'> {
	level: number;
	mode: string | null;
}

/** Keeps what was expected at each press, and judges it when its time is over. */
export interface ForecastKeeper {
	/**
	 * Once a second where the room is decided. `outlook` is asked only when something was pressed or a regular forecast
	 * is due; null: nothing can be expected now.
	 */
	note(at: number, inForce: InForce, outlook: () => RoomOutlook | null): Promise<void>;
	/** Judges those that are due; how many. */
	judge(): Promise<number>;
	list(limit: number): Promise<KeptForecast[]>;
	forget(): Promise<number>;
}

const forgetRows = 5_000;

export function createForecastKeeper(deps: {
	db: Db;
	clock: Clock;
	key: ForecastKey;
	history: (query: { from: number; to: number; resolution: 10 }) => Promise<SpikeHistory>;
}): ForecastKeeper {
	const { db, clock, key } = deps;
	let before: InForce | null = null;
	let keptAt = -Infinity;

	return {
		async note(at, inForce, outlook) {
			const reason = reasonOf(before, inForce, at - keptAt);
			before = inForce;
			if (reason === null) return;
			// Also when nothing can be expected: it is asked again at the next press or when one is due.
			keptAt = at;
			const expected = outlook();
			if (expected === null) return;
			const steps = keptForecastSeconds / forecastStepSeconds;
			await keepForecast(db, key, {
				...{ at, reason, until: at + keptForecastSeconds * 1_000, stepSeconds: forecastStepSeconds },
				waiting: expected.waiting.slice(0, steps),
				admittedPerSecond: expected.admittedPerSecond.slice(0, steps)
			});
		},
		async judge() {
			const { judgeAfterMs, judgedAtOnce } = limits.forecast;
			const due = await listDue(db, key, clock.now() - judgeAfterMs, judgedAtOnce);
			for (const kept of due) {
				const actual = await deps.history({ from: kept.at, to: kept.until + 20_000, resolution: 10 });
				await saveJudgement(db, key, kept, judgeForecast(kept, actual), clock.now());
			}
			return due.length;
		},
		list: (limit) => listForecasts(db, key, limit),
		forget: () => forgetForecasts(db, clock.now() - limits.forecast.keepDays * 86_400_000, forgetRows)
	};
}

/** Why a forecast is kept now: what was pressed, or that none was for a while; null: no reason. */
export function reasonOf(before: InForce | null, now: InForce, sinceMs: number): ForecastReason | null {
	if (before !== null) {
		if (before.level !== now.level) return 'level';
		if (before.mode !== now.mode) return 'mode';
		if (before.managerPerSecond !== now.managerPerSecond) return 'rate';
	}
	return sinceMs >= limits.forecast.regularEveryMs ? 'regular' : null;
}
