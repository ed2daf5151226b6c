import type { SpikeNow } from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import { ceilingsOf } from './ceilings.ts';

const spike = {
	room: { called: 30, active: 60, placesMax: 100 },
	rate: { perSecond: 40, narrowestPerSecond: null },
	pool: { inUse: 2, size: 10 },
	process: { eventLoopP99Ms: null },
	storm: {
		connected: [{ kind: 'screen', count: 3 }],
		connectionsMax: 6_000,
		handshakesPeak: 0,
		bucketPerSecond: 200
	}
} as unknown as SpikeNow;

describe('what does not scale', () => {
	it('begins with what is nearest to its end; what nobody measured is last and never near', () => {
		const ceilings = ceilingsOf(spike);
		expect(ceilings.slice(0, 3)).toEqual([
			{ id: 'places', now: 90, most: 100, share: 0.9 },
			{ id: 'pool', now: 2, most: 10, share: 0.2 },
			{ id: 'connections', now: 3, most: 6_000, share: 3 / 6_000 }
		]);
		expect(ceilings.slice(-2).map(({ id, share }) => [id, share])).toEqual([
			['narrowest', null],
			['loop', null]
		]);
	});
});
