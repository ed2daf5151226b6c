import type { KeyBoard } from '@marsad/server/contract';

const hourMs = 3_600_000;

/** Keys in every state and a list that waits for its root, to look at the screen. For development only. */
export function keysNow(at: number): KeyBoard {
	const key = (kid: string, hoursAgo: number, more: Partial<KeyBoard['keys'][0]>): KeyBoard['keys'][0] => ({
		...{ kid, publicKey: '00'.repeat(32), state: 'retired', createdAt: at - hoursAgo * hourMs },
		...{ signsFrom: at - hoursAgo * hourMs, notAfter: at + 9_000 * hourMs, listedAt: at - hoursAgo * hourMs },
		...{ compromisedAt: null, urgent: false, usable: true, permits: 0, ...more }
	});
	return {
		...{ at, readAt: at, season: 'demo' },
		roots: [{ kid: '5a2b90c1', publicKey: '11'.repeat(32), automatic: false, pinnedAt: at - 2_000 * hourMs }],
		keys: [
			key('f3d2a901', 1, { state: 'next', signsFrom: null, listedAt: null }),
			key('9b41c7e8', 300, { state: 'signing', permits: 1_204_118 }),
			key('2c70a5d4', 1_100, { permits: 88_340 }),
			key('71e0bb36', 1_500, { state: 'compromised', compromisedAt: at - 1_090 * hourMs, usable: false })
		],
		keyList: {
			...{ version: 6, issuedAt: at - 800 * hourMs, nextUpdateAt: at - 80 * hourMs, bytes: 271, stale: true }
		},
		revocations: {
			...{ version: 412, issuedAt: at - 5_000, nextUpdateAt: at + 6 * hourMs, bytes: 27_940, stale: false }
		},
		draft: { version: 7, payload: 'pAEHAhpqDQcAAxpqNJQABIGGRPPSqQFYIAAAAAAAAAAAAAAA' }
	};
}
