import type { SpikeNow } from '@marsad/server/contract';

/** A part that grows no further by adding servers: where it is now, and where it ends. */
export interface Ceiling {
	id: 'narrowest' | 'places' | 'pool' | 'connections' | 'loop' | 'handshakes';
	now: number | null;
	/** Null: nobody has measured or set it, and that is said. */
	most: number | null;
	/** How near, 0 to 1 and above; null where either is not known. */
	share: number | null;
}

/** An event loop that is late by so much answers nobody in time; ms. */
export const loopLimitMs = 200;

/** What does not scale, nearest to its end first; what is not known comes last. */
export function ceilingsOf(spike: SpikeNow): Ceiling[] {
	const { room, rate, pool, process, storm } = spike;
	const of = (id: Ceiling['id'], now: number | null, most: number | null): Ceiling => ({
		...{ id, now, most },
		share: now === null || most === null || most <= 0 ? null : now / most
	});
	const connected = storm?.connected.reduce((sum, { count }) => sum + count, 0) ?? null;
	return [
		of('narrowest', rate.perSecond, rate.narrowestPerSecond),
		of('places', room.called + room.active, room.placesMax),
		of('pool', pool.inUse, pool.size > 0 ? pool.size : null),
		of('connections', connected, storm?.connectionsMax ?? null),
		of('loop', process.eventLoopP99Ms, loopLimitMs),
		of('handshakes', storm?.handshakesPeak ?? null, storm?.bucketPerSecond ?? null)
	].sort((a, b) => (b.share ?? -1) - (a.share ?? -1));
}
