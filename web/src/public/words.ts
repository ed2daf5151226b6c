import { etaRangeSeconds, shownPosition } from '@marsad/server/contract';
import type { CountForms, LiveTexts } from './texts/texts.ts';

/** Fills `{name}` in a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
	return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

/** Numbers, times and days in the words of one language. Pure, apart from `Intl`. */
export interface Words {
	number(n: number): string;
	counted(n: number, forms: CountForms): string;
	/** The form alone, for a noun that stands apart from its number. */
	noun(n: number, forms: CountForms): string;
	/** People ahead: exact below 1,000, about above. */
	ahead(people: number): { label: string; figure: string; noun: string };
	/** A wait as a range in words; null is unknown. */
	wait(seconds: number | null): string;
	/** A length of time, rounded to whole minutes. */
	minutes(seconds: number): string;
	/** Minutes and seconds left, `9:05`; never below `0:00`. */
	clockLeft(ms: number): string;
	/** Time of day, `21:17`. */
	time(at: number, timeZone: string | undefined, withSeconds?: boolean): string;
	hours(from: number, to: number, timeZone: string | undefined): string;
	/** Weekday and date in the Gregorian calendar, named. */
	gregorian(at: number, timeZone: string | undefined): string;
	/** The same day in the Umm al-Qura calendar, named. */
	hijri(at: number, timeZone: string | undefined): string;
	/** Short heading of a day: weekday, day and month. */
	day(at: number, timeZone: string | undefined): string;
}

export function createWords(texts: LiveTexts): Words {
	const numbers = new Intl.NumberFormat(texts.locale);
	const plurals = new Intl.PluralRules(texts.locale);
	const number = (n: number) => numbers.format(n);
	const noun = (n: number, forms: CountForms) => forms[plurals.select(n)] ?? forms.other;
	const counted = (n: number, forms: CountForms) => fill(noun(n, forms), { n: number(n) });
	const format = (calendar: string, options: Intl.DateTimeFormatOptions) =>
		new Intl.DateTimeFormat(`${texts.locale.replace('-u-', `-u-ca-${calendar}-`)}`, options);
	const time = (at: number, timeZone: string | undefined, withSeconds = false) =>
		format('gregory', {
			hour: '2-digit',
			minute: '2-digit',
			...(withSeconds ? { second: '2-digit' } : {}),
			hourCycle: 'h23',
			timeZone
		}).format(at);
	const date = (calendar: string, at: number, timeZone: string | undefined) =>
		format(calendar, { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone })
			.format(at)
			// The sentence names the calendar itself: the era would name it twice.
			.replace(/\s*(هـ|م|AH)$/, '');

	return {
		number,
		noun,
		counted,
		ahead(people) {
			const shown = shownPosition(people);
			return {
				label: shown.exact ? texts.ahead : texts.aheadAbout,
				figure: number(shown.people),
				noun: noun(shown.people, texts.people)
			};
		},
		wait: (seconds) => waitInWords(seconds, texts, counted, number),
		minutes: (seconds) => counted(Math.max(1, Math.round(seconds / 60)), texts.minutes),
		clockLeft(ms) {
			const seconds = Math.max(0, Math.ceil(ms / 1_000));
			return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
		},
		time,
		hours: (from, to, timeZone) =>
			fill(texts.hoursFromTo, { from: time(from, timeZone), to: time(to, timeZone) }),
		gregorian: (at, timeZone) => fill(texts.gregorian, { date: date('gregory', at, timeZone) }),
		hijri: (at, timeZone) => fill(texts.hijri, { date: date('islamic-umalqura', at, timeZone) }),
		day: (at, timeZone) =>
			format('gregory', { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(at)
	};
}

const inHoursFromMinutes = 120;

function waitInWords(
	seconds: number | null,
	texts: LiveTexts,
	counted: (n: number, forms: CountForms) => string,
	number: (n: number) => string
): string {
	const range = etaRangeSeconds(seconds);
	if (range === null) return texts.unknownTime;
	if (range[1] <= 60) return texts.almostNow;
	const inHours = range[1] / 60 >= inHoursFromMinutes;
	const unit = inHours ? 3_600 : 60;
	const forms = inHours ? texts.hours : texts.minutes;
	const low = Math.floor(range[0] / unit);
	const high = Math.ceil(range[1] / unit);
	const highInWords = counted(high, forms);
	if (low === 0) return fill(texts.lessThan, { high: highInWords });
	if (low === high) return fill(texts.about, { high: highInWords });
	if (low === 1 && high === 2) return inHours ? texts.oneToTwoHours : texts.oneToTwoMinutes;
	return fill(texts.between, { low: number(low), high: highInWords });
}
