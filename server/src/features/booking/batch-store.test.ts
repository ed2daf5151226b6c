import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPermitId } from '../permits/index.ts';
import { OutcomeUnknownError, bookBatch } from './batch-store.ts';
import { createBench, input, keys, type BookingBench } from './booking.fixture.ts';
import type { BookResult } from './book.ts';
import { unknownAttributes } from './quotas.ts';

const laboratory = { checkMs: 0 };

describe('bookings on two instances at once', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ instances: 2, lab: laboratory });
	});
	afterAll(() => bench.close());
	const pick = (index: number) => bench.instances[index % 2]!;
	const reconciled = async () => expect(await pick(0).booking.reconcile()).toEqual([]);

	it('sells exactly what there is, to different people', async () => {
		const [slot = 0] = await bench.addSlots([100]);
		const results = await Promise.all(
			Array.from({ length: 150 }, (_, person) => pick(person).booking.book(`crowd-${person}`, input(slot)))
		);
		const booked = results.filter(({ outcome }) => outcome === 'booked');
		expect(booked).toHaveLength(100);
		expect(results.filter(({ outcome }) => outcome === 'slotFull')).toHaveLength(50);
		expect(new Set(booked.map((result) => ('permit' in result ? result.permit : ''))).size).toBe(100);
		await reconciled();
	});

	it('gives one person one permit, whatever they try at once, and the same answer afterwards', async () => {
		const slots = await bench.addSlots([50, 50, 50]);
		const results = await Promise.all(
			Array.from({ length: 120 }, (_, turn) =>
				pick(turn).booking.book(`hasty-${turn % 10}`, input(slots[(turn >> 1) % 3] ?? 0))
			)
		);
		for (let person = 0; person < 10; person++) {
			const own = results.filter((_, turn) => turn % 10 === person);
			expect(own.filter(({ outcome }) => outcome === 'booked')).toHaveLength(1);
			expect(own.every(({ outcome }) => ['booked', 'repeated', 'alreadyBooked'].includes(outcome))).toBe(
				true
			);
			expect(new Set(own.map((result) => ('permit' in result ? result.permit : ''))).size).toBe(1);
			const permit = await pick(0).permits.findOf(`hasty-${person}`);
			const again = await pick(person).booking.book(`hasty-${person}`, input(permit?.slot ?? 0));
			expect(again).toEqual({ outcome: 'repeated', slot: permit?.slot, permit: permit?.id, party: 1 });
		}
		await reconciled();
	});

	it('crosses slots in opposite orders without a deadlock', async () => {
		const slots = await bench.addSlots([200, 200, 200, 200]);
		const results = await Promise.all(
			Array.from({ length: 400 }, (_, turn) => {
				const position = turn % 2 === 0 ? turn % 4 : 3 - (turn % 4);
				return pick(turn).booking.book(`crossing-${turn}`, input(slots[position] ?? 0));
			})
		);
		expect(results.every(({ outcome }) => outcome === 'booked')).toBe(true);
		await reconciled();
	});

	it('gives a place back once, however often and from wherever it is cancelled', async () => {
		const [slot = 0] = await bench.addSlots([60]);
		for (const holder of ['stays-1', 'stays-2', 'leaves']) {
			expect(await pick(0).booking.book(holder, input(slot, { party: 15 }))).toMatchObject({
				outcome: 'booked'
			});
		}
		const { id = '' } = (await pick(0).permits.findOf('leaves')) ?? {};
		const told: string[] = [];
		bench.instances.forEach(({ permits }) => permits.cancelled.on((permit) => told.push(permit.id)));
		const answers = await Promise.all(
			Array.from({ length: 10 }, (_, turn) => pick(turn).permits.cancel('leaves', id))
		);
		expect(answers.every(({ state }) => state === 'cancelled')).toBe(true);
		expect(told).toEqual([id]);
		await reconciled();
	});

	it('holds in any mixture of parties, repeats and cancels', async () => {
		const person = fc.integer({ min: 0, max: 25 });
		const step = fc.oneof(
			{
				weight: 4,
				arbitrary: fc.record({
					kind: fc.constant('book' as const),
					person,
					slot: fc.integer({ min: 0, max: 2 }),
					party: fc.integer({ min: 1, max: 5 })
				})
			},
			{ weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const), person }) }
		);
		const world = fc.record({
			capacities: fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 3, maxLength: 3 }),
			steps: fc.array(step, { minLength: 20, maxLength: 80 })
		});
		let run = 0;
		await fc.assert(
			fc.asyncProperty(world, async ({ capacities, steps }) => {
				run += 1;
				const slots = await bench.addSlots(capacities);
				const name = (holder: number) => `mixed-${run}-${holder}`;
				await Promise.all(
					steps.map(async (action, turn): Promise<BookResult | null> => {
						const { booking, permits } = pick(turn);
						if (action.kind === 'book') {
							const slot = slots[action.slot] ?? 0;
							return booking.book(name(action.person), input(slot, { party: action.party }));
						}
						const permit = await permits.findOf(name(action.person));
						if (permit)
							await Promise.all([1, 2].map((again) => pick(again).permits.cancel(permit.holder, permit.id)));
						return null;
					})
				);
				await reconciled();
				const rows = await sql<{ id: number; booked: number; capacity: number }>`
					select id, booked, capacity from slots where season = ${keys.season} and id = any(${slots}::int[])`.execute(
					pick(0).database.db
				);
				for (const row of rows.rows) expect(row.booked).toBeLessThanOrEqual(row.capacity);
				const doubled =
					await sql`select holder from permits where state = 'valid' group by season, holder having count(*) > 1`.execute(
						pick(0).database.db
					);
				expect(doubled.rows).toEqual([]);
			}),
			{ numRuns: 15 }
		);
	});
});

