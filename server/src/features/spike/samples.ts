import { percentileMs, type LatencyBuckets } from './latency-buckets.ts';

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

/** One second: counts of that second, gauges at its end. A part that did not report is null, never 0. */
export interface SpikeSample {
	/** End of the second, epoch ms. */
	at: number;
	room: { joined: number; admitted: number; depth: number } | null;
	work: { offered: number; served: number; outcomes: OutcomeCounts; latency: LatencyBuckets } | null;
	rate: number;
	level: number;
}

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
	const change = ({ room, work }: SpikeSample, sign: 1 | -1) => {
		if (room) {
			sum.roomSeconds += sign;
			sum.joined += sign * room.joined;
			sum.admitted += sign * room.admitted;
		}
		if (!work) return;
		sum.workSeconds += sign;
		sum.offered += sign * work.offered;
		sum.served += sign * work.served;
		for (const name of outcomeNames) outcomes[name] += sign * work.outcomes[name];
		for (const [bucket, count] of work.latency)
			latency.set(bucket, (latency.get(bucket) ?? 0) + sign * count);
	};
	return {
		add: (sample) => change(sample, 1),
		remove: (sample) => change(sample, -1),
		read: () => ({
			...sum,
			roomRatio: ratioOf(sum.admitted, sum.joined),
			workRatio: ratioOf(sum.served, sum.offered),
			outcomes: { ...outcomes },
			count: [...latency.values()].reduce((total, count) => total + count, 0),
			p50Ms: percentileMs(latency, 50),
			p95Ms: percentileMs(latency, 95),
			p99Ms: percentileMs(latency, 99)
		})
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
