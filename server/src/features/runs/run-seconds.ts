import type { GeneratorSecond, RateLimiter } from '../../../contract/index.ts';
import type { LatencyBuckets, SpikeSample } from '../spike/index.ts';

/** A queue behind the booking in one second. */
export interface QueueSecond {
	name: string;
	depth: number;
	oldestSeconds: number | null;
	drainPerSecond: number;
}

/** What only the newest figures say, written down while the run goes on. */
export interface SecondNote {
	/** Epoch ms. */
	at: number;
	instances: number;
	/** How long the first in the waiting room has waited. */
	oldestSeconds: number | null;
	queues: readonly QueueSecond[];
}

/** One second as the server saw it, all instances together. */
export interface ServerSecond {
	joined: number;
	admitted: number;
	offered: number;
	served: number;
	waiting: number;
	active: number;
	/** People between the door of booking and their answer. */
	inHand: number;
	refused: number;
	faults: number;
	/** Of bookings, so that percentiles of any stretch are those of all samples in it. */
	latency: LatencyBuckets;
	breakerOpen: boolean;
	poolInUse: number | null;
	poolSize: number | null;
	poolWaiting: number | null;
	poolWaitP95Ms: number | null;
	ratePerSecond: number;
	limitedBy: RateLimiter | null;
	level: number;
	oldestSeconds: number | null;
	instances: number | null;
	queues: readonly QueueSecond[];
}

/** One second of a run; `second` is its end. A side that said nothing is null, never 0. */
export interface RunSecond {
	second: number;
	generator: GeneratorSecond | null;
	server: ServerSecond | null;
}

/** A sample and the note of its second, as the report reads them. */
export function serverSecond(sample: SpikeSample, note: SecondNote | null): ServerSecond | null {
	const { room, work, machine, decision } = sample;
	if (room === null || work === null) return null;
	const { booked: _booked, repeated: _repeated, faults, ...refused } = work.outcomes;
	return {
		...{ joined: room.joined, admitted: room.admitted, offered: work.offered, served: work.served },
		...{ waiting: room.depth, active: room.active, inHand: work.inHand },
		refused: Object.values(refused).reduce((sum, count) => sum + count, 0),
		...{ faults, latency: work.latency, breakerOpen: work.breaker === 'open' },
		poolInUse: machine?.poolInUse ?? null,
		poolSize: machine?.poolSize ?? null,
		poolWaiting: machine?.poolWaiting ?? null,
		poolWaitP95Ms: machine?.poolWaitP95Ms ?? null,
		...{ ratePerSecond: sample.rate, limitedBy: decision?.limitedBy ?? null, level: sample.level },
		oldestSeconds: note?.oldestSeconds ?? null,
		instances: note?.instances ?? null,
		queues: note?.queues ?? []
	};
}

/**
 * The seconds of a run on one line: those that the server stored, and those that the generator told.
 * @param startedAt the server's clock at second 0, epoch ms
 */
export function joinSeconds(input: {
	startedAt: number;
	seconds: number;
	samples: readonly SpikeSample[];
	notes: readonly SecondNote[];
	generator: readonly GeneratorSecond[];
}): RunSecond[] {
	const { startedAt, seconds } = input;
	const indexOf = (at: number) => Math.ceil((at - startedAt) / 1_000);
	const notes = new Map(input.notes.map((note) => [indexOf(note.at), note]));
	const samples = new Map(input.samples.map((sample) => [indexOf(sample.at), sample]));
	const told = new Map(input.generator.map((second) => [second.second, second]));
	return Array.from({ length: Math.max(0, Math.ceil(seconds)) }, (_, index) => {
		const second = index + 1;
		const sample = samples.get(second);
		const note = notes.get(second) ?? notes.get(second - 1) ?? null;
		return {
			second,
			generator: told.get(second) ?? null,
			server: sample ? serverSecond(sample, note) : null
		};
	});
}

/** The mean of what is known; null of nothing. */
export function meanOf(values: readonly (number | null | undefined)[]): number | null {
	const known = values.filter((value) => value !== null && value !== undefined);
	return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
}

/** The greatest of what is known; null of nothing. */
export function mostOf(values: readonly (number | null | undefined)[]): number | null {
	return values.reduce<number | null>(
		(most, value) => (value === null || value === undefined ? most : Math.max(most ?? value, value)),
		null
	);
}

/** The most that was reached over so many seconds together, a second; null where nothing is known. */
export function bestMean(values: readonly (number | null)[], windowSeconds: number): number | null {
	const window = Math.max(1, Math.min(windowSeconds, values.length));
	let best: number | null = null;
	for (let last = window - 1; last < values.length; last++) {
		const slice = values.slice(last - window + 1, last + 1);
		if (slice.some((value) => value === null)) continue;
		best = Math.max(best ?? 0, meanOf(slice) ?? 0);
	}
	return best;
}
