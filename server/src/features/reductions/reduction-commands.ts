import { randomBytes } from 'node:crypto';
import type { Account, Reduction, ReductionRequest } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { MovePort } from '../booking/index.ts';
import type { CommandAnswer, Record as TheRecord } from '../record/index.ts';
import { listCutSlots, listHeldIn } from './affected-store.ts';
import { forecastOf, planReduction, type Plan, type PreviewDeps } from './preview.ts';
import { insertAffected, listOfferedBy, setAffected } from './affected-rows-store.ts';
import {
	insertCuts,
	insertReduction,
	listCuts,
	listReductionsById,
	lockReduction,
	setState,
	type StoredReduction
} from './reductions-store.ts';
import { showReductions } from './show.ts';

export interface CommandDeps extends PreviewDeps {
	moves: MovePort;
	record: Pick<TheRecord, 'append'>;
	/** After the commit: screens follow, and the leader begins. */
	onChanged(): void;
}

/** What the duty manager does to slots, each inside the transaction of a command. */
export function createReductionCommands(deps: CommandDeps) {
	const { scope, moves, permits, record, now } = deps;
	const { season } = scope;

	const show = async (tx: Db | Tx, id: string): Promise<Reduction> => {
		const stored = await listReductionsById(tx, scope, [id]);
		const [shown] = await showReductions(tx, season, deps.site, stored);
		if (!shown) throw new AppError('no_such_reduction');
		return shown;
	};
	const answer = async (tx: Tx, id: string, status = 200): Promise<CommandAnswer> => ({
		status,
		body: await show(tx, id),
		afterCommit() {
			moves.planned();
			deps.onChanged();
		}
	});
	const refuseMore = (plan: Plan, expectedPeople: number) => {
		const { affected } = plan.preview;
		if (affected.people > expectedPeople) throw new AppError('more_affected', { affected, expectedPeople });
	};

	/** Places that were held in these slots for others are free again, and they are offered something else. */
	const dropHeld = async (tx: Tx, slots: readonly number[]) => {
		const ids = await listHeldIn(tx, scope, slots);
		if (ids.length === 0) return;
		const held = await permits.listByIds(tx, ids, ['held']);
		const rows = await listOfferedBy(tx, season, ids);
		const locks = await moves.lock(tx, held);
		for (const one of held) await moves.release(tx, one, locks);
		for (const row of rows) await setAffected(tx, season, row, { state: 'new', successor: null });
	};
	/** Capacities fall and everybody affected is written down: from here on nothing more is decided by chance. */
	const start = async (tx: Tx, one: StoredReduction, actor: string) => {
		const { id, request, expectedPeople } = one;
		await moves.lockPlanning(tx);
		const plan = await planReduction(deps, tx, request);
		refuseMore(plan, expectedPeople);
		const slots = plan.cuts.map(({ slot }) => slot);
		await dropHeld(tx, slots);
		for (const cut of plan.cuts) await moves.setCapacity(tx, cut.slot, cut.capacityAfter);
		await insertCuts(tx, season, id, plan.cuts);
		await insertAffected(tx, season, id, plan.affected);
		const { affected, terms } = plan.preview;
		const capacities = (pick: (cut: Plan['cuts'][number]) => number) =>
			Object.fromEntries(plan.cuts.map((cut) => [cut.slot, pick(cut)]));
		await record.append(tx, {
			...{ actor, action: 'reduction.start', subject: id, reason: request.reason },
			before: { capacities: capacities((cut) => cut.capacityBefore) },
			after: { capacities: capacities((cut) => cut.capacityAfter), affected, terms, target: request.target }
		});
	};

	return {
		show,
		async create(tx: Tx, account: Account, request: ReductionRequest): Promise<CommandAnswer> {
			const plan = await planReduction(deps, tx, request);
			refuseMore(plan, request.expectedPeople);
			const at = now();
			const { twoPeople, terms, affected } = plan.preview;
			const one: StoredReduction = {
				...{ id: `r-${randomBytes(6).toString('hex')}`, state: 'proposed' },
				...{ request: { ...request, ...terms }, expectedPeople: request.expectedPeople },
				...{ byId: account.id, by: account.name, confirmedBy: null, startedAt: null, endedAt: null },
				...{ proposedAt: at, expiresAt: at + limits.reductions.proposalMs },
				forecast: twoPeople ? await forecastOf(deps, tx, plan) : null
			};
			await insertReduction(tx, scope, one);
			if (!twoPeople) {
				await start(tx, one, account.email);
				await setState(tx, season, one.id, ['proposed'], { state: 'running', startedAt: at });
				return answer(tx, one.id);
			}
			await insertCuts(tx, season, one.id, plan.cuts);
			await record.append(tx, {
				...{ actor: account.email, action: 'reduction.propose', subject: one.id, reason: request.reason },
				after: { target: request.target, affected, terms }
			});
			return answer(tx, one.id, 202);
		},
		/** By another person, while the proposal stands. What it comes to is worked out anew. */
		async confirm(tx: Tx, account: Account, id: string): Promise<CommandAnswer> {
			const one = await lockReduction(tx, scope, id);
			if (!one) throw new AppError('no_such_reduction');
			if (one.state !== 'proposed' || one.expiresAt <= now()) throw new AppError('reduction_decided');
			if (one.byId === account.id) throw new AppError('second_person_needed');
			await start(tx, one, account.email);
			const to = { state: 'running' as const, confirmedBy: account.name, startedAt: now() };
			await setState(tx, season, id, ['proposed'], to);
			return answer(tx, id);
		},
		/**
		 * No more offers: whoever has not answered keeps what they had, and the capacities come back where nobody has planned
		 * another since. Who has moved stays moved.
		 */
		async withdraw(tx: Tx, account: Account, id: string, reason: string): Promise<CommandAnswer> {
			const one = await lockReduction(tx, scope, id);
			if (!one) throw new AppError('no_such_reduction');
			if (one.state !== 'proposed' && one.state !== 'running') throw new AppError('reduction_decided');
			if (one.state === 'running') {
				await moves.lockPlanning(tx);
				for (const cut of (await listCuts(tx, season, [id])).get(id) ?? []) {
					const [slot] = await listCutSlots(tx, scope, { slot: cut.slot }, 0, 1);
					if (slot?.capacityBefore === cut.capacityAfter)
						await moves.setCapacity(tx, cut.slot, cut.capacityBefore);
				}
			}
			await setState(tx, season, id, [one.state], { state: 'withdrawn', endedAt: now() });
			await record.append(tx, {
				...{ actor: account.email, action: 'reduction.withdraw', subject: id, reason },
				before: { state: one.state }
			});
			return answer(tx, id);
		}
	};
}
export type ReductionCommands = ReturnType<typeof createReductionCommands>;
