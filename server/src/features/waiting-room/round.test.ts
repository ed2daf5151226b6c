import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createPace } from './pacing.ts';
import { applyPlan, isLiving, planRound, type Pending } from './round.ts';
import { createTicketTable, type TicketTable } from './ticket-table.ts';

const claimWindowMs = 120_000;
const passMs = 120_000;
const nothing: Pending = {
	joins: [],
	placing: null,
	claims: [],
	leaves: [],
	dones: [],
	binds: [],
	extensions: []
};

/** A room in virtual time: the real planner, table and pace; nothing is stored. */
function createWorld(start: { rate: number; placesMax: number }) {
	const table: TicketTable = createTicketTable();
	let now = 1_772_000_000_000;
	const pace = createPace(now);
	const world = {
		table,
		rate: start.rate,
		placesMax: start.placesMax,
		frozen: false,
		passes: [] as { at: number; number: number }[],
		targets: [] as { at: number; rate: number }[],
		calledOrder: [] as number[],
		now: () => now,
		advance(ms: number) {
			now += ms;
		},
		round(pending: Partial<Pending> = {}) {
			pace.advance(now, world.rate);
			const before = new Set([...table.called, ...table.admitted]);
			const plan = planRound({
				table,
				pending: { ...nothing, ...pending },
				budget: { passes: pace.passes(), turns: pace.turns(), placesMax: world.placesMax },
				now,
				claimWindowMs,
				passMs,
				passMaxMs: 2 * passMs,
				frozen: world.frozen,
				calledMax: 2_000
			});
			applyPlan(table, plan);
			pace.spend(plan.spent);
			pace.resolve(plan);
			for (let i = 0; i < plan.admitted; i++) world.passes.push({ at: now, number: 0 });
			for (const number of table.called) if (!before.has(number)) world.calledOrder.push(number);
			return plan;
		},
		/** `seconds` of slices in which everybody called claims at once. */
		run(seconds: number, perSlice: () => Partial<Pending> = () => ({})) {
			for (let slice = 0; slice < seconds * 10; slice++) {
				now += 100;
				world.round({ claims: [...table.called], ...perSlice() });
			}
		}
	};
	return world;
}

const people = (from: number, count: number) =>
	Array.from({ length: count }, (_, i) => ({ holder: `holder ${from + i}`, party: 1 }));

