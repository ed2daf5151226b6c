import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill/full';
import { describe, expect, it } from 'vitest';
import { civilDayAt, dayOfText, noonOf, textOfDay, weekdayOf } from './days.ts';
import {
	createHijriCalendar,
	hijriAt,
	hijriYearMax,
	hijriYearMin,
	sayHijri,
	sightingFault,
	ummAlQura,
	type AnnouncedMonth
} from './hijri.ts';

const day = (text: string) => dayOfText(text)!;
const intl = new Intl.DateTimeFormat('en-u-ca-islamic-umalqura-nu-latn', {
	...{ year: 'numeric', month: 'numeric', day: 'numeric', timeZone: 'UTC' }
});
function byIntl(of: number) {
	const parts = new Map(intl.formatToParts(noonOf(of)).map(({ type, value }) => [type, Number(value)]));
	return { year: parts.get('year'), month: parts.get('month'), day: parts.get('day') };
}
const months = Array.from({ length: (hijriYearMax - hijriYearMin + 1) * 12 }, (_, index) => ({
	year: hijriYearMin + Math.floor(index / 12),
	month: (index % 12) + 1
}));

describe('Umm al-Qura', () => {
	it.each([
		['2024-12-02', 1446, 6, 1],
		['2025-02-26', 1446, 8, 27],
		['2026-02-18', 1447, 9, 1],
		['2026-05-26', 1447, 12, 9],
		['2027-05-15', 1448, 12, 9],
		['2027-03-06', 1448, 9, 27],
		['2028-05-04', 1449, 12, 9],
		['2029-08-11', 1451, 3, 30],
		['2036-10-21', 1458, 9, 1]
	])('says that %s is %i-%i-%i', (text, year, month, ofMonth) => {
		expect(ummAlQura.dateOf(day(text))).toEqual({ year, month, day: ofMonth });
		expect(ummAlQura.dayOf({ year, month, day: ofMonth })).toBe(day(text));
	});

	it('has two Ramadans in 2030: a season is never keyed by a Gregorian year', () => {
		const starts = months
			.filter(({ month }) => month === 9)
			.map((month) => textOfDay(ummAlQura.dayOf({ ...month, day: 1 })!))
			.filter((text) => text.startsWith('2030'));
		expect(starts).toEqual(['2030-01-05', '2030-12-26']);
	});

	it('is the same as ICU on every day, and as Temporal on every first day', () => {
		for (let each = day('2018-09-11'); each < day('2077-11-17'); each++)
			if (JSON.stringify(ummAlQura.dateOf(each)) !== JSON.stringify(byIntl(each)))
				expect([textOfDay(each), ummAlQura.dateOf(each)]).toEqual([textOfDay(each), byIntl(each)]);
		for (const { year, month } of months) {
			const calendar = 'islamic-umalqura';
			const there = Temporal.PlainDate.from({ calendar, year, month, day: 1 }).withCalendar('iso8601');
			expect(textOfDay(ummAlQura.dayOf({ year, month, day: 1 })!)).toBe(there.toString());
		}
	});

	it('knows nothing outside its table, and no day that a month has not', () => {
		expect(ummAlQura.dateOf(day('2018-09-10'))).toBeNull();
		expect(ummAlQura.dateOf(day('2077-11-17'))).toBeNull();
		expect(ummAlQura.dateOf(Number.NaN)).toBeNull();
		expect(ummAlQura.dayOf({ year: 1447, month: 10, day: 30 })).toBeNull();
		expect(ummAlQura.dayOf({ year: 1447, month: 13, day: 1 })).toBeNull();
		expect(ummAlQura.monthLength(1501, 1)).toBeNull();
	});

	it('goes by the day at the place, not by that of the machine', () => {
		const at = Date.parse('2026-02-17T21:30:00Z');
		expect(hijriAt(at, 'Asia/Riyadh')).toEqual({ year: 1447, month: 9, day: 1 });
		expect(hijriAt(at, 'UTC')).toEqual({ year: 1447, month: 8, day: 29 });
		expect(hijriAt(at, 'America/New_York')).toEqual({ year: 1447, month: 8, day: 29 });
	});
});

