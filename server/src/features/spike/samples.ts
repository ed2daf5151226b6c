import type { RateLimiter } from '../../../contract/index.ts';
import type { StormPart } from './storm-part.ts';
import { percentilesMs, type LatencyBuckets } from './latency-buckets.ts';

export const outcomeNames = [
	'booked',
	'repeated',
	'slotFull',
	'alreadyBooked',
	'noPass',
	'notEligible',
	'busy',
	'closed',
	'faults'
] as const;
export type OutcomeCounts = Record<(typeof outcomeNames)[number], number>;
export type Breaker = 'closed' | 'half-open' | 'open';

/** The room in that time: joins and passes of it, the rest at its end. */
export interface RoomPart {
	/** Seconds of which the room told anything. */
	seconds: number;
	joined: number;
	admitted: number;
	depth: number;
	called: number;
	active: number;
	/** People whose join or claim waits for its commit. */
	pending: number;
	noShow: number;
}

/** Booking in that time. */
export interface WorkPart {
	seconds: number;
	offered: number;
	served: number;
	outcomes: OutcomeCounts;
	latency: LatencyBuckets;
	/** Latency of the eligibility check. */
	checks: LatencyBuckets;
	/** People between the door and their answer, and how long the first of them has been there. */
	inHand: number;
	oldestMs: number | null;
	breaker: Breaker | null;
}

/** The process, or all of them together; of a longer time the worst second. */
export interface MachinePart {
	poolInUse: number;
	poolSize: number;
	poolWaiting: number;
	poolWaitP95Ms: number | null;
	loopP99Ms: number;
	sockets: number;
	/** Socket handshakes in one second. */
	handshakes: number;
	polls: number;
	memoryMb: number;
}

/** Why the rate was what it was. */
export interface DecisionPart {
	limitedBy: RateLimiter;
	health: number;
	worst: string | null;
	blind: boolean;
	mode: string | null;
}

/**
 * One second, ten or sixty, of one instance or of all: the same shape, so that everything that reads one reads all.
 * Counts are sums, gauges stand at the end. A part that did not report is null, never 0.
 */
export interface SpikeSample {
	/** End of the time, epoch ms. */
	at: number;
	room: RoomPart | null;
	work: WorkPart | null;
	machine: MachinePart | null;
	/** Null in samples of an earlier version. */
	storm: StormPart | null;
	decision: DecisionPart | null;
	rate: number;
	level: number;
	/** The instance decides the rate; it ends with this second. Told of single seconds only. */
	leads?: boolean;
	leaves?: boolean;
}

/** A sample as it was stored; one of an earlier version lacks what was not known then. */
export function readSample(stored: unknown): SpikeSample {
	const sample = stored as SpikeSample;
	const { room, work } = sample;
	return {
		...sample,
		room: room && { ...noRoom, ...room },
		work: work && { ...noWork, ...work },
		machine: sample.machine ?? null,
		storm: sample.storm ?? null,
		decision: sample.decision ?? null
	};
}
const noRoom = { seconds: 1, called: 0, active: 0, pending: 0, noShow: 0 };
const noWork = { seconds: 1, checks: [] as LatencyBuckets, inHand: 0, oldestMs: null, breaker: null };

/** Counts that only grow, as read now and a second ago. */
export interface Totals {
	room: { joined: number; admitted: number } | null;
	work: { offered: number; served: number; outcomes: OutcomeCounts } | null;
}

/** What happened between two readings; null where one of them is missing. */
export function difference(now: Totals, before: Totals): { room: Totals['room']; work: Totals['work'] } {
	const room = now.room && before.room;
	const work = now.work && before.work;
	return {
		room: room && { joined: now.room!.joined - room.joined, admitted: now.room!.admitted - room.admitted },
		work: work && {
			offered: now.work!.offered - work.offered,
			served: now.work!.served - work.served,
			outcomes: Object.fromEntries(
				outcomeNames.map((name) => [name, now.work!.outcomes[name] - work.outcomes[name]])
			) as OutcomeCounts
		}
	};
}

/** A window of seconds as one figure. Ratios are null without inflow. */
export interface WindowSum {
	/** Seconds of which the room, or booking, said anything. */
	roomSeconds: number;
	workSeconds: number;
	joined: number;
	admitted: number;
	roomRatio: number | null;
	offered: number;
	served: number;
	workRatio: number | null;
	outcomes: OutcomeCounts;
	count: number;
	p50Ms: number | null;
	p95Ms: number | null;
	p99Ms: number | null;
	checkP95Ms: number | null;
}

/** Shown to the hundredth: work that is in hand just now makes no difference to it. */
export function ratioOf(part: number, whole: number): number | null {
	return whole > 0 ? Math.round((part / whole) * 100) / 100 : null;
}

/** Seconds added up; they can be taken out again, so that a window slides without being added anew. */
export function createSum(): {
	add(sample: SpikeSample): void;
	remove(sample: SpikeSample): void;
	read(): WindowSum;
} {
	const sum = { roomSeconds: 0, workSeconds: 0, joined: 0, admitted: 0, offered: 0, served: 0 };
	const outcomes = Object.fromEntries(outcomeNames.map((name) => [name, 0])) as OutcomeCounts;
	const latency = new Map<number, number>();
	const checks = new Map<number, number>();
	const count = (into: Map<number, number>, buckets: LatencyBuckets, sign: 1 | -1) => {
		for (const [bucket, n] of buckets) into.set(bucket, (into.get(bucket) ?? 0) + sign * n);
	};
	const change = ({ room, work }: SpikeSample, sign: 1 | -1) => {
		if (room) {
			sum.roomSeconds += sign * room.seconds;
			sum.joined += sign * room.joined;
			sum.admitted += sign * room.admitted;
		}
		if (!work) return;
		sum.workSeconds += sign * work.seconds;
		sum.offered += sign * work.offered;
		sum.served += sign * work.served;
		for (const name of outcomeNames) outcomes[name] += sign * work.outcomes[name];
		count(latency, work.latency, sign);
		count(checks, work.checks, sign);
	};
	return {
		add: (sample) => change(sample, 1),
		remove: (sample) => change(sample, -1),
		read() {
			const [p50Ms, p95Ms, p99Ms] = percentilesMs(latency, [50, 95, 99]) as [number | null, never, never];
			return {
				...sum,
				roomRatio: ratioOf(sum.admitted, sum.joined),
				workRatio: ratioOf(sum.served, sum.offered),
				outcomes: { ...outcomes },
				count: [...latency.values()].reduce((total, n) => total + n, 0),
				...{ p50Ms, p95Ms, p99Ms },
				checkP95Ms: percentilesMs(checks, [95])[0]!
			};
		}
	};
}

export function sumSamples(samples: readonly SpikeSample[]): WindowSum {
	const sum = createSum();
	for (const sample of samples) sum.add(sample);
	return sum.read();
}

/** The seconds of the last `seconds` before `now`. Samples are in order of time. */
export function lastSeconds(samples: readonly SpikeSample[], now: number, seconds: number): SpikeSample[] {
	let first = samples.length;
	while (first > 0 && samples[first - 1]!.at > now - seconds * 1_000) first--;
	return samples.slice(first);
}
