import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Metrics } from '../../platform/metrics.ts';

export const bookingOutcomes = [
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
export type BookingOutcome = (typeof bookingOutcomes)[number];

/** Counts since the start; they only grow, so a reader takes differences. */
export interface BookingCounts {
	outcomes: Record<BookingOutcome, number>;
	/** Attempts with a valid pass (or, in the laboratory, without need of one). */
	offered: number;
	/** Attempts that were answered for good; busy, closed and faults are not. */
	served: number;
}

/** Counts outcomes and times of bookings. */
export interface FigureKeeper {
	counts(): BookingCounts;
	offer(): void;
	/** An outcome of a fresh attempt. */
	count(outcome: BookingOutcome): void;
	/** A final answer that is none of the outcomes (no such slot, a spent pass). */
	serve(): void;
	/** How long somebody who was let in at the door waited for the answer, real milliseconds. */
	time(latencyMs: number): void;
	timeCheck(latencyMs: number): void;
	/** Latencies in microseconds since the last call; histograms can be merged with `add`. */
	takeHistogram(): RecordableHistogram;
	takeCheckHistogram(): RecordableHistogram;
}

const servedOutcomes: ReadonlySet<BookingOutcome> = new Set([
	'booked',
	'repeated',
	'slotFull',
	'alreadyBooked',
	'notEligible'
]);
const longestUs = 120_000_000;
const newHistogram = () => createHistogram({ lowest: 1, highest: longestUs, figures: 3 });

export function createFigures(metrics: Metrics): FigureKeeper {
	const total = metrics.counter('marsad_booking_attempts_total', 'Booking attempts by outcome', ['outcome']);
	const seconds = metrics.histogram(
		'marsad_booking_duration_seconds',
		'From the door to the answer',
		[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10]
	);
	const outcomes = Object.fromEntries(bookingOutcomes.map((name) => [name, 0])) as Record<
		BookingOutcome,
		number
	>;
	let offered = 0;
	let served = 0;
	let bookings = newHistogram();
	let checks = newHistogram();
	const record = (histogram: RecordableHistogram, ms: number) =>
		histogram.record(Math.min(longestUs, Math.max(1, Math.round(ms * 1_000))));

	return {
		counts: () => ({ outcomes: { ...outcomes }, offered, served }),
		offer() {
			offered += 1;
		},
		count(outcome) {
			outcomes[outcome] += 1;
			if (servedOutcomes.has(outcome)) served += 1;
			total.inc({ outcome });
		},
		serve() {
			served += 1;
		},
		time(ms) {
			record(bookings, ms);
			seconds.observe(ms / 1_000);
		},
		timeCheck: (ms) => record(checks, ms),
		takeHistogram() {
			const taken = bookings;
			bookings = newHistogram();
			return taken;
		},
		takeCheckHistogram() {
			const taken = checks;
			checks = newHistogram();
			return taken;
		}
	};
}
