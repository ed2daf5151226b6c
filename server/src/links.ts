import type { Alarms } from './features/alarms/index.ts';
import { fillOf, type PlaceFill } from './features/booking/index.ts';
import type { Gates } from './features/gates/index.ts';
import type { Levels } from './features/levels/index.ts';
import type { Site } from './features/site/index.ts';
import type { Zones } from './features/zones/index.ts';
import type { Log } from './platform/log.ts';

/** Rules that a level answers: what is behind the waiting room. */
const levelRules = ['work-ratio', 'booking-slow', 'database'];
/** Rules of a zone that its written steps answer. */
const stepRules = ['zone-step', 'zone-fills', 'zone-density'];

/** What was done at a gate or by a level stands in the rows of the alarms that asked for it. */
export function linkDeeds(of: { gates: Gates; levels: Levels; alarms: Alarms; log: Log }): void {
	const failed = (error: unknown) => of.log.warn({ err: error }, 'an alarm could not be linked');
	of.gates.onProposalDone.on(({ gate, zone, by }) => {
		of.alarms.linkActive({ definitions: stepRules, subject: zone }, { gate }, by).catch(failed);
	});
	of.levels.onSwitch.on(({ from, to, current }) => {
		// An exercise answers nothing.
		if (to <= from || current.exercise) return;
		of.alarms.linkActive({ definitions: levelRules }, { level: to }, current.by ?? 'marsad').catch(failed);
	});
}

/** How full a place is, by the zones that belong to it, or by its entries where they let fewer people in. */
export function readPlaceFill({ file }: Site, zones: Zones, gates: Gates): PlaceFill {
	const zonesOf = new Map(
		file.features.flatMap(({ properties }) =>
			properties.kind === 'place' ? [[properties.id, new Set(properties.zones)] as const] : []
		)
	);
	return (place) => {
		const own = zonesOf.get(place);
		if (!own) return undefined;
		const shares = zones.list().flatMap(({ id, occupancy }) => (own.has(id) ? [occupancy] : []));
		return fillOf([...shares, gates.entryFill(place) ?? []].flat());
	};
}
