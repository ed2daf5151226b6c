import type { Team, TeamProposal } from '../../../contract/index.ts';
import type { SitePaths } from './site-paths.ts';
import { metreCosts, walkMinutes, type ZoneWalk } from './walking.ts';

const stateOrder: readonly Team['state'][] = ['free', 'busy', 'off-duty'];

/**
 * Teams for a zone: free ones first, the nearest first by its slowest walk. A team whose place is unknown is
 * proposed after those whose place is known, without a distance.
 */
export function proposeTeams(
	teams: readonly Team[],
	zone: string,
	paths: SitePaths,
	zoneOf: (zone: string) => ZoneWalk | undefined
): TeamProposal[] {
	const ways = paths.waysTo(zone, (id) => metreCosts(id === null ? undefined : zoneOf(id)).high);
	return teams
		.map((team): TeamProposal => {
			const { id, state, reservedFrom, place } = team;
			const base = { team: id, state, reservedFrom, place };
			if (place.zone === null || place.quality === 'unknown')
				return { ...base, metres: null, minutes: null, via: [], why: 'place-unknown' };
			const way = ways.get(place.zone);
			if (!way) return { ...base, metres: null, minutes: null, via: [], why: 'no-path' };
			return {
				...base,
				metres: Math.round(way.metres),
				minutes: walkMinutes(way, zoneOf),
				via: [...way.zones],
				why: 'ok'
			};
		})
		.toSorted(
			(a, b) =>
				stateOrder.indexOf(a.state) - stateOrder.indexOf(b.state) ||
				(a.minutes?.to ?? Infinity) - (b.minutes?.to ?? Infinity) ||
				(a.metres ?? Infinity) - (b.metres ?? Infinity) ||
				(a.team < b.team ? -1 : 1)
		);
}