describe('a batch that fails', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ lab: laboratory });
	});
	afterAll(() => bench.close());
	const depsOf = (overrides: Partial<Parameters<typeof bookBatch>[0]> = {}) => {
		const { database, permits } = bench.instances[0]!;
		return {
			db: database.db,
			permits,
			keys,
			now: () => Date.now(),
			newPermitId: () => newPermitId(),
			...overrides
		};
	};
	const wish = (holder: string, slot: number) => ({
		...{ holder, slot, party: 1, ticket: null, key: null },
		attributes: unknownAttributes
	});

	it('is run once more as a whole when its connection is lost before the commit', async () => {
		const [slot = 0] = await bench.addSlots([10]);
		const { permits, database } = bench.instances[0]!;
		let tries = 0;
		const retries: string[] = [];
		const breaking: typeof permits.insert = async (tx, rows) => {
			tries += 1;
			const inserted = await permits.insert(tx, rows);
			if (tries === 1) {
				const {
					rows: [own]
				} = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx);
				await sql`select pg_terminate_backend(${own?.pid ?? 0})`.execute(database.db);
				await sql`select 1`.execute(tx);
			}
			return inserted;
		};
		const deps = depsOf({
			permits: { findHeld: permits.findHeld, insert: breaking },
			onRetry: (reason) => retries.push(reason)
		});
		const { decisions } = await bookBatch(deps, [wish('lost-1', slot), wish('lost-2', slot)]);
		expect(decisions.map(({ outcome }) => outcome)).toEqual(['booked', 'booked']);
		expect(retries).toEqual(['failed']);
		expect(await bench.instances[0]!.booking.reconcile()).toEqual([]);
	});

	it('is never needed twice because of others: many at once wait for the locks, in one order', async () => {
		const slots = await bench.addSlots([30, 30, 30]);
		const retries: string[] = [];
		const deps = depsOf({ onRetry: (reason) => retries.push(reason) });
		const batches = await Promise.all(
			Array.from({ length: 12 }, (_, batch) => {
				const order = batch % 2 === 0 ? slots : slots.toReversed();
				return bookBatch(
					deps,
					Array.from({ length: 12 }, (_, person) => wish(`many-${batch}-${person}`, order[person % 3] ?? 0))
				);
			})
		);
		const outcomes = batches.flatMap(({ decisions }) => decisions.map(({ outcome }) => outcome));
		expect(outcomes.filter((outcome) => outcome === 'booked')).toHaveLength(90);
		expect(outcomes.filter((outcome) => outcome === 'slotFull')).toHaveLength(54);
		expect(retries).toEqual([]);
	});

	it('fails for good at the second failure, with nothing booked', async () => {
		const [slot = 0] = await bench.addSlots([10]);
		const { permits } = bench.instances[0]!;
		const insert = () => Promise.reject(new Error('no room on the disk'));
		const deps = depsOf({ permits: { findHeld: permits.findHeld, insert } });
		await expect(bookBatch(deps, [wish('never', slot)])).rejects.toThrow('no room on the disk');
		expect(await permits.findOf('never')).toBeUndefined();
	});

	it('says that it does not know when the commit itself was lost, and the retry of the person finds out', async () => {
		const [slot = 0] = await bench.addSlots([10]);
		const { database, booking } = bench.instances[0]!;
		// Commits, and then behaves as if the answer to the commit had been lost.
		const db = new Proxy(database.db, {
			get(target, name) {
				if (name !== 'transaction') return Reflect.get(target, name) as unknown;
				return () => ({
					async execute(run: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) {
						await target.transaction().execute(run);
						throw new Error('Connection terminated unexpectedly');
					}
				});
			}
		});
		await expect(bookBatch(depsOf({ db }), [wish('unsure', slot)])).rejects.toThrow(OutcomeUnknownError);
		expect(await booking.book('unsure', input(slot))).toMatchObject({ outcome: 'repeated', slot });
	});
});
