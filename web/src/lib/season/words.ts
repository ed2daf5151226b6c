import {
	civilDayAt,
	dayOfText,
	sayHijri,
	type CapacityOrder,
	type KnownSpike,
	type SpikeTimes
} from '@marsad/server/contract';
import { isolate, type Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { runningTime } from '#lib/words.ts';

const dayMs = 86_400_000;

/** How long until then: "6 d 01:42" from a day on, then "23 h 42 min", at last a clock that runs. */
export function countdown(ms: number, format: Format): string {
	const total = Math.max(0, ms);
	const days = Math.floor(total / dayMs);
	if (days === 0) return runningTime(total, format);
	const minutes = Math.floor((total % dayMs) / 60_000);
	const two = (value: number) => format.count(value).padStart(2, format.count(0));
	const clock = isolate(`${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`);
	return m.sea_days_clock({ count: days, n: format.count(days), clock });
}

/** A civil day of the plan (`2027-03-05`) with its weekday. */
export function civilDate(text: string, format: Format): string {
	const day = dayOfText(text);
	return day === null ? text : format.civilDay(day);
}

/** From when to when, on the site's clock: the day stands once where both are on it. */
export function timesInWords({ startsAt, endsAt }: SpikeTimes, format: Format): string {
	const isSameDay = civilDayAt(startsAt, format.timeZone) === civilDayAt(endsAt, format.timeZone);
	const from = `${format.longDate(startsAt)} ${isolate(format.time(startsAt))}`;
	const until = isSameDay
		? isolate(format.time(endsAt))
		: `${format.longDate(endsAt)} ${isolate(format.time(endsAt))}`;
	return m.sea_window({ from, until });
}

/**
 * The day of a spike in both calendars: a night with the civil day of its evening, for that is when people go; null
 * where its day does not exist.
 */
export function dayInWords(
	spike: Pick<KnownSpike, 'startsAt' | 'hijri' | 'nightPart'>,
	format: Format
): string | null {
	const { startsAt, hijri, nightPart } = spike;
	if (startsAt === null) return null;
	const civil = format.longDate(startsAt);
	if (!hijri) return civil;
	const named = isolate(sayHijri(hijri, format.locale));
	if (nightPart === 'evening') return m.sea_night_evening({ hijri: named, civil: isolate(civil) });
	if (nightPart === 'before-dawn') return m.sea_night_dawn({ hijri: named, civil: isolate(civil) });
	return `${civil} · ${named}`;
}

/** What is wrong with a capacity order now, if anything. */
export function orderTrouble({ window, state }: CapacityOrder, now: number): string | null {
	if (window.from === null || window.until === null) return m.sea_no_window();
	if (now >= window.until && state !== 'removed') return m.sea_order_left();
	if (now >= window.from && now < window.until && state !== 'in-place') return m.sea_order_late();
	return null;
}
