import type { OfferAnswer, OfferAnswered, PermitOffer } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Permits, SiteNames, StoredPermit } from '../permits/index.ts';
import { findAffected, openStates, type AffectedRow } from './affected-rows-store.ts';
import { listCuts, listReductionsById, type ReductionScope } from './reductions-store.ts';
import { settle, type SettleDeps, type Settled } from './settle.ts';

const isOpen = ({ state }: AffectedRow) => (openStates as readonly string[]).includes(state);

/** What the holder of an affected permit is offered; null for nothing. */
export async function findOffer(
	deps: { db: Db; scope: ReductionScope; site: SiteNames; permits: Pick<Permits, 'listByIds'> },
	permit: StoredPermit
): Promise<PermitOffer | null> {
	const { db, scope } = deps;
	const row = await findAffected(db, scope.season, permit.id);
	if (!row || !isOpen(row)) return null;
	const [reduction] = await listReductionsById(db, scope, [row.reduction]);
	const cut = (await listCuts(db, scope.season, [row.reduction]))
		.get(row.reduction)
		?.find(({ slot }) => slot === row.slot);
	if (!reduction || !cut || reduction.state !== 'running') return null;
	const held = row.successor === null ? [] : await deps.permits.listByIds(db, [row.successor], ['held']);
	const [places] = held;
	const placeName = places && deps.site.places.find(({ id }) => id === places.place)?.name;
	return {
		state: places ? 'offered' : 'waiting',
		why: cut.capacityAfter === 0 ? 'closed' : 'smaller',
		until: row.answerUntil,
		unanswered: places ? reduction.request.unanswered : reduction.request.withoutRoom,
		slot: places
			? {
					...{ id: places.slot, place: places.place, startsAt: places.startsAt, endsAt: places.endsAt },
					...(placeName ? { placeName } : {})
				}
			: null
	};
}

/**
 * The holder's answer, whatever level is in force: the places are held already, and it makes room. A repeat hears the same
 * again; so does whoever accepts what the clock has given them meanwhile.
 * @throws AppError `not_yours`, `no_offer`
 */
export async function answerOffer(
	deps: SettleDeps & { db: Db },
	holder: string,
	id: string,
	answer: OfferAnswer
): Promise<{ answered: OfferAnswered; settled: Settled[] }> {
	const { db, season, permits } = deps;
	const attempt = () =>
		db.transaction().execute(async (tx) => {
			const [permit] = await permits.listByIds(tx, [id], ['valid', 'cancelled']);
			if (permit?.holder !== holder) throw new AppError('not_yours');
			const row = await findAffected(tx, season, id);
			if (!row || (answer === 'accept' && isOpen(row) && row.successor === null))
				throw new AppError('no_offer');
			const settled = isOpen(row) ? await settle(deps, tx, [row], () => answer) : [];
			const came = await findAffected(tx, season, id);
			const answered = came ? await readAnswer(deps, tx, came, answer) : null;
			return { answered, settled, isOpen: came !== undefined && isOpen(came) };
		});
	let result = await attempt();
	// What is offered changed while we looked: it is looked at once more.
	if (result.isOpen) result = await attempt();
	// Something else came of it: what was settled just now stays, and the holder looks again.
	if (!result.answered) throw new AppError('no_offer');
	return { answered: result.answered, settled: result.settled };
}

/** What the holder hears of a row that is settled; null where it came to something else than was said. */
async function readAnswer(
	{ permits }: Pick<SettleDeps, 'permits'>,
	tx: Tx,
	{ permit: replaced, state, successor }: AffectedRow,
	answer: OfferAnswer
): Promise<OfferAnswered | null> {
	if (answer === 'decline')
		return state === 'declined' ? { ok: true, answer, permit: null, slot: null, replaced } : null;
	if ((state !== 'accepted' && state !== 'moved') || successor === null) return null;
	const [to] = await permits.listByIds(tx, [successor], ['valid']);
	return to ? { ok: true, answer, permit: to.id, slot: to.slot, replaced } : null;
}
