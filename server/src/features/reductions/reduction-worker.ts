import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Change, MovePort } from '../booking/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { answerUntil, assignSlots, candidatesFor } from './reduction-plan.ts';
import {
	listMoot,
	listOpen,
	openStates,
	setAffected,
	sumAffected,
	type AffectedRow
} from './affected-rows-store.ts';
import {
	listCuts,
	listShrinking,
	listWork,
	setState,
	type ReductionScope,
	type StoredCut,
	type StoredReduction
} from './reductions-store.ts';
import { settle, type SettleDeps, type Settled, type Verdict } from './settle.ts';

export interface WorkerDeps extends SettleDeps {
	db: Db;
	scope: ReductionScope;
	moves: MovePort;
	record: Pick<TheRecord, 'append'>;
	/** Refuses a transaction of an instance that leads no more. */
	check(tx: Tx): Promise<void>;
	onSettled(settled: readonly Settled[]): void;
	onOffered(permits: { offered: number; waiting: number }): void;
	onMoved(change: Change): void;
}

/**
 * What happens to affected permits by the clock, in small transactions: whoever is killed between two leaves the rest to the
 * next leader. Each batch asks first whether this instance still leads.
 */
export function createReductionWorker(deps: WorkerDeps) {
	const { db, scope, now } = deps;
	const { season } = scope;

	/** One transaction of the leader; told after its commit. */
	const settleBatch = async (rows: readonly AffectedRow[], verdictOf: (row: AffectedRow) => Verdict) => {
		const settled = await db.transaction().execute(async (tx) => {
			await deps.check(tx);
			return settle(deps, tx, rows, verdictOf);
		});
		deps.onSettled(settled);
		for (const { change } of settled) if (change) deps.onMoved(change);
		return settled.length;
	};
	/** Batches until nothing is left, or others should have their turn. @returns whether nothing is left */
	const settleAll = async (
		list: (most: number) => Promise<AffectedRow[]>,
		verdictOf: (row: AffectedRow) => Verdict
	): Promise<boolean> => {
		for (let batch = 0; batch < limits.reductions.batchesPerRound; batch++) {
			const rows = await list(limits.reductions.settleBatch);
			if (rows.length === 0) return true;
			if ((await settleBatch(rows, verdictOf)) === 0) return false;
		}
		return false;
	};

	const offerBatch = async (
		one: StoredReduction,
		cuts: readonly StoredCut[],
		rows: readonly AffectedRow[]
	) => {
		const found = await wishesFor(one, cuts, rows);
		const offered = await db.transaction().execute(async (tx) => {
			await deps.check(tx);
			const held = await deps.moves.hold(
				tx,
				found.map(({ wish }) => wish),
				now()
			);
			const counts = { offered: 0, waiting: 0 };
			for (const [at, { row, cut }] of found.entries()) {
				const places = held[at] ?? null;
				if (places) counts.offered += 1;
				else if (row.state === 'new') counts.waiting += 1;
				const to = {
					state: places ? ('offered' as const) : ('waiting' as const),
					successor: places?.id ?? null,
					// Who waits keeps the moment that was said at first.
					...(places || row.answerUntil === null ? { answerUntil: answerUntil(cut, one.request, now()) } : {})
				};
				if (!(await setAffected(tx, season, row, to)))
					throw new Error('an affected permit was settled meanwhile');
			}
			return counts;
		});
		deps.onOffered(offered);
		return found.length;
	};

	/** What each may wish for, by what is free as far as it is seen without a lock. */
	const wishesFor = async (
		one: StoredReduction,
		cuts: readonly StoredCut[],
		rows: readonly AffectedRow[]
	) => {
		const seen = await deps.moves.look();
		const shrinking = await listShrinking(db, scope);
		const valid = await deps.permits.listByIds(
			db,
			rows.map(({ permit }) => permit),
			['valid']
		);
		const permitOf = new Map(valid.map((permit) => [permit.id, permit]));
		const of = { terms: one.request, now: now(), shrinking };
		const slotsOf = new Map(cuts.map((cut) => [cut.slot, candidatesFor(cut, seen.slots, of)]));
		const all = rows.flatMap((row) => {
			const permit = permitOf.get(row.permit);
			const cut = cuts.find(({ slot }) => slot === row.slot);
			return permit && cut ? [{ row, cut, wish: { permit, slots: slotsOf.get(row.slot) ?? [] } }] : [];
		});
		const assigned = assignSlots(
			all.map(({ wish }) => wish),
			seen
		);
		// Only what is likely free is locked: others book in the rest meanwhile.
		const likely = new Set(assigned.filter((slot) => slot !== null));
		return all.map(({ row, cut, wish }) => ({
			...{ row, cut },
			wish: { ...wish, slots: wish.slots.filter((slot) => likely.has(slot)) }
		}));
	};

	const offerNew = async (one: StoredReduction, cuts: readonly StoredCut[]): Promise<boolean> => {
		for (let batch = 0; batch < limits.reductions.batchesPerRound; batch++) {
			const rows = await listOpen(db, season, one.id, ['new'], { most: limits.reductions.offerBatch });
			if (rows.length === 0) return true;
			if ((await offerBatch(one, cuts, rows)) === 0) return false;
		}
		return false;
	};
	/** Places that came free since go to those who wait, in their order. */
	const offerWaiting = async (one: StoredReduction, cuts: readonly StoredCut[]) => {
		const rows = await listOpen(db, season, one.id, ['waiting'], { most: limits.reductions.waitingLook });
		if (rows.length === 0) return;
		const found = (await wishesFor(one, cuts, rows)).filter(({ wish }) => wish.slots.length > 0);
		if (found.length === 0) return;
		await offerBatch(
			one,
			cuts,
			found.slice(0, limits.reductions.offerBatch).map(({ row }) => row)
		);
	};

	const work = async (one: StoredReduction) => {
		const id = one.id;
		if (one.state === 'proposed') return lapse(one);
		const open = (most: number) => listOpen(db, season, id, openStates, { most });
		if (one.state === 'withdrawn') return void (await settleAll(open, () => 'withdraw'));
		const cuts = (await listCuts(db, season, [id])).get(id) ?? [];
		await settleAll(
			(most) => listMoot(db, season, id, most),
			() => 'moot'
		);
		await offerNew(one, cuts);
		await offerWaiting(one, cuts);
		const due = (most: number) => listOpen(db, season, id, ['offered', 'waiting'], { most, dueAt: now() });
		const { unanswered, withoutRoom } = one.request;
		await settleAll(due, ({ state }) => (state === 'offered' ? unanswered : withoutRoom));
		if ((await open(1)).length === 0) await end(one);
	};

	const lapse = (one: StoredReduction) =>
		db.transaction().execute(async (tx) => {
			await deps.check(tx);
			await setState(tx, season, one.id, ['proposed'], { state: 'lapsed', endedAt: now() });
		});
	const end = (one: StoredReduction) =>
		db.transaction().execute(async (tx) => {
			await deps.check(tx);
			if (!(await setState(tx, season, one.id, ['running'], { state: 'done', endedAt: now() }))) return;
			const sums = await sumAffected(tx, season, [one.id]);
			const after = Object.fromEntries(
				sums.map(({ state, permits, people }) => [state, { permits, people }])
			);
			await deps.record.append(tx, { actor: 'marsad', action: 'reduction.done', subject: one.id, after });
		});

	return {
		/** One round over everything that is to do. */
		async round() {
			for (const one of await listWork(db, scope, now())) await work(one);
		}
	};
}
