import {
	defaultSteps,
	type ActionStep,
	type CounterProperties,
	type GateProperties,
	type LocalText,
	type SiteFile,
	type SitePlan,
	type ZoneProperties
} from '../../../contract/index.ts';
import { createProjection, labelPoint, ringArea } from './geometry.ts';
import { partsOf } from './site-parts.ts';

/** A zone as the server works with it. */
export interface SiteZone {
	id: string;
	names: LocalText;
	use: ZoneProperties['use'];
	/** People: the least of what it holds and what leaves it in an emergency. */
	capacity: number;
	capacities: ZoneProperties['capacity'];
	areaSquareMetres: number;
	feeds: readonly string[];
	steps: readonly ActionStep[];
	sourcePolicy: 'sum' | 'max';
}

/** The site of this run, checked and indexed. Never changes while the server runs. */
export interface Site {
	id: string;
	name: LocalText;
	timeZone: string;
	zones: ReadonlyMap<string, SiteZone>;
	gates: readonly GateProperties[];
	counters: ReadonlyMap<string, CounterProperties>;
	countersByDevice: ReadonlyMap<string, readonly CounterProperties[]>;
	plan: SitePlan;
	/** The file as it was read, for simulators. */
	file: SiteFile;
}

const inBothLanguages = (text: string | LocalText): LocalText =>
	typeof text === 'string' ? { ar: text, en: text } : text;

/** Indexes a checked site file. Pure. */
export function buildSite(file: SiteFile): Site {
	const parts = partsOf(file);
	const zones = new Map(parts.zones.map(({ properties }) => [properties.id, toZone(properties)]));
	const countersByDevice = new Map<string, CounterProperties[]>();
	for (const { properties } of parts.counters) {
		const own = countersByDevice.get(properties.device);
		if (own) own.push(properties);
		else countersByDevice.set(properties.device, [properties]);
	}
	const plan = buildPlan(file);
	for (const drawn of plan.zones) {
		const zone = zones.get(drawn.id);
		const outline = drawn.rings[0];
		// Without a surveyed area the drawing is the best there is.
		if (zone && outline && !(zone.areaSquareMetres > 0)) zone.areaSquareMetres = ringArea(outline);
	}
	return {
		id: file.marsad.site,
		name: file.marsad.name,
		timeZone: file.marsad.timeZone,
		zones,
		gates: parts.gates.map(({ properties }) => properties),
		counters: new Map(parts.counters.map(({ properties }) => [properties.id, properties])),
		countersByDevice,
		plan,
		file
	};
}

function toZone(zone: ZoneProperties): SiteZone {
	return {
		id: zone.id,
		names: zone.name,
		use: zone.use,
		capacity: Math.min(zone.capacity.holding, zone.capacity.emergency ?? Infinity),
		capacities: zone.capacity,
		areaSquareMetres: zone.areaSquareMetres ?? 0,
		feeds: zone.feeds ?? [],
		steps: zone.steps ?? defaultSteps,
		sourcePolicy: zone.sourcePolicy ?? 'sum'
	};
}

function buildPlan(file: SiteFile): SitePlan {
	const { zones, gates } = partsOf(file);
	const corners = [
		...zones.flatMap(({ geometry }) => geometry.coordinates.flat()),
		...gates.map(({ geometry }) => geometry.coordinates)
	];
	const { project, width, height } = createProjection(corners);
	return {
		site: file.marsad.site,
		name: file.marsad.name,
		timeZone: file.marsad.timeZone,
		zones: zones.map(({ properties, geometry }) => {
			const rings = geometry.coordinates.map((ring) => ring.map(project));
			const zone = toZone(properties);
			return {
				id: zone.id,
				names: zone.names,
				capacity: zone.capacity,
				use: zone.use,
				rings,
				label: labelPoint(rings[0] ?? []),
				feeds: [...zone.feeds],
				steps: [...zone.steps],
				signedBy: inBothLanguages(zone.capacities.signedBy),
				signedOn: zone.capacities.signedOn
			};
		}),
		gates: gates.map(({ properties, geometry }) => ({
			id: properties.id,
			names: properties.name,
			direction: properties.direction,
			zone: properties.zone,
			lanes: properties.lanes,
			point: project(geometry.coordinates)
		})),
		bounds: { width, height }
	};
}
