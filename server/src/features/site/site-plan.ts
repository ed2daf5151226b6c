import type { LocalText, SiteFile, SitePlan } from '../../../contract/index.ts';
import { createProjection, labelPoint, lineLength, ringArea, type Point } from './geometry.ts';
import type { SiteZone } from './site.ts';
import { partsOf } from './site-parts.ts';

type Project = (position: readonly number[]) => Point;
type Parts = ReturnType<typeof partsOf>;

export const inBothLanguages = (text: string | LocalText): LocalText =>
	typeof text === 'string' ? { ar: text, en: text } : text;

/** The drawing of a site, in site metres. Zones without a surveyed area get the one that is drawn. */
export function buildPlan(file: SiteFile, siteZones: ReadonlyMap<string, SiteZone>): SitePlan {
	const { zones, gates, corridors, counters, places } = partsOf(file);
	const corners = [
		...zones.flatMap(({ geometry }) => geometry.coordinates.flat()),
		...gates.map(({ geometry }) => geometry.coordinates)
	];
	const { project, width, height } = createProjection(corners);
	return {
		site: file.marsad.site,
		name: file.marsad.name,
		timeZone: file.marsad.timeZone,
		zones: zones.flatMap(({ properties, geometry }) => {
			const zone = siteZones.get(properties.id);
			return zone ? [drawZone(zone, geometry.coordinates, project)] : [];
		}),
		gates: gates.map(({ properties, geometry }) => ({
			id: properties.id,
			names: properties.name,
			direction: properties.direction,
			zone: properties.zone,
			lanes: properties.lanes,
			outside: properties.outside ?? null,
			point: project(geometry.coordinates)
		})),
		corridors: corridors.map((corridor) => drawCorridor(corridor, project)),
		counters: counters.map(({ properties: { id, device, measures, from, to }, geometry }) => ({
			...{ id, device, measures, from, to },
			point: project(geometry.coordinates)
		})),
		places: places.map(({ properties }) => ({
			id: properties.id,
			names: properties.name,
			zones: [...properties.zones],
			gates: [...properties.gates]
		})),
		bounds: { width, height }
	};
}

function drawZone(zone: SiteZone, coordinates: number[][][], project: Project): SitePlan['zones'][number] {
	const rings = coordinates.map((ring) => ring.map(project));
	const [outline = [], ...holes] = rings;
	if (!(zone.areaSquareMetres > 0))
		zone.areaSquareMetres = holes.reduce((area, hole) => area - ringArea(hole), ringArea(outline));
	return {
		id: zone.id,
		names: zone.names,
		capacity: zone.capacity,
		use: zone.use,
		rings,
		label: labelPoint(outline),
		feeds: [...zone.feeds],
		steps: [...zone.steps],
		signedBy: zone.binding.signedBy,
		signedOn: zone.binding.signedOn,
		areaSquareMetres: zone.areaSquareMetres,
		openAir: zone.openAir,
		approach: [...zone.approach],
		release: [...zone.release]
	};
}

function drawCorridor(
	{ properties, geometry }: Parts['corridors'][number],
	project: Project
): SitePlan['corridors'][number] {
	const points = geometry.coordinates.map(project);
	return {
		id: properties.id,
		names: properties.name ?? null,
		from: properties.from,
		to: properties.to,
		lengthMetres: properties.lengthMetres ?? lineLength(points),
		widthMetres: properties.widthMetres ?? null,
		stepFree: properties.stepFree ?? null,
		points
	};
}
