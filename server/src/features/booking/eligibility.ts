import {
	BrokenCircuitError,
	BulkheadRejectedError,
	CircuitState,
	SamplingBreaker,
	TaskCancelledError,
	TimeoutStrategy,
	bulkhead,
	circuitBreaker,
	handleAll,
	timeout,
	wrap
} from 'cockatiel';
import { limits } from '../../limits.ts';

/** What another body says about one person. */
export interface EligibilityAnswer {
	eligible: boolean;
	/** Why not, in that body's words. */
	reason?: string;
}

/** Asks the body that decides. Rejects when it cannot be asked. */
export type EligibilityCheck = (holder: string, signal: AbortSignal) => Promise<EligibilityAnswer>;

export type BreakerState = 'closed' | 'open' | 'half-open';

/** The check behind bulkhead, breaker and time-out. */
export interface EligibilityGuard {
	/** Null when nobody could be asked in time: the caller answers busy. */
	check(holder: string): Promise<EligibilityAnswer | null>;
	state(): BreakerState;
	/** Checks that run now, and people who wait for one. */
	inHand(): { running: number; waiting: number };
	/** Why the last check could not be made, when it could not. */
	lastTrouble(): string | null;
}

export type EligibilityTrouble = 'bulkhead' | 'breaker' | 'timeout' | 'failed';

/** Opens at half of the checks failing over ten seconds, looks again after five. */
const breakerShare = 0.5;
const breakerWindowMs = 10_000;
const breakerRestMs = 5_000;
const breakerMinimumRps = 2;

/**
 * From the outside in: at most so many checks at once with a bounded queue; the breaker, so that a dead service is
 * not asked by thousands; the time-out, innermost, so that waiting for a turn does not use it up.
 */
export function guardEligibility(
	check: EligibilityCheck,
	options: {
		onTrouble?: (trouble: EligibilityTrouble) => void;
		timeoutMs?: number;
		concurrent?: number;
		waiting?: number;
		restMs?: number;
	} = {}
): EligibilityGuard {
	const room = bulkhead(
		options.concurrent ?? limits.booking.eligibilityConcurrent,
		options.waiting ?? limits.booking.eligibilityWaiting
	);
	const breaker = circuitBreaker(handleAll, {
		halfOpenAfter: options.restMs ?? breakerRestMs,
		breaker: new SamplingBreaker({
			threshold: breakerShare,
			duration: breakerWindowMs,
			minimumRps: breakerMinimumRps
		})
	});
	const limit = timeout(options.timeoutMs ?? limits.booking.eligibilityTimeoutMs, TimeoutStrategy.Aggressive);
	const policy = wrap(room, breaker, limit);
	const concurrent = options.concurrent ?? limits.booking.eligibilityConcurrent;
	const waiting = options.waiting ?? limits.booking.eligibilityWaiting;
	let last: EligibilityTrouble | null = null;
	return {
		async check(holder) {
			try {
				const answer = await policy.execute(({ signal }) => check(holder, signal));
				last = null;
				return answer;
			} catch (error) {
				last = troubleOf(error);
				options.onTrouble?.(last);
				return null;
			}
		},
		state: () => stateOf(breaker.state),
		inHand: () => ({ running: concurrent - room.executionSlots, waiting: waiting - room.queueSlots }),
		lastTrouble: () => last
	};
}

function troubleOf(error: unknown): EligibilityTrouble {
	if (error instanceof BulkheadRejectedError) return 'bulkhead';
	if (error instanceof BrokenCircuitError) return 'breaker';
	if (error instanceof TaskCancelledError) return 'timeout';
	return 'failed';
}

function stateOf(state: CircuitState): BreakerState {
	if (state === CircuitState.Closed) return 'closed';
	return state === CircuitState.HalfOpen ? 'half-open' : 'open';
}
