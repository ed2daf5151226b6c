import type { EvacuationScope, EvacuationState, Gate, Mark } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Site } from '../site/index.ts';
import { evacuationMessages } from './approved-messages.ts';
import type { StoredEvacuation } from './evacuation-store.ts';

/** Everything an evacuation holds for, in file order. */
export interface Reach {
	zones: string[];
	gates: string[];
}

/** Zones and gates of a scope: a place brings its own, a zone the gates that lead into or out of it. Pure. */
export function reachOf(scope: EvacuationScope, site: Site): Reach {
	if (scope === 'site') return { zones: [...site.zones.keys()], gates: site.gates.map(({ id }) => id) };
	const places = placesOf(site).filter(({ id }) => scope.places?.includes(id));
	const zones = new Set([...(scope.zones ?? []), ...places.flatMap((place) => place.zones)]);
	const gates = new Set(places.flatMap((place) => place.gates));
	return {
		zones: [...site.zones.keys()].filter((id) => zones.has(id)),
		gates: site.gates.filter(({ id, zone }) => gates.has(id) || zones.has(zone)).map(({ id }) => id)
	};
}

/** @throws AppError `no_such_place` for what the site does not have, `bad_request` for nothing at all */
export function checkScope(scope: EvacuationScope, site: Site): void {
	if (scope === 'site') return;
	const { zones = [], places = [] } = scope;
	if (zones.length + places.length === 0) throw new AppError('bad_request', { field: 'body/scope' });
	const known = new Set(placesOf(site).map(({ id }) => id));
	const missing = [...zones.filter((id) => !site.zones.has(id)), ...places.filter((id) => !known.has(id))];
	if (missing.length > 0) throw new AppError('no_such_place', { missing });
}

/** Both together: what is in force never shrinks by being widened. */
export function widen(scope: EvacuationScope, more: EvacuationScope): EvacuationScope {
	if (scope === 'site' || more === 'site') return 'site';
	const both = (a: readonly string[] = [], b: readonly string[] = []) => [...new Set([...a, ...b])];
	return { zones: both(scope.zones, more.zones), places: both(scope.places, more.places) };
}

/** What screens see of the newest evacuation; `gates` as they are now. */
export function viewEvacuation(
	newest: StoredEvacuation | null,
	before: StoredEvacuation | null,
	seen: { site: Site; gates: readonly Gate[]; mark: Mark }
): EvacuationState {
	const over = newest?.ended ? newest : before;
	const last = over?.ended
		? {
				...{ id: over.id, startedAt: over.startedAt },
				...{ endedAt: over.ended.at, by: over.ended.by, reason: over.ended.reason }
			}
		: null;
	const { mark } = seen;
	if (!newest || newest.ended) return { version: newest?.version ?? 0, active: null, last, mark };
	const reach = reachOf(newest.scope, seen.site);
	const inReach = seen.gates.filter(({ id }) => reach.gates.includes(id));
	return {
		version: newest.version,
		active: {
			id: newest.id,
			scope: newest.scope,
			...reach,
			reason: newest.reason,
			holder: newest.holder,
			startedAt: newest.startedAt,
			messages: [...evacuationMessages],
			scanners: 'count-out',
			confirmed: {
				gates: inReach.filter(({ confirmed, difference }) => confirmed !== null && difference === null)
					.length,
				of: inReach.length
			}
		},
		last,
		mark
	};
}

export function placesOf({ file }: Site) {
	return file.features.flatMap(({ properties }) => (properties.kind === 'place' ? [properties] : []));
}