const someMonth = fc.constantFrom(...months.filter(({ year }) => year <= 1460));
const announcement = fc.tuple(someMonth, fc.integer({ min: -2, max: 2 })).map(([month, off]) => ({
	...month,
	firstDay: textOfDay(ummAlQura.dayOf({ ...month, day: 1 })! + off)
}));

describe('any calendar of 1440 to 1460', () => {
	it('finds every day again, in order, and has months of 29 or 30 days, whatever was announced', () => {
		fc.assert(
			fc.property(fc.array(announcement, { maxLength: 8 }), someMonth, (announced, { year, month }) => {
				const calendar = createHijriCalendar(announced);
				const length = calendar.monthLength(year, month)!;
				expect([29, 30]).toContain(length);
				const first = calendar.dayOf({ year, month, day: 1 })!;
				for (let each = 0; each < length; each++)
					expect(calendar.dateOf(first + each)).toEqual({ year, month, day: each + 1 });
				expect(calendar.dateOf(first + length)?.day).toBe(1);
				expect(Math.abs(first - ummAlQura.dayOf({ year, month, day: 1 })!)).toBeLessThanOrEqual(1);
			})
		);
	});
});

describe('a sighting', () => {
	// Sha'ban 1448 is calculated with 30 days: where the moon is seen after 29, Ramadan begins a day earlier.
	const early: AnnouncedMonth = { year: 1448, month: 9, firstDay: '2027-02-07' };

	it('moves its month by a day and nothing before it; the month itself takes the day up', () => {
		const calendar = createHijriCalendar([early]);
		expect(ummAlQura.dayOf({ year: 1448, month: 9, day: 1 })).toBe(day('2027-02-08'));
		expect(calendar.dayOf({ year: 1448, month: 9, day: 27 })).toBe(day('2027-03-05'));
		expect([calendar.monthLength(1448, 8), calendar.monthLength(1448, 9)]).toEqual([29, 30]);
		expect(calendar.dayOf({ year: 1448, month: 8, day: 1 })).toBe(
			ummAlQura.dayOf({ year: 1448, month: 8, day: 1 })
		);
		expect(calendar.dayOf({ year: 1448, month: 10, day: 1 })).toBe(day('2027-03-09'));
	});

	it('moves the months after it as far as none would have 28 days', () => {
		const calendar = createHijriCalendar([{ year: 1448, month: 11, firstDay: '2027-04-07' }]);
		expect(ummAlQura.dayOf({ year: 1448, month: 11, day: 1 })).toBe(day('2027-04-08'));
		expect([10, 11, 12].map((month) => calendar.monthLength(1448, month))).toEqual([29, 30, 30]);
		const late = createHijriCalendar([{ year: 1448, month: 10, firstDay: '2027-03-10' }]);
		expect([9, 10, 11].map((month) => late.monthLength(1448, month))).toEqual([30, 29, 29]);
	});

	it('cannot be where a month would have 28 or 31 days, or two days away', () => {
		expect(sightingFault(early, [])).toBeNull();
		expect(sightingFault({ ...early, firstDay: '2027-02-10' }, [])).toBe('too-far');
		expect(sightingFault({ ...early, firstDay: '2027-02-09' }, [])).toBe('length');
		expect(sightingFault({ ...early, firstDay: '2027-02-31' }, [])).toBe('day');
		expect(sightingFault({ ...early, year: 1600 }, [])).toBe('month');
		// As calculated is an announcement, too: it confirms.
		expect(sightingFault({ ...early, firstDay: '2027-02-08' }, [early])).toBeNull();
	});
});

describe('words and days', () => {
	it('name the calendar', () => {
		expect(sayHijri({ year: 1448, month: 9, day: 27 }, 'en')).toBe('27 Ramadan 1448 AH');
		expect(sayHijri({ year: 1448, month: 12, day: 9 }, 'ar')).toBe('9 ذو الحجة 1448 هـ');
	});
	it('refuse what is no date', () => {
		expect(dayOfText('2027-02-29')).toBeNull();
		expect(dayOfText('2027-3-5')).toBeNull();
		expect(weekdayOf(day('2027-03-05'))).toBe(5);
		expect(civilDayAt(Date.parse('2027-03-05T22:30:00Z'), 'Asia/Riyadh')).toBe(day('2027-03-06'));
	});
});
