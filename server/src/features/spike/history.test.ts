import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { AppError } from '../../errors.ts';
import { createTestClock } from '../../platform/clock.ts';
import { limits } from '../../limits.ts';
import { planHistory } from './history.ts';
import { createStand, settle } from './spike.fixture.ts';

describe('a history that is asked for', () => {
	const now = 1_772_000_000_000;
	const hours = (count: number) => now - count * 3_600_000;
	it('takes the finest resolution that fits, on its grid', () => {
		expect(planHistory({ from: hours(1) }, now).stepSeconds).toBe(1);
		expect(planHistory({ from: hours(12) }, now).stepSeconds).toBe(10);
		expect(planHistory({ from: hours(120) }, now).stepSeconds).toBe(60);
		expect(planHistory({ from: hours(12) + 1, resolution: 60 }, now).from % 60_000).toBe(0);
		expect(planHistory({ from: hours(1), to: now + 9_999_999 }, now).to).toBe(now);
	});
	it('is bounded', () => {
		const refused = (query: Parameters<typeof planHistory>[0]) => () => planHistory(query, now);
		expect(refused({ from: now })).toThrow(AppError);
		expect(refused({ from: hours(1), to: hours(2) })).toThrow(AppError);
		expect(refused({ from: hours(12), resolution: 1 })).toThrow(AppError);
		expect(refused({ from: 0 })).toThrow(AppError);
	});
});

describe('the history of a season', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());
	const countRows = async (room: string, step: number) => {
		const { rows } = await sql<{ n: number }>`select count(*)::int as n from spike_samples
			where room = ${room} and step = ${step}`.execute(test.database.db);
		return rows[0]!.n;
	};

	it('rolls up once, whenever it runs, and tells the same at every resolution', async () => {
		const clock = createTestClock();
		const stand = createStand(test, 'rolled', clock);
		await stand.spike.start!();
		const began = clock.now();
		await stand.seconds(400, () => {
			stand.parts.book(3, 40);
			stand.parts.check(3, 15);
			stand.parts.room.joinedTotal += 5;
			stand.parts.room.called = 2;
		});
		await stand.spike.tidy();
		await stand.spike.tidy();
		expect(await countRows('rolled', 1)).toBe(400);
		expect(await countRows('rolled', 10)).toBeGreaterThanOrEqual(38);
		expect(await countRows('rolled', 60)).toBeGreaterThanOrEqual(5);
		for (const resolution of [1, 10, 60] as const) {
			const history = await stand.spike.history({ from: began + 120_000, to: began + 360_000, resolution });
			expect(history.at).toHaveLength(240 / resolution);
			expect(new Set(history.series.joinedPerSecond)).toEqual(new Set([5]));
			expect(new Set(history.series.offeredPerSecond)).toEqual(new Set([3]));
			expect(new Set(history.series.called)).toEqual(new Set([2]));
			expect(history.series.p95Ms.every((ms) => ms! > 39 && ms! < 41)).toBe(true);
			expect(history.series.checkP95Ms.every((ms) => ms! > 14.5 && ms! < 15.5)).toBe(true);
			expect(new Set(history.words.limitedBy)).toEqual(new Set(['manager']));
			expect(new Set(history.words.breaker)).toEqual(new Set(['closed']));
		}
		// The newest minute is there although it is not rolled up yet.
		const fresh = await stand.spike.history({ from: clock.now() - 120_000, resolution: 10 });
		expect(fresh.series.joinedPerSecond.at(-1)).toBe(5);
		await stand.spike.stop!();
	});

	it('merges the seconds of instances that write side by side, on the glass and in the history', async () => {
		const clock = createTestClock();
		const began = clock.now();
		const a = createStand(test, 'together', clock, { instance: 'a', shared: true });
		const b = createStand(test, 'together', clock, { instance: 'b', shared: true });
		await a.spike.start!();
		await b.spike.start!();
		for (let second = 0; second < 90; second++) {
			a.parts.book(8, 20);
			b.parts.book(2, 900);
			clock.advance(1_000);
			await a.conductor.turn();
			await b.conductor.turn();
			await settle();
		}
		for (const { spike } of [a, b]) {
			const now = spike.now()!;
			expect(now.booking.p50Ms).toBeLessThan(21);
			expect(now.booking.p95Ms).toBeGreaterThan(850);
			expect(now.process.sockets).toBe(6);
			expect(now.work.served).toBeGreaterThanOrEqual(570);
			expect(now.work.served).toBeLessThanOrEqual(600);
		}
		await a.spike.stop!();
		await b.spike.stop!();
		const history = await a.spike.history({ from: began + 61_000, to: began + 90_000, resolution: 1 });
		expect(new Set(history.series.offeredPerSecond)).toEqual(new Set([10]));
		expect(history.series.p95Ms.at(-1)).toBeGreaterThan(850);
		expect(history.series.poolInUse.at(-1)).toBe(2);
	});

	it('forgets seconds after hours and minutes after a season, in small pieces', async () => {
		const clock = createTestClock();
		const stand = createStand(test, 'forgotten', clock);
		await stand.spike.start!();
		await stand.seconds(180, () => stand.parts.book(1, 10));
		await stand.spike.stop!();
		// Nothing ticks any more: only time passes.
		clock.advance(limits.spike.keepHours * 3_600_000 + 1_000);
		await stand.spike.tidy();
		expect([await countRows('forgotten', 1), await countRows('forgotten', 60)]).toEqual([0, 3]);
		clock.advance(limits.spike.keepTensDays * 86_400_000);
		await stand.spike.tidy();
		expect([await countRows('forgotten', 10), await countRows('forgotten', 60)]).toEqual([0, 3]);
		clock.advance(limits.spike.keepMinutesDays * 86_400_000);
		await stand.spike.tidy();
		expect(await countRows('forgotten', 60)).toBe(0);
	});
});
