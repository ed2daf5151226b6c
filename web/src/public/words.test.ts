import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createDates } from './dates.ts';
import { allTexts } from './texts/all.ts';
import { arabic } from './texts/ar.ts';
import { english } from './texts/en.ts';
import { languages } from './texts/texts.ts';
import { createWords, fill } from './words.ts';

const ar = createWords(arabic.live);
const en = createWords(english.live);
const arDates = createDates(arabic.live, ar.time);
const enDates = createDates(english.live, en.time);
const everybody = languages.map((language) => createWords(allTexts[language].live));
/** 16 June 2026, 14:30 in Riyadh. */
const at = Date.UTC(2026, 5, 16, 11, 30);
const riyadh = 'Asia/Riyadh';

describe('waits in words', () => {
	it.each([
		[null, 'not known just now', 'غير معروف الآن'],
		[0, 'less than a minute', 'أقل من دقيقة'],
		[40, 'less than a minute', 'أقل من دقيقة'],
		[60, 'less than 2 minutes', 'أقل من دقيقتين'],
		[80, '1 to 2 minutes', 'دقيقة إلى دقيقتين'],
		[336, '5 to 8 minutes', '5 إلى 8 دقائق'],
		[700, '10 to 15 minutes', '10 إلى 15 دقيقة'],
		[5_500, '82 to 115 minutes', '82 إلى 115 دقيقة'],
		[6_000, '1 to 3 hours', '1 إلى 3 ساعات'],
		[7_000_000, '1,750 to 2,431 hours', '1,750 إلى 2,431 ساعة']
	])('%s s', (seconds, english, arabic) => {
		expect(en.wait(seconds)).toBe(english);
		expect(ar.wait(seconds)).toBe(arabic);
	});

	it('never hold a minus, a NaN or a dash between numbers', () => {
		fc.assert(
			fc.property(fc.double({ min: 0, max: 1e7, noNaN: true }), (seconds) => {
				for (const words of everybody) expect(words.wait(seconds)).not.toMatch(/-\d|NaN|–|\{/);
			})
		);
	});
});

describe('counted things', () => {
	it('follow the plural class of the Arabic number', () => {
		const people = (n: number) => `${ar.ahead(n).figure} ${ar.ahead(n).noun}`;
		expect([1, 2, 5, 17, 100].map(people)).toEqual(['1 شخص', '2 شخصان', '5 أشخاص', '17 شخصاً', '100 شخص']);
		expect(ar.counted(2, arabic.live.placesLeft)).toBe('بقي مكانان');
		expect(ar.counted(42, arabic.live.placesLeft)).toBe('بقي 42 مكاناً');
	});
	it('are exact below 1,000 and about above', () => {
		expect(en.ahead(999)).toEqual({ label: 'Ahead of you', figure: '999', noun: 'people' });
		expect(en.ahead(84_321)).toEqual({ label: 'Ahead of you, about', figure: '84,000', noun: 'people' });
		expect(ar.ahead(84_321).label).toBe('أمامك نحو');
	});
});

describe('days and hours', () => {
	it('name both calendars, with Latin digits, at the place and not at the reader', () => {
		expect(enDates.gregorian(at, riyadh)).toBe('Tuesday, 16 June 2026 (Gregorian)');
		expect(enDates.day(at, riyadh)).toBe('Tuesday, 16 June 2026');
		expect(arDates.day(at, riyadh)).toBe('الثلاثاء، 16 يونيو 2026');
		expect(enDates.hijri(at, riyadh)).toBe('Tuesday, 1 Muharram 1448 (Hijri, Umm al-Qura)');
		expect(arDates.gregorian(at, riyadh)).toBe('الثلاثاء، 16 يونيو 2026 ميلادي');
		expect(arDates.hijri(at, riyadh)).toBe('الثلاثاء، 1 محرم 1448 هجري (أم القرى)');
		expect(enDates.hours(at, at + 7_200_000, riyadh)).toBe('14:30 to 16:30');
		expect(arDates.hours(at, at + 7_200_000, riyadh)).toBe('14:30 إلى 16:30');
		expect(enDates.hours(at, at + 7_200_000, 'Asia/Jakarta')).toBe('18:30 to 20:30');
	});
	it('write midnight as 00:00', () => {
		expect(ar.time(Date.UTC(2026, 5, 16, 21, 0), riyadh)).toBe('00:00');
		expect(en.time(Date.UTC(2026, 5, 16, 21, 0), riyadh, { timeZoneName: 'short' })).toBe('00:00 GMT+3');
	});
	it('count what is left in minutes and seconds, not below nothing', () => {
		expect(en.clockLeft(600_000)).toBe('10:00');
		expect(en.clockLeft(61_001)).toBe('1:02');
		expect(en.clockLeft(-5)).toBe('0:00');
	});
});

describe('seven languages', () => {
	it('write numbers and waits in their own digits and forms', () => {
		const waits = languages.map((language) => createWords(allTexts[language].live).wait(700));
		expect(waits).toEqual([
			'10 إلى 15 دقيقة',
			'10 to 15 minutes',
			'10 سے 15 منٹ',
			'10 sampai 15 menit',
			'10 ile 15 dakika arası',
			'১০ থেকে ১৫ মিনিট',
			'10 à 15 minutes'
		]);
		const figures = everybody.map((words) => words.ahead(84_321).figure);
		expect(figures).toEqual(['84,000', '84,000', '84,000', '84.000', '84.000', '৮৪,০০০', '84\u202f000']);
		expect(createWords(allTexts.bn.live).clockLeft(65_000)).toBe('১:০৫');
		expect(createWords(allTexts.fr.live).ahead(2_000_000).noun).toBe('de personnes');
	});
	it('name both calendars and no era twice', () => {
		for (const language of languages) {
			const { live } = allTexts[language];
			const dates = createDates(live, createWords(live).time);
			expect(dates.hijri(at, riyadh)).not.toMatch(/ AH|هـ|ہجری.*ہجری|Hicri.*Hicri|যুগ| H /);
			expect(dates.hijri(at, riyadh)).toMatch(/1448|১৪৪৮/);
			expect(dates.gregorian(at, riyadh)).toMatch(/2026|২০২৬/);
		}
	});
	it('say how long until the opening in two units at most, down to seconds', () => {
		expect(en.until(90_000)).toBe('90 seconds');
		expect(en.until(3 * 3_600_000 + 20 * 60_000)).toBe('3 hours and 20 minutes');
		expect(en.until(3 * 86_400_000 + 3_600_000)).toBe('3 days and 1 hour');
		expect(ar.until(2 * 3_600_000 + 3 * 60_000)).toBe('ساعتين و3 دقائق');
		expect(en.until(-1)).toBe('0 seconds');
	});
});

it('blanks are filled with what is given, and only with that', () => {
	expect(fill('{a} of {b}', { a: '1' })).toBe('1 of {b}');
});
