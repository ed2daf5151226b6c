import { describe, expect, it } from 'vitest';
import { createFillDoor, paceOf } from './place-fill.ts';

const minuteMs = 60_000;
const slotAt = (minutes: number, place = 'north') => ({
	place,
	startsAt: minutes * minuteMs,
	endsAt: (minutes + 60) * minuteMs
});

describe('the fill of a place', () => {
	const create = (fill: number | null | undefined) => {
		const clock = { ms: 0, fill };
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
		expect(create(0.925).passed(slotAt(30))).toBe(50);
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

	it('is never good news when it is missing, and does not matter where there is no zone', () => {
		expect(create(null).passed(slotAt(30))).toBe(50);
		expect(create(undefined).passed(slotAt(30))).toBe(100);
		expect(paceOf(Number.NaN)).toBe(0.5);
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
