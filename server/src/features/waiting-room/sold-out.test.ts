import { describe, expect, it } from 'vitest';
import { soldOutOf } from './sold-out.ts';

const days = (...left: number[]) => left.map((placesLeft, i) => ({ day: `2026-03-0${i + 1}`, placesLeft }));

describe('sold out, said to everybody who waits', () => {
	const all = { counts: true, offers: true };

	it('offers no other days while a level has switched recommendations off', () => {
		const gone = { soldOut: false, days: days(0, 4), at: 1 };
		expect(soldOutOf(gone, { counts: true, offers: false })).toEqual({ soldOut: true, otherDays: [] });
	});

	it('says nothing while places are left, or nothing is known', () => {
		const nothing = { soldOut: false, otherDays: [] };
		expect(soldOutOf({ soldOut: false, days: [], at: null }, all)).toEqual(nothing);
		expect(soldOutOf({ soldOut: true, days: days(0), at: null }, all)).toEqual(nothing);
		expect(soldOutOf({ soldOut: false, days: days(3, 0), at: 1 }, all)).toEqual(nothing);
	});

	it('names the other days that still have places, without numbers while a level hides them', () => {
		const gone = { soldOut: false, days: days(0, 4, 0, 2), at: 1 };
		expect(soldOutOf(gone, all)).toEqual({
			soldOut: true,
			otherDays: [
				{ date: '2026-03-02', left: 4 },
				{ date: '2026-03-04', left: 2 }
			]
		});
		expect(soldOutOf(gone, { counts: false, offers: true }).otherDays.map(({ left }) => left)).toEqual([
			null,
			null
		]);
		expect(soldOutOf({ soldOut: true, days: days(0, 0), at: 1 }, all)).toEqual({
			soldOut: true,
			otherDays: []
		});
	});
});
