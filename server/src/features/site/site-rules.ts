import {
	reservedDeviceNames,
	type CounterProperties,
	type GateProperties,
	type SiteFile,
	type ZoneProperties
} from '../../../contract/index.ts';
import { ringArea } from './geometry.ts';
import { partsOf } from './site-parts.ts';

/** Names that routes use themselves and that no zone may bear. */
const reservedZoneNames: readonly string[] = ['trend'];
const ownDevice = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const bridgeDevice = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** More people on a square metre than this have been seen only in crushes. */
const densityMax = 6;

/** What the parts of a well-formed site file say about each other, one sentence a fault. Pure. */
export function siteRuleFaults(file: SiteFile): string[] {
	const { zones, gates, corridors, counters, places } = partsOf(file);
	const zoneIds = new Set(zones.map(({ properties }) => properties.id));
	const gateIds = new Set(gates.map(({ properties }) => properties.id));
	const faults = [
		...timeZoneFaults(file.marsad.timeZone),
		...duplicateFaults(file),
		...(zones.length === 0 ? ['The site has no zone.'] : []),
		...zones.flatMap(({ properties, geometry }) => [
			...ringFaults(properties.id, geometry.coordinates as number[][][]),
			...zoneFaults(properties, zoneIds)
		]),
		...gates.flatMap(({ properties }) => gateFaults(properties, zoneIds)),
		...counters.flatMap(({ properties }) => counterFaults(properties, zones, zoneIds)),
		...channelFaults(counters.map(({ properties }) => properties)),
		...sourceFaults(
			zones,
			counters.map(({ properties }) => properties)
		)
	];
	for (const { properties: corridor } of corridors) {
		for (const end of [corridor.from, corridor.to])
			if (!zoneIds.has(end))
				faults.push(`Corridor "${corridor.id}" ends at the zone "${end}", which does not exist.`);
		if (corridor.from === corridor.to)
			faults.push(`Corridor "${corridor.id}" joins "${corridor.to}" with itself.`);
	}
	for (const { properties: place } of places) {
		for (const id of place.zones)
			if (!zoneIds.has(id)) faults.push(`Place "${place.id}" names the zone "${id}", which does not exist.`);
		for (const id of place.gates)
			if (!gateIds.has(id)) faults.push(`Place "${place.id}" names the gate "${id}", which does not exist.`);
	}
	return faults;
}

function timeZoneFaults(timeZone: string): string[] {
	try {
		new Intl.DateTimeFormat('en', { timeZone });
		return [];
	} catch {
		return [`"${timeZone}" is no time zone; write it as in "Asia/Riyadh".`];
	}
}

function duplicateFaults(file: SiteFile): string[] {
	const seen = new Set<string>();
	const faults: string[] = [];
	for (const { properties } of file.features) {
		const key = `${properties.kind} "${properties.id}"`;
		if (seen.has(key)) faults.push(`There are two of the ${key}: every id is used once.`);
		seen.add(key);
	}
	return faults;
}

function ringFaults(id: string, rings: number[][][]): string[] {
	const faults: string[] = [];
	for (const ring of rings) {
		const [first, last] = [ring[0], ring.at(-1)];
		if (!first || !last || first[0] !== last[0] || first[1] !== last[1])
			faults.push(`The outline of zone "${id}" is not closed: its last point must repeat its first.`);
		else if (ringArea(ring) === 0) faults.push(`The outline of zone "${id}" has no area.`);
		if (ring.some(([east = NaN, north = NaN]) => !(Math.abs(east) <= 180 && Math.abs(north) <= 85)))
			faults.push(`The outline of zone "${id}" leaves the map: points are [longitude, latitude] in degrees.`);
	}
	return faults;
}

