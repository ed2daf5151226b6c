import {
	dayOfText,
	ummAlQura,
	type HijriCalendar,
	type Seat,
	type Span,
	type SpikeTimes,
	type Role
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { dayOfSpike, timesOfSpike, windowOf, type SiteClock } from './spike-times.ts';
import { entriesOf, type SpikeFields, type StoredPlan } from './stored.ts';

/** Against what a line of the plan is checked. */
export interface CheckContext extends SiteClock {
	stored: StoredPlan;
	calendar: HijriCalendar;
	places: ReadonlySet<string>;
}

/** Which role may sit on a seat. */
export const roleOfSeat: Readonly<Record<Seat, Role>> = {
	'duty-manager': 'duty-manager',
	'second-person': 'duty-manager',
	'crowd-controller': 'crowd-controller',
	'on-call-engineer': 'on-call-engineer'
};

/** @throws AppError no_such_day, night_needs_hijri, no_such_place */
export function checkSpike(spike: SpikeFields, { calendar, places }: CheckContext): void {
	const isWhole = spike.from === null;
	if (isWhole !== (spike.minutes === null) || (isWhole && !spike.night))
		throw new AppError('night_needs_hijri');
	if (spike.night && spike.day.calendar !== 'hijri') throw new AppError('night_needs_hijri');
	const day = dayOfSpike(spike, calendar);
	// Of a Gregorian date, too, the Hijri one is shown: it must be within the table.
	if (day === null || ummAlQura.dateOf(day) === null || ummAlQura.dateOf(day - 1) === null)
		throw new AppError('no_such_day');
	checkPlace(spike.place, places);
}

/** @throws AppError no_such_place */
export function checkPlace(place: string | null, places: ReadonlySet<string>): void {
	if (place !== null && !places.has(place)) throw new AppError('no_such_place', { place });
}

/** @throws AppError no_such_spike, bad_span, no_such_day */
export function checkSpan(span: Span, { stored, calendar, ...site }: CheckContext): void {
	const times = (id: string): SpikeTimes | null => {
		const spike = entriesOf(stored, 'spike').find((entry) => entry.id === id);
		if (!spike) throw new AppError('no_such_spike');
		return timesOfSpike(spike.body, calendar, site);
	};
	const window = windowOf(span, times, site);
	if (!window) throw new AppError('no_such_day');
	if (window.until <= window.from) throw new AppError('bad_span');
}

/** @throws AppError no_such_day */
export function checkDate(text: string): void {
	if (dayOfText(text) === null) throw new AppError('no_such_day');
}

/** Whether something hangs on a spike. */
export function isUsed(spike: string, stored: StoredPlan): boolean {
	return stored.entries.some(
		({ kind, body }) =>
			kind !== 'spike' && 'span' in body && 'spike' in body.span && body.span.spike === spike
	);
}
