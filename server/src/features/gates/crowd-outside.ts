import type { CrowdOutside, GateProperties, Mark, Zone } from '../../../contract/index.ts';

/** Screens count the age themselves: the moment follows at this pace. */
const momentStepMs = 5_000;

/** The crowd before an entry, by the zone that the site file names; unknown where nothing says anything. Pure. */
export function crowdOutside(
	gate: Pick<GateProperties, 'direction' | 'outside'>,
	zones: ReadonlyMap<string, Zone>,
	mark: Mark
): CrowdOutside | null {
	if (gate.direction === 'out') return null;
	const zone = gate.outside === undefined ? undefined : zones.get(gate.outside);
	if (!zone) {
		return {
			...{ people: null, quality: 'unknown', growthPerMinute: null, capacity: null, at: null, mark },
			zone: gate.outside ?? null
		};
	}
	const { present, quality, netInflowPerMinute, capacity, at } = zone;
	const isKnown = quality !== 'unknown';
	return {
		people: isKnown ? present : null,
		quality: present === null ? 'unknown' : quality,
		growthPerMinute: isKnown && present !== null ? netInflowPerMinute : null,
		capacity,
		zone: zone.id,
		at: at === null ? null : Math.floor(at / momentStepMs) * momentStepMs,
		mark: zone.mark
	};
}