function zoneFaults(zone: ZoneProperties, zoneIds: ReadonlySet<string>): string[] {
	const faults: string[] = [];
	const { capacity, areaSquareMetres: area } = zone;
	if (reservedZoneNames.includes(zone.id))
		faults.push(`A zone may not be called "${zone.id}": an address uses that name.`);
	for (const fed of zone.feeds ?? []) {
		if (!zoneIds.has(fed)) faults.push(`Zone "${zone.id}" feeds "${fed}", which does not exist.`);
		if (fed === zone.id) faults.push(`Zone "${zone.id}" feeds itself.`);
	}
	const percents = (zone.steps ?? []).map(({ percent }) => percent);
	if (percents.some((percent, index) => index > 0 && percent <= (percents[index - 1] ?? 0)))
		faults.push(`The steps of zone "${zone.id}" must rise: ${percents.join(', ')} does not.`);
	if (capacity.emergency !== undefined && capacity.emergency > capacity.holding)
		faults.push(`Zone "${zone.id}" has an emergency capacity above what it holds.`);
	if (area !== undefined && capacity.holding / area > densityMax)
		faults.push(
			`Zone "${zone.id}" holds ${capacity.holding} people on ${area} m²: more than ${densityMax} on a square metre is a crush.`
		);
	if (Number.isNaN(Date.parse(capacity.signedOn)))
		faults.push(`The capacity of zone "${zone.id}" was signed on "${capacity.signedOn}", which is no date.`);
	return faults;
}

function gateFaults(gate: GateProperties, zoneIds: ReadonlySet<string>): string[] {
	return zoneIds.has(gate.zone)
		? []
		: [`Gate "${gate.id}" leads to the zone "${gate.zone}", which does not exist.`];
}

function counterFaults(
	counter: CounterProperties,
	zones: readonly { properties: ZoneProperties }[],
	zoneIds: ReadonlySet<string>
): string[] {
	const who = `Counter "${counter.id}"`;
	const faults: string[] = [];
	for (const [end, id] of [
		['from', counter.from],
		['to', counter.to]
	] as const)
		if (id !== null && !zoneIds.has(id))
			faults.push(`${who} names the zone "${id}" in "${end}", which does not exist.`);
	if (counter.measures === 'crossing' && counter.from === counter.to)
		faults.push(`${who} measures a crossing and needs two different sides.`);
	if (counter.measures !== 'crossing' && counter.to === null)
		faults.push(`${who} measures people present and needs the zone they stand in as "to".`);
	if (counter.measures === 'density') {
		const zone = zones.find(({ properties }) => properties.id === counter.to)?.properties;
		if (zone && zone.areaSquareMetres === undefined)
			faults.push(`${who} measures density, so zone "${zone.id}" needs its areaSquareMetres.`);
	}
	if (counter.adapter === 'own') {
		if (!ownDevice.test(counter.device))
			faults.push(
				`${who}: the device name "${counter.device}" may hold small letters, digits, - and _ only.`
			);
		if (reservedDeviceNames.includes(counter.device))
			faults.push(`${who}: a device may not be called "${counter.device}": topics use that name.`);
	} else if (counter.adapter === 'frigate') {
		if (!bridgeDevice.test(counter.device) || counter.device === 'marsad')
			faults.push(`${who}: "${counter.device}" cannot be the topic prefix of a Frigate host.`);
		if (counter.channel === undefined || /[/+#]/.test(counter.channel))
			faults.push(`${who} is fed by Frigate and needs the Frigate zone or camera as its "channel".`);
		if (counter.measures !== 'present' && counter.measures !== 'presence')
			faults.push(`${who} is fed by Frigate, which reports people present only.`);
	}
	return faults;
}

/** One reading must mean one counter. */
function channelFaults(counters: readonly CounterProperties[]): string[] {
	const seen = new Map<string, string>();
	const adapters = new Map<string, string>();
	const faults: string[] = [];
	for (const counter of counters) {
		const key = [counter.device, counter.channel ?? '', counter.measures].join('\n');
		const other = seen.get(key);
		if (other !== undefined)
			faults.push(
				`Counters "${other}" and "${counter.id}" listen to the same channel of device "${counter.device}".`
			);
		seen.set(key, counter.id);
		if ((adapters.get(counter.device) ?? counter.adapter) !== counter.adapter)
			faults.push(`Device "${counter.device}" is claimed by two adapters.`);
		adapters.set(counter.device, counter.adapter);
	}
	return faults;
}

/** Without an authority a zone could never be known. */
function sourceFaults(
	zones: readonly { properties: ZoneProperties }[],
	counters: readonly CounterProperties[]
): string[] {
	if (counters.length === 0) return [];
	const known = new Set(
		counters
			.filter(({ authority }) => authority)
			.flatMap(({ measures, from, to }) => (measures === 'crossing' ? [from, to] : [to]))
	);
	return zones
		.filter(({ properties }) => !known.has(properties.id))
		.map(
			({ properties }) =>
				`Zone "${properties.id}" has no counter with authority: its occupancy could never be known.`
		);
}
