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

	it('offers and books nothing that has begun, and keeps what was booked there', async () => {
		const { booking, permits, database } = bench.instances[0]!;
		const [begun = 0, soon = 0, full = 0] = await bench.addSlots([20, 5, 1]);
		expect(await booking.book('early', input(begun))).toMatchObject({ outcome: 'booked' });
		await sql`update slots set starts_at = now() - interval '1 minute' where season = ${keys.season} and id = ${begun}`.execute(
			database.db
		);
		const left = () => booking.availability().days.reduce((sum, { placesLeft }) => sum + placesLeft, 0);
		await expect.poll(left, { timeout: 20_000 }).toBe(6);
		expect(await booking.book('late', input(begun))).toMatchObject({ outcome: 'noSuchSlot' });
		expect(await booking.book('early', input(begun))).toMatchObject({ outcome: 'repeated', slot: begun });
		await booking.book('c', input(full));
		const refused = async () => {
			const result = await booking.book('d', input(full));
			return result.outcome === 'slotFull' ? result : null;
		};
		expect(await refused()).not.toBeNull();
		await booking.book('e', input(soon, { party: 5 }));
		await expect.poll(() => booking.availability().soldOut, { timeout: 20_000 }).toBe(true);
		expect(await permits.findOf('early')).toMatchObject({ slot: begun, state: 'valid' });
		expect((await booking.soonSlots()).map(({ id }) => id)).toContain(begun);
	});
});
