import {
	phasesOf,
	phaseSpans,
	runPhases,
	sizeOf,
	type RunBegun,
	type RunParameters
} from '@marsad/server/contract';
import { createRandom } from './chance.ts';
import { drawArrivals, spaceArrivals } from './people-arrivals.ts';
import { drawTemper, mixes, type Temper } from './people-temper.ts';

/** Bots of one run at most. */
export const runBotsMax = 200_000;

/** The moments (the server's ms from the start, ascending) at which people arrive, drawn before the first one does. */
export function scheduleOf(parameters: RunParameters, seed: number): Float64Array {
	const { people } = sizeOf(parameters);
	if (people === 0) return new Float64Array(0);
	const phases = phasesOf(parameters);
	return parameters.spacing === 'even'
		? spaceArrivals(people, phases)
		: drawArrivals(people, phases, createRandom(seed));
}

/** When bots come: with the surge, steadily, and not outside it. */
export function botSchedule(parameters: RunParameters, seed: number): Float64Array {
	if (parameters.botsPerPerson === 0) return new Float64Array(0);
	const { ramp, drop } = phaseSpans(parameters);
	const from = ramp.from * 1_000;
	const to = Math.max(from + 1_000, drop.to * 1_000);
	const inSurge = scheduleOf(parameters, seed).filter((moment) => moment >= from && moment < to).length;
	const count = Math.min(runBotsMax, Math.round(inSurge * parameters.botsPerPerson));
	if (count === 0) return new Float64Array(0);
	const part = { seconds: (to - from) / 1_000, from: 1, to: 1 };
	return drawArrivals(count, [part], createRandom(seed ^ 0x2545f491)).map((moment) => moment + from);
}

/** Who the person of that number is: drawn from its own seed, whichever thread plays it. */
export function temperOf(
	{ parameters, seed, namesPeople }: Pick<RunBegun, 'parameters' | 'seed' | 'namesPeople'>,
	index: number
): Temper {
	const random = createRandom((seed ^ 0x5bd1e995) + 7_919 * (index + 1));
	const { returnShare, withoutBackOff } = parameters;
	const temper = drawTemper(
		{ ...mixes.obedient, anonymous: namesPeople ? 0 : 1, losesNetwork: returnShare },
		random
	);
	const { traits } = temper;
	if (!traits || withoutBackOff === 0) return temper;
	// Where people are cut off, it is they who come back without backing off.
	const mayHammer = returnShare === 0 || traits.losesNetworkAt !== null;
	return { ...temper, traits: { ...traits, obeys: !(mayHammer && random() < withoutBackOff) } };
}

/** The phase that a second of the run belongs to; after the last one people are still on their way. */
export function phaseOf(parameters: RunParameters, second: number): string {
	const spans = phaseSpans(parameters);
	return runPhases.find((name) => second >= spans[name].from && second < spans[name].to) ?? 'after';
}
