import { civilDayAt, dayOfText, type CivilDay } from './days.ts';

/** A day of the Hijri calendar; months from 1 (Muharram) to 12. */
export interface HijriDate {
	year: number;
	month: number;
	day: number;
}

/** A month whose first day was announced after the moon was sighted. */
export interface AnnouncedMonth {
	year: number;
	month: number;
	/** Its first day in the Gregorian calendar, `2027-02-09`. */
	firstDay: string;
}

/** What the table below covers. */
export const hijriYearMin = 1440;
export const hijriYearMax = 1500;

/** 1 Muharram 1440 is 2018-09-11. */
const firstStart: CivilDay = 17_785;
/**
 * Umm al-Qura, as ICU has it from KACST's table: one year each, Muharram in the highest of twelve bits; a set bit is a
 * month of 30 days. Other tables of the same name differ from 1451 on. The tests compare every day with `Intl`.
 */
const longMonths =
	'5d4 ada 55a aab 595 749 764 baa 5b5 2b6 a56 e4d b25 b52 b6a 5ad 2ae 92f 497 64b 6a5 6ac ad6 55d 49d a4d d16 ' +
	'd95 5aa 5b5 2da 95b 4ad 595 6ca 6e4 aea 4f5 2b6 956 aaa b54 bd2 5d9 2ea 96d 4ad a95 b4a ba5 5b2 9b5 4d6 a97 ' +
	'547 693 749 b55 56a a6b 52b';

/** First day of every month from 1 Muharram of the first year on, and the day after the last month. */
const calculatedStarts: readonly CivilDay[] = (() => {
	const starts = [firstStart];
	for (const year of longMonths.split(' ')) {
		const bits = Number.parseInt(year, 16);
		for (let month = 1; month <= 12; month++)
			starts.push((starts.at(-1) ?? firstStart) + 29 + ((bits >> (12 - month)) & 1));
	}
	return starts;
})();
const monthsCount = calculatedStarts.length - 1;

/** Conversions of one calendar. A day or month outside the table is null: it is never guessed. */
export interface HijriCalendar {
	dateOf(day: CivilDay): HijriDate | null;
	/** Null, too, for a day that the month does not have (30 Shawwal 1447). */
	dayOf(date: HijriDate): CivilDay | null;
	/** 29 or 30 days. */
	monthLength(year: number, month: number): number | null;
}

function indexOf(year: number, month: number): number | null {
	if (!Number.isInteger(year) || !Number.isInteger(month) || month < 1 || month > 12) return null;
	if (year < hijriYearMin || year > hijriYearMax) return null;
	return (year - hijriYearMin) * 12 + month - 1;
}

/**
 * The calendar that is in force: Umm al-Qura, but for the months that were announced otherwise. A month has 29 or 30
 * days whatever is announced: where a late month would leave its own 28, the next begins later, too, until a long month
 * takes the day up. An announcement that fits no month before it changes nothing (see `sightingFault`).
 */
export function createHijriCalendar(announced: readonly AnnouncedMonth[] = []): HijriCalendar {
	const starts = announced.length === 0 ? calculatedStarts : moveStarts(announced);
	const monthAt = (index: number) => (starts[index + 1] ?? 0) - (starts[index] ?? 0);
	return {
		dateOf(day) {
			const first = starts[0] ?? 0;
			if (!(day >= first) || day >= (starts[monthsCount] ?? 0)) return null;
			// Months have 29 or 30 days: the guess is at most a few too far on.
			let index = Math.min(Math.floor((day - first) / 29), monthsCount - 1);
			while ((starts[index] ?? 0) > day) index--;
			return {
				year: hijriYearMin + Math.floor(index / 12),
				month: (index % 12) + 1,
				day: day - (starts[index] ?? 0) + 1
			};
		},
		dayOf({ year, month, day }) {
			const index = indexOf(year, month);
			if (index === null || !Number.isInteger(day) || day < 1 || day > monthAt(index)) return null;
			return (starts[index] ?? 0) + day - 1;
		},
		monthLength(year, month) {
			const index = indexOf(year, month);
			return index === null ? null : monthAt(index);
		}
	};
}

function moveStarts(announced: readonly AnnouncedMonth[]): CivilDay[] {
	const byMonth = new Map<number, CivilDay>();
	for (const { year, month, firstDay } of announced) {
		const index = indexOf(year, month);
		const day = dayOfText(firstDay);
		if (index !== null && day !== null) byMonth.set(index, day);
	}
	const starts: CivilDay[] = [];
	for (const [index, calculated] of calculatedStarts.entries()) {
		const before = starts[index - 1];
		const told = byMonth.get(index);
		if (told !== undefined && isFirstDay(told, calculated, before)) starts.push(told);
		else if (before === undefined) starts.push(calculated);
		else starts.push(Math.min(Math.max(calculated, before + 29), before + 30));
	}
	return starts;
}

const isFirstDay = (day: CivilDay, calculated: CivilDay, before: CivilDay | undefined) =>
	Math.abs(day - calculated) <= 1 && (before === undefined || day - before === 29 || day - before === 30);

/** Umm al-Qura as it is calculated, without any announcement. */
export const ummAlQura: HijriCalendar = createHijriCalendar();

/**
 * Why an announcement cannot be: the month is not in the table, the day is no date or more than one day off the
 * calculated one, or the month before would not have 29 or 30 days. Null: it can be.
 */
export function sightingFault(
	wanted: AnnouncedMonth,
	others: readonly AnnouncedMonth[]
): 'month' | 'day' | 'too-far' | 'length' | null {
	const calculated = ummAlQura.dayOf({ ...wanted, day: 1 });
	if (calculated === null) return 'month';
	const day = dayOfText(wanted.firstDay);
	if (day === null) return 'day';
	if (Math.abs(day - calculated) > 1) return 'too-far';
	const rest = others.filter(({ year, month }) => year !== wanted.year || month !== wanted.month);
	return createHijriCalendar([...rest, wanted]).dayOf({ ...wanted, day: 1 }) === day ? null : 'length';
}

/** The Hijri date of a moment (epoch ms) at a place, by the civil day there: the calendar's day, which begins at midnight. */
export function hijriAt(at: number, timeZone: string, calendar: HijriCalendar = ummAlQura): HijriDate | null {
	return calendar.dateOf(civilDayAt(at, timeZone));
}

/** Our own names: some browsers format this calendar with months of another one. */
export const hijriMonths: Readonly<Record<'ar' | 'en', readonly string[]>> = {
	ar: [
		...['محرم', 'صفر', 'ربيع الأول', 'ربيع الآخر', 'جمادى الأولى', 'جمادى الآخرة'],
		...['رجب', 'شعبان', 'رمضان', 'شوال', 'ذو القعدة', 'ذو الحجة']
	],
	en: [
		...['Muharram', 'Safar', 'Rabi I', 'Rabi II', 'Jumada I', 'Jumada II'],
		...['Rajab', 'Sha‘ban', 'Ramadan', 'Shawwal', 'Dhu al-Qa‘da', 'Dhu al-Hijja']
	]
};

/** `27 Ramadan 1448 AH`: with the era's sign, so that the calendar is named. */
export function sayHijri({ year, month, day }: HijriDate, locale: 'ar' | 'en'): string {
	const name = hijriMonths[locale][month - 1] ?? String(month);
	return `${day} ${name} ${year} ${locale === 'ar' ? 'هـ' : 'AH'}`;
}
