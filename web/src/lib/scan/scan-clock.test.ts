import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { offByMs, pairOf, partedMs, timeOf } from './scan-clock.ts';

const hour = 3_600_000;
const start = 1_800_000_000_000;
const reading = (ms: number, offMs = 0, boot = 'a') => ({
	deviceAt: start + ms + offMs,
	uptimeMs: ms,
	boot
});

describe('the time at the gate', () => {
	it('is the server’s plus what went by since, whatever the device believes', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: -400 * 24 * hour, max: 400 * 24 * hour }),
				fc.nat({ max: 12 * hour }),
				fc.nat({ max: 4_000 }),
				(offMs, laterMs, tripMs) => {
					const pair = pairOf(start, tripMs, { ...reading(0, offMs), uptimeMs: 0 });
					const now = timeOf(reading(laterMs, offMs), pair, 0);
					expect(now.trust).toBe('server');
					expect(Math.abs(now.at - (start + tripMs / 2 + laterMs))).toBeLessThanOrEqual(1);
				}
			)
		);
	});

	it('is noticed to be three hours wrong, and corrected', () => {
		const pair = pairOf(start, 0, reading(0, 3 * hour));
		expect(offByMs(reading(60_000, 3 * hour), pair)).toBe(3 * hour);
		expect(timeOf(reading(60_000, 3 * hour), pair, 0)).toEqual({ at: start + 60_000, trust: 'server' });
	});

	it('that is set while the page runs is not believed, and the steady clock goes on', () => {
		const pair = pairOf(start, 0, reading(0));
		for (const jump of [3 * hour, -3 * hour])
			expect(timeOf(reading(60_000, jump), pair, 0)).toEqual({ at: start + 60_000, trust: 'untrusted' });
		expect(timeOf(reading(60_000, partedMs - 1), pair, 0).trust).toBe('server');
	});

	it('after a start without a network is the device’s, less what it was off by, never before what is known', () => {
		const pair = pairOf(start, 0, reading(0, 3 * hour));
		const later = timeOf({ ...reading(hour, 3 * hour, 'b'), uptimeMs: 5 }, pair, start);
		expect(later).toEqual({ at: start + hour, trust: 'device' });
		const reset = timeOf({ deviceAt: 0, uptimeMs: 5, boot: 'b' }, pair, start);
		expect(reset).toEqual({ at: start, trust: 'untrusted' });
	});

	it('is not known before the first comparison', () => {
		expect(timeOf(reading(0), null, start + hour)).toEqual({ at: start + hour, trust: 'untrusted' });
	});
});
