import type { GeneratorSecond } from '@marsad/server/contract';
import type { CallSeen } from './people-api.ts';

type Count = Exclude<keyof GeneratorSecond, 'second'>;

/** Counts by second of the run: people by the second in which they were due, answers by that in which they came. */
export interface Tally {
	add(name: Count, second: number): void;
	answer(seen: CallSeen, second: number): void;
	/** Seconds that are over, and were not taken yet, in order; those in which nothing happened among them. */
	take(before: number): GeneratorSecond[];
}

export function emptySecond(second: number): GeneratorSecond {
	return {
		...{ second, offered: 0, started: 0, dropped: 0, ok: 0, conflict409: 0, refused429: 0, refused503: 0 },
		...{ timeout504: 0, faults: 0, unanswered: 0 }
	};
}

export function createTally(): Tally {
	const seconds = new Map<number, GeneratorSecond>();
	let taken = 0;
	const add = (name: Count, second: number) => {
		// What is late counts in the first second that was not told yet.
		const at = Math.max(taken + 1, second);
		const counts = seconds.get(at) ?? emptySecond(at);
		counts[name] += 1;
		seconds.set(at, counts);
	};
	return {
		add,
		answer(seen, second) {
			const name = nameOf(seen);
			if (name !== null) add(name, second);
		},
		take(before) {
			const told: GeneratorSecond[] = [];
			for (let second = taken + 1; second < before; second++) {
				told.push(seconds.get(second) ?? emptySecond(second));
				seconds.delete(second);
				taken = second;
			}
			return told;
		}
	};
}

/** Answers that the table has a column for; refusals that concern one person alone have none. */
function nameOf({ answer }: CallSeen): Count | null {
	if (answer.ok) return 'ok';
	const { status, lost } = answer;
	if (lost === 'broken') return 'unanswered';
	if (status === 409) return 'conflict409';
	if (status === 429) return 'refused429';
	if (status === 503) return 'refused503';
	if (status === 504) return 'timeout504';
	return status >= 500 ? 'faults' : null;
}

/** Seconds of several threads as one. */
export function addSeconds(parts: readonly (readonly GeneratorSecond[])[]): GeneratorSecond[] {
	const sums = new Map<number, GeneratorSecond>();
	for (const second of parts.flat()) {
		const sum = sums.get(second.second) ?? emptySecond(second.second);
		for (const name of Object.keys(second) as (keyof GeneratorSecond)[])
			if (name !== 'second') sum[name] += second[name];
		sums.set(second.second, sum);
	}
	return [...sums.values()].sort((a, b) => a.second - b.second);
}
