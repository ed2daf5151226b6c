/**
 * Every number, time and date of the staff screens goes through here: Latin digits in both languages, one
 * formatter each, calendars always named. Times are epoch milliseconds; the time zone is the site's.
 */

import {
	hijriAt,
	isolate,
	noonOf,
	sayHijri,
	ummAlQura,
	type CivilDay,
	type HijriCalendar
} from '@marsad/server/contract';

export { isolate };

export const locales = ['ar', 'en'] as const;
export type Locale = (typeof locales)[number];

const tag: Record<Locale, string> = { ar: 'ar-u-nu-latn', en: 'en-GB' };

export type Format = ReturnType<typeof createFormat>;

/** The formatters of one language and one site; `calendar`: Hijri months as they were announced. */
export function createFormat(locale: Locale, timeZone: string, calendar: HijriCalendar = ummAlQura) {
	const language = tag[locale];
	const whole = new Intl.NumberFormat(language, { maximumFractionDigits: 0 });
	const one = new Intl.NumberFormat(language, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
	const two = new Intl.NumberFormat(language, { minimumFractionDigits: 2, maximumFractionDigits: 2 });
	const percents = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 0 });
	const list = new Intl.ListFormat(language, { type: 'conjunction', style: 'long' });
	// Digits and colons are the same in both languages; en-GB keeps them free of direction marks.
	const minutes = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23'
	});
	const seconds = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		second: '2-digit',
		hourCycle: 'h23'
	});
	const gregorian = new Intl.DateTimeFormat(language, {
		timeZone,
		calendar: 'gregory',
		weekday: locale === 'ar' ? 'long' : 'short',
		day: 'numeric',
		month: locale === 'ar' ? 'long' : 'short',
		year: 'numeric'
	});
	const long = (zone: string) =>
		new Intl.DateTimeFormat(language, {
			...{
				timeZone: zone,
				calendar: 'gregory',
				weekday: 'long',
				day: 'numeric',
				month: 'long',
				year: 'numeric'
			}
		});
	const [longHere, longDay] = [long(timeZone), long('UTC')];
	const withoutCommas = (text: string) => text.replaceAll(/[,،]/g, '');
	return {
		locale,
		timeZone,
		/** 61,480 */
		count: (value: number) => whole.format(value),
		/** People a second: one digit below 10, whole above. */
		rate: (value: number) =>
			Math.abs(value) < 9.95 && !Number.isInteger(value) ? one.format(value) : whole.format(value),
		/** 0.91 */
		ratio: (value: number) => two.format(value),
		/** Milliseconds as seconds: 0.64 */
		secondsOf: (ms: number) => (ms >= 9_950 ? one.format(ms / 1_000) : two.format(ms / 1_000)),
		oneDigit: (value: number) => one.format(value),
		/** A share of 1 as per cent, by the language's own rule and with its one sign. */
		percent: (share: number) => percents.format(share),
		/** A range of shares in words ("61 to 74%"); `join` is the word between, as a dash reads backwards in Arabic. */
		percentRange: (low: number, high: number, join: string) =>
			Math.round(low * 100) === Math.round(high * 100)
				? percents.format(high)
				: `${whole.format(Math.round(low * 100))} ${join} ${percents.format(high)}`,
		/** 21:17 */
		time: (at: number) => minutes.format(at),
		/** 21:17:46 */
		clock: (at: number) => seconds.format(at),
		gregorian: (at: number) => withoutCommas(gregorian.format(at)),
		/** Friday 5 March 2027, on the site's clock. */
		longDate: (at: number) => withoutCommas(longHere.format(at)),
		/** The same of a day that has no clock. */
		civilDay: (day: CivilDay) => withoutCommas(longDay.format(noonOf(day))),
		/** With the era's sign, so that the calendar is named on the screen; empty outside the table. */
		hijri(at: number) {
			const date = hijriAt(at, timeZone, calendar);
			return date ? sayHijri(date, locale) : '';
		},
		names: (names: readonly string[]) => list.format(names.map(isolate))
	};
}

/** Two numbers of a duration at most: `[minutes, seconds]` below an hour, `[hours, minutes]` above. */
export function splitDuration(totalSeconds: number): { hours: number; minutes: number; seconds: number } {
	const total = Math.max(0, Math.floor(totalSeconds));
	if (total >= 3_600)
		return { hours: Math.floor(total / 3_600), minutes: Math.floor((total % 3_600) / 60), seconds: 0 };
	return { hours: 0, minutes: Math.floor(total / 60), seconds: total % 60 };
}
