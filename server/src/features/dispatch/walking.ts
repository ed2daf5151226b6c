import type { Quality, ZoneProperties } from '../../../contract/index.ts';
import type { Way } from './site-paths.ts';

/** What walking through a zone depends on. */
export interface ZoneWalk {
	use: ZoneProperties['use'];
	areaSquareMetres: number;
	capacity: number;
	/** People now; null: unknown. */
	present: number | null;
	/** The most people that may be there. */
	worst: number | null;
	quality: Quality;
}

/** Free walking speed, metres a second (Weidmann 1993, Transporttechnik der Fussgänger). */
const freeMetresPerSecond = 1.34;
/** People per square metre at which nobody moves any more, and the shape of the curve (Weidmann 1993). */
const jamDensity = 5.4;
const shape = 1.913;
/** A team works its way through a crowd that stands: never slower than this. */
const slowestMetresPerSecond = 0.15;
/** On stairs the way over ground is about half as fast (Fruin 1971, Pedestrian Planning and Design). */
const stairsFactor = 2;
/** Teams walk faster or slower than the mean by about so much; with that the range is honest. */
const briskShare = 1.2;
const slowShare = 0.75;

/** How much longer a metre takes at this density than on free ground, 1 or more. */
export function crowdFactor(peoplePerSquareMetre: number): number {
	if (peoplePerSquareMetre <= 0) return 1;
	const speed = freeMetresPerSecond * (1 - Math.exp(-shape * (1 / peoplePerSquareMetre - 1 / jamDensity)));
	return freeMetresPerSecond / Math.max(slowestMetresPerSecond, speed);
}

/** The least and the most that a metre in this zone costs; what is not known may be full. */
export function metreCosts(zone: ZoneWalk | undefined): { low: number; high: number } {
	if (!zone) return { low: 1, high: 1 };
	const area = zone.areaSquareMetres > 0 ? zone.areaSquareMetres : null;
	const use = zone.use === 'stairs' ? stairsFactor : 1;
	if (area === null) return { low: use, high: use * crowdFactor(jamDensity / 2) };
	const known = zone.present !== null && (zone.quality === 'live' || zone.quality === 'partial');
	const few = known ? zone.present! : 0;
	const many = known ? zone.present! : Math.max(zone.capacity, zone.worst ?? 0, zone.present ?? 0);
	return { low: use * crowdFactor(few / area), high: use * crowdFactor(many / area) };
}

/**
 * Minutes of walking as a range. Where in its zone a team stands and where in the other zone it is needed is not
 * known: half a zone more or less at both ends.
 */
export function walkMinutes(
	way: Way,
	zoneOf: (zone: string) => ZoneWalk | undefined
): { from: number; to: number } {
	const costs = (zone: string | null) => metreCosts(zone === null ? undefined : zoneOf(zone));
	const ends = [way.zones[0]!, way.zones.at(-1)!].map((zone) => {
		const half = Math.sqrt(zoneOf(zone)?.areaSquareMetres ?? 0) / 2;
		return { low: half, high: half * costs(zone).high };
	});
	const least = way.legs.reduce((sum, { zone, metres }) => sum + metres * costs(zone).low, 0);
	const most = way.legs.reduce((sum, { zone, metres }) => sum + metres * costs(zone).high, 0);
	const low = Math.max(0, least - ends[0]!.low - ends[1]!.low);
	const high = most + ends[0]!.high + ends[1]!.high;
	return {
		from: Math.floor(low / (freeMetresPerSecond * briskShare) / 60),
		to: Math.max(1, Math.ceil(high / (freeMetresPerSecond * slowShare) / 60))
	};
}
