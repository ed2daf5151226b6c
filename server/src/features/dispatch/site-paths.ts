import type { SiteFile } from '../../../contract/index.ts';
import { createProjection, labelPoint, type Point } from '../site/index.ts';

/** A stretch of a way and the zone it lies in; null: a corridor, which is nobody's zone. */
interface Leg {
	zone: string | null;
	metres: number;
}
interface Edge {
	to: string;
	legs: readonly Leg[];
}

/** A way along the site's paths. `zones`: those it goes through, first to last. */
export interface Way {
	metres: number;
	/** Metres weighted by what walking there costs. */
	cost: number;
	legs: readonly Leg[];
	zones: readonly string[];
}

/** How much longer a metre in a zone takes than a free one, 1 or more; null asks for a corridor. */
export type MetreCost = (zone: string | null) => number;

/** Ways between the zones of a site. Both directions are the same way: teams walk where the crowd may not. */
export interface SitePaths {
	/** The cheapest way from each zone to this one; a zone that no path reaches is not in it. */
	waysTo(zone: string, costOf: MetreCost): ReadonlyMap<string, Way>;
}

/** Metres of a detour that no drawing shows: zones that feed each other without a crossing point or a corridor. */
const detourFactor = 1.3;

/** Reads corridors, crossings of counters and feeds of the site file once. Pure. */
export function createSitePaths(file: SiteFile): SitePaths {
	const edges = buildEdges(file);
	return {
		waysTo(target, costOf) {
			const ways = new Map<string, Way>();
			if (!edges.has(target)) return ways;
			const open = new Map<string, Way>([[target, { metres: 0, cost: 0, legs: [], zones: [target] }]]);
			while (open.size > 0) {
				const [zone, way] = cheapest(open);
				open.delete(zone);
				ways.set(zone, way);
				for (const { to, legs } of edges.get(zone) ?? []) {
					if (ways.has(to)) continue;
					const next = {
						metres: way.metres + legs.reduce((sum, leg) => sum + leg.metres, 0),
						cost: way.cost + legs.reduce((sum, leg) => sum + leg.metres * costOf(leg.zone), 0),
						legs: [...way.legs, ...legs],
						zones: [to, ...way.zones]
					};
					if (next.cost < (open.get(to)?.cost ?? Infinity)) open.set(to, next);
				}
			}
			return ways;
		}
	};
}

function cheapest(open: ReadonlyMap<string, Way>): [string, Way] {
	let best: [string, Way] | undefined;
	for (const entry of open) if (!best || entry[1].cost < best[1].cost) best = entry;
	return best!;
}

function buildEdges(file: SiteFile): ReadonlyMap<string, Edge[]> {
	const { middles, project } = placeZones(file);
	const edges = new Map<string, Edge[]>([...middles.keys()].map((zone) => [zone, []]));
	const joined = new Map<string, { a: string; b: string; legs: readonly Leg[] }>();
	const keep = (a: string, b: string, legs: readonly Leg[]) => {
		// Of several crossings between two zones the shortest is walked.
		const key = [a, b].toSorted().join(' ');
		const metres = legs.reduce((sum, leg) => sum + leg.metres, 0);
		const before = joined.get(key);
		if (before && before.legs.reduce((sum, leg) => sum + leg.metres, 0) <= metres) return;
		joined.set(key, { a, b, legs });
	};
	for (const { properties, geometry } of file.features) {
		if (properties.kind === 'counter') {
			const [a, b] = [middles.get(properties.from ?? ''), middles.get(properties.to ?? '')];
			if (!a || !b || properties.from === properties.to) continue;
			const crossing = project(geometry.coordinates as number[]);
			keep(properties.from!, properties.to!, [
				{ zone: properties.from, metres: between(a, crossing) },
				{ zone: properties.to, metres: between(crossing, b) }
			]);
		} else if (properties.kind === 'corridor') {
			const [a, b] = [middles.get(properties.from), middles.get(properties.to)];
			const line = (geometry.coordinates as number[][]).map(project);
			if (!a || !b || line.length < 2) continue;
			const length = properties.lengthMetres ?? lengthOf(line);
			keep(properties.from, properties.to, [
				{ zone: properties.from, metres: between(a, line[0]!) },
				{ zone: null, metres: length },
				{ zone: properties.to, metres: between(line.at(-1)!, b) }
			]);
		}
	}
	for (const { properties } of file.features) {
		if (properties.kind !== 'zone') continue;
		for (const fed of properties.feeds ?? []) {
			const [a, b] = [middles.get(properties.id), middles.get(fed)];
			if (!a || !b || joined.has([properties.id, fed].toSorted().join(' '))) continue;
			const half = (between(a, b) * detourFactor) / 2;
			keep(properties.id, fed, [
				{ zone: properties.id, metres: half },
				{ zone: fed, metres: half }
			]);
		}
	}
	for (const { a, b, legs } of joined.values()) {
		edges.get(a)!.push({ to: b, legs });
		edges.get(b)!.push({ to: a, legs });
	}
	return edges;
}

/** The middle of every zone in site metres. */
function placeZones(file: SiteFile) {
	const zones = file.features.flatMap(({ properties, geometry }) =>
		properties.kind === 'zone' ? [{ id: properties.id, ring: geometry.coordinates[0] as number[][] }] : []
	);
	const { project } = createProjection(zones.flatMap(({ ring }) => ring));
	const middles = new Map(zones.map(({ id, ring }) => [id, labelPoint(ring.map(project))]));
	return { middles, project };
}

const between = ([x1, y1]: Point, [x2, y2]: Point): number => Math.hypot(x2 - x1, y2 - y1);

function lengthOf(line: readonly Point[]): number {
	return line.slice(1).reduce((sum, point, index) => sum + between(line[index]!, point), 0);
}
