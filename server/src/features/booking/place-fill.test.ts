import { describe, expect, it } from 'vitest';
import { createFillDoor, fillOf, paceOf } from './place-fill.ts';

const minuteMs = 60_000;
const slotAt = (minutes: number, place = 'north') => ({
	place,
	startsAt: minutes * minuteMs,
	endsAt: (minutes + 60) * minuteMs
});

describe('the fill of a place', () => {
	const create = (fill: number | null | undefined) => {
		const clock: { ms: number; fill: number | null | undefined } = { ms: 0, fill };
		const door = createFillDoor({
			placeFill: (place) => (place === 'north' ? clock.fill : 0.1),
			now: () => 0,
			elapsedMs: () => clock.ms
		});
		const passed = (slot: ReturnType<typeof slotAt>, tries = 100) =>
			Array.from({ length: tries }, () => door.admits(slot)).filter(Boolean).length;
		return { clock, door, passed };
	};

	it('slows evenly, stops at full, and lets everything through below', () => {
		expect(create(0.5).passed(slotAt(30))).toBe(100);
		expect(create(0.85).passed(slotAt(30))).toBe(100);
		expect(create(0.925).passed(slotAt(30))).toBe(51);
		expect(create(1).passed(slotAt(30))).toBe(0);
		expect(create(1.4).passed(slotAt(30))).toBe(0);
	});

	it('touches only slots there that start within 90 minutes', () => {
		const { passed } = create(1);
		expect(passed(slotAt(90))).toBe(0);
		expect(passed(slotAt(-20))).toBe(0);
		expect(passed(slotAt(90.1))).toBe(100);
		expect(passed(slotAt(30, 'south'))).toBe(100);
	});

	it('is never good news when it is missing: the last pace holds for a minute, then half at the most', () => {
		const { clock, passed } = create(0.5);
		expect(passed(slotAt(30))).toBe(100);
		clock.fill = null;
		clock.ms = 59_000;
		expect(passed(slotAt(30))).toBe(100);
		clock.ms = 60_000;
		expect(passed(slotAt(30))).toBe(51);
		clock.fill = 1;
		clock.ms = 61_000;
		expect(passed(slotAt(30))).toBe(0);
		clock.fill = null;
		clock.ms = 200_000;
		expect(passed(slotAt(30))).toBe(0);
		expect(create(undefined).passed(slotAt(30))).toBe(100);
	});

	it('of a place is that of its fullest zone; one that is silent makes it unknown, unless another is full', () => {
		expect(fillOf([])).toBeUndefined();
		expect(fillOf([0.2, 0.9])).toBe(0.9);
		expect(fillOf([0.2, null])).toBeNull();
		expect(fillOf([0.99, null])).toBe(0.99);
		expect(fillOf([Number.NaN])).toBeNull();
		expect([0.85, 0.925, 1].map(paceOf)).toEqual([1, 0.5, 0]);
	});

	it('reads the fill once a second', () => {
		const { clock, door, passed } = create(1);
		expect(passed(slotAt(30))).toBe(0);
		clock.fill = 0.2;
		expect(passed(slotAt(30))).toBe(0);
		expect(door.slowed()).toEqual([{ place: 'north', pace: 0 }]);
		clock.ms = 1_000;
		expect(passed(slotAt(30))).toBe(100);
		expect(door.slowed()).toEqual([]);
	});
});
