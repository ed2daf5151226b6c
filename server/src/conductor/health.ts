import type { HealthSignal } from './decide.ts';

/** What health is judged by, as heard in the last minute; null where there was nothing to judge by. */
export interface HealthFigures {
	/** When the booking path last spoke at all (epoch ms), null when it never did. */
	bookingAt: number | null;
	bookingP95Ms: number | null;
	/** How long the booking that is in hand longest has been so; null when none is. */
	bookingOldestMs: number | null;
	/** Faults ÷ answers, 60 s. */
	faultShare: number | null;
	/** Breaker in front of the eligibility service; null where nobody is asked. */
	breaker: 'closed' | 'open' | 'half-open' | null;
	poolAt: number | null;
	poolWaitP95Ms: number | null;
	/** Share of the instances that fell silent; null where there is one alone. */
	silentShare: number | null;
	/** Parts without which nobody can book (database; Valkey where the queue lives there). */
	parts: readonly PartHealth[];
}

/** One part we cannot do without, as it was last looked at. */
export interface PartHealth {
	name: string;
	state: 'up' | 'slow' | 'down' | 'unknown';
	/** When it was last heard (epoch ms), null when it never was; and for how long it has been in this state. */
	at: number | null;
	forMs: number;
}

/**
 * At `good` health is 1, at `limit` nobody more is let in; in between it falls in proportion.
 * Booking p95: people notice a second, and give up and press again after four; the written rule of level 2 (2 s)
 * then meets a rate already at two thirds. Pool wait: 50 ms is one batch ahead, a second is a pool that cannot
 * keep up. An instance that fell silent takes its share of the rate along. Faults: 1 % is noise, at 10 % every tenth person comes back to load us again.
 */
export const healthBounds = {
	bookingP95Ms: { good: 1_000, limit: 4_000 },
	poolWaitP95Ms: { good: 50, limit: 1_000 },
	faultShare: { good: 0.01, limit: 0.1 },
	breaker: { good: 0, limit: 1 },
	silentShare: { good: 0, limit: 1 },
	part: { good: 0, limit: 1 }
} as const;

/** An open breaker leaves a tenth: with nobody let in at all it would never be tried again. */
const breakerValue = { closed: 0, 'half-open': 0.5, open: 0.9 } as const;

/** One look that failed may be a hiccup: half is left. A part that stays away closes the door. */
const downForSureMs = 3_000;
function partValue({ state, forMs }: PartHealth): number | null {
	if (state === 'unknown') return null;
	if (state === 'down') return forMs >= downForSureMs ? 1 : 0.5;
	return state === 'slow' ? 0.5 : 0;
}

/** The signals by which the conductor judges. */
export function healthSignals(figures: HealthFigures): HealthSignal[] {
	const { bookingAt, poolAt, breaker, parts } = figures;
	return [
		// What is not finished has no latency yet: without this the first sign of trouble comes as late as the trouble.
		{ name: 'booking in hand', value: figures.bookingOldestMs, at: bookingAt, ...healthBounds.bookingP95Ms },
		{ name: 'booking p95', value: figures.bookingP95Ms, at: bookingAt, ...healthBounds.bookingP95Ms },
		{ name: 'faults', value: figures.faultShare, at: bookingAt, ...healthBounds.faultShare },
		{ name: 'eligibility', value: breaker && breakerValue[breaker], at: bookingAt, ...healthBounds.breaker },
		{ name: 'pool wait', value: figures.poolWaitP95Ms, at: poolAt, ...healthBounds.poolWaitP95Ms },
		...(figures.silentShare === null
			? []
			: [{ name: 'instances', value: figures.silentShare, at: figures.poolAt, ...healthBounds.silentShare }]),
		...parts.map((part) => ({
			...{ name: part.name, value: partValue(part), at: part.at },
			...healthBounds.part
		}))
	];
}
