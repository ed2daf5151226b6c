import { randomUUID } from 'node:crypto';
import {
	defaultDrillGuard,
	type CurrentLevel,
	type Drill,
	type DrillGuard,
	type LevelFigures
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { checkGuard } from './drill-guard.ts';
import { endRunningDrill, insertDrill } from './drills-store.ts';
import type { Force } from './levels-force.ts';
import { findReal, type Scope } from './levels-store.ts';
import { findRuleProposal } from './rules-store.ts';

/** Begins and ends exercises, inside a transaction that holds the level in force. */
export interface Drills {
	guardOf(given: Partial<DrillGuard> | undefined): DrillGuard;
	/** @throws AppError `drill_not_now` when figures are beyond the guard or unknown, or something is going on */
	refuseUnsafe(tx: Tx, current: CurrentLevel, guard: DrillGuard): Promise<void>;
	start(
		tx: Tx,
		current: CurrentLevel,
		drill: { level: number; minutes: number; guard: DrillGuard; by: string; actor: string; reason: string }
	): Promise<void>;
	/** Puts back what was in force before. */
	end(
		tx: Tx,
		current: CurrentLevel,
		drill: Drill,
		ending: { outcome: NonNullable<Drill['outcome']>; by: string | null; actor: string; reason: string }
	): Promise<void>;
}

export function createDrills(deps: {
	clock: Clock;
	scope: Scope;
	force: Force;
	figures: () => LevelFigures | null;
}): Drills {
	const { clock, scope, force } = deps;
	return {
		guardOf: (given = {}) => ({ ...defaultDrillGuard, ...given }),

		async refuseUnsafe(tx, current, guard) {
			if (current.exercise) throw new AppError('drill_not_now', { why: 'drill-running' });
			const open = await findRuleProposal(tx, scope);
			if (open?.direction === 'up')
				throw new AppError('drill_not_now', { why: 'rule-proposes', level: open.level });
			const figures = deps.figures();
			const breach = checkGuard(guard, figures);
			if (breach) throw new AppError('drill_not_now', { why: breach, guard, figures });
		},

		async start(tx, current, { level, minutes, guard, by, actor, reason }) {
			const at = clock.now();
			const id = randomUUID();
			const details = { drill: id, minutes };
			const now = await force.putInForce(tx, current, { level, source: 'drill', by, actor, reason, details });
			const times = { startedAt: at, endsAt: at + minutes * 60_000, endedAt: null };
			await insertDrill(tx, scope, {
				...{ id, level, from: current.level, by, reason, guard, version: now.version, ...times },
				...{ outcome: null, endedBy: null, effect: null }
			});
		},

		async end(tx, current, drill, { outcome, by, actor, reason }) {
			await endRunningDrill(tx, scope, { outcome, by, at: clock.now() });
			// The version before the drill; above normal its reason and planned end hold on.
			const before = await findReal(tx, scope, { version: current.version - 1, level: drill.from });
			await force.putInForce(tx, current, {
				...{ level: drill.from, source: 'drill-end', by: before?.by ?? by ?? 'Marsad', actor },
				...{ reason: before?.reason ?? reason, chips: before?.chips ?? [], until: before?.until ?? null },
				details: { drill: drill.id, outcome, ...(before ? { why: reason } : {}) }
			});
		}
	};
}
