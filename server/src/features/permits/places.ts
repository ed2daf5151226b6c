import type { LocalText, SiteFile } from '../../../contract/index.ts';

/** A place that slots are booked at, with its entrances and their lanes. */
export interface Place {
	id: string;
	name: LocalText;
	lanes: number;
	gates?: readonly { id: string; name: LocalText }[];
	/** Degrees; the sun is reckoned from it. */
	location?: { latitude: number; longitude: number };
}

/** The places of a site file. Only lanes of gates that lead in count. */
export function listPlaces(file: SiteFile): Place[] {
	const entrances = new Map<string, { id: string; name: LocalText; lanes: number }>();
	for (const { properties } of file.features) {
		if (properties.kind === 'gate' && properties.direction === 'in') entrances.set(properties.id, properties);
	}
	return file.features.flatMap(({ properties, geometry }) => {
		if (properties.kind !== 'place') return [];
		const own = properties.gates.flatMap((gate) => entrances.get(gate) ?? []);
		const lanes = own.reduce((sum, gate) => sum + gate.lanes, 0);
		const gates = own.map(({ id, name }) => ({ id, name }));
		const [longitude, latitude] = geometry.type === 'Point' ? geometry.coordinates : [];
		const location =
			latitude === undefined || longitude === undefined ? {} : { location: { latitude, longitude } };
		return [{ id: properties.id, name: properties.name, lanes, gates, ...location }];
	});
}
