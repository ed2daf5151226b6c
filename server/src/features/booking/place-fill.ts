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

/** The share of bookings that a place of this fill takes, 0 to 1. */
export function paceOf(fill: number): number {
	const pace = (closedFrom - fill) / (closedFrom - slowFrom);
	return Math.round(Math.min(1, Math.max(0, pace)) * 100) / 100;
}

/** The fill whose pace this is: for what slows a place beside its zones. */
export function fillAtPace(pace: number): number {
	return closedFrom - Math.min(1, Math.max(0, pace)) * (closedFrom - slowFrom);
}

/** The fill that a place has by its zones' shares: the highest; not known while one is missing and none stands at full. */
export function fillOf(zones: readonly (number | null)[]): number | null | undefined {
	if (zones.length === 0) return undefined;
	const known = zones.filter((share) => share !== null && !Number.isNaN(share)) as number[];
	const highest = Math.max(-Infinity, ...known);
	return known.length === zones.length || paceOf(highest) < unknownPace ? highest : null;
}

/** Slows bookings for slots that start soon at a place that fills. */
export interface FillDoor {
	/** False: this one comes back later. */
	admits(slot: { place: string; startsAt: number; endsAt: number }): boolean;
	/** Places that are slowed just now, for the board. */
	slowed(): { place: string; pace: number }[];
}

interface WatchedPlace {
	readMs: number;
	pace: number;
	/** The pace when the fill was last known, and when that was. */
	known: { pace: number; ms: number };
	/** Hundredths of a booking that the place has saved up. */
	credit: number;
}

/**
 * Of the attempts for slots that start within 90 minutes (or run already) as large a share passes as the place's pace
 * says, evenly spaced. Slots later than that are never touched. The fill is read once a second, never per request.
 * Missing is never good news: for a minute the last pace holds, then it is half speed at the most.
 */
export function createFillDoor(deps: {
	placeFill: PlaceFill;
	now: () => number;
	elapsedMs: () => number;
}): FillDoor {
	const places = new Map<string, WatchedPlace>();
	const { placeFillReadMs, placeFillHoldMs, fillWindowMs } = limits.booking;
	const read = (place: string, before: WatchedPlace | undefined, nowMs: number): WatchedPlace => {
		const fill = deps.placeFill(place);
		const credit = before?.credit ?? 100;
		if (fill !== null && !Number.isNaN(fill)) {
			const pace = fill === undefined ? 1 : paceOf(fill);
			return { readMs: nowMs, pace, known: { pace, ms: nowMs }, credit };
		}
		const known = before?.known ?? { pace: 1, ms: nowMs };
		const held = nowMs - known.ms < placeFillHoldMs;
		return { readMs: nowMs, pace: held ? known.pace : Math.min(known.pace, unknownPace), known, credit };
	};
	const look = (place: string): WatchedPlace => {
		const before = places.get(place);
		const nowMs = deps.elapsedMs();
		if (before && nowMs - before.readMs < placeFillReadMs) return before;
		const next = read(place, before, nowMs);
		places.set(place, next);
		return next;
	};
	return {
		admits({ place, startsAt }) {
			if (startsAt - deps.now() > fillWindowMs) return true;
			const entry = look(place);
			if (entry.pace >= 1) return true;
			entry.credit = Math.min(200, entry.credit + Math.round(entry.pace * 100));
			if (entry.pace === 0 || entry.credit < 100) return false;
			entry.credit -= 100;
			return true;
		},
		slowed: () => [...places].filter(([, { pace }]) => pace < 1).map(([place, { pace }]) => ({ place, pace }))
	};
}
