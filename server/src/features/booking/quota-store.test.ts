import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBench, from, input, keys, type BookingBench } from './booking.fixture.ts';
import type { BookResult } from './book.ts';

const laboratory = { checkMs: 0 };

/** Deadlocks that the server counted in this database. */
const deadlocks = async (bench: BookingBench) => {
	const result = await sql<{ count: number }>`
		select deadlocks as count from pg_stat_database where datname = current_database()`.execute(
		bench.instances[0]!.database.db
	);
	return result.rows[0]?.count;
};

describe('quotas on three instances at once', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ instances: 3, lab: laboratory });
	});
	afterAll(() => bench.close());
	const pick = (index: number) => bench.instances[index % 3]!;
	const reconciled = async () => expect(await pick(0).booking.reconcile()).toEqual([]);
	const quotaOf = async (id: number) => {
		const rows = await sql<{ value: string; shards: number; places: number; booked: number; most: number }>`
			select value, count(*)::int as shards, sum(places)::int as places, sum(booked)::int as booked,
				max(booked)::int as most
			from quota_shards where season = ${keys.season} and quota = ${id} group by value order by value`.execute(
			pick(0).database.db
		);
		return Object.fromEntries(rows.rows.map(({ value, ...row }) => [value, row]));
	};
	const dropSeasonQuotas = async () => {
		const { db } = pick(0).database;
		await sql`delete from quota_takes t using quotas q where q.id = t.quota and q.slot is null`.execute(db);
		await sql`delete from quotas where slot is null`.execute(db);
	};

	it('says which level blocks, and keeps "slot full" where the slot itself is full', async () => {
		const [slot = 0, other = 0] = await bench.addSlots([60, 60]);
		await bench.putQuota({ slot, dimension: 'category', shares: { A: 2, B: 30 }, other: 'refuse' });
		await bench.putQuota({ slot: other, dimension: 'country', shares: { SA: 60 }, other: 'free' });
		const book = (holder: string, to: number, category: string | null, party = 1) =>
			pick(0).booking.book(holder, input(to, { party }), from(null, null, category));
		expect(await book('a1', slot, 'A', 2)).toMatchObject({ outcome: 'booked' });
		expect(await book('a2', slot, 'A')).toMatchObject({
			outcome: 'quotaFull',
			level: { dimension: 'category', scope: 'slot', why: 'full' }
		});
		expect(await book('a3', slot, null)).toMatchObject({
			outcome: 'quotaFull',
			level: { dimension: 'category', why: 'no-share' }
		});
		expect(await book('b1', slot, 'B', 20)).toMatchObject({ outcome: 'booked' });
		// Nobody counts a person without a country there.
		for (const name of ['c1', 'c2', 'c3'])
			expect(await book(name, other, null, 20)).toMatchObject({ outcome: 'booked' });
		expect(await book('c4', other, null)).toMatchObject({ outcome: 'slotFull' });
		await reconciled();
	});

	it('sells exactly what every level allows, whatever the parties and the order, without a deadlock', async () => {
		const before = await deadlocks(bench);
		const wish = fc.record({
			country: fc.constantFrom('SA', 'ID', 'TR', null),
			provider: fc.constantFrom('north', 'south', null),
			category: fc.constantFrom('A', 'B'),
			slot: fc.integer({ min: 0, max: 1 }),
			party: fc.integer({ min: 1, max: 5 })
		});
		const world = fc.record({
			season: fc.record({
				SA: fc.integer({ min: 0, max: 60 }),
				ID: fc.integer({ min: 0, max: 60 }),
				common: fc.integer({ min: 0, max: 30 })
			}),
			provider: fc.record({ north: fc.integer({ min: 0, max: 80 }), south: fc.integer({ min: 0, max: 80 }) }),
			category: fc.record({ A: fc.integer({ min: 0, max: 60 }), B: fc.integer({ min: 0, max: 60 }) }),
			wishes: fc.array(wish, { minLength: 40, maxLength: 120 }),
			cancels: fc.array(fc.integer({ min: 0, max: 119 }), { maxLength: 10 })
		});
		let run = 0;
		await fc.assert(
			fc.asyncProperty(world, async ({ season, provider, category, wishes, cancels }) => {
				run += 1;
				await dropSeasonQuotas();
				const slots = await bench.addSlots([100, 100]);
				const { SA, ID, common } = season;
				// Permits of earlier runs count in a season's quota: each run gets so many places more.
				const taken = await sql<{ country: string | null; provider: string | null; people: number }>`
					select country, provider, sum(party)::int as people from permits
					where season = ${keys.season} and state = 'valid' group by country, provider`.execute(pick(0).database.db);
				const used = (match: (row: (typeof taken.rows)[number]) => boolean) =>
					taken.rows.filter(match).reduce((sum, { people }) => sum + people, 0);
				await bench.putQuota({
					dimension: 'country',
					other: 'share',
					shares: {
						SA: SA + used((row) => row.country === 'SA'),
						ID: ID + used((row) => row.country === 'ID'),
						'': common + used((row) => row.country !== 'SA' && row.country !== 'ID')
					}
				});
				await bench.putQuota({
					dimension: 'provider',
					other: 'free',
					shares: {
						north: provider.north + used((row) => row.provider === 'north'),
						south: provider.south + used((row) => row.provider === 'south')
					}
				});
				await bench.putQuota({ slot: slots[0] ?? 0, dimension: 'category', shares: category });
				const name = (person: number) => `any-${run}-${person}`;
				const results = await Promise.all(
					wishes.map(({ slot, party, ...attributes }, person) =>
						pick(person).booking.book(name(person), input(slots[slot] ?? 0, { party }), attributes)
					)
				);
				const booked = (match: (wish: (typeof wishes)[number]) => boolean) =>
					wishes.reduce(
						(sum, one, person) => sum + (results[person]?.outcome === 'booked' && match(one) ? one.party : 0),
						0
					);
				const left = {
					slot: [0, 1].map((index) => 100 - booked((one) => one.slot === index)),
					SA: SA - booked((one) => one.country === 'SA'),
					ID: ID - booked((one) => one.country === 'ID'),
					common: common - booked((one) => one.country !== 'SA' && one.country !== 'ID'),
					north: provider.north - booked((one) => one.provider === 'north'),
					south: provider.south - booked((one) => one.provider === 'south'),
					A: category.A - booked((one) => one.slot === 0 && one.category === 'A'),
					B: category.B - booked((one) => one.slot === 0 && one.category === 'B')
				};
				expect(Math.min(...Object.values(left).flat())).toBeGreaterThanOrEqual(0);
				wishes.forEach((one, person) => {
					const result = results[person]!;
					if (result.outcome === 'booked') return;
					// Nothing was given back yet: what could still be had now could have been had then.
					const country = one.country === 'SA' ? left.SA : one.country === 'ID' ? left.ID : left.common;
					const free = [
						left.slot[one.slot] ?? 0,
						country,
						...(one.provider === null ? [] : [left[one.provider as 'north' | 'south']]),
						...(one.slot === 0 ? [left[one.category as 'A' | 'B']] : [])
					];
					expect(Math.min(...free), `${JSON.stringify(one)} heard ${result.outcome}`).toBeLessThan(one.party);
				});
				await Promise.all(
					cancels.flatMap((person) => {
						const result: BookResult | undefined = results[person];
						if (result?.outcome !== 'booked') return [];
						return [0, 1].map((again) => pick(person + again).permits.cancel(name(person), result.permit));
					})
				);
				await reconciled();
			}),
			{ numRuns: 12 }
		);
		expect(await deadlocks(bench)).toBe(before);
		await dropSeasonQuotas();
	}, 240_000);

	it('counts right while plans change under the people who book and cancel', async () => {
		const [slot = 0] = await bench.addSlots([900]);
		const plan = (turn: number) =>
			bench.putQuota({
				slot,
				dimension: 'country',
				shares: turn % 2 ? { SA: 1_200, ID: 400 } : { SA: 300 },
				other: turn % 3 ? 'free' : 'share'
			});
		const people = Array.from({ length: 240 }, async (_, person) => {
			const { booking, permits } = pick(person);
			await new Promise((resolve) => setTimeout(resolve, person));
			const holder = `planned-${person}`;
			const result = await booking.book(
				holder,
				input(slot, { party: 1 + (person % 3) }),
				from(person % 2 ? 'SA' : 'ID')
			);
			if (result.outcome === 'booked' && person % 4 === 0) await permits.cancel(holder, result.permit);
		});
		for (let turn = 0; turn < 12; turn++) await plan(turn);
		await Promise.all(people);
		await reconciled();
	});

	it('sells a sharded slot and a sharded share to the last place, and a party across shards', async () => {
		const [slot = 0] = await bench.addSlots([1_600]);
		const season = await bench.putQuota({ dimension: 'provider', shares: { big: 1_203 }, other: 'refuse' });
		const want = (people: number, party: number, round: string) =>
			Promise.all(
				Array.from({ length: people }, (_, person) =>
					pick(person).booking.book(`${round}-${person}`, input(slot, { party }), from(null, 'big'))
				)
			);
		const booked = (results: BookResult[]) => results.filter(({ outcome }) => outcome === 'booked').length;
		expect(booked(await want(100, 11, 'parties'))).toBe(100);
		const { big } = await quotaOf(season);
		expect(big).toMatchObject({ shards: 16, booked: 1_100 });
		expect(big?.most).toBeLessThanOrEqual(76);
		// 103 left, over sixteen shards: parties of seven fit fourteen times, the last of them from several shards.
		const sevens = await want(60, 7, 'sevens');
		expect(booked(sevens)).toBe(14);
		expect(sevens.filter(({ outcome }) => outcome === 'quotaFull')).toHaveLength(46);
		expect(booked(await want(30, 1, 'singles'))).toBe(5);
		expect((await quotaOf(season))['big']).toMatchObject({ places: 1_203, booked: 1_203 });
		await reconciled();
		// Given back by many at once, and sold again to the last place.
		const back = await Promise.all(
			Array.from({ length: 14 }, async (_, turn) => {
				const { permits } = pick(turn);
				const permit = await permits.findOf(`parties-${turn}`);
				return permits.cancel(`parties-${turn}`, permit?.id ?? '');
			})
		);
		expect(back).toHaveLength(14);
		await reconciled();
		expect(booked(await want(200, 1, 'again'))).toBe(154);
		await reconciled();
		await dropSeasonQuotas();
	});

	it('sells an allocation of two thousand whole, however fast the orders come', async () => {
		const [slot = 0] = await bench.addSlots([2_000]);
		const results = await Promise.all(
			Array.from({ length: 110 }, (_, order) =>
				pick(order).booking.book(`order-${order}`, input(slot, { party: 20 }), from('SA'))
			)
		);
		expect(results.filter(({ outcome }) => outcome === 'booked')).toHaveLength(100);
		expect(results.filter(({ outcome }) => outcome === 'slotFull')).toHaveLength(10);
		await reconciled();
	});

	it('gives nothing back to a quota that never counted the person', async () => {
		const [slot = 0] = await bench.addSlots([70]);
		const quota = await bench.putQuota({ slot, dimension: 'country', shares: { SA: 5 }, other: 'free' });
		await pick(0).booking.book('guest', input(slot, { party: 20 }), from(null));
		await pick(0).booking.book('own', input(slot, { party: 5 }), from('SA'));
		const permit = await pick(1).permits.findOf('guest');
		await pick(1).permits.cancel('guest', permit?.id ?? '');
		expect(await quotaOf(quota)).toMatchObject({ SA: { places: 5, booked: 5 } });
		expect(await pick(2).booking.book('late', input(slot), from('SA'))).toMatchObject({
			outcome: 'quotaFull'
		});
		await reconciled();
	});

	it('counts who was booked before it was planned; fewer places than booked are flagged, and nothing is sold', async () => {
		const [slot = 0] = await bench.addSlots([70]);
		const book = (holder: string, party = 1) =>
			pick(0).booking.book(holder, input(slot, { party }), from('SA'));
		for (const name of ['early-1', 'early-2', 'early-3']) await book(name, 4);
		const quota = await bench.putQuota({ slot, dimension: 'country', shares: { SA: 10 } });
		expect(await quotaOf(quota)).toMatchObject({ SA: { places: 10, booked: 12 } });
		expect(await book('more')).toMatchObject({ outcome: 'quotaFull' });
		await reconciled();
		const cancel = async (holder: string) => {
			const permit = await pick(0).permits.findOf(holder);
			await pick(0).permits.cancel(holder, permit?.id ?? '');
		};
		await cancel('early-1');
		expect(await book('fits', 2)).toMatchObject({ outcome: 'booked' });
		expect(await book('more')).toMatchObject({ outcome: 'quotaFull' });
		await reconciled();
	});

	it('is guarded by the database itself, whoever writes', async () => {
		const [slot = 0] = await bench.addSlots([3]);
		const quota = await bench.putQuota({ slot, dimension: 'country', shares: { SA: 2 } });
		const { db } = pick(0).database;
		await expect(
			sql`update quota_shards set booked = places + 1 where season = ${keys.season} and quota = ${quota}`.execute(
				db
			)
		).rejects.toThrow('quota_shards_never_oversold');
		await expect(
			sql`update slots set booked = capacity + 1 where season = ${keys.season} and id = ${slot}`.execute(db)
		).rejects.toThrow('slots_never_oversold');
	});
});

