import type { OtherDay, Progress } from '../../../contract/index.ts';
import type { Availability } from '../booking/index.ts';
import { limits } from '../../limits.ts';

/**
 * What everybody who waits is told at once: nothing is left on the day they wait for, and which days still have
 * places. Nothing known says nothing. A level may hide the numbers (`counts`), or the other days (`offers`).
 */
export function soldOutOf(
	availability: Availability,
	shown: { counts: boolean; offers: boolean }
): Required<Pick<Progress, 'soldOut' | 'otherDays'>> {
	const [nearest] = availability.days;
	const gone = availability.at !== null && (availability.soldOut || nearest?.placesLeft === 0);
	if (!gone) return { soldOut: false, otherDays: [] };
	if (!shown.offers) return { soldOut: true, otherDays: [] };
	const otherDays: OtherDay[] = availability.days
		.filter(({ placesLeft }) => placesLeft > 0)
		.slice(0, limits.waitingRoom.otherDaysMax)
		.map(({ day, placesLeft }) => ({ date: day, left: shown.counts ? placesLeft : null }));
	return { soldOut: true, otherDays };
}
