import { etaRangeSeconds, shownPosition } from '@marsad/server/contract';
import type { CountForms, LiveTexts } from './texts/texts.ts';

/** Fills `{name}` in a text. */
export function fill(text: string, values: Readonly<Record<string, string>>): string {
	return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

/** A format of dates in a named calendar, with the digits of the language. */
export function dateFormat(
	locale: string,
	calendar: string,
	options: Intl.DateTimeFormatOptions
): Intl.DateTimeFormat {
	return new Intl.DateTimeFormat(locale, { calendar, ...options });
}

/** Numbers, times and waits in the words of one language. Pure, apart from `Intl`. */
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
	/** How long until a moment, in at most two units. */
	until(ms: number): string;
	/** Minutes and seconds left, `9:05`; never below `0:00`. */
	clockLeft(ms: number): string;
	/** Time of day, `21:17`. */
	time(at: number, timeZone: string | undefined, more?: Intl.DateTimeFormatOptions): string;
	/** Short name of a day: weekday, day and month. */
	day(at: number, timeZone: string | undefined): string;
	/** Things named one after the other. */
	list(things: readonly string[]): string;
}

export function createWords(texts: LiveTexts): Words {
	const { locale } = texts;
	const numbers = new Intl.NumberFormat(locale);
	const plurals = new Intl.PluralRules(locale);
	const twoDigits = new Intl.NumberFormat(locale, { minimumIntegerDigits: 2 });
	const number = (n: number) => numbers.format(n);
	const noun = (n: number, forms: CountForms) => forms[plurals.select(n)] ?? forms.other;
	const counted = (n: number, forms: CountForms) => fill(noun(n, forms), { n: number(n) });
	const list = (things: readonly string[]) => new Intl.ListFormat(locale).format(things);

	return {
		number,
		noun,
		counted,
		list,
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
		until(ms) {
			const seconds = Math.max(0, Math.ceil(ms / 1_000));
			if (seconds < 120) return counted(seconds, texts.seconds);
			const minutes = Math.floor(seconds / 60);
			const parts: [number, CountForms][] =
				minutes < 2 * 1_440
					? [
							[Math.floor(minutes / 60), texts.hours],
							[minutes % 60, texts.minutes]
						]
					: [
							[Math.floor(minutes / 1_440), texts.days],
							[Math.floor(minutes / 60) % 24, texts.hours]
						];
			return list(parts.filter(([n]) => n > 0).map(([n, forms]) => counted(n, forms)));
		},
		clockLeft(ms) {
			const seconds = Math.max(0, Math.ceil(ms / 1_000));
			return `${number(Math.floor(seconds / 60))}:${twoDigits.format(seconds % 60)}`;
		},
		time: (at, timeZone, more) =>
			dateFormat(locale, 'gregory', {
				hour: '2-digit',
				minute: '2-digit',
				hourCycle: 'h23',
				timeZone,
				...more
			}).format(at),
		day: (at, timeZone) =>
			dateFormat(locale, 'gregory', { weekday: 'long', day: 'numeric', month: 'long', timeZone }).format(at)
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
