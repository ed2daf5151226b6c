import {
	civilDayAt,
	dayOfText,
	weekdayOf,
	type CivilDay,
	type HijriCalendar,
	type PrayerName,
	type Span,
	type SpikeTimes
} from '../../../contract/index.ts';
import { prayerAt, prayerTimesOf, type PrayerRule } from '../../calendar/prayer-times.ts';
import { momentAt } from '../../calendar/site-time.ts';
import { limits } from '../../limits.ts';
import type { SpikeFields } from './stored.ts';

/** The clock and the sun of the site. */
export interface SiteClock {
	timeZone: string;
	rule: PrayerRule;
}

const friday = 5;

/** The civil day that a spike names; null where the calendar has no such day. */
export function dayOfSpike({ day }: Pick<SpikeFields, 'day'>, calendar: HijriCalendar): CivilDay | null {
	return day.calendar === 'hijri' ? calendar.dayOf(day) : dayOfText(day.date);
}

/** Before or after midnight of the night that a spike lies in; null for one that lies in no night. */
export function partOfNight({
	night,
	from
}: Pick<SpikeFields, 'night' | 'from'>): 'evening' | 'before-dawn' | null {
	if (!night) return null;
	return from === null || from >= '12:00' ? 'evening' : 'before-dawn';
}

/**
 * When a spike begins and ends (epoch ms) by this calendar; null where its day does not exist. A night belongs to the
 * evening before its date: a whole one lasts from that sunset to the dawn of the date.
 */
export function timesOfSpike(
	spike: SpikeFields,
	calendar: HijriCalendar,
	site: SiteClock
): SpikeTimes | null {
	const day = dayOfSpike(spike, calendar);
	if (day === null) return null;
	if (spike.from === null)
		return {
			startsAt: prayerTimesOf(day - 1, site.rule, calendar).maghrib,
			endsAt: prayerTimesOf(day, site.rule, calendar).fajr
		};
	const startsOn = partOfNight(spike) === 'evening' ? day - 1 : day;
	const startsAt = momentAt(startsOn, spike.from, site.timeZone);
	return { startsAt, endsAt: startsAt + (spike.minutes ?? 0) * 60_000 };
}

/** The prayer at the site that a moment falls into; null: none. */
export function prayerOf(
	at: number,
	calendar: HijriCalendar,
	{ timeZone, rule }: SiteClock
): PrayerName | null {
	const day = civilDayAt(at, timeZone);
	return prayerAt(at, prayerTimesOf(day, rule, calendar), {
		isFriday: weekdayOf(day) === friday,
		minutes: limits.season.prayerMinutes,
		fridayMinutes: limits.season.fridayPrayerMinutes
	});
}

/** From when to when; null where the spike that it hangs on is gone, or has no day. */
export function windowOf(
	span: Span,
	timesOf: (spike: string) => SpikeTimes | null,
	{ timeZone }: SiteClock
): { from: number; until: number } | null {
	if ('spike' in span) {
		const times = timesOf(span.spike);
		if (!times) return null;
		return {
			from: times.startsAt - span.beforeMinutes * 60_000,
			until: times.endsAt + span.afterMinutes * 60_000
		};
	}
	const [from, until] = [span.from, span.until].map((text) => {
		const day = dayOfText(text.slice(0, 10));
		return day === null ? null : momentAt(day, text.slice(11), timeZone);
	});
	return from == null || until == null ? null : { from, until };
}
