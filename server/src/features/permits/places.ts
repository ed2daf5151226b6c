import type { LocalText, SiteFile } from '../../../contract/index.ts';

/** A place that slots are booked at, with the lanes of its entrances. */
export interface Place {
	id: string;
	name: LocalText;
	lanes: number;
}

/** The places of a site file. Only lanes of gates that lead in count. */
export function listPlaces(file: SiteFile): Place[] {
	const lanesIn = new Map<string, number>();
	for (const { properties } of file.features) {
		if (properties.kind === 'gate' && properties.direction === 'in')
			lanesIn.set(properties.id, properties.lanes);
	}
	return file.features.flatMap(({ properties }) => {
		if (properties.kind !== 'place') return [];
		const lanes = properties.gates.reduce((sum, gate) => sum + (lanesIn.get(gate) ?? 0), 0);
		return [{ id: properties.id, name: properties.name, lanes }];
	});
}
