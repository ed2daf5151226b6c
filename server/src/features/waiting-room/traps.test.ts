import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { limits } from '../../limits.ts';
import { waitOf } from './answers.ts';
import { createPace } from './pacing.ts';
import { applyPlan, planRound, type Pending } from './round.ts';
import { createTicketTable } from './ticket-table.ts';

const nothing: Pending = {
	...{ joins: [], placing: null, claims: [], leaves: [], dones: [], binds: [], extensions: [] }
};

/** A room in virtual time in which each round is told what its people do. */
function createRoom(options: { rate: number; placesMax: number; claimWindowMs: number }) {
	const table = createTicketTable();
	let now = 1_772_000_000_000;
	const pace = createPace(now);
	return {
		table,
		now: () => now,
		advance: (ms: number) => void (now += ms),
		round(pending: Partial<Pending> = {}) {
			pace.advance(now, options.rate);
			const { placesMax, claimWindowMs } = options;
			const plan = planRound({
				...{ table, now, claimWindowMs, frozen: false, calledMax: 2_000 },
				...{ passMs: 900_000, passMaxMs: 900_000, pending: { ...nothing, ...pending } },
				budget: { passes: pace.passes(), turns: pace.turns(), placesMax }
			});
			applyPlan(table, plan);
			pace.spend(plan.spent);
			pace.resolve(plan);
		}
	};
}

const crowd = (from: number, count: number) =>
	Array.from({ length: count }, (_, i) => ({ holder: `holder ${from + i}`, party: 1 }));

describe('traps of waiting rooms before this one', () => {
	it('1,000 who never ask again do not hold up 100 who do: they pass in time and at the full rate (W-10)', () => {
		const claimWindowMs = 600_000;
		const room = createRoom({ rate: 10, placesMax: 20_000, claimWindowMs });
		room.round({ joins: crowd(0, 1_000) });
		room.round({ joins: crowd(1_000, 100) });
		// Somebody passed at once when the room was still empty.
		const atOnce = room.table.counts.admitted;
		const calledAt = new Map<number, number>();
		const passedAt = new Map<number, number>();
		for (let slice = 0; slice < 3_000 && passedAt.size < 100; slice++) {
			room.advance(100);
			const claims = [...room.table.called].filter((number) => number > 1_000);
			room.round({ claims });
			for (const number of room.table.called) if (!calledAt.has(number)) calledAt.set(number, room.now());
			for (const number of room.table.admitted)
				if (number > 1_000 && !passedAt.has(number)) passedAt.set(number, room.now());
		}
		expect(passedAt.size).toBe(100);
		expect(atOnce).toBeLessThanOrEqual(3);
		for (const [number, at] of passedAt)
			expect(at - (calledAt.get(number) ?? at)).toBeLessThan(claimWindowMs);
		const times = [...passedAt.values()].sort((a, b) => a - b);
		expect((times.at(-1)! - times[0]!) / 1_000).toBeLessThanOrEqual(100 / 10 + 2);
	});

	it('the head is silent and the next is let in as soon as there is a place (W-09)', () => {
		const room = createRoom({ rate: 50, placesMax: 2, claimWindowMs: 60_000 });
		room.round({ joins: crowd(0, 4) });
		expect([...room.table.admitted]).toEqual([1, 2]);
		const go = (pending: Partial<Pending> = {}) => {
			room.advance(100);
			room.round(pending);
		};
		go({ leaves: [1] });
		go();
		expect([...room.table.called]).toEqual([3]);
		// Number 3 says nothing; a place is free, and number 4 has it.
		go({ dones: [2] });
		go();
		go({ claims: [4] });
		expect(room.table.get(3)!.state).toBe('called');
		expect(room.table.get(4)!.state).toBe('admitted');
	});

	it('asks people back at most after a third of the time their turn waits (W-12)', () => {
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 2_000_000 }),
				fc.double({ min: 0, max: 10_000, noNaN: true }),
				fc.constantFrom(1, 2),
				fc.double({ min: 0, max: 1, noNaN: true }),
				(position, ratePerSecond, pollFactor, random) => {
					const { pollAfterMs } = waitOf({ position, ratePerSecond, pollFactor, random: () => random });
					expect(pollAfterMs).toBeGreaterThan(0);
					expect(pollAfterMs).toBeLessThanOrEqual(limits.waitingRoom.claimWindowMs / 3);
				}
			)
		);
	});
});