describe('unused shares', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ instances: 2, lab: laboratory });
	});
	afterAll(() => bench.close());
	const pick = (index: number) => bench.instances[index % 2]!;
	const book = (holder: string, slot: number, country: string | null, party = 1) =>
		pick(0).booking.book(holder, input(slot, { party }), from(country));

	it('go to the common share on their date: once, on record, and then serve whoever comes', async () => {
		const [slot = 0] = await bench.addSlots([100]);
		const { db } = pick(0).database;
		const quota = await bench.putQuota({
			dimension: 'country',
			shares: { SA: 6, ID: 10 },
			returnsAt: Date.now() + 3_600_000
		});
		expect(await book('sa-1', slot, 'SA', 6)).toMatchObject({ outcome: 'booked' });
		expect(await book('id-1', slot, 'ID', 3)).toMatchObject({ outcome: 'booked' });
		expect(await book('sa-2', slot, 'SA')).toMatchObject({ outcome: 'quotaFull' });
		expect(await pick(0).booking.returnDue()).toBe(0);

		await sql`update quotas set returns_at = now() - interval '1 second' where id = ${quota}`.execute(db);
		const moved = await Promise.all(Array.from({ length: 6 }, (_, turn) => pick(turn).booking.returnDue()));
		expect(moved.reduce((sum, count) => sum + count, 0)).toBe(1);
		const lines = await sql<{ after: unknown }>`
			select after from record where action = 'booking.quota.return'`.execute(db);
		expect(lines.rows).toEqual([{ after: { common: 7, returned: 7, kept: { ID: 3, SA: 6 } } }]);

		expect(await book('sa-3', slot, 'SA', 5)).toMatchObject({ outcome: 'booked' });
		expect(await book('fr-1', slot, 'FR')).toMatchObject({
			outcome: 'quotaFull',
			level: { why: 'no-share' }
		});
		expect(await book('id-2', slot, 'ID', 3)).toMatchObject({ outcome: 'quotaFull', level: { why: 'full' } });
		// What comes back from an own share is everybody's, too; given back twice at once it counts once.
		const first = await pick(0).permits.findOf('sa-1');
		await Promise.all([0, 1, 2].map((turn) => pick(turn).permits.cancel('sa-1', first?.id ?? '')));
		expect(await book('id-3', slot, 'ID', 8)).toMatchObject({ outcome: 'booked' });
		expect(await book('id-4', slot, 'ID')).toMatchObject({ outcome: 'quotaFull' });
		expect(await pick(1).booking.reconcile()).toEqual([]);
		const sum = await sql<{ places: number; booked: number }>`
			select sum(places)::int as places, sum(booked)::int as booked from quota_shards where quota = ${quota}`.execute(
			db
		);
		expect(sum.rows).toEqual([{ places: 16, booked: 16 }]);
		await sql`delete from quota_takes`.execute(db);
		await sql`delete from quotas`.execute(db);
	});

	it('of an overbooked quota stay where they are until people have settled it', async () => {
		const [slot = 0] = await bench.addSlots([100]);
		await book('tr-1', slot, 'TR', 8);
		await bench.putQuota({ slot, dimension: 'country', shares: { TR: 5, EG: 10 }, returnsAt: 1_000 });
		expect(await pick(0).booking.returnDue()).toBe(0);
		const permit = await pick(0).permits.findOf('tr-1');
		await pick(0).permits.cancel('tr-1', permit?.id ?? '');
		expect(await pick(0).booking.returnDue()).toBe(1);
		expect(await book('eg-1', slot, 'EG', 15)).toMatchObject({ outcome: 'booked' });
		expect(await pick(1).booking.reconcile()).toEqual([]);
	});

	it('grow a common share that is sharded', async () => {
		const [slot = 0] = await bench.addSlots([5_000]);
		const quota = await bench.putQuota({
			slot,
			dimension: 'provider',
			shares: { a: 2_000, b: 500 },
			returnsAt: 1_000
		});
		await pick(0).booking.book('a-1', input(slot, { party: 20 }), from(null, 'a'));
		expect(await pick(0).booking.returnDue()).toBe(1);
		const { db } = pick(0).database;
		const rows = await sql<{ shards: number; places: number }>`
			select count(*)::int as shards, sum(places)::int as places from quota_shards
			where quota = ${quota} and value = ''`.execute(db);
		expect(rows.rows).toEqual([{ shards: 16, places: 2_480 }]);
		const results = await Promise.all(
			Array.from({ length: 130 }, (_, person) =>
				pick(person).booking.book(`b-${person}`, input(slot, { party: 20 }), from(null, 'b'))
			)
		);
		expect(results.filter(({ outcome }) => outcome === 'booked')).toHaveLength(124);
		expect(await pick(1).booking.reconcile()).toEqual([]);
	});
});
