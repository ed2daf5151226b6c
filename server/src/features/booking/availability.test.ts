import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBench, input, keys, type BookingBench } from './booking.fixture.ts';

describe('what is left, for everybody who waits', () => {
	let bench: BookingBench;
	beforeAll(async () => {
		bench = await createBench({ lab: { checkMs: 0 } });
	});
	afterAll(() => bench.close());

	it('names the days with places, says sold out only when nothing is left, and knows nothing before it was read', async () => {
		const { booking, database } = bench.instances[0]!;
		expect(booking.availability()).toEqual({ soldOut: false, days: [], at: null });
		const [today = 0, later = 0] = await bench.addSlots([2, 3]);
		await sql`update slots set starts_at = starts_at + interval '3 days', ends_at = ends_at + interval '3 days'
			where season = ${keys.season} and id = ${later}`.execute(database.db);
		const left = () => booking.availability().days.map(({ placesLeft }) => placesLeft);
		await expect.poll(left, { timeout: 20_000 }).toEqual([2, 3]);
		expect(booking.availability().days[0]?.day).toMatch(/^\d{4}-\d\d-\d\d$/);

		await booking.book('a', input(today, { party: 2 }));
		await expect.poll(left, { timeout: 20_000 }).toEqual([0, 3]);
		expect(booking.availability().soldOut).toBe(false);
		await booking.book('b', input(later, { party: 3 }));
		await expect.poll(() => booking.availability().soldOut, { timeout: 20_000 }).toBe(true);
		expect(booking.availability().at).not.toBeNull();
	});
});
