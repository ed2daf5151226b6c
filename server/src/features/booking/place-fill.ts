import { limits } from '../../limits.ts';

/**
 * How full a place is, as its zones say: the highest share of capacity, 0 to 1 and above. Null: it should be known
 * and is not. Undefined: no zone belongs to the place.
 */
export type PlaceFill = (place: string) => number | null | undefined;

/** Below this share nothing is slowed, from the upper one on nothing is booked. */
const slowFrom = 0.85;
const closedFrom = 1;
/** Nobody knows how full it is: neither full speed nor standstill. */
const unknownPace = 0.5;

/** The share of bookings that a place takes just now, 0 to 1. Missing is never good news. */
export function paceOf(fill: number | null | undefined): number {
	if (fill === undefined) return 1;
	if (fill === null || Number.isNaN(fill)) return unknownPace;
	const pace = (closedFrom - fill) / (closedFrom - slowFrom);
	return Math.round(Math.min(1, Math.max(0, pace)) * 100) / 100;
}

/** Slows bookings for slots that start soon at a place that fills. */
export interface FillDoor {
	/** False: this one comes back later. */
	admits(slot: { place: string; startsAt: number; endsAt: number }): boolean;
	/** Places that are slowed just now, for the board. */
	slowed(): { place: string; pace: number }[];
}

/**
 * Of the attempts for slots that start within 90 minutes (or run already) as large a share passes as the place's pace
 * says, evenly spaced. Slots later than that are never touched. The fill is read once a second, never per request.
 */
export function createFillDoor(deps: {
	placeFill: PlaceFill;
	now: () => number;
	elapsedMs: () => number;
}): FillDoor {
	/** `credit`: hundredths of a booking that the place has saved up. */
	const places = new Map<string, { readMs: number; pace: number; credit: number }>();
	const look = (place: string) => {
		const known = places.get(place);
		const nowMs = deps.elapsedMs();
		if (known && nowMs - known.readMs < limits.booking.placeFillReadMs) return known;
		const next = { readMs: nowMs, pace: paceOf(deps.placeFill(place)), credit: known?.credit ?? 0 };
		places.set(place, next);
		return next;
	};
	return {
		admits({ place, startsAt }) {
			if (startsAt - deps.now() > limits.booking.fillWindowMs) return true;
			const entry = look(place);
			if (entry.pace >= 1) return true;
			entry.credit += Math.round(entry.pace * 100);
			if (entry.credit < 100) return false;
			entry.credit -= 100;
			return true;
		},
		slowed: () => [...places].filter(([, { pace }]) => pace < 1).map(([place, { pace }]) => ({ place, pace }))
	};
}
