import type { Db } from '../../platform/database/database.ts';
import type { People } from '../people/index.ts';
import type { Site } from '../site/index.ts';
import { insertTeam, setLeaders, setTeamPlace, type Scope } from './team-store.ts';

/** Channels and telephone numbers that belong to nobody (numbers reserved for fiction). */
const demoTeams = [
	{ id: 'team-1', number: 1, leaders: ['lead@example.org'], members: 6, shift: null },
	{ id: 'team-2', number: 2, leaders: [], members: 6, shift: null },
	{ id: 'team-3', number: 3, leaders: [], members: 4, shift: null },
	{ id: 'team-4', number: 4, leaders: [], members: 4, shift: null },
	{ id: 'team-5', number: 5, leaders: [], members: 8, shift: { from: '16:00', to: '04:00' } }
];

/** Teams of the demo over its site; those that are there already stay as they are. */
export async function ensureDemoTeams(
	db: Db,
	{
		site,
		scope,
		people,
		now
	}: { site: Site; scope: Scope; people: Pick<People, 'accountsOfRole'>; now: number }
): Promise<void> {
	const zones = [...site.zones.keys()];
	await db.transaction().execute(async (tx) => {
		for (const [index, team] of demoTeams.entries()) {
			const home = zones[Math.floor((index * zones.length) / demoTeams.length)] ?? null;
			const { number, members, shift } = team;
			const id = `${scope.site}-${scope.season}-${team.id}`;
			const isNew = await insertTeam(tx, scope, {
				...{ id, at: now + index, members, shift, home },
				names: { ar: `فريق ${number}`, en: `Team ${number}` },
				channel: `TG ${number}`,
				phone: `555-010${number}`
			});
			if (!isNew) continue;
			await setLeaders(tx, id, await people.accountsOfRole(tx, team.leaders, 'team-leader'));
			// The last one has not said where it is: a place is never guessed.
			if (home && index < demoTeams.length - 1) await setTeamPlace(tx, id, home, now);
		}
	});
}
