/** A civil day as the number of days since 1970-01-01: it has no time zone, and a day is always 1 more than the one before. */
export type CivilDay = number;

const dayMs = 86_400_000;

/** `2027-03-05` as a day; null for what is no date of the Gregorian calendar. */
export function dayOfText(text: string): CivilDay | null {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
	const at = Date.parse(`${text}T00:00:00Z`);
	return Number.isNaN(at) || textOfDay(at / dayMs) !== text ? null : at / dayMs;
}

/** The day as `2027-03-05`. */
export function textOfDay(day: CivilDay): string {
	return new Date(day * dayMs).toISOString().slice(0, 10);
}

/** 0 is Sunday, 5 is Friday. */
export function weekdayOf(day: CivilDay): number {
	return (((day + 4) % 7) + 7) % 7;
}

/** Noon UTC of a day (epoch ms): what is formatted with `timeZone: 'UTC'` shows this day. */
export function noonOf(day: CivilDay): number {
	return day * dayMs + dayMs / 2;
}

const formats = new Map<string, Intl.DateTimeFormat>();

/** The civil day at a place, of a moment (epoch ms): the zone is that of the place, never that of the machine. */
export function civilDayAt(at: number, timeZone: string): CivilDay {
	let format = formats.get(timeZone);
	if (!format) {
		format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
			...{ timeZone, year: 'numeric', month: 'numeric', day: 'numeric' }
		});
		formats.set(timeZone, format);
	}
	const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
	return Date.UTC(parts.get('year') ?? NaN, (parts.get('month') ?? NaN) - 1, parts.get('day')) / dayMs;
}
