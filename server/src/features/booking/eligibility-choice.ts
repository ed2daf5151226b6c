import type { Clock } from '../../platform/clock.ts';
import type { Metrics } from '../../platform/metrics.ts';
import { createHttpEligibility } from './eligibility-http.ts';
import { createSimulatedEligibility, type SimulatedEligibility } from './eligibility-simulated.ts';
import {
	guardEligibility,
	type BreakerState,
	type EligibilityCheck,
	type EligibilityGuard
} from './eligibility.ts';

export interface EligibilityFigures {
	kind: 'http' | 'simulated' | 'none' | 'not-configured';
	/** Null where nobody is asked. */
	breaker: BreakerState | null;
	running: number;
	waiting: number;
	/** How many checks may run at once just now: fewer where the service is limited. */
	limit: number | null;
	/** Why the last check could not be made, when it could not. */
	trouble: string | null;
}

/** The check that this run uses. */
export interface ChosenEligibility {
	/** Null: none is named, and booking is refused. `none`: the operator says that nobody checks. */
	guard: EligibilityGuard | 'none' | null;
	simulated: SimulatedEligibility | null;
	figures(): EligibilityFigures;
}

/** How long the demo's simulated check takes until its story says otherwise. */
const demoCheckMs = 20;

/** The named service; else, in demo and laboratory alone, a simulated one; else nothing, and booking says so. */
export function chooseEligibility(options: {
	clock: Clock;
	metrics: Metrics;
	random: () => number;
	eligibilityUrl?: string | undefined;
	demo: boolean;
	lab?: { checkMs: number } | undefined;
	onCheck: (latencyMs: number) => void;
}): ChosenEligibility {
	const { clock, metrics, eligibilityUrl } = options;
	const silent = (kind: 'none' | 'not-configured') => ({
		kind,
		breaker: null,
		running: 0,
		waiting: 0,
		limit: null,
		trouble: null
	});
	if (eligibilityUrl === 'none') return { guard: 'none', simulated: null, figures: () => silent('none') };
	const simulated =
		eligibilityUrl === undefined && options.demo
			? createSimulatedEligibility({
					clock,
					delayMs: options.lab?.checkMs ?? demoCheckMs,
					random: options.random
				})
			: null;
	const check =
		simulated?.check ??
		(eligibilityUrl === undefined ? null : createHttpEligibility(eligibilityUrl, () => clock.now()));
	if (!check) return { guard: null, simulated: null, figures: () => silent('not-configured') };
	const troubles = metrics.counter(
		'marsad_eligibility_troubles_total',
		'Eligibility checks that gave no answer, by cause',
		['cause']
	);
	const guard = guardEligibility(timed(check, clock, options.onCheck), {
		elapsedMs: () => clock.elapsedMs(),
		onTrouble: (cause) => troubles.inc({ cause })
	});
	return {
		guard,
		simulated,
		figures: () => ({
			kind: simulated ? 'simulated' : 'http',
			breaker: guard.state(),
			...guard.inHand(),
			trouble: guard.lastTrouble()
		})
	};
}

function timed(
	check: EligibilityCheck,
	clock: Clock,
	onCheck: (latencyMs: number) => void
): EligibilityCheck {
	return async (holder, signal) => {
		const startedMs = clock.elapsedMs();
		try {
			return await check(holder, signal);
		} finally {
			onCheck(clock.elapsedMs() - startedMs);
		}
	};
}