describe('a round', () => {
	it('keeps every promise, whatever people and managers do', () => {
		const step = fc.oneof(
			{
				weight: 4,
				arbitrary: fc.record({
					kind: fc.constant('join' as const),
					from: fc.nat(40),
					count: fc.integer({ min: 1, max: 12 })
				})
			},
			{
				weight: 4,
				arbitrary: fc.record({ kind: fc.constant('claim' as const), share: fc.constantFrom(1, 2, 3) })
			},
			{
				weight: 3,
				arbitrary: fc.record({
					kind: fc.constant('wait' as const),
					ms: fc.constantFrom(7, 100, 100, 1_000, 30_000, 130_000)
				})
			},
			{
				weight: 1,
				arbitrary: fc.record({ kind: fc.constant('leave' as const), number: fc.integer({ min: 1, max: 60 }) })
			},
			{ weight: 2, arbitrary: fc.record({ kind: fc.constant('done' as const) }) },
			{
				weight: 1,
				arbitrary: fc.record({ kind: fc.constant('rate' as const), rate: fc.constantFrom(0, 0.3, 2, 10, 50) })
			},
			{
				weight: 1,
				arbitrary: fc.record({ kind: fc.constant('places' as const), max: fc.constantFrom(0, 2, 5, 20) })
			},
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('freeze' as const), frozen: fc.boolean() }) }
		);
		fc.assert(
			fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
				const world = createWorld({ rate: 10, placesMax: 5 });
				const { table } = world;
				for (const entry of steps) {
					const insideBefore = table.called.size + table.admitted.size;
					const livingBefore = [...table.next(1_000, () => false)];
					const pending: { -readonly [K in keyof Pending]?: Pending[K] } = {};
					if (entry.kind === 'join') pending.joins = people(entry.from, entry.count);
					if (entry.kind === 'claim') pending.claims = [...table.called].filter((n) => n % entry.share === 0);
					if (entry.kind === 'leave' && table.get(entry.number)) pending.leaves = [entry.number];
					if (entry.kind === 'done') pending.dones = [...table.admitted].slice(0, 2);
					if (entry.kind === 'wait') world.advance(entry.ms);
					if (entry.kind === 'rate') world.rate = entry.rate;
					if (entry.kind === 'places') world.placesMax = entry.max;
					if (entry.kind === 'freeze') world.frozen = entry.frozen;
					const plan = world.round(pending);

					// Nobody is called or let in above the cap; a lowered cap ejects nobody.
					const inside = table.called.size + table.admitted.size;
					expect(inside).toBeLessThanOrEqual(Math.max(world.placesMax, insideBefore));
					// One living ticket a holder; numbers without gap.
					const living = new Map<string, number>();
					for (let holder = 0; holder <= 60; holder++) {
						const found = table.find(`holder ${holder}`);
						if (found && isLiving(found.state)) living.set(`holder ${holder}`, found.number);
					}
					expect(table.counts.waiting + inside).toBe(living.size);
					expect(table.issued).toBe(plan.lastNumber);
					// No inversion: who was called stood in front of everybody who still waits.
					const called = plan.changes.filter((c) => c.state === 'called').map((c) => c.number);
					const still = livingBefore.filter((n) => table.get(n)!.state === 'waiting');
					const order = (n: number) => livingBefore.indexOf(n);
					if (called.length > 0 && still.length > 0)
						expect(Math.max(...called.map(order))).toBeLessThan(Math.min(...still.map(order)));
					// A newcomer is let in at once only when nobody waits.
					if (plan.inserts.some((t) => t.state === 'admitted')) expect(still).toEqual([]);
					expect(plan.spent.passes).toBe(plan.admitted);
				}
			}),
			{ numRuns: 300 }
		);
	});

	it('issues no more passes in any 60 s than were targeted, plus one tick', () => {
		const phase = fc.record({
			rate: fc.constantFrom(0, 0.5, 3, 20, 80),
			seconds: fc.integer({ min: 1, max: 30 }),
			arrivals: fc.integer({ min: 0, max: 30 }),
			quiet: fc.boolean()
		});
		fc.assert(
			fc.property(fc.array(phase, { minLength: 1, maxLength: 6 }), (phases) => {
				const world = createWorld({ rate: 0, placesMax: 100_000 });
				const start = world.now();
				const targetedAt: number[] = [0];
				let next = 0;
				for (const { rate, seconds, arrivals, quiet } of phases) {
					world.rate = rate;
					for (let slice = 0; slice < seconds * 10; slice++) {
						world.round({ joins: people(next, arrivals), claims: quiet ? [] : [...world.table.called] });
						next += arrivals;
						world.advance(100);
						targetedAt.push(targetedAt.at(-1)! + rate / 10);
					}
				}
				const slots = targetedAt.length;
				const passesAt = new Array<number>(slots + 1).fill(0);
				for (const pass of world.passes) passesAt[Math.round((pass.at - start) / 100)]!++;
				const tick = Math.max(1, ...phases.map((p) => p.rate));
				for (let from = 0; from < slots; from += 7) {
					let passes = 0;
					for (let slot = from; slot < Math.min(slots, from + 600); slot++) passes += passesAt[slot]!;
					const targeted = targetedAt[Math.min(slots - 1, from + 600)]! - targetedAt[Math.max(0, from - 1)]!;
					expect(passes).toBeLessThanOrEqual(targeted + tick + 1e-6);
				}
			}),
			{ numRuns: 25 }
		);
	});

	it('spreads the release inside the second and drains at the full rate', () => {
		const world = createWorld({ rate: 250, placesMax: 20_000 });
		world.round({ joins: people(0, 2_000) });
		expect(world.table.counts.admitted).toBeLessThanOrEqual(63);
		let most = 0;
		for (let slice = 0; slice < 85; slice++) {
			world.advance(100);
			most = Math.max(
				most,
				world.round({ claims: [...world.table.called] }).changes.filter((c) => c.state === 'called').length
			);
		}
		expect(most).toBeLessThanOrEqual(63);
		expect(world.table.counts.admitted).toBe(2_000);
		// All of them, each once, in order.
		expect(world.calledOrder).toEqual([...world.calledOrder].sort((a, b) => a - b));
	});

	it('lets absent people hold nobody up: their places come back, the next are called (W-01, W-09)', () => {
		const world = createWorld({ rate: 50, placesMax: 10 });
		world.round({ joins: people(0, 30) });
		world.run(1);
		expect(world.table.admitted.size).toBe(10);
		const first = [...world.table.admitted];
		world.round({ dones: first });
		world.round();
		// The next ten never answer.
		world.advance(100);
		world.round();
		expect(world.table.called.size).toBe(10);
		world.advance(claimWindowMs);
		world.round();
		world.run(1);
		expect([...world.table.admitted].sort((a, b) => a - b)).toEqual([21, 22, 23, 24, 25, 26, 27, 28, 29, 30]);
		expect(world.table.counts.expired).toBe(10);
	});

	it('takes a returner ahead of new arrivals, once, and never above the cap (W-03)', () => {
		const world = createWorld({ rate: 50, placesMax: 1 });
		world.round({ joins: people(0, 1) });
		world.round({ joins: people(1, 5) });
		world.round({ dones: [1] });
		world.advance(1_000);
		world.round();
		expect([...world.table.called]).toEqual([2]);
		world.advance(claimWindowMs);
		world.round();
		world.round({ joins: people(1, 1) });
		const back = world.table.find('holder 1')!;
		expect(back).toMatchObject({ state: 'waiting', late: true });
		expect(world.table.position(back.number)).toBe(1);
		expect(world.table.position(4)).toBeGreaterThan(0);
		world.advance(claimWindowMs);
		world.round();
		world.advance(1_000);
		world.round();
		expect(world.table.get(back.number)!.state).toBe('called');
		world.advance(claimWindowMs);
		world.round();
		world.round({ joins: people(1, 1) });
		expect(world.table.find('holder 1')).toMatchObject({ late: false });
	});

	it('pauses and ejects nobody when the cap falls below those inside (W-06)', () => {
		const world = createWorld({ rate: 500, placesMax: 500 });
		world.round({ joins: people(0, 1_000) });
		world.run(2);
		const inside = world.table.admitted.size;
		expect(inside).toBe(500);
		const position = world.table.position(900);
		world.placesMax = 300;
		world.run(5);
		expect(world.table.admitted.size).toBe(inside);
		expect(world.table.position(900)).toBe(position);
	});

	it('counts every freed place once (W-07)', () => {
		const world = createWorld({ rate: 100, placesMax: 10 });
		world.round({ joins: people(0, 40) });
		world.run(1);
		world.round({ dones: [...world.table.admitted] });
		world.run(1);
		world.round({ dones: [...world.table.admitted].slice(0, 1) });
		world.run(1);
		expect(world.table.counts.done).toBe(11);
		expect(world.table.admitted.size).toBe(10);
		expect(world.table.counts.waiting).toBe(19);
	});

	it('lets nothing run out while the clocks stand still', () => {
		const world = createWorld({ rate: 50, placesMax: 5 });
		world.round({ joins: people(0, 8) });
		world.frozen = true;
		world.advance(10 * passMs);
		expect(world.round().changes.filter((c) => c.state === 'expired')).toEqual([]);
	});

	it('calls more than the target when people do not come, and never more than twice as many', () => {
		const world = createWorld({ rate: 10, placesMax: 100_000 });
		world.round({ joins: people(0, 14_000) });
		// Every second person is absent.
		world.run(600, () => ({ claims: [...world.table.called].filter((n) => n % 2 === 0) }));
		const claimedAtEnd = world.passes.filter((pass) => pass.at > world.now() - 60_000).length;
		expect(claimedAtEnd).toBeGreaterThan(10 * 60 * 0.85);
		expect(claimedAtEnd).toBeLessThanOrEqual(10 * 60 + 10);
	});
});
