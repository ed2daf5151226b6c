import {
	civilDayAt,
	dayOfText,
	textOfDay,
	weekdayOf,
	type CivilDay,
	type FreezeWindow,
	type HijriCalendar,
	type KnownSpike,
	type SeasonPlan
} from '@marsad/server/contract';

/** A month of one of the two calendars. */
export interface MonthOf {
	calendar: 'hijri' | 'gregorian';
	year: number;
	month: number;
}

/** The days of a month; null where the Hijri table ends. */
export function daysOfMonth(of: MonthOf, calendar: HijriCalendar): { first: CivilDay; count: number } | null {
	if (of.calendar === 'hijri') {
		const first = calendar.dayOf({ ...of, day: 1 });
		const count = calendar.monthLength(of.year, of.month);
		return first === null || count === null ? null : { first, count };
	}
	const { year, month } = of;
	const first = dayOfText(`${year}-${String(month).padStart(2, '0')}-01`);
	if (first === null) return null;
	return { first, count: Math.round((Date.UTC(year, month, 1) - Date.UTC(year, month - 1, 1)) / 86_400_000) };
}

/** The month that a day lies in. */
export function monthAround(
	day: CivilDay,
	which: MonthOf['calendar'],
	calendar: HijriCalendar
): MonthOf | null {
	if (which === 'gregorian') {
		const [year = 0, month = 1] = textOfDay(day).split('-').map(Number);
		return { calendar: 'gregorian', year, month };
	}
	const date = calendar.dateOf(day);
	return date && { calendar: 'hijri', year: date.year, month: date.month };
}

/** The month so many months on. */
export function stepMonth({ calendar, year, month }: MonthOf, by: number): MonthOf {
	const index = year * 12 + month - 1 + by;
	return { calendar, year: Math.floor(index / 12), month: (index % 12) + 1 };
}

/** Empty cells before the first day, where weeks begin on Sunday. */
export const cellsBefore = (first: CivilDay): number => weekdayOf(first);

/** What lies on a day at the site. */
export function onDay(
	{ spikes, freezes, timeZone }: SeasonPlan,
	day: CivilDay
): { spikes: KnownSpike[]; freezes: FreezeWindow[] } {
	const touches = (from: number | null, until: number | null) =>
		from !== null &&
		until !== null &&
		civilDayAt(from, timeZone) <= day &&
		civilDayAt(Math.max(from, until - 1), timeZone) >= day;
	return {
		spikes: spikes.filter(({ startsAt, endsAt }) => touches(startsAt, endsAt)),
		freezes: freezes.filter(({ window }) => touches(window.from, window.until))
	};
}
