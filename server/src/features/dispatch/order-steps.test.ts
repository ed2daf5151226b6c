import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dispatchStates, type DispatchStateName, type Shift } from '../../../contract/index.ts';
import { isOnShift, placeQuality, siteMinutes, teamState } from './duty.ts';
import { isOpen, isUnanswered, mayMove, welfareOf } from './order-steps.ts';
import { findPlace, refuseOld, refusePersonal } from './refusals.ts';
import { createSite } from '../site/index.ts';

const anyState = fc.constantFrom(...dispatchStates);
const minute = 60_000;

describe('the steps of an order', () => {
	it('come to an end, whatever is pressed', () => {
		fc.assert(
			fc.property(fc.array(anyState, { maxLength: 40 }), (presses) => {
				const taken: DispatchStateName[] = ['sent'];
				for (const next of presses) if (mayMove(taken.at(-1)!, next)) taken.push(next);
				expect(new Set(taken).size).toBe(taken.length);
				expect(taken.length).toBeLessThanOrEqual(6);
			})
		);
	});

	it('go nowhere from what is over, and to "done" only from what was taken on', () => {
		for (const next of dispatchStates) {
			for (const over of ['done', 'cancelled'] as const) expect(mayMove(over, next)).toBe(false);
			expect(mayMove('cannot', next)).toBe(next === 'cancelled');
		}
		expect(mayMove('sent', 'done')).toBe(false);
		expect(mayMove('reserved', 'on-the-way')).toBe(false);
		expect(mayMove('sent', 'on-the-spot')).toBe(true);
		expect(dispatchStates.filter(isOpen)).toHaveLength(6);
	});

	it('ring when nobody has acknowledged for 60 s, to the second', () => {
		expect(isUnanswered('sent', 0, 59_999)).toBe(false);
		expect(isUnanswered('sent', 0, 60_000)).toBe(true);
		expect(isUnanswered('acknowledged', 0, 600_000)).toBe(false);
	});

	it('ask a team that is out every 20 minutes, in heat every 10', () => {
		const at = (now: number, heat = false) => welfareOf('on-the-spot', 0, heat, now)!;
		expect(at(20 * minute - 1)).toMatchObject({ missed: 0, dueAt: 20 * minute });
		expect(at(20 * minute)).toMatchObject({ missed: 1, dueAt: 40 * minute });
		expect(at(40 * minute).missed).toBe(2);
		expect(at(20 * minute, true)).toMatchObject({ missed: 2, dueAt: 30 * minute });
		expect(welfareOf('sent', 0, false, 0)).toBeNull();
		expect(welfareOf('on-the-way', null, false, 0)).toBeNull();
	});
});

describe('duty', () => {
	it('runs by the clock of the site, and over midnight', () => {
		const riyadh = (hour: number, minutes = 0) => Date.UTC(2026, 1, 25, hour - 3, minutes);
		const on = (shift: Shift | null, hour: number, minutes = 0) =>
			isOnShift(shift, riyadh(hour, minutes), 'Asia/Riyadh');
		expect(siteMinutes(riyadh(22, 15), 'Asia/Riyadh')).toBe(22 * 60 + 15);
		expect(siteMinutes(riyadh(24), 'Asia/Riyadh')).toBe(0);
		const night = { from: '20:00', to: '04:00' };
		expect([19, 20, 23, 27].map((hour) => on(night, hour))).toEqual([false, true, true, true]);
		expect([on(night, 28), on(night, 28 + 8)]).toEqual([false, false]);
		expect(on({ from: '08:00', to: '16:00' }, 15, 59)).toBe(true);
		expect(on({ from: '08:00', to: '08:00' }, 3)).toBe(true);
		expect(on(null, 3)).toBe(true);
	});

	it('believes a place for a while, and hides no work', () => {
		expect([14, 15, 59, 60].map((age) => placeQuality(0, age * minute))).toEqual([
			...['live', 'stale', 'stale', 'unknown']
		]);
		expect(placeQuality(null, 0)).toBe('unknown');
		expect([teamState(1, false), teamState(0, true), teamState(0, false)]).toEqual([
			...['busy', 'free', 'off-duty']
		]);
	});
});

describe('refusals', () => {
	it('stand for what is too old, by either clock, and not for what is in time', () => {
		for (const ageMs of [30_001, -30_001, 86_400_000])
			expect(() => refuseOld(1e12 - ageMs, 1e12)).toThrow('too_old');
		for (const ageMs of [0, 30_000, -30_000]) expect(() => refuseOld(1e12 - ageMs, 1e12)).not.toThrow();
		expect(() => refuseOld(undefined, 1e12)).not.toThrow();
	});

	it('stand for numbers and addresses of persons, in any digits', () => {
		for (const text of [
			'call 0551234567',
			'٠٥٥ ١٢٣ ٤٥٦٧',
			'id 10-2030-4050',
			'a@example.org',
			'+966 55 123 4567'
		])
			expect(() => refusePersonal('note', text), text).toThrow('personal_data');
		for (const text of ['gate 3, 20 people at 21:45', 'near lane 12', 'الممر 4 بجانب البوابة 2', null, ''])
			expect(() => refusePersonal('note', text), String(text)).not.toThrow();
	});

	it('stand for places that the site does not have', () => {
		const { site } = createSite({});
		expect(findPlace(site, { gate: 'gate-1' })).toMatchObject({ zone: 'plaza-1', gate: 'gate-1' });
		expect(findPlace(site, { zone: 'core', spot: '  ' })).toMatchObject({ zone: 'core', spot: null });
		for (const place of [{}, { zone: 'x' }, { gate: 'x' }, { zone: 'core', gate: 'x' }])
			expect(() => findPlace(site, place)).toThrow('no_such_place');
	});
});
