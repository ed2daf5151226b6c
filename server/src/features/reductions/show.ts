import type { Reduction } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { SiteNames } from '../permits/index.ts';
import { showCut } from './preview.ts';
import { openStates, sumAffected } from './affected-rows-store.ts';
import { listCuts, type StoredReduction } from './reductions-store.ts';

/** Reductions as screens see them, read now. */
export async function showReductions(
	db: Db | Tx,
	season: string,
	site: SiteNames,
	stored: readonly StoredReduction[]
): Promise<Reduction[]> {
	const ids = stored.map(({ id }) => id);
	if (ids.length === 0) return [];
	const cuts = await listCuts(db, season, ids);
	const sums = Map.groupBy(await sumAffected(db, season, ids), ({ reduction }) => reduction);
	return stored.map(({ id, state, request, expectedPeople: _, ...facts }) => {
		const own = sums.get(id) ?? [];
		const due = own
			.filter((sum) => (openStates as readonly string[]).includes(sum.state))
			.flatMap(({ answerUntil }) => answerUntil?.getTime() ?? []);
		const { answerMinutes, withinHours, otherPlaces, unanswered, withoutRoom, reason, target } = request;
		return {
			...{ id, state, target, reason, ...facts },
			terms: { answerMinutes, withinHours, otherPlaces, unanswered, withoutRoom },
			slots: (cuts.get(id) ?? []).map((cut) => showCut(cut, site)),
			// Until somebody has confirmed it nobody is written down: what is known of them is the forecast.
			affected:
				facts.startedAt === null && facts.forecast
					? facts.forecast.affected
					: {
							permits: own.reduce((sum, one) => sum + one.permits, 0),
							people: own.reduce((sum, one) => sum + one.people, 0)
						},
			progress: Object.fromEntries(
				own.map((one) => [one.state, { permits: one.permits, people: one.people }])
			),
			answerUntil: due.length > 0 ? Math.max(...due) : null
		};
	});
}
