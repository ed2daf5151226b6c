import type { Quality, Zone } from '@marsad/server/contract';
import { priorityOfZone, type Priority } from '../priority.ts';
import { shownQuality, type LinkAge } from '../quality.ts';

/**
 * What is said of how full a zone is: a share, the bounds of an unknown one, its last value, a share that is known to
 * be wrong, or nothing.
 */
export type Fullness =
	| { kind: 'share'; share: number }
	| { kind: 'bounds'; low: number; high: number }
	| { kind: 'last'; share: number }
	| { kind: 'wrong'; share: number }
	| { kind: 'nothing' };

export interface ZoneView {
	quality: Quality;
	priority: Priority | null;
	fullness: Fullness;
	/** 0 to 1, for the grey fill of a normal zone. */
	fill: number;
	/** When its value was true, epoch ms; null when nobody ever knew. */
	at: number | null;
}

/** How a zone is drawn and said now. An unknown zone never shows a number as if it were known. */
export function viewZone(zone: Zone, link: LinkAge, now: number): ZoneView {
	const quality = shownQuality(zone.quality, link, now);
	const at = quality === 'unknown' ? (zone.lastKnown?.at ?? zone.at) : zone.at;
	return {
		quality,
		priority: priorityOfZone(zone),
		fullness: fullnessOf(zone),
		fill: clampShare(zone.occupancy ?? 0),
		at
	};
}

function fullnessOf(zone: Zone): Fullness {
	if (zone.quality !== 'unknown' && zone.occupancy !== null)
		return { kind: zone.drift ? 'wrong' : 'share', share: zone.occupancy };
	if (zone.worstCase) {
		return {
			kind: 'bounds',
			low: zone.worstCase.low / zone.capacity,
			high: zone.worstCase.high / zone.capacity
		};
	}
	if (zone.lastKnown) return { kind: 'last', share: zone.lastKnown.present / zone.capacity };
	return { kind: 'nothing' };
}

function clampShare(share: number): number {
	return Math.min(1, Math.max(0, share));
}

/** Orders zones as a controller reads them: the most urgent first, then the fullest. */
export function byUrgency(a: Zone, b: Zone): number {
	const rank = (zone: Zone) => ['critical', 'high', 'medium', 'low', null].indexOf(priorityOfZone(zone));
	const share = (zone: Zone) => zone.occupancy ?? (zone.worstCase ? zone.worstCase.high / zone.capacity : 0);
	return rank(a) - rank(b) || share(b) - share(a) || a.id.localeCompare(b.id);
}
