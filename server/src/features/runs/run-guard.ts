import {
	isWithin,
	runBounds,
	sizeOf,
	type RunParameters,
	type RunProfile,
	type RunRefusal,
	type SeasonPlan
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';

/** How things stand when somebody wants a run. */
export interface Situation {
	now: number;
	plan: Pick<SeasonPlan, 'freezes' | 'spikes'>;
	level: number;
	/** The level in force is a drill. */
	exercise: boolean;
	/** People in the waiting room, called and inside; null: nobody knows. */
	people: number | null;
	/** Demo or laboratory: nobody there is real. */
	simulated: boolean;
}

/**
 * Why no run of so many seconds may begin now; null: it may. Nothing real may fall into it: no known spike, no freeze,
 * no level in force, and in production nobody in the waiting room.
 */
export function refusalOf(
	{ now, plan, level, exercise, people, simulated }: Situation,
	run: { seconds: number; profile: RunProfile }
): RunRefusal | null {
	const until = now + run.seconds * 1_000;
	const meets = (window: { from: number | null; until: number | null }) =>
		isWithin(window, now) || (window.from !== null && window.from > now && window.from < until);
	if (plan.spikes.some(({ startsAt, endsAt }) => meets({ from: startsAt, until: endsAt }))) return 'spike';
	if (plan.freezes.some(({ window }) => meets(window))) return 'freeze';
	if (level > 0 && !(exercise && run.profile === 'level-drill')) return 'level-in-force';
	if (people === null) return 'no-figures';
	return !simulated && people > 0 ? 'people-waiting' : null;
}

/**
 * Bounded in rate, in time and in number; what only a simulated part can do is asked of none other.
 * @throws AppError run_too_large, run_only_simulated
 */
export function checkBounds(parameters: RunParameters, simulated: boolean): void {
	const { people, seconds, peakPerSecond } = sizeOf(parameters);
	const { peopleMax, secondsMax, perSecondMax } = runBounds;
	if (people > peopleMax || seconds > secondsMax || seconds < 1 || peakPerSecond > perSecondMax)
		throw new AppError('run_too_large', { people, seconds, peopleMax, secondsMax, perSecondMax });
	const { dependencyDelayMs, confirmationsPerSecond } = parameters;
	if (!simulated && (dependencyDelayMs !== null || confirmationsPerSecond !== null))
		throw new AppError('run_only_simulated');
}
