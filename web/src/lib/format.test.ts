import { describe, expect, test } from 'vitest';
import { createFormat, isolate, locales, splitDuration } from './format.ts';

const at = Date.UTC(2027, 1, 25, 18, 17, 46);
const zone = 'Asia/Riyadh';
const stripMarks = (text: string) => text.replaceAll(/[\u200e\u200f\u061c]/g, '');

describe.each(locales)('formatters in %s', (locale) => {
	const format = createFormat(locale, zone);

	test('use Latin digits everywhere', () => {
		const shown = [
			format.count(61_480),
			format.ratio(0.91),
			format.percent(0.87),
			format.clock(at),
			format.gregorian(at),
			format.hijri(at),
			format.rate(4.25)
		].join(' ');
		expect(shown).not.toMatch(/[\u0660-\u0669\u06f0-\u06f9]/);
		expect(format.count(61_480)).toBe('61,480');
	});

	test('show the site clock, whatever the browser thinks', () => {
		expect(format.time(at)).toBe('21:17');
		expect(format.clock(at)).toBe('21:17:46');
		expect(createFormat(locale, 'Europe/London').time(at)).toBe('18:17');
	});

	test('name the calendar: Gregorian 2027 is Hijri 1448', () => {
		expect(format.gregorian(at)).toContain('2027');
		expect(format.hijri(at)).toContain('1448');
		expect(stripMarks(format.hijri(at))).toMatch(locale === 'ar' ? /18 رمضان 1448 هـ/ : /18 Ramadan 1448 AH/);
	});

	test('put a range in words, and one value where both ends round to it', () => {
		const range = stripMarks(format.percentRange(0.61, 0.74, locale === 'ar' ? 'إلى' : 'to'));
		expect(range).toMatch(locale === 'ar' ? /^61 إلى 74/ : /^61 to 74%$/);
		expect(range).not.toMatch(/[–-]/);
		expect(stripMarks(format.percentRange(0.611, 0.613, 'to'))).toBe(stripMarks(format.percent(0.61)));
	});
});

test('a rate keeps one digit only while it is small', () => {
	const { rate } = createFormat('en', zone);
	expect([rate(0), rate(0.4), rate(9.96), rate(250.4)]).toEqual(['0', '0.4', '10', '250']);
});

test('a duration never has more than two parts', () => {
	expect(splitDuration(130)).toEqual({ hours: 0, minutes: 2, seconds: 10 });
	expect(splitDuration(3_661)).toEqual({ hours: 1, minutes: 1, seconds: 0 });
	expect(splitDuration(-4)).toEqual({ hours: 0, minutes: 0, seconds: 0 });
});

test('isolated text is wrapped in first-strong isolates', () => {
	expect(isolate('9')).toBe('\u20689\u2069');
});
