import {
	placeStaleAfterMs,
	placeUnknownAfterMs,
	type Quality,
	type Shift,
	type Team
} from '../../../contract/index.ts';

/** Minutes since midnight by the clock of the site. */
export function siteMinutes(now: number, timeZone: string): number {
	const text = new Intl.DateTimeFormat('en-GB', {
		timeZone,
		hour: '2-digit',
		minute: '2-digit',
		hourCycle: 'h23'
	}).format(now);
	return toMinutes(text);
}

function toMinutes(text: string): number {
	const [hours = 0, minutes = 0] = text.split(':').map(Number);
	return hours * 60 + minutes;
}

/** Whether the shift runs now; one that ends before it begins passes midnight, one without length never ends. */
export function isOnShift(shift: Shift | null, now: number, timeZone: string): boolean {
	if (!shift) return true;
	const [from, to, minute] = [toMinutes(shift.from), toMinutes(shift.to), siteMinutes(now, timeZone)];
	if (from === to) return true;
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}

/** How far the place that a team said can be believed. */
export function placeQuality(at: number | null, now: number): Quality {
	if (at === null || now - at >= placeUnknownAfterMs) return 'unknown';
	return now - at >= placeStaleAfterMs ? 'stale' : 'live';
}

/** A job hides nothing: off duty or not, a team with work is busy. */
export function teamState(jobs: number, onDuty: boolean): Team['state'] {
	if (jobs > 0) return 'busy';
	return onDuty ? 'free' : 'off-duty';
}
