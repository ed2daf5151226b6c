import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { countDown, expect as promise, expectedSeconds, mayBeCalled, peopleAhead } from './estimate.ts';
import { sampleProgress } from './test-states.ts';

const nothing = { arrivalAt: null, rise: null };

describe('the place that a page works out by itself', () => {
	it('counts the people before it who still wait', () => {
		expect(peopleAhead(501, sampleProgress())).toBe(400);
		// A third of those before have left.
		expect(peopleAhead(501, sampleProgress({ waiting: 600 }))).toBe(267);
		expect(peopleAhead(101, sampleProgress())).toBe(0);
		// The public document may be a second older than the ticket.
		expect(peopleAhead(1_200, sampleProgress())).toBe(899);
	});

	it('is never negative, never not a number, never more than the numbers before it', () => {
		const count = fc.integer({ min: 0, max: 2_000_000 });
		fc.assert(
			fc.property(count, count, count, count, (number, issued, released, waiting) => {
				const ahead = peopleAhead(number, sampleProgress({ issued, released, waiting }));
				expect(ahead).toBeGreaterThanOrEqual(0);
				expect(ahead).toBeLessThanOrEqual(Math.max(0, number - released - 1));
			})
		);
	});

	it('asks for its turn only when the numbers have come so far', () => {
		expect(mayBeCalled(101, sampleProgress())).toBe(false);
		expect(mayBeCalled(100, sampleProgress())).toBe(true);
	});
});

describe('the expected time', () => {
	it('is unknown while nobody is let in, even for the next one', () => {
		expect(expectedSeconds(400, sampleProgress({ ratePerSecond: 0 }))).toBeNull();
		expect(expectedSeconds(0, sampleProgress({ ratePerSecond: 0 }))).toBeNull();
		expect(expectedSeconds(0, sampleProgress({ mode: 'queue-all' }))).toBeNull();
		expect(expectedSeconds(400, sampleProgress({ bookingOpen: false }))).toBeNull();
	});
	it('is nothing with nobody ahead, else people over rate', () => {
		expect(expectedSeconds(0, sampleProgress())).toBe(0);
		expect(expectedSeconds(400, sampleProgress())).toBe(40);
	});
	it('counts down between two answers and stops at nothing', () => {
		expect(countDown(40, 15_000)).toBe(25);
		expect(countDown(40, 100_000)).toBe(0);
		expect(countDown(40, -5_000)).toBe(40);
		expect(countDown(null, 5_000)).toBeNull();
	});
});

describe('a rise above 20 %', () => {
	const first = promise(nothing, 600, sampleProgress(), 0);

	it('carries its reason, and keeps it while the time stays late', () => {
		const risen = promise(first, 700, sampleProgress({ slowedBy: 'health' }), 100_000);
		expect(risen.rise).toMatchObject({ seconds: 200, why: 'health' });
		expect(promise(risen, 640, sampleProgress(), 160_000).rise).toMatchObject({ why: 'health' });
	});
	it('says so when no reason is known', () => {
		expect(promise(first, 900, sampleProgress(), 10_000).rise).toMatchObject({ why: 'other' });
	});
	it('is seen too when it creeps', () => {
		let now = 0;
		let last = first;
		while (last.rise === null && now < 600_000) {
			now += 20_000;
			// Ten seconds pass, nothing gets nearer.
			last = promise(last, 600, sampleProgress({ slowedBy: 'full' }), now);
		}
		expect(last.rise).toMatchObject({ why: 'full' });
		expect(now).toBeLessThan(200_000);
	});
	it('is no rise under 20 %, nor within the half minute that nobody sees', () => {
		expect(promise(first, 700, sampleProgress({ slowedBy: 'health' }), 0).rise).toBeNull();
		expect(promise(promise(nothing, 10, sampleProgress(), 0), 30, sampleProgress(), 0).rise).toBeNull();
	});
	it('is over when the first promise holds again', () => {
		const risen = promise(first, 700, sampleProgress(), 100_000);
		expect(promise(risen, 400, sampleProgress(), 150_000).rise).toBeNull();
	});
	it('leaves the promise alone while the time is unknown', () => {
		expect(promise(first, null, sampleProgress(), 50_000)).toEqual(first);
	});
});
