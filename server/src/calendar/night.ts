import { civilDayAt, noonOf } from '../../contract/index.ts';
import { sunOf, type Location } from './prayer-times.ts';

/** A religious night, which belongs to the evening before its date. */
export interface Night {
	/** Noon (UTC) of the civil day whose Hijri date names the night. */
	namedAfter: number;
	/** The window lies before or after midnight. */
	part: 'evening' | 'before-dawn';
}

/** The night that a window lies in as a whole, from sunset to dawn at the place; null for a window of the day. */
export function nightOf(
	window: { startsAt: number; endsAt: number },
	location: Location,
	timeZone: string
): Night | null {
	const day = civilDayAt(window.startsAt, timeZone);
	const { sunset, dawn } = sunOf(day, location);
	const { dawn: nextDawn } = sunOf(day + 1, location);
	if (dawn !== null && window.endsAt <= dawn) return { namedAfter: noonOf(day), part: 'before-dawn' };
	if (sunset === null || nextDawn === null) return null;
	if (window.startsAt < sunset || window.endsAt > nextDawn) return null;
	return { namedAfter: noonOf(day + 1), part: 'evening' };
}
