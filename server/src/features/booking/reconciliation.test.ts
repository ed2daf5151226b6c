import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { createBench, from, input, keys, type BookingBench } from './booking.fixture.ts';

describe('the proof that counts equal permits', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ lab: { checkMs: 0 } });
	});
	afterAll(() => bench.close());

	it('finds a gap on every level, names it, and mends nothing', async () => {
		const { booking, database } = bench.instances[0]!;
		const [small = 0, large = 0] = await bench.addSlots([9, 1_200]);
		const quota = await bench.putQuota({ slot: large, dimension: 'country', shares: { SA: 100 } });
		await booking.book('a', input(small, { party: 4 }), from('SA'));
		await booking.book('b', input(large, { party: 5 }), from('SA'));
		expect(await booking.reconcile()).toEqual([]);

		const { db } = database;
		await sql`update slots set booked = 3 where season = ${keys.season} and id = ${small}`.execute(db);
		await sql`update quota_shards set booked = booked + 1 where quota = ${quota}`.execute(db);
		const gaps = await booking.reconcile();
		expect(gaps).toEqual([
			{ level: 'slot', id: small, booked: 3, people: 4 },
			{ level: 'quota', id: quota, booked: 6, people: 5 },
			{ level: 'shard', id: quota, value: 'SA', shard: 0, booked: 6, people: 5 }
		]);
		expect(await booking.reconcile()).toEqual(gaps);

		await sql`update slots set booked = 4 where season = ${keys.season} and id = ${small}`.execute(db);
		await sql`update quota_shards set booked = booked - 1 where quota = ${quota}`.execute(db);
		await sql`delete from quota_takes where quota = ${quota}`.execute(db);
		expect(await booking.reconcile()).toMatchObject([{ level: 'shard', booked: 5, people: 0 }]);
		// A permit that nobody counted shows, too.
		await sql`update permits set state = 'cancelled' where holder = 'a'`.execute(db);
		expect((await booking.reconcile()).map(({ level }) => level)).toEqual(['slot', 'shard']);
	});

	it('reads a season that was booked a moment ago, before the database knows how much there is', async () => {
		const { booking, database } = bench.instances[0]!;
		const [slot = 0] = await bench.addSlots([50_000]);
		const { db } = database;
		await sql`insert into permits (season, id, holder, room, slot, place, starts_at, ends_at, party, issued_at)
			select ${keys.season}, 'many-' || n, 'many-' || n, ${keys.room}, ${slot}, 'north', now(), now(), 1, now()
			from generate_series(1, 40000) n`.execute(db);
		const own = await sql<{ quota: number; value: string; shard: number }>`
			select c.quota, c.value, c.shard from quota_shards c join quotas q on q.id = c.quota and q.season = c.season
			where q.slot = ${slot} and q.season = ${keys.season} limit 1`.execute(db);
		const { quota, value, shard } = own.rows[0]!;
		await sql`insert into quota_takes (season, room, permit, quota, value, shard, people)
			select ${keys.season}, ${keys.room}, 'many-' || n, ${quota}, ${value}, ${shard}, 1
			from generate_series(1, 40000) n`.execute(db);
		await sql`update quota_shards set booked = booked + 40000, permits = permits + 40000, places = places + 40000
			where season = ${keys.season} and quota = ${quota} and shard = ${shard}`.execute(db);
		const gaps = await booking.reconcile();
		expect(gaps.filter(({ id, level }) => level !== 'quota' && (id === slot || id === quota))).toEqual([]);
	});

	it('is made at the start, kept as a figure, and one look serves all who ask at once', async () => {
		const { booking } = bench.instances[0]!;
		expect(booking.figures().reconciliation).toMatchObject({ state: 'unknown', at: null });
		await booking.start?.();
		await expect.poll(() => booking.figures().reconciliation.state, { timeout: 20_000 }).toBe('gaps');
	});
});

describe('staff', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp();
	});
	afterAll(() => test?.close());

	it('see whether counts equal permits, as a figure and as a metric', async () => {
		const cookie = await test.signIn('oncall');
		const answer = await test.call('GET', '/api/v1/booking/reconciliation', { cookie });
		expect(answer.body).toMatchObject({ state: 'equal', gaps: [], gapsTotal: 0 });
		expect(answer.body.checked.slots).toBeGreaterThan(0);
		await sql`update slots set permits = 7`.execute(test.database.database.db);
		await sql`update quota_shards set permits = 7`.execute(test.database.database.db);
		await expect
			.poll(
				async () =>
					(await test.call('GET', '/api/v1/booking/reconciliation', { cookie })).body.state as string,
				{ timeout: 30_000, interval: 500 }
			)
			.toBe('gaps');
		const { body } = await test.call('GET', '/metrics');
		expect(body).toMatch(/marsad_booking_count_gaps\{level="slot"\} [1-9]/);
	});
});
