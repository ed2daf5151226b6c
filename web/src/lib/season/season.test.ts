import {
	createHijriCalendar,
	dayOfText,
	ummAlQura,
	type KnownSpike,
	type SeasonPlan
} from '@marsad/server/contract';
import { describe, expect, test } from 'vitest';
import { createFormat, locales } from '#lib/format.ts';
import { overwriteGetLocale } from '#lib/paraglide/runtime.js';
import {
	freezeDraftOf,
	freezeFaults,
	freezeRequest,
	sightingFaults,
	spikeDraftOf,
	spikeFaults,
	spikeRequest
} from './drafts.ts';
import { cellsBefore, daysOfMonth, monthAround, onDay, stepMonth } from './month-view.ts';
import { countdown, dayInWords, timesInWords } from './words.ts';

const zone = 'Asia/Riyadh';
const riyadh = (text: string) => Date.parse(`${text}+03:00`);
const plain = (text: string | null) => text?.replaceAll(/[\u2066-\u2069\u200e\u200f\u061c]/g, '');
const night: KnownSpike = {
	...{
		id: 'n',
		version: 3,
		by: 'Duty manager',
		at: 0,
		names: { ar: 'ليلة 27', en: '27th night' },
		kind: 'night'
	},
	...{ day: { calendar: 'hijri', year: 1448, month: 9, day: 27 }, night: true, from: '21:00', minutes: 300 },
	...{
		expectedPeople: null,
		place: null,
		startsAt: riyadh('2027-03-05T21:00'),
		endsAt: riyadh('2027-03-06T02:00')
	},
	...{ hijri: { year: 1448, month: 9, day: 27 }, nightPart: 'evening', calculated: null, tentative: null },
	...{ inPrayer: null, overlaps: [] }
};

describe.each(locales)('words in %s', (locale) => {
	const format = createFormat(locale, zone);
	const say = <T>(run: () => T): T => {
		overwriteGetLocale(() => locale);
		return run();
	};

	test('a night stands with the civil day of its evening', () => {
		expect(plain(say(() => dayInWords(night, format)))).toBe(
			locale === 'ar'
				? 'ليلة 27 رمضان 1448 هـ، مساء الجمعة 5 مارس 2027'
				: 'night of 27 Ramadan 1448 AH, the evening of Friday 5 March 2027'
		);
		const dawn: KnownSpike = { ...night, nightPart: 'before-dawn', startsAt: riyadh('2027-03-06T01:00') };
		expect(plain(say(() => dayInWords(dawn, format)))).toContain(
			locale === 'ar' ? 'السبت 6 مارس' : 'Saturday 6 March'
		);
		expect(say(() => dayInWords({ ...night, startsAt: null }, format))).toBeNull();
	});

	test('a countdown shows days and hours, then hours, then a clock', () => {
		const of = (ms: number) => plain(say(() => countdown(ms, format)));
		const hour = 3_600_000;
		expect(of(6 * 24 * hour + 102 * 60_000)).toBe(locale === 'ar' ? '6 أيام و 01:42' : '6 d 01:42');
		expect(of(5 * hour + 60_000)).toMatch(/^5 .* 1 /);
		expect(of(65_000)).toBe('1:05');
		expect(of(-5)).toBe('0:00');
	});

	test('a span names its day once where both ends are on it', () => {
		const [startsAt, endsAt] = [riyadh('2027-03-05T21:00'), riyadh('2027-03-05T23:00')];
		const shown = plain(say(() => timesInWords({ startsAt, endsAt }, format)))!;
		expect(shown.match(/2027/g)).toHaveLength(1);
		expect(shown).not.toMatch(/[–-]/);
	});

	test('the date goes by what was announced, on the clock of the site', () => {
		const early = createHijriCalendar([{ year: 1448, month: 9, firstDay: '2027-02-07' }]);
		const at = riyadh('2027-02-07T12:00');
		expect(createFormat(locale, zone).hijri(at)).toContain('30 ');
		expect(createFormat(locale, zone, early).hijri(at)).toMatch(locale === 'ar' ? /^1 رمضان/ : /^1 Ramadan/);
		expect(createFormat(locale, zone).hijri(Date.parse('2026-02-17T21:30:00Z'))).toContain('1447');
		expect(createFormat(locale, 'UTC').hijri(Date.parse('2026-02-17T21:30:00Z'))).toContain('29 ');
		expect(createFormat(locale, zone).hijri(0)).toBe('');
	});
});

