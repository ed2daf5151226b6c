import type { Reconciliation } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { CountCheck } from './season-store.ts';

/** The proof, again and again, that what is counted equals the permits; a gap is shown and never mended quietly. */
export interface Reconciler {
	/** Looks now, unless that was done a moment ago; one look at a time. */
	look(): Promise<Reconciliation>;
	/** The last look. */
	last(): Reconciliation;
	start(): void;
	stop(): void;
}

const gapsShownMax = 100;
const never: Reconciliation = {
	state: 'unknown',
	at: null,
	tookMs: null,
	checked: null,
	gaps: [],
	gapsTotal: 0
};

export function createReconciler(deps: {
	check(): Promise<CountCheck>;
	clock: Clock;
	log: Log;
	metrics: Metrics;
}): Reconciler {
	const { clock, log } = deps;
	const gapsGauge = deps.metrics.gauge(
		'marsad_booking_count_gaps',
		'Counts that differ from the valid permits, by level',
		['level']
	);
	const atGauge = deps.metrics.gauge(
		'marsad_booking_reconciled_at_seconds',
		'When counts were last compared with permits (epoch seconds)'
	);
	let last = never;
	let lookedMs = -Infinity;
	let looking: Promise<Reconciliation> | null = null;
	let stopTimer: StopTimer = () => {};

	const look = async (): Promise<Reconciliation> => {
		const startedMs = clock.elapsedMs();
		const { checked, gaps } = await deps.check();
		lookedMs = clock.elapsedMs();
		last = {
			state: gaps.length === 0 ? 'equal' : 'gaps',
			at: clock.now(),
			tookMs: Math.round(lookedMs - startedMs),
			checked,
			gaps: gaps.slice(0, gapsShownMax),
			gapsTotal: gaps.length
		};
		for (const level of ['slot', 'quota', 'shard'] as const) {
			gapsGauge.set({ level }, gaps.filter((gap) => gap.level === level).length);
		}
		atGauge.set(clock.now() / 1_000);
		if (gaps.length > 0) log.error({ gaps: last.gaps, gapsTotal: gaps.length }, 'counts differ from permits');
		return last;
	};
	const lookOnce = () =>
		(looking ??= look().finally(() => {
			looking = null;
		}));
	const lookInBackground = () =>
		void lookOnce().catch((error: unknown) => {
			// What could not be looked at is not known to be equal.
			if (last.state === 'equal') last = { ...last, state: 'unknown' };
			log.warn(
				{ error: error instanceof Error ? error.message : 'unknown' },
				'counts could not be compared with permits'
			);
		});

	return {
		look: () =>
			last.state !== 'unknown' && clock.elapsedMs() - lookedMs < limits.booking.reconcileFreshMs
				? Promise.resolve(last)
				: lookOnce(),
		last: () => last,
		start() {
			lookInBackground();
			stopTimer = clock.setInterval(lookInBackground, limits.booking.reconcileEveryMs);
		},
		stop: () => stopTimer()
	};
}
