import type { ArrivalPart } from './people-arrivals.ts';
import { mixes, type Mix, type MixName } from './people-temper.ts';

/** People who arrive by a profile, made up by a mix, with or without bots. */
export interface Scenario {
	text: string;
	people: number;
	/** The profile, stretched to so many of the server's seconds. */
	seconds: number;
	profile(seconds: number): ArrivalPart[];
	mix: MixName;
	/** Changes to the mix that make the scenario what it is. */
	mixChange?: Partial<Mix>;
	botsPerPerson: number;
}

const steadily = (seconds: number): ArrivalPart[] => [{ seconds, from: 1, to: 1 }];

/** What can be played, by name. */
export const scenarios: Readonly<Record<string, Scenario>> = {
	steady: {
		text: 'as many each second',
		people: 600,
		seconds: 60,
		profile: steadily,
		mix: 'mixed',
		botsPerPerson: 0
	},
	opening: {
		text: 'everybody in the opening second',
		people: 2_000,
		seconds: 1,
		profile: steadily,
		mix: 'mixed',
		botsPerPerson: 0
	},
	ramp: {
		text: 'from nobody to twice the mean rate, in a straight line',
		people: 1_500,
		seconds: 60,
		profile: (seconds) => [{ seconds, from: 0, to: 1 }],
		mix: 'mixed',
		botsPerPerson: 0
	},
	day: {
		text: 'calm, a rise to ten times as many, a while so, a fall, calm again',
		people: 3_000,
		seconds: 300,
		profile: (seconds) => [
			{ seconds: seconds * 0.3, from: 1, to: 1 },
			{ seconds: seconds * 0.05, from: 1, to: 10 },
			{ seconds: seconds * 0.2, from: 10, to: 10 },
			{ seconds: seconds * 0.05, from: 10, to: 1 },
			{ seconds: seconds * 0.4, from: 1, to: 1 }
		],
		mix: 'mixed',
		botsPerPerson: 0
	},
	returners: {
		text: 'the opening second; one in ten loses the network for two minutes',
		people: 1_000,
		seconds: 1,
		profile: steadily,
		mix: 'obedient',
		mixChange: { losesNetwork: 0.1 },
		botsPerPerson: 0
	},
	bots: {
		text: 'people within a minute, and nine times as many bots',
		people: 600,
		seconds: 60,
		profile: steadily,
		mix: 'mixed',
		botsPerPerson: 9
	},
	'ten-times': {
		text: 'ten times the worst case: 20,000 in the opening second, many of them rude, and bots',
		people: 20_000,
		seconds: 1,
		profile: steadily,
		mix: 'rude',
		botsPerPerson: 1
	}
};

/** The scenario's mix, or the named one with the scenario's changes. */
export function mixOf({ mix, mixChange }: Scenario, named?: MixName): Mix {
	return { ...mixes[named ?? mix], ...mixChange };
}
