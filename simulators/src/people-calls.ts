import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { CallSeen } from './people-api.ts';
import { codeOf } from './people-person.ts';

/** One kind of call as people made it; real milliseconds, null without an answer. */
export interface CallFigures {
	count: number;
	p50Ms: number | null;
	p95Ms: number | null;
	maxMs: number | null;
}

export interface CallsFigures {
	calls: Record<string, CallFigures>;
	/** Refusals that are designed, by code: they say what to do, or that somebody may not. */
	refusals: Record<string, number>;
	/** What should not happen: 5xx other than 503, a 503 or 429 that does not say when to come back. */
	faults: Record<string, number>;
	/** 5xx other than 503. */
	serverFaults: number;
	broken: number;
	/** Calls that this machine could not send in time, and those that waited here for a connection. */
	notSent: number;
	waitedHere: number;
	longestWaitMs: number;
}

/** A wait shorter than this is the event loop's, not a missing connection. */
const noticedWaitMs = 5;

/** Counts calls; designed refusals stand apart from faults. */
export function createCallCounts() {
	const times = new Map<string, RecordableHistogram>();
	const refusals: Record<string, number> = {};
	const faults: Record<string, number> = {};
	const sums = { serverFaults: 0, broken: 0, notSent: 0, waitedHere: 0, longestWaitMs: 0 };
	const add = (table: Record<string, number>, key: string) => (table[key] = (table[key] ?? 0) + 1);

	const record = (name: string, ms: number) => {
		let histogram = times.get(name);
		if (!histogram)
			times.set(name, (histogram = createHistogram({ lowest: 1, highest: 600_000_000, figures: 3 })));
		histogram.record(Math.max(1, Math.round(ms * 1_000)));
	};
	return {
		see({ name, answer, ms, waitedMs }: CallSeen): void {
			if (waitedMs > noticedWaitMs) sums.waitedHere += 1;
			sums.longestWaitMs = Math.max(sums.longestWaitMs, waitedMs);
			if (answer.ok) return record(name, ms);
			if (answer.lost === 'not-sent') sums.notSent += 1;
			else if (answer.lost === 'broken') sums.broken += 1;
			else {
				record(name, ms);
				const { status } = answer;
				if (status >= 500 && status !== 503) {
					sums.serverFaults += 1;
					add(faults, `${name}: ${status} ${codeOf(answer)}`);
				} else if ((status === 503 || status === 429) && answer.retryAfterSeconds === null) {
					add(faults, `${name}: ${status} without Retry-After`);
				} else add(refusals, codeOf(answer));
			}
		},
		figures(): CallsFigures {
			const calls: Record<string, CallFigures> = {};
			for (const [name, histogram] of times) {
				const at = (percent: number) => Math.round(histogram.percentile(percent) / 10) / 100;
				calls[name] = { count: histogram.count, p50Ms: at(50), p95Ms: at(95), maxMs: at(100) };
			}
			return { calls, refusals: { ...refusals }, faults: { ...faults }, ...sums };
		}
	};
}
