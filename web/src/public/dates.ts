import type { LiveTexts } from './texts/texts.ts';
import { dateFormat, fill } from './words.ts';

/** Days and hours of slots and permits, at the place and not at the reader. Pure, apart from `Intl`. */
export interface Dates {
	/** Weekday and date with its year, Gregorian: many of them stand in one list. */
	day(at: number, timeZone: string | undefined): string;
	hours(from: number, to: number, timeZone: string | undefined): string;
	/** Weekday and date in the Gregorian calendar, named. */
	gregorian(at: number, timeZone: string | undefined): string;
	/** The same day in the Umm al-Qura calendar, named. */
	hijri(at: number, timeZone: string | undefined): string;
}

export function createDates(
	texts: LiveTexts,
	time: (at: number, timeZone: string | undefined) => string
): Dates {
	const date = (calendar: string, at: number, timeZone: string | undefined) =>
		dateFormat(texts.locale, calendar, {
			weekday: 'long',
			day: 'numeric',
			month: 'long',
			year: 'numeric',
			timeZone
		})
			.formatToParts(at)
			// The sentence names the calendar itself: the era would name it twice.
			.filter(({ type }) => type !== 'era')
			.map(({ value }) => value)
			.join('')
			.trim();
	return {
		day: (at, timeZone) => date('gregory', at, timeZone),
		hours: (from, to, timeZone) =>
			fill(texts.hoursFromTo, { from: time(from, timeZone), to: time(to, timeZone) }),
		gregorian: (at, timeZone) => fill(texts.gregorian, { date: date('gregory', at, timeZone) }),
		hijri: (at, timeZone) => fill(texts.hijri, { date: date('islamic-umalqura', at, timeZone) })
	};
}
