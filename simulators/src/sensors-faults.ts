import type { CounterProperties } from '@marsad/server/contract';

/** What may be wrong with a counter at a border; `drift` misses people, the others fail or lie. */
export const faultKinds = [
	'drift',
	'silent',
	'offline',
	'flapping',
	'stuck',
	'swapped',
	'jump',
	'reset',
	'clock',
	'duplicates'
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One way for the counters of a site to be wrong, by name on the command line. */
export interface SensorScenario {
	text: string;
	faults: readonly FaultKind[];
	/** Share of the counters at borders that each of its faults befalls, one at least. */
	share: number;
	/** Every device sends so many messages within so many seconds, once. */
	burst?: { messages: number; seconds: number };
}

/** Counters begin well, so that it can be seen what changes. */
export const faultFromSeconds = 30;
/** A drifting counter misses so many of those who leave. */
export const missedShare = 0.02;
/** A link that flaps is down and up again for so long; what was counted meanwhile is sent afterwards, as it was. */
export const flapSeconds = { down: 20, up: 10 };
export const jumpPeople = 190_000;
export const clockAheadMs = 30 * 60_000;
/** A counter that is set back to 0 shows a running total; it is set back once in so many seconds. */
export const resetEverySeconds = 120;
const fewShare = 0.05;

const one = (text: string, ...faults: FaultKind[]): SensorScenario => ({ text, faults, share: fewShare });

export const sensorScenarios: Readonly<Record<string, SensorScenario>> = {
	drift: { text: 'all counters miss 2 % of those who leave', faults: ['drift'], share: 1 },
	silent: one('some say nothing any more, and not that they are gone', 'silent'),
	offline: one('some say that they are gone', 'offline'),
	flapping: one('links that come and go, with their backlog', 'flapping'),
	stuck: one('some say the same number for ever', 'stuck'),
	swapped: one('some take in for out', 'swapped'),
	jump: one('some jump by 190,000 once', 'jump'),
	reset: one('running totals that are set back to 0', 'reset'),
	clock: one('clocks 30 minutes ahead', 'clock'),
	duplicates: one('some say everything twice', 'duplicates'),
	lies: { text: 'all of these at once, each at one counter', faults: faultKinds.slice(1), share: 0 },
	burst: {
		text: 'every device sends 20 messages in 3 s, once',
		faults: [],
		share: 0,
		burst: { messages: 20, seconds: 3 }
	}
};

/** Which counter has which fault; the same for the same chance. No counter has two. */
export function chooseFaults(
	{ faults, share }: SensorScenario,
	counters: readonly CounterProperties[],
	random: () => number
): ReadonlyMap<string, FaultKind> {
	const left = counters.filter(
		({ adapter, measures, authority, optional }) =>
			adapter === 'own' && measures === 'crossing' && authority && !optional
	);
	const count = Math.max(1, Math.floor(left.length * share));
	const chosen = new Map<string, FaultKind>();
	for (const fault of faults)
		for (let taken = 0; taken < count && left.length > 0; taken++) {
			const [counter] = left.splice(Math.floor(random() * left.length), 1);
			if (counter) chosen.set(counter.id, fault);
		}
	return chosen;
}
