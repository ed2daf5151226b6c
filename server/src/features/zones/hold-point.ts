import type { Zone } from '../../../contract/index.ts';
import type { Site, SiteZone } from '../site/index.ts';

/** Free walking speed, metres per second (Weidmann 1993). */
const walkingMetresPerSecond = 1.34;

/** The most people that a zone can hold by what is known of it; all it holds where nothing is. */
export function mostPeople({ quality, present, worstCase, lastKnown, capacity }: Zone): number {
	const worst = worstCase?.high ?? 0;
	if (quality === 'unknown')
		return Math.max(worst, worstCase ? 0 : Math.max(capacity, lastKnown?.present ?? 0));
	return Math.max(worst, present ?? capacity);
}

/**
 * The count at which the feed of a zone must be held, so that those who cannot be turned round still find room:
 * capacity − people committed in the approach − inflow × time to close. Null for a zone without counted doors, and for
 * one that nobody has seen yet.
 */
export function holdPoint(
	zone: SiteZone,
	figures: Zone,
	site: Pick<Site, 'corridors'>,
	zoneOf: (id: string) => Zone | undefined
): Zone['holdPoint'] {
	const { flowPerMinute, quality, lastKnown } = figures;
	if (!flowPerMinute && quality !== 'stale' && quality !== 'unknown') return null;
	// Nobody has ever seen it: there is nothing to work it out from, and no reason to hold a feed.
	if (!flowPerMinute && !lastKnown) return null;
	const inflowPerSecond = (flowPerMinute?.in ?? 0) / 60;
	const approach = zone.approach.flatMap((id) => zoneOf(id) ?? []);
	const onTheWay = site.corridors
		.filter(({ id }) => zone.approach.includes(id))
		.map(({ lengthMetres = 0 }) => (inflowPerSecond * lengthMetres) / walkingMetresPerSecond);
	const walking = Math.ceil(onTheWay.reduce((most, next) => Math.max(most, next), 0));
	const committed = approach.reduce((sum, next) => sum + mostPeople(next), walking);
	const isKnown = approach.every(({ present }) => present !== null);
	const people = Math.max(0, Math.floor(zone.capacity - committed - inflowPerSecond * zone.closeSeconds));
	return { people, committed: isKnown ? committed : null, reached: mostPeople(figures) >= people };
}

/** Zones that feed this one, the one that can send the most people first. */
export function upstreamOf(zone: SiteZone, zoneOf: (id: string) => Zone | undefined): string[] {
	const held = (id: string) => {
		const figures = zoneOf(id);
		return figures ? mostPeople(figures) : 0;
	};
	return [...zone.fedBy].sort((a, b) => held(b) - held(a));
}
