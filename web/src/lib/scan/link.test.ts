import { reconnectWindowMs } from '@marsad/server/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { afterAnswer, afterEntry, afterReturn, afterSilence, newLink } from './link.ts';

describe('when a scanner speaks next', () => {
	it('comes back at a random moment of the window, never all at once', () => {
		const moments = Array.from(
			{ length: 2_000 },
			() => afterSilence(newLink(0), 0, Math.random, reconnectWindowMs).nextAt
		);
		const perSecond = Array.from(
			{ length: 30 },
			(_, second) => moments.filter((at) => Math.floor(at / 1_000) === second).length
		);
		expect(Math.max(...perSecond)).toBeLessThan(150);
		const back = afterReturn({ ...newLink(0), state: 'offline', nextAt: 1e9 }, 5_000, () => 0.5, 30_000);
		expect(back.nextAt).toBe(20_000);
	});

	it('obeys Retry-After, and a new entry does not overtake it', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 1, max: 600 }),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(seconds, random) => {
					const held = afterSilence(newLink(0), 0, () => random, 0, seconds);
					expect(held.nextAt).toBeGreaterThanOrEqual(seconds * 1_000);
					expect(afterEntry(held, 10).nextAt).toBe(held.nextAt);
				}
			)
		);
	});

	it('forgets what failed after a minute of calm, and speaks soon when something waits', () => {
		let link = afterSilence(newLink(0), 0, () => 0.5, 30_000);
		link = afterAnswer(link, 20_000, 9_000);
		expect([link.attempt, link.state]).toEqual([1, 'online']);
		expect(link.nextAt).toBe(29_000);
		expect(afterEntry(link, 21_000).nextAt).toBe(22_000);
		expect(afterAnswer(link, 80_000, 0)).toMatchObject({ attempt: 0, nextAt: 81_000 });
	});
});
