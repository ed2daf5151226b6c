import type { EvacuationScope, LocalText, SitePlan } from '@marsad/server/contract';

/** What a person ticked: zones and places by id, or everything. */
export interface ScopeChoice {
	wholeSite: boolean;
	zones: readonly string[];
	places: readonly string[];
}

/** The scope as it is sent; null when nothing is chosen: nobody evacuates "nothing", nor the site by an empty form. */
export function scopeOf({ wholeSite, zones, places }: ScopeChoice): EvacuationScope | null {
	if (wholeSite) return 'site';
	if (zones.length === 0 && places.length === 0) return null;
	return {
		...(zones.length > 0 ? { zones: [...zones] } : {}),
		...(places.length > 0 ? { places: [...places] } : {})
	};
}

/** The names of what a scope holds, places first; null stands for the whole site. Unknown ids stand as they are. */
export function namesOfScope(scope: EvacuationScope, plan: SitePlan | null): (LocalText | string)[] | null {
	if (scope === 'site') return null;
	const named = (
		list: readonly { id: string; names: LocalText }[] | undefined,
		ids: readonly string[] = []
	) => ids.map((id) => list?.find((each) => each.id === id)?.names ?? id);
	return [...named(plan?.places, scope.places), ...named(plan?.zones, scope.zones)];
}
