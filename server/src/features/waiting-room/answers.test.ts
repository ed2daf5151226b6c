import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { statusCalled, waitOf } from './answers.ts';
import type { Ticket } from './ticket-table.ts';

const context = (position: number, ratePerSecond: number, random = 0.5) => ({
	position,
	ratePerSecond,
	pollFactor: 1,
	random: () => random
});

describe('the time people are told (W-34)', () => {
	it('is never negative, never NaN, 0 with nobody ahead, unknown at rate 0', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 2_000_000 }),
				fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 10_000, noNaN: true })),
				fc.double({ min: 0, max: 0.999, noNaN: true }),
				(position, rate, random) => {
					const { eta, range, pollAfterMs } = waitOf(context(position, rate, random));
					if (position === 0) expect(eta).toBe(0);
					else if (rate === 0) expect([eta, range]).toEqual([null, null]);
					else expect(eta).toBeGreaterThanOrEqual(0);
					if (range) expect(range[0]).toBeLessThanOrEqual(range[1]);
					if (range) expect(range[0]).toBeGreaterThanOrEqual(0);
					// 5 s to 60 s, 15 % either way.
					expect(pollAfterMs).toBeGreaterThanOrEqual(4_250);
					expect(pollAfterMs).toBeLessThanOrEqual(69_000);
				}
			)
		);
	});

	it('asks further back less often, and half as often when a level says so', () => {
		expect(waitOf(context(250 * 300, 250)).pollAfterMs).toBe(30_000);
		expect(waitOf({ ...context(250 * 300, 250), pollFactor: 2 }).pollAfterMs).toBe(60_000);
	});

	it('asks at the slowest pace once the turn has come: nothing changes until the person presses', () => {
		const ticket = { state: 'called', dueAt: 5 } as Ticket;
		expect(statusCalled(ticket, null, context(0, 250))).toEqual({
			admitted: true,
			claimBefore: 5,
			pollAfterMs: 60_000
		});
	});
});
