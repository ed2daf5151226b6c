import type { CrowdTotal, Mark, Quality, Zone } from '../../../contract/index.ts';

/** The whole site in one line. Unknown zones are not in the sum, and are named; so are those that count wrongly. Pure. */
export function sumZones(
	zones: readonly Zone[],
	options: { sources: { heard: number; expected: number }; mark: Mark; now: number }
): CrowdTotal {
	const known = zones.filter(({ present }) => present !== null);
	return {
		present: known.length === 0 ? null : known.reduce((sum, { present }) => sum + (present ?? 0), 0),
		capacity: zones.reduce((sum, { capacity }) => sum + capacity, 0),
		missing: zones.filter(({ present }) => present === null).map(({ id }) => id),
		drift: zones.filter(({ present, drift }) => present !== null && drift).map(({ id }) => id),
		sources: options.sources,
		at: known.reduce((oldest, { at }) => Math.min(oldest, at ?? oldest), options.now),
		quality: totalQuality(zones),
		mark: options.mark
	};
}

/** One missing or wrong zone makes the sum partial: it still says something, and names what it leaves out. */
function totalQuality(zones: readonly Zone[]): Quality {
	const has = (quality: Quality) => zones.some((zone) => zone.quality === quality);
	if (zones.every(({ quality }) => quality === 'unknown')) return 'unknown';
	if (zones.every(({ quality }) => quality === 'unknown' || quality === 'stale')) return 'stale';
	const isWhole = !has('partial') && !has('stale') && !has('unknown') && !zones.some(({ drift }) => drift);
	return isWhole ? 'live' : 'partial';
}
