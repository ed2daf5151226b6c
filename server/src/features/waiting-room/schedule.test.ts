import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
	applyEdit,
	breaksPromise,
	findScheduleFault,
	joinableFrom,
	noSchedule,
	roomStateAt
} from './schedule.ts';

const times = { preQueueOpensAt: 1_000, opensAt: 2_000, closesAt: 3_000 };
const scheduled = { ...noSchedule, ...times, version: 1 };
const edit = (change: object = {}) => ({ ...times, reason: 'a test', ...change });

describe('where a room is', () => {
	it('follows the clock: countdown, drawing until everybody drawn is placed, open, closed', () => {
		expect(roomStateAt(times, 'committed', 0)).toBe('countdown');
		expect(roomStateAt(times, 'committed', 1_999)).toBe('countdown');
		for (const state of ['committed', 'frozen', 'drawn'] as const)
			expect(roomStateAt(times, state, 2_000)).toBe('drawing');
		for (const state of ['placed', 'void', null] as const)
			expect(roomStateAt(times, state, 2_000)).toBe('open');
		expect(roomStateAt(times, 'placed', 3_000)).toBe('closed');
	});

	it('is open without a schedule, at any time', () => {
		fc.assert(fc.property(fc.nat(), (now) => roomStateAt(noSchedule, null, now) === 'open'));
		expect(joinableFrom(noSchedule)).toBeNull();
	});

	it('never goes back as time goes on', () => {
		const order = ['countdown', 'drawing', 'open', 'closed'];
		const states = fc.constantFrom('committed' as const, 'placed' as const, null);
		fc.assert(
			fc.property(states, fc.nat(5_000), fc.nat(5_000), (draw, at, later) => {
				const [first, second] = [at, at + later].map((now) => order.indexOf(roomStateAt(times, draw, now)));
				expect(second).toBeGreaterThanOrEqual(first!);
			})
		);
	});

	it('says from when somebody may join', () => {
		expect(joinableFrom(times)).toBe(1_000);
		expect(joinableFrom({ preQueueOpensAt: null, opensAt: 2_000 })).toBe(2_000);
	});
});

describe('an edit of the schedule', () => {
	it('counts only when it changes something (W-33)', () => {
		expect(applyEdit(scheduled, edit())).toBe(scheduled);
		expect(applyEdit(scheduled, edit({ closesAt: null }))).toMatchObject({ version: 2, closesAt: null });
		expect(applyEdit(scheduled, edit({ expectedTotal: 5 }))).toMatchObject({ version: 2, expectedTotal: 5 });
		expect(applyEdit(scheduled, edit({ anonymousPlaces: false })).anonymousPlaces).toBe(false);
	});

	it('must have times that fit together', () => {
		expect(findScheduleFault(times)).toBeNull();
		expect(findScheduleFault(noSchedule)).toBeNull();
		expect(findScheduleFault({ ...times, preQueueOpensAt: 2_000 })).toBe('preQueueOpensAt');
		expect(findScheduleFault({ ...times, opensAt: null })).toBe('preQueueOpensAt');
		expect(findScheduleFault({ ...times, closesAt: 2_000 })).toBe('closesAt');
	});

	it('may not break what was promised to people who registered', () => {
		const waiting = { state: 'committed' as const, registered: 3 };
		const moved = { ...scheduled, opensAt: 2_500 };
		expect(breaksPromise(scheduled, moved, waiting, 1_500)).toBe(false);
		expect(breaksPromise(scheduled, noSchedule, waiting, 1_500)).toBe(true);
		expect(breaksPromise(scheduled, { ...scheduled, preQueueOpensAt: 1_600 }, waiting, 1_500)).toBe(true);
		expect(breaksPromise(scheduled, noSchedule, { ...waiting, registered: 0 }, 1_500)).toBe(false);
		const frozen = { state: 'frozen' as const, registered: 3 };
		expect(breaksPromise(scheduled, moved, frozen, 2_100)).toBe(true);
		expect(breaksPromise(scheduled, { ...scheduled, closesAt: 4_000 }, frozen, 2_100)).toBe(false);
		expect(breaksPromise(scheduled, moved, { ...frozen, state: 'placed' as const }, 2_100)).toBe(false);
	});
});