describe('months', () => {
	test('of both calendars have their days, and end where the table ends', () => {
		expect(daysOfMonth({ calendar: 'hijri', year: 1448, month: 9 }, ummAlQura)).toEqual({
			...{ first: dayOfText('2027-02-08'), count: 29 }
		});
		expect(daysOfMonth({ calendar: 'gregorian', year: 2028, month: 2 }, ummAlQura)?.count).toBe(29);
		expect(daysOfMonth({ calendar: 'hijri', year: 1501, month: 1 }, ummAlQura)).toBeNull();
		expect(stepMonth({ calendar: 'hijri', year: 1448, month: 12 }, 1)).toMatchObject({
			year: 1449,
			month: 1
		});
		expect(stepMonth({ calendar: 'gregorian', year: 2027, month: 1 }, -1)).toMatchObject({
			year: 2026,
			month: 12
		});
		expect(monthAround(dayOfText('2027-03-05')!, 'hijri', ummAlQura)).toMatchObject({ year: 1448, month: 9 });
		// 8 February 2027 is a Monday.
		expect(cellsBefore(dayOfText('2027-02-08')!)).toBe(1);
	});

	test('show a night on both days it touches', () => {
		const plan = { spikes: [night], freezes: [], timeZone: zone } as unknown as SeasonPlan;
		const on = (text: string) => onDay(plan, dayOfText(text)!).spikes.length;
		expect([on('2027-03-04'), on('2027-03-05'), on('2027-03-06'), on('2027-03-07')]).toEqual([0, 1, 1, 0]);
	});
});

describe('forms', () => {
	test('of a spike that is there give the same back', () => {
		const draft = { ...spikeDraftOf(night, 1448), reason: 'later' };
		expect(spikeFaults(draft)).toEqual([]);
		expect(spikeRequest(draft)).toMatchObject({
			...{ day: night.day, night: true, from: '21:00', minutes: 300, place: null, reason: 'later' }
		});
		const whole = spikeRequest({ ...draft, whole: true });
		expect([whole.from, whole.minutes]).toEqual([null, null]);
		const civil = spikeRequest({ ...draft, calendar: 'gregorian', date: '2027-03-05' });
		expect([civil.day, civil.night]).toEqual([{ calendar: 'gregorian', date: '2027-03-05' }, false]);
	});

	test('name what is missing, in the order of the form', () => {
		expect(spikeFaults(spikeDraftOf(null, 1448))).toEqual(['names', 'date', 'time', 'reason']);
		expect(freezeFaults({ ...freezeDraftOf(null, []), covers: [] })).toEqual([
			'names',
			'covers',
			'span',
			'reason'
		]);
		expect(sightingFaults({ year: 1448, month: 9, firstDay: '', source: '', reason: '' })).toEqual([
			...['date', 'source', 'reason']
		]);
	});

	test('of a span keep minutes, and times as the site has them', () => {
		const draft = {
			...freezeDraftOf(null, [night]),
			nameAr: 'تجميد',
			nameEn: 'Freeze',
			reason: 'as planned'
		};
		expect(freezeFaults(draft)).toEqual([]);
		expect(freezeRequest(draft).span).toEqual({ spike: 'n', beforeMinutes: 1_440, afterMinutes: 360 });
		const times = { ...draft, way: 'times' as const, from: '2027-03-05T10:00', until: '2027-03-05T09:00' };
		expect(freezeFaults(times)).toEqual(['span']);
	});
});
