import type { Quality, Zone } from '@marsad/server/contract';

/** A zone that needs longer than this to fill is not filling in any sense that helps a controller. */
export const farAwaySeconds = 2 * 3_600;

/**
 * When a zone is full. `assumed` is what stands of an estimate once the zone is no longer heard: what it was, when,
 * and from when on the zone must be taken for full. It never stands still and reassures.
 */
export type Full =
	| { kind: 'now' }
	| { kind: 'range'; fromSeconds: number; toSeconds: number }
	| { kind: 'far' }
	| { kind: 'not-filling' }
	| { kind: 'assumed'; was: { fromSeconds: number; toSeconds: number; at: number } | null; at: number | null }
	| { kind: 'not-known' };

/** @param quality as shown: a lost link makes every estimate an old one */
export function fullOf(zone: Zone, quality: Quality, now: number): Full {
	const estimate = zone.timeToCapacity;
	if (quality === 'live' || quality === 'partial') {
		if (zone.occupancy !== null && zone.occupancy >= 1) return { kind: 'now' };
		// A count that is known to be wrong says nothing of what is left.
		if (zone.drift) return { kind: 'not-known' };
		if (!estimate) return { kind: 'not-filling' };
		if (estimate.fromSeconds > farAwaySeconds) return { kind: 'far' };
		const passed = (now - estimate.since) / 1_000;
		return {
			kind: 'range',
			fromSeconds: Math.max(0, estimate.fromSeconds - passed),
			toSeconds: Math.max(0, estimate.toSeconds - passed)
		};
	}
	const was =
		estimate && estimate.fromSeconds <= farAwaySeconds
			? { fromSeconds: estimate.fromSeconds, toSeconds: estimate.toSeconds, at: estimate.since }
			: null;
	const isWorstFull = zone.worstCase !== null && zone.worstCase.high >= zone.capacity;
	const at = was && was.at + was.fromSeconds * 1_000;
	// The worst case may have filled it before the estimate did: then nobody waits for the clock.
	if (isWorstFull) return { kind: 'assumed', was, at: at !== null && at <= now ? at : null };
	return was ? { kind: 'assumed', was, at } : { kind: 'not-known' };
}
