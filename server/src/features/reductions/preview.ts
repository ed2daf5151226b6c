import type {
	ReducedSlot,
	ReductionForecast,
	ReductionPreview,
	ReductionPreviewRequest,
	ReductionRoom
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { MovePort } from '../booking/index.ts';
import type { Permits, SiteNames } from '../permits/index.ts';
import {
	listAffected,
	listCutSlots,
	sumKept,
	type AffectedPermit,
	type CutPeople,
	type SlotCut
} from './affected-store.ts';
import {
	assignSlots,
	candidatesFor,
	capacityAfter,
	needsTwoPeople,
	sumGroup,
	termsOf
} from './reduction-plan.ts';
import { listShrinking, type ReductionScope, type StoredCut } from './reductions-store.ts';

export interface PreviewDeps {
	scope: ReductionScope;
	site: SiteNames;
	/** The zones of each place. */
	zonesOf: ReadonlyMap<string, readonly string[]>;
	permits: Pick<Permits, 'listByIds'>;
	moves: Pick<MovePort, 'look'>;
	now(): number;
}

/** What a reduction would do, and everything that it is made from. */
export interface Plan {
	cuts: (SlotCut & CutPeople)[];
	affected: AffectedPermit[];
	preview: Omit<ReductionPreview, 'room' | 'withoutRoom'>;
}

/**
 * Who would be affected, as it stands in this transaction. Slots that would not become smaller are left out.
 * @throws AppError `no_such_slot`, `no_such_place`, `nothing_to_reduce`, `reduction_running`, `too_much_to_reduce`
 */
export async function planReduction(
	deps: PreviewDeps,
	tx: Db | Tx,
	request: ReductionPreviewRequest
): Promise<Plan> {
	const { scope } = deps;
	const { slotsMax, permitsMax } = limits.reductions;
	const cuts = await findCuts(deps, tx, request);
	if (cuts.length > slotsMax) throw new AppError('too_much_to_reduce', { slotsMax });
	const shrinking = await listShrinking(tx, scope);
	const running = cuts.filter(({ slot }) => shrinking.has(slot)).map(({ slot }) => slot);
	if (running.length > 0) throw new AppError('reduction_running', { slots: running });
	const kept = await sumKept(tx, scope, cuts);
	const affected = await listAffected(tx, scope, cuts, permitsMax + 1);
	if (affected.length > permitsMax) throw new AppError('too_much_to_reduce', { permitsMax });
	const none = { peopleKept: 0, peopleInside: 0, permitsInside: 0 };
	const full = cuts.map((cut) => ({ ...cut, ...(kept.get(cut.slot) ?? none) }));
	const closesAll = cuts.every((cut) => cut.capacityAfter === 0);
	const slots = full.map((cut) => showCut(cut, deps.site));
	const facts = { affected: sumGroup(affected), slots };
	return {
		...{ cuts: full, affected },
		preview: {
			...{ at: deps.now(), terms: termsOf(request, closesAll), ...facts },
			inside: {
				permits: full.reduce((sum, { permitsInside }) => sum + permitsInside, 0),
				people: full.reduce((sum, { peopleInside }) => sum + peopleInside, 0)
			},
			aboveCapacity: full.reduce((sum, cut) => sum + Math.max(0, cut.peopleInside - cut.capacityAfter), 0),
			twoPeople: needsTwoPeople(facts)
		}
	};
}

/** The plan with where places would be found. Nothing is changed. */
export async function previewReduction(
	deps: PreviewDeps,
	db: Db,
	request: ReductionPreviewRequest
): Promise<ReductionPreview> {
	const plan = await planReduction(deps, db, request);
	return { ...plan.preview, ...(await findRoom(deps, db, plan)) };
}

/** What the first person sees of a plan, kept for the second one. */
export async function forecastOf(deps: PreviewDeps, tx: Db | Tx, plan: Plan): Promise<ReductionForecast> {
	const { at, affected, inside, aboveCapacity } = plan.preview;
	const { room, withoutRoom } = await findRoom(deps, tx, plan);
	const { forecastRoomMax } = limits.reductions;
	return { at, affected, inside, aboveCapacity, withoutRoom, room: room.slice(0, forecastRoomMax) };
}

/** Where places would be found. */
async function findRoom(
	deps: PreviewDeps,
	db: Db | Tx,
	{ cuts, affected, preview }: Plan
): Promise<Pick<ReductionPreview, 'room' | 'withoutRoom'>> {
	const { site, permits, now } = deps;
	const seen = await deps.moves.look();
	const ids = affected.map(({ permit }) => permit);
	const known = new Map((await permits.listByIds(db, ids, ['valid'])).map((permit) => [permit.id, permit]));
	const shrinking = new Set([...cuts.map(({ slot }) => slot), ...(await listShrinking(db, deps.scope))]);
	const of = { terms: preview.terms, now: now(), shrinking };
	const candidates = new Map(cuts.map((cut) => [cut.slot, candidatesFor(cut, seen.slots, of)]));
	const wishes = affected.flatMap(({ permit, slot }) => {
		const found = known.get(permit);
		return found ? [{ permit: found, slots: candidates.get(slot) ?? [] }] : [];
	});
	const assigned = assignSlots(wishes, seen);
	const bySlot = Map.groupBy(wishes, (_, at) => assigned[at] ?? null);
	const room = seen.slots.flatMap((slot): ReductionRoom[] => {
		const offered = sumGroup((bySlot.get(slot.id) ?? []).map(({ permit }) => permit));
		if (offered.permits === 0) return [];
		const { id, place, startsAt, endsAt } = slot;
		const left = Math.max(0, slot.capacity - slot.booked);
		return [{ slot: id, place, placeName: nameOf(place, site), startsAt, endsAt, left, offered }];
	});
	return {
		room,
		withoutRoom: sumGroup((bySlot.get(null) ?? []).map(({ permit }) => permit))
	};
}

async function findCuts(
	{ scope, site, zonesOf, now }: PreviewDeps,
	tx: Db | Tx,
	{ target }: ReductionPreviewRequest
): Promise<SlotCut[]> {
	const most = limits.reductions.slotsMax + 1;
	if (target.kind === 'slot') {
		const found = await listCutSlots(tx, scope, { slot: target.slot }, now(), most);
		if (found.length === 0) throw new AppError('no_such_slot');
		return smaller(found.map((cut) => ({ ...cut, capacityAfter: target.capacity })));
	}
	const places =
		target.kind === 'place'
			? site.places.filter(({ id }) => id === target.place).map(({ id }) => id)
			: [...zonesOf].flatMap(([place, zones]) => (zones.includes(target.zone) ? [place] : []));
	if (places.length === 0) throw new AppError('no_such_place');
	const { from, to, keepPercent } = target;
	const found = await listCutSlots(tx, scope, { places, from, to }, now(), most);
	return smaller(
		found.map((cut) => ({ ...cut, capacityAfter: capacityAfter(cut.capacityBefore, keepPercent) }))
	);
}

function smaller(cuts: SlotCut[]): SlotCut[] {
	const real = cuts.filter((cut) => cut.capacityAfter < cut.capacityBefore);
	if (real.length === 0) throw new AppError('nothing_to_reduce');
	return real;
}

/** A slot of a reduction as screens see it. */
export function showCut(cut: StoredCut, site: SiteNames): ReducedSlot {
	const {
		slot,
		place,
		startsAt,
		endsAt,
		capacityBefore,
		capacityAfter: after,
		peopleKept,
		peopleInside
	} = cut;
	return {
		...{ slot, place, placeName: nameOf(place, site), startsAt, endsAt },
		...{ capacityBefore, capacityAfter: after, peopleKept, peopleInside }
	};
}

function nameOf(place: string, site: SiteNames) {
	return site.places.find(({ id }) => id === place)?.name ?? { ar: place, en: place };
}
