import type { ConductorDecision, Mark, DecisionsPage } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Clock, StopTimer } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { forgetDecisions, insertDecisions, listDecisions } from './decisions-store.ts';
import type { SampleKey } from './spike-store.ts';

/** A decision before it is known whether it changes anything. */
export type Decided = Omit<ConductorDecision, 'kind' | 'before'>;

/** A step of the rate that is worth a row of its own: one person a second, or a twentieth. */
const stepMin = 1;
const stepShare = 0.05;
const minuteMs = 60_000;

/**
 * The row that a decision is worth, against the row before it: a change of reason, mode or manager's rate, a step of
 * the rate, or a minute without either; null for a second like the last.
 */
export function rowOf(now: Decided, last: ConductorDecision | null): ConductorDecision | null {
	const before = last?.perSecond ?? null;
	if (!last || before === null) return { ...now, kind: 'change', before };
	const step = Math.abs(now.perSecond - before);
	const isStep = step >= Math.max(stepMin, before * stepShare) || (step > 0 && now.perSecond === 0);
	const isOther =
		now.limitedBy !== last.limitedBy ||
		now.mode !== last.mode ||
		now.managerPerSecond !== last.managerPerSecond ||
		now.levelCapPerSecond !== last.levelCapPerSecond ||
		(now.limitedBy === 'health' && now.worstSignal !== last.worstSignal) ||
		(now.blindSince === null) !== (last.blindSince === null);
	if (isStep || isOther) return { ...now, kind: 'change', before };
	return now.at - last.at >= minuteMs ? { ...now, kind: 'minute', before } : null;
}

/** What the conductor decided, on record and on the glass. */
export interface Decisions {
	/** Once a second. */
	note(decided: Decided): void;
	/** The same where another instance decides and puts it on record. */
	follow(decided: Decided): void;
	page(query: { before: number; limit: number; changesOnly: boolean }, mark: Mark): Promise<DecisionsPage>;
	/** Returns the newest row there is: where the conductor stood before a restart. */
	start(): Promise<ConductorDecision | null>;
	stop(): Promise<void>;
}

const unwrittenMax = 1_000;
const writeEveryMs = 1_000;
const forgetEveryMs = 600_000;
const forgetRows = 5_000;

export function createDecisions(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	key: SampleKey;
	/** Told the last changes, newest first, whenever there is a new one. */
	show: (changes: readonly ConductorDecision[]) => void;
}): Decisions {
	const { db, clock, log, key } = deps;
	const stops: StopTimer[] = [];
	let last: ConductorDecision | null = null;
	let shown: readonly ConductorDecision[] = [];
	let unwritten: ConductorDecision[] = [];
	/** Another instance decided until now. */
	let following = false;

	const write = async () => {
		const batch = unwritten;
		unwritten = [];
		try {
			await insertDecisions(db, key, batch);
		} catch (error) {
			unwritten = [...batch, ...unwritten].slice(-unwrittenMax);
			log.warn({ error: error instanceof Error ? error.message : 'unknown' }, 'decisions wait to be stored');
		}
	};
	let writing: Promise<void> = Promise.resolve();
	const flush = () => (writing = writing.then(write));

	const loadShown = async () => {
		const query = { before: clock.now(), limit: limits.spike.decisionsShown, changesOnly: true };
		const stored = await listDecisions(db, key, query);
		const newer = shown.filter(({ at }) => !stored.some((row) => row.at === at) && at > (stored[0]?.at ?? 0));
		shown = [...newer, ...stored].slice(0, limits.spike.decisionsShown);
		deps.show(shown);
	};

	return {
		follow(decided) {
			following = true;
			last = rowOf(decided, last) ?? last;
		},
		note(decided) {
			if (following) {
				// Whoever decides first has the first row written.
				if (shown.length === 0) last = null;
				void loadShown().catch(() => undefined);
			}
			following = false;
			const row = rowOf(decided, last);
			if (!row) return;
			last = row;
			unwritten.push(row);
			if (row.kind === 'minute') return;
			shown = [row, ...shown].slice(0, limits.spike.decisionsShown);
			deps.show(shown);
		},
		async page(query, mark) {
			const decisions = await listDecisions(db, key, query);
			const next = decisions.length === query.limit ? decisions.at(-1)!.at : null;
			return { decisions, next, mark };
		},
		async start() {
			await loadShown();
			const forget = () =>
				forgetDecisions(db, clock.now() - limits.spike.keepDecisionsDays * 86_400_000, forgetRows);
			stops.push(
				clock.setInterval(() => void flush(), writeEveryMs),
				clock.setInterval(() => void forget().catch(() => undefined), forgetEveryMs)
			);
			return (await listDecisions(db, key, { before: clock.now(), limit: 1, changesOnly: false }))[0] ?? null;
		},
		async stop() {
			for (const stop of stops) stop();
			await flush();
		}
	};
}
