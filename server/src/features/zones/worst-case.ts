import type { FlowRate } from './flow-window.ts';

/** What is known of a zone whose sources are silent, or partly so. */
export interface SilentZone {
	/** People when it was last known. */
	present: number;
	/** People that the counters still heard have brought in and out since then. */
	movedIn: number;
	movedOut: number;
	/** Share of its boundary counters that are silent, and for how long. */
	silentShare: number;
	silentSeconds: number;
	/** Flow over the whole boundary while all of it was heard; null when that never was. */
	rate: FlowRate | null;
	capacity: number;
}

/** Crossing counters miscount by about this share (2 % of 100,000 an hour is 2,000 people an hour). */
const countingErrorShare = 0.02;

/**
 * The fewest and the most people that the zone can hold by what its neighbours' flows allow: what was seen passing
 * since, give or take the counting error, and what may have passed unseen through the silent part of its boundary.
 * Keeps growing with the silence, up to full. Null when the flow was never known and the silence is still short.
 */
export function worstCase(zone: SilentZone, isUnknown: boolean): { low: number; high: number } | null {
	const ceiling = Math.max(zone.capacity, zone.present);
	const seen = zone.present + zone.movedIn - zone.movedOut;
	const error = countingErrorShare * (zone.movedIn + zone.movedOut);
	if (zone.silentShare > 0 && !zone.rate) return isUnknown ? { low: 0, high: ceiling } : null;
	const unseenSeconds = zone.silentShare * zone.silentSeconds;
	const low = seen - error - (zone.rate?.out ?? 0) * unseenSeconds;
	const high = seen + error + (zone.rate?.in ?? 0) * unseenSeconds;
	return { low: clamp(Math.floor(low), 0, ceiling), high: clamp(Math.ceil(high), 0, ceiling) };
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(Math.max(value, least), most);
}
