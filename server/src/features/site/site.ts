import {
	defaultStepsOf,
	type ActionStep,
	type CorridorProperties,
	type CounterProperties,
	type GateProperties,
	type LocalText,
	type PlaceProperties,
	type SiteFile,
	type SitePlan,
	type Zone,
	type ZoneProperties
} from '../../../contract/index.ts';
import { buildPlan, inBothLanguages } from './site-plan.ts';
import { partsOf } from './site-parts.ts';

/** A zone as the server works with it. */
export interface SiteZone {
	id: string;
	names: LocalText;
	use: ZoneProperties['use'];
	/** People: the least of the four capacities. */
	capacity: number;
	/** Which of them that is, and who signed it. */
	binding: Zone['binding'];
	capacities: ZoneProperties['capacity'];
	areaSquareMetres: number;
	feeds: readonly string[];
	steps: readonly ActionStep[];
	sourcePolicy: 'sum' | 'max';
	/** Zones and corridors whose people are committed to enter. */
	approach: readonly string[];
	/** Zones that feed it. */
	fedBy: readonly string[];
	closeSeconds: number;
	/** Time of day of the site, and the people then. */
	anchor: { at: string; present: number } | null;
	openAir: boolean;
	/** Gates and corridors of its exit routes. */
	release: readonly string[];
}

/** The site of this run, checked and indexed. Never changes while the server runs. */
export interface Site {
	id: string;
	name: LocalText;
	timeZone: string;
	zones: ReadonlyMap<string, SiteZone>;
	gates: readonly GateProperties[];
	corridors: readonly CorridorProperties[];
	places: readonly PlaceProperties[];
	counters: ReadonlyMap<string, CounterProperties>;
	countersByDevice: ReadonlyMap<string, readonly CounterProperties[]>;
	plan: SitePlan;
	/** The file as it was read, for simulators. */
	file: SiteFile;
}

/** Indexes a checked site file. Pure. */
export function buildSite(file: SiteFile): Site {
	const parts = partsOf(file);
	const zones = new Map(
		parts.zones.map(({ properties }) => [
			properties.id,
			toZone(properties, feeders(properties.id, parts.zones))
		])
	);
	const countersByDevice = new Map<string, CounterProperties[]>();
	for (const { properties } of parts.counters) {
		const own = countersByDevice.get(properties.device);
		if (own) own.push(properties);
		else countersByDevice.set(properties.device, [properties]);
	}
	return {
		id: file.marsad.site,
		name: file.marsad.name,
		timeZone: file.marsad.timeZone,
		zones,
		gates: parts.gates.map(({ properties }) => properties),
		corridors: parts.corridors.map(({ properties }) => properties),
		places: parts.places.map(({ properties }) => properties),
		counters: new Map(parts.counters.map(({ properties }) => [properties.id, properties])),
		countersByDevice,
		plan: buildPlan(file, zones),
		file
	};
}

/** Within how many minutes everybody must be able to leave, where the file does not say (Green Guide). */
const exitMinutesDefault = 8;
const closeSecondsDefault = 120;

type ZoneFeature = ReturnType<typeof partsOf>['zones'][number];

function feeders(id: string, zones: readonly ZoneFeature[]): string[] {
	return zones
		.filter(({ properties }) => properties.feeds?.includes(id))
		.map(({ properties }) => properties.id);
}

/** The least capacity binds. At the same number the one that people hold, which is the plainest, is named. */
function bindingOf(capacity: ZoneProperties['capacity']): Zone['binding'] {
	const exit =
		capacity.exitPerMinute && capacity.exitPerMinute * (capacity.exitMinutes ?? exitMinutesDefault);
	const all = [
		{ which: 'holding' as const, people: capacity.holding },
		{ which: 'entry' as const, people: capacity.entryPerHour ?? Infinity },
		{ which: 'exit' as const, people: exit ? Math.floor(exit) : Infinity },
		{ which: 'emergency' as const, people: capacity.emergency ?? Infinity }
	];
	const least = all.reduce((best, next) => (next.people < best.people ? next : best));
	return { ...least, signedBy: inBothLanguages(capacity.signedBy), signedOn: capacity.signedOn };
}

function toZone(zone: ZoneProperties, fedBy: readonly string[]): SiteZone {
	const binding = bindingOf(zone.capacity);
	return {
		id: zone.id,
		names: zone.name,
		use: zone.use,
		capacity: binding.people,
		binding,
		capacities: zone.capacity,
		areaSquareMetres: zone.areaSquareMetres ?? 0,
		feeds: zone.feeds ?? [],
		steps: zone.steps ?? defaultStepsOf(zone.use),
		sourcePolicy: zone.sourcePolicy ?? 'sum',
		approach: zone.approach ?? [],
		fedBy,
		closeSeconds: zone.closeSeconds ?? closeSecondsDefault,
		anchor: zone.anchor ?? null,
		openAir: zone.openAir ?? false,
		release: zone.release ?? []
	};
}
