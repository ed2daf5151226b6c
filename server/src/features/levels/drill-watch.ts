import type { CurrentLevel, Drill, LevelFigures, LevelsFile } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Spike } from '../spike/index.ts';
import { measureDrill, spansOf } from './drill-effect.ts';
import { checkGuard } from './drill-guard.ts';
import type { Drills } from './drills.ts';
import { findRunningDrill, listUnmeasured, saveEffect } from './drills-store.ts';
import { effectOf } from './levels-plan.ts';
import type { Scope } from './levels-store.ts';

/** Seconds are written in batches. */
const storedAfterMs = 6_000;

export interface DrillEnd {
	drill: Drill;
	outcome: 'completed' | 'guard' | 'blind';
	by: string | null;
}

/** Ends a drill at its time, or when its guard says so, and measures what it did. On the instance that leads. */
export interface DrillWatch {
	/** Whether the drill that runs has to end now. */
	isDue(now: number): DrillEnd | null;
	end(tx: Tx, current: CurrentLevel, end: DrillEnd): Promise<void>;
	/** Works out what is not measured yet, once the last seconds are stored. */
	measure(now: number): Promise<void>;
}

export function createDrillWatch(deps: {
	db: Db;
	file: LevelsFile;
	scope: Scope;
	drills: Drills;
	running: () => Drill | null;
	figures: () => LevelFigures | null;
	spike: Pick<Spike, 'history'>;
}): DrillWatch {
	const { db, scope } = deps;
	let blindSince: number | null = null;
	let mayBeDue = true;
	let ranId: string | null = null;
	const measureSpans = async (spans: NonNullable<ReturnType<typeof spansOf>>) => {
		const read = (span: { from: number; to: number }) => deps.spike.history({ ...span, resolution: 1 });
		return measureDrill(spans, await read(spans.before), await read(spans.during));
	};
	return {
		isDue(now) {
			const drill = deps.running();
			if (!drill) {
				blindSince = null;
				return null;
			}
			if (now >= drill.endsAt) return { drill, outcome: 'completed', by: null };
			const closed = effectOf(deps.file, drill.level).off.has('booking');
			const breach = checkGuard(drill.guard, deps.figures(), closed);
			blindSince = breach === 'unknown' ? (blindSince ?? now) : null;
			if (breach !== null && breach !== 'unknown') return { drill, outcome: 'guard', by: breach };
			if (blindSince !== null && now - blindSince >= limits.levels.drillBlindMs)
				return { drill, outcome: 'blind', by: null };
			return null;
		},
		async end(tx, current, { drill, outcome, by }) {
			const running = await findRunningDrill(tx, scope);
			if (running?.id !== drill.id) return;
			const reason = by === null ? outcome : `${outcome}: ${by}`;
			await deps.drills.end(tx, current, running, { outcome, by, actor: 'marsad', reason });
		},
		async measure(now) {
			const id = deps.running()?.id ?? null;
			if (id !== ranId) mayBeDue = true;
			ranId = id;
			if (!mayBeDue) return;
			const all = await listUnmeasured(db, scope);
			mayBeDue = all.length > 0;
			for (const drill of all.filter(({ endedAt }) => now - endedAt! >= storedAfterMs)) {
				const spans = spansOf(drill);
				await saveEffect(db, drill.id, spans && (await measureSpans(spans)));
			}
		}
	};
}
