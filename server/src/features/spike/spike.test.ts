import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestClock } from '../../../test/kit/index.ts';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createStand as createStandOn, settle } from './spike.fixture.ts';

describe('spike health', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	const createStand = (
		...args: Parameters<typeof createStandOn> extends [unknown, ...infer Rest] ? Rest : never
	) => createStandOn(test, ...args);

	it('tells when another build began to serve, once for a build however often it starts', async () => {
		const builds: string[][] = [];
		const clock = createTestClock();
		for (const build of ['a', 'a', 'b', 'a']) {
			const { spike, seconds } = createStand(undefined, clock, { build: Promise.resolve(build) });
			await spike.start?.();
			await seconds(1);
			builds.push((spike.now()!.deploys ?? []).map((one) => one.build));
			await spike.stop?.();
		}
		expect(builds).toEqual([['a'], ['a'], ['a', 'b'], ['a', 'b', 'a']]);
	});

	it('tells rolling ratios, rates and percentiles of the last minute, and none without inflow', async () => {
		const { parts, spike, seconds } = createStand();
		await seconds(5);
		expect(spike.now()).toMatchObject({
			room: { ratio: null },
			work: { ratio: null },
			booking: { p95Ms: null, count: 0 },
			level: 1,
			mark: 'simulated'
		});
		await seconds(60, () => {
			parts.room.joinedTotal += 1_000;
			parts.room.admittedTotal += 250;
			parts.room.waiting += 750;
			parts.book(250, 40);
		});
		const now = spike.now()!;
		expect(now.room).toMatchObject({
			joined: 60_000,
			admitted: 15_000,
			ratio: 0.25,
			joinedPerSecond: 1_000,
			admittedPerSecond: 250,
			depth: 45_000,
			quality: 'live'
		});
		expect(now.work).toMatchObject({ offered: 15_000, served: 15_000, ratio: 1, belowOneSeconds: 0 });
		expect(now.outcomes.booked).toBe(15_000);
		expect(now.booking.p95Ms).toBeGreaterThan(39);
		expect(now.booking.p95Ms).toBeLessThan(41);
		await seconds(61);
		expect(spike.now()!.work.ratio).toBeNull();
	});

	it('counts how long work loses ground, and not the work in hand', async () => {
		const { parts, spike, seconds } = createStand();
		await seconds(60, () => parts.book(250, 20));
		parts.booking.offered += 3;
		await seconds(1, () => parts.book(250, 20));
		expect(spike.now()!.work.belowOneSeconds).toBe(0);
		await seconds(30, () => parts.book(250, 20, 150));
		expect(spike.now()!.work.ratio).toBeLessThan(0.9);
		expect(spike.now()!.work.belowOneSeconds).toBeGreaterThan(20);
	});

	it('marks what a part did not tell as partial, then stale; missing is no zero', async () => {
		const { parts, spike, seconds, clock, conductor } = createStand();
		await seconds(10, () => parts.book(10, 20));
		expect(spike.now()!.work.quality).toBe('partial');
		await seconds(60, () => parts.book(10, 20));
		expect(spike.now()!.work.quality).toBe('live');
		parts.bookingFails = true;
		await seconds(5);
		expect(spike.now()!.work.quality).toBe('stale');
		expect(spike.now()!.room.quality).toBe('live');
		const trend = spike.trend(10, 1);
		expect(trend.series.workRatio!.slice(-3)).toEqual([null, null, null]);
		expect(trend.series.depth!.at(-1)).toBe(0);
		await seconds(35);
		expect(conductor.decision()).toMatchObject({ blind: true, limitedBy: 'blind' });
		expect(clock.now()).toBeGreaterThan(0);
	});

	it('lets slow booking hold the rate down, and lets go of it soon after', async () => {
		const { parts, seconds, conductor } = createStand();
		await seconds(30, () => parts.book(50, 100));
		expect(conductor.decision().health).toBe(1);
		await seconds(20, () => parts.book(50, 2_500));
		expect(conductor.decision()).toMatchObject({ limitedBy: 'health', worstSignal: 'booking p95' });
		expect(conductor.decision().ratePerSecond).toBeCloseTo(50, -1);
		// Hardly anybody is let in any more: the slow ones of before do not keep the door shut.
		await seconds(20, () => parts.book(1, 100));
		expect(conductor.decision()).toMatchObject({ health: 1, limitedBy: 'rising' });
		parts.booking.buffer.oldestSeconds = 3;
		// Nothing has come out yet, and still it shows.
		await seconds(1);
		expect(conductor.decision()).toMatchObject({ worstSignal: 'booking in hand' });
		expect(conductor.decision().health).toBeCloseTo(1 / 3, 6);
		parts.booking.buffer.oldestSeconds = null;
		parts.booking.eligibility.breaker = 'open';
		await seconds(2, () => parts.book(50, 100));
		expect(conductor.decision()).toMatchObject({ worstSignal: 'eligibility' });
		expect(conductor.decision().ratePerSecond).toBeCloseTo(10, 6);
	});

	it('keeps the trend over a restart, with a gap where nobody watched', async () => {
		const first = createStand();
		await first.spike.start!();
		await first.seconds(120, () => {
			first.parts.book(10, 20);
			first.parts.room.joinedTotal += 5;
			first.parts.room.waiting = 7;
		});
		const before = first.spike.trend(100, 1);
		await first.spike.stop!();
		first.clock.advance(30_000);
		const second = createStand(first.room, first.clock);
		await second.spike.start!();
		await second.seconds(10, () => (second.parts.room.waiting = 9));
		const after = second.spike.trend(140, 1);
		for (const [index, at] of before.at.entries()) {
			const same = after.at.indexOf(at);
			if (same >= 0) expect(after.series.depth![same]).toBe(before.series.depth![index]);
		}
		expect(after.series.depth!.at(-1)).toBe(9);
		expect(after.series.depth!.at(-20)).toBeNull();
		expect(after.series.p95Ms!.at(-45)).toBeGreaterThan(19);
		await second.spike.stop!();
	});

	it('gives the same totals at any step', async () => {
		const { parts, spike, seconds, clock } = createStand();
		await seconds(300, () => {
			parts.room.joinedTotal += 7;
			parts.book(4, 30);
		});
		fc.assert(
			fc.property(fc.constantFrom(1, 2, 5, 10, 60), (step) => {
				const trend = spike.trend(120, step);
				expect(trend.at).toHaveLength(120 / step);
				expect(trend.at.at(-1)! % (step * 1_000)).toBe(0);
				expect(trend.at.at(-1)!).toBeLessThanOrEqual(clock.now());
				expect(new Set(trend.series.joinedPerSecond)).toEqual(new Set([7]));
				expect(new Set(trend.series.offeredPerSecond)).toEqual(new Set([4]));
				expect(new Set(trend.series.workRatio)).toEqual(new Set([1]));
			})
		);
	});

	it('shows the newest second to screens, and what it depends on', async () => {
		const { hub, spike, seconds, clock, probes } = createStand();
		await spike.start!();
		await settle();
		await seconds(2);
		expect(hub.snapshot('spike').state.now).toMatchObject({
			process: { sockets: 3, reconnectsPerSecond: 2 }
		});
		expect(spike.now()!.dependencies).toMatchObject([{ name: 'part', state: 'up' }]);
		probes.state = 'throws';
		clock.advance(2_000);
		await settle();
		await seconds(1);
		expect(spike.now()!.dependencies[0]!.state).toBe('down');
		probes.state = 'hangs';
		clock.advance(2_000);
		await settle();
		clock.advance(1_600);
		await settle();
		await seconds(1);
		expect(spike.now()!.dependencies[0]!).toMatchObject({ state: 'down', detail: 'no answer' });
		clock.advance(20_000);
		await settle();
		await seconds(1);
		expect(spike.now()!.dependencies[0]!.state).toBe('unknown');
		await spike.stop!();
	});
});
