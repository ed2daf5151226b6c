import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arabic } from './texts/ar.ts';
import { english } from './texts/en.ts';
import { createWords, fill } from './words.ts';

const ar = createWords(arabic.live);
const en = createWords(english.live);
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
				for (const words of [ar, en]) expect(words.wait(seconds)).not.toMatch(/-|NaN|–|\{/);
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
		expect(en.gregorian(at, riyadh)).toBe('Tuesday, 16 June 2026 (Gregorian)');
		expect(en.hijri(at, riyadh)).toBe('Tuesday, 1 Muharram 1448 (Hijri, Umm al-Qura)');
		expect(ar.gregorian(at, riyadh)).toBe('الثلاثاء، 16 يونيو 2026 ميلادي');
		expect(ar.hijri(at, riyadh)).toBe('الثلاثاء، 1 محرم 1448 هجري (أم القرى)');
		expect(en.hours(at, at + 7_200_000, riyadh)).toBe('14:30 to 16:30');
		expect(ar.hours(at, at + 7_200_000, riyadh)).toBe('14:30 إلى 16:30');
		expect(en.hours(at, at + 7_200_000, 'Asia/Jakarta')).toBe('18:30 to 20:30');
	});
	it('write midnight as 00:00', () => {
		expect(ar.time(Date.UTC(2026, 5, 16, 21, 0), riyadh)).toBe('00:00');
	});
	it('count what is left in minutes and seconds, not below nothing', () => {
		expect(en.clockLeft(600_000)).toBe('10:00');
		expect(en.clockLeft(61_001)).toBe('1:02');
		expect(en.clockLeft(-5)).toBe('0:00');
	});
});

describe('texts', () => {
	const flat = (value: unknown, path = ''): [string, string][] =>
		typeof value === 'string'
			? [[path, value]]
			: Object.entries(value as object).flatMap(([key, inner]) => flat(inner, `${path}.${key}`));
	const placeholders = (text: string) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();

	it('say the same things in both languages', () => {
		const withoutForms = (path: string) => !/\.(zero|one|two|few|many)$/.test(path);
		const english_ = new Map(flat({ ...english.live, locale: 'x' }).filter(([path]) => withoutForms(path)));
		const arabic_ = new Map(flat({ ...arabic.live, locale: 'x' }).filter(([path]) => withoutForms(path)));
		expect([...arabic_.keys()].sort()).toEqual([...english_.keys()].sort());
		for (const [path, text] of arabic_)
			expect(placeholders(text), path).toEqual(placeholders(english_.get(path)!));
		expect(flat(arabic.page).map(([path]) => path)).toEqual(flat(english.page).map(([path]) => path));
	});
	it('hold no Arabic-Indic digit, and no dash between numbers', () => {
		for (const [path, text] of flat(arabic)) expect(text, path).not.toMatch(/[٠-٩]|\d\s*[-–]\s*\d/);
	});
	it('fill only what they are given', () => {
		expect(fill('{a} of {b}', { a: '1' })).toBe('1 of {b}');
	});
});
