import { describe, expect, it } from 'vitest';
import { soldOutOf } from './sold-out.ts';

const days = (...left: number[]) => left.map((placesLeft, i) => ({ day: `2026-03-0${i + 1}`, placesLeft }));

describe('sold out, said to everybody who waits', () => {
	it('says nothing while places are left, or nothing is known', () => {
		const nothing = { soldOut: false, otherDays: [] };
		expect(soldOutOf({ soldOut: false, days: [], at: null }, true)).toEqual(nothing);
		expect(soldOutOf({ soldOut: true, days: days(0), at: null }, true)).toEqual(nothing);
		expect(soldOutOf({ soldOut: false, days: days(3, 0), at: 1 }, true)).toEqual(nothing);
	});

	it('names the other days that still have places, without numbers while a level hides them', () => {
		const gone = { soldOut: false, days: days(0, 4, 0, 2), at: 1 };
		expect(soldOutOf(gone, true)).toEqual({
			soldOut: true,
			otherDays: [
				{ date: '2026-03-02', left: 4 },
				{ date: '2026-03-04', left: 2 }
			]
		});
		expect(soldOutOf(gone, false).otherDays.map(({ left }) => left)).toEqual([null, null]);
		expect(soldOutOf({ soldOut: true, days: days(0, 0), at: 1 }, true)).toEqual({
			soldOut: true,
			otherDays: []
		});
	});
});
