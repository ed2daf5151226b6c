import type { GateProperties, SiteFile } from '@marsad/server/contract';
import type { Border, BorderCounter, CrowdSite } from './crowd.ts';

/** Where the site file says nothing of a counter. */
const perSecondMaxDefault = 12;
/** The open side of a forecourt is as wide as so many counters, and nobody counts there. */
const openSideCounters = 24;

/**
 * Zones, borders and gates out of a site file. A counter that is optional (a recorded series) lets nobody through. A
 * counter from outside into the zone of an entrance stands in that entrance: people come to it from its forecourt.
 */
export function readCrowdSite(file: SiteFile): CrowdSite {
	const capacities = new Map<string, number>();
	const entrances = new Map<string, GateProperties[]>();
	const borders = new Map<string, { -readonly [Key in keyof Border]: Border[Key] }>();
	const counters = new Map<string, BorderCounter[]>();
	for (const { properties } of file.features) {
		if (properties.kind === 'zone') {
			const { holding, emergency } = properties.capacity;
			capacities.set(properties.id, Math.min(holding, emergency ?? Infinity));
		} else if (properties.kind === 'gate' && properties.direction === 'in')
			entrances.set(properties.zone, [...(entrances.get(properties.zone) ?? []), properties]);
	}
	for (const { properties } of file.features) {
		if (properties.kind !== 'counter' || properties.measures !== 'crossing' || properties.optional) continue;
		const { id, from, to } = properties;
		const gates = from === null && to !== null ? entrances.get(to) : undefined;
		const key = JSON.stringify([from, to]);
		const own = counters.get(key) ?? [];
		own.push({ id, perSecondMax: properties.peoplePerSecondMax ?? perSecondMaxDefault });
		counters.set(key, own);
		borders.set(key, {
			from: gates?.find(({ outside }) => outside !== undefined)?.outside ?? from,
			to,
			counters: own,
			...(gates && { gates: gates.map((gate) => gate.id) })
		});
	}
	const outside = [...entrances.values()].flat().flatMap((gate) => gate.outside ?? []);
	const forecourts = new Set(outside.filter((zone) => capacities.has(zone)));
	return { capacities, borders: [...[...forecourts].map(openSide), ...borders.values()], forecourts };
}

function openSide(zone: string): Border {
	const counters = Array.from({ length: openSideCounters }, (_, index) => ({
		id: `open side of ${zone}, ${index + 1}`,
		perSecondMax: perSecondMaxDefault
	}));
	return { from: null, to: zone, counters };
}
