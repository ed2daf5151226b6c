import type { SiteFile } from '../../../contract/index.ts';
import type { PrayerRule } from '../../calendar/prayer-times.ts';

/** How a site reckons its prayer times: as its file says, else by Umm al-Qura in the middle of what is drawn. */
export function prayerRuleOf({ marsad, features }: SiteFile): PrayerRule {
	const { method = 'umm-al-qura', asr = 'shafi', at } = marsad.prayer ?? {};
	const points = at ? [at] : features.flatMap(({ geometry }) => positionsOf(geometry));
	const middle = (axis: 0 | 1) => {
		const values = points.map((point) => point[axis] ?? 0);
		return (Math.min(...values) + Math.max(...values)) / 2;
	};
	return { method, asr, location: { longitude: middle(0), latitude: middle(1) } };
}

type Geometry = SiteFile['features'][number]['geometry'];

function positionsOf(geometry: Geometry): readonly (readonly number[])[] {
	if (geometry.type === 'Polygon') return geometry.coordinates.flat();
	return geometry.type === 'LineString' ? geometry.coordinates : [geometry.coordinates];
}
