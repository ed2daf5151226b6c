import {
	BrokenCircuitError,
	CircuitState,
	SamplingBreaker,
	TaskCancelledError,
	TimeoutStrategy,
	circuitBreaker,
	handleWhen,
	timeout,
	wrap
} from 'cockatiel';
import { limits } from '../../limits.ts';
import { createAdaptiveLimit, type WorkEnd } from '../../platform/adaptive-limit.ts';
import type { PersonAttributes } from '../permits/index.ts';
import { createAnswerCache } from './eligibility-cache.ts';

/** What another body says about one person. */
export interface EligibilityAnswer {
	eligible: boolean;
	/** Why not, in that body's words. */
	reason?: string;
	/** By what quotas count the person; what was not said is null. */
	attributes?: PersonAttributes;
}

/** The service asks to be left alone for a while (429, or 503 with `Retry-After`): no fault, and no answer. */
export class EligibilityLimitedError extends Error {
	readonly retryAfterMs: number;
	constructor(retryAfterMs: number) {
		super('the eligibility service asks to be left alone for a while');
		this.retryAfterMs = retryAfterMs;
	}
}

/** Asks the body that decides. Rejects when it cannot be asked. */
export type EligibilityCheck = (holder: string, signal: AbortSignal) => Promise<EligibilityAnswer>;

export type BreakerState = 'closed' | 'open' | 'half-open';

/** The check behind adaptive bulkhead, breaker and time-out. */
export interface EligibilityGuard {
	/** Null when nobody could be asked in time: the caller answers busy. */
	check(holder: string): Promise<EligibilityAnswer | null>;
	/** After how many seconds the service may be asked again, where it or the breaker says so. */
	retryAfterSeconds(): number | null;
	state(): BreakerState;
	/** Checks that run now, people who wait for one, and how many may run. */
	inHand(): { running: number; waiting: number; limit: number };
	/** Why the last check could not be made, when it could not. */
	lastTrouble(): EligibilityTrouble | null;
}

export type EligibilityTrouble = 'bulkhead' | 'breaker' | 'timeout' | 'limited' | 'failed';

/** Opens at half of the checks failing over ten seconds, looks again after five. */
const breakerShare = 0.5;
const breakerWindowMs = 10_000;
const breakerRestMs = 5_000;
const breakerMinimumRps = 2;
/** What is left of the checks at once when the service says "too many", or does not answer in time. */
const limitedFactor = 0.5;
/** A service may ask for so much rest at the most. */
const restMsMax = 60_000;

interface GuardOptions {
	elapsedMs: () => number;
	onTrouble?: (trouble: EligibilityTrouble) => void;
	timeoutMs?: number;
	concurrent?: number;
	waiting?: number;
	restMs?: number;
}

/**
 * From the outside in: answers that are still fresh; at most so many checks at once with a bounded queue, fewer when
 * the service says that it is limited or is too slow; the breaker, so that a dead service is not asked by thousands;
 * the time-out, innermost, so that waiting for a turn does not use it up.
 */
export function guardEligibility(check: EligibilityCheck, options: GuardOptions): EligibilityGuard {
	const { elapsedMs } = options;
	const concurrent = options.concurrent ?? limits.booking.eligibilityConcurrent;
	const room = createAdaptiveLimit({
		min: Math.min(concurrent, limits.booking.eligibilityConcurrentMin),
		max: concurrent,
		initial: concurrent,
		waitingMax: options.waiting ?? limits.booking.eligibilityWaiting,
		factor: limitedFactor
	});
	const breaker = circuitBreaker(
		handleWhen((error) => !(error instanceof EligibilityLimitedError)),
		{
			halfOpenAfter: options.restMs ?? breakerRestMs,
			breaker: new SamplingBreaker({
				threshold: breakerShare,
				duration: breakerWindowMs,
				minimumRps: breakerMinimumRps
			})
		}
	);
	const limit = timeout(options.timeoutMs ?? limits.booking.eligibilityTimeoutMs, TimeoutStrategy.Aggressive);
	const policy = wrap(breaker, limit);
	const cache = createAnswerCache(elapsedMs);
	const asking = new Map<string, Promise<EligibilityAnswer | null>>();
	let last: EligibilityTrouble | null = null;
	let restUntilMs = -Infinity;

	const trouble = (kind: EligibilityTrouble): null => {
		last = kind;
		options.onTrouble?.(kind);
		return null;
	};
	const ask = async (holder: string): Promise<EligibilityAnswer | null> => {
		if (elapsedMs() < restUntilMs) return trouble('limited');
		const place = await room.enter();
		if (!place) return trouble('bulkhead');
		let end: WorkEnd = 'good';
		try {
			// Who waited for a turn may have waited into the service's rest.
			if (elapsedMs() < restUntilMs) {
				end = 'ignored';
				return trouble('limited');
			}
			const answer = await policy.execute(({ signal }) => check(holder, signal));
			last = null;
			cache.keep(holder, answer);
			return answer;
		} catch (error) {
			const kind = troubleOf(error);
			end = kind === 'limited' || kind === 'timeout' ? 'dropped' : 'ignored';
			if (error instanceof EligibilityLimitedError) {
				restUntilMs = Math.max(restUntilMs, elapsedMs() + Math.min(restMsMax, error.retryAfterMs));
			}
			return trouble(kind);
		} finally {
			place.end(end);
		}
	};

	return {
		check(holder) {
			const known = cache.find(holder);
			if (known) return Promise.resolve(known);
			// Five tabs of one person are one question.
			const running = asking.get(holder);
			if (running) return running;
			const asked = ask(holder).finally(() => asking.delete(holder));
			asking.set(holder, asked);
			return asked;
		},
		retryAfterSeconds() {
			const restMs = restUntilMs - elapsedMs();
			if (restMs > 0) return Math.ceil(restMs / 1_000);
			return breaker.state === CircuitState.Open
				? Math.ceil((options.restMs ?? breakerRestMs) / 1_000)
				: null;
		},
		state: () => stateOf(breaker.state),
		inHand: () => ({ running: room.running(), waiting: room.waiting(), limit: room.limit() }),
		lastTrouble: () => last
	};
}

function troubleOf(error: unknown): EligibilityTrouble {
	if (error instanceof EligibilityLimitedError) return 'limited';
	if (error instanceof BrokenCircuitError) return 'breaker';
	if (error instanceof TaskCancelledError) return 'timeout';
	return 'failed';
}

function stateOf(state: CircuitState): BreakerState {
	if (state === CircuitState.Closed) return 'closed';
	return state === CircuitState.HalfOpen ? 'half-open' : 'open';
}
