import type {
	Drill,
	KeyBoard,
	KnownSpike,
	Reconciliation,
	ReadinessCheck,
	ReadinessNoteKind,
	ReadinessReason,
	ReadinessResult,
	ReadinessState,
	RecordEntry,
	RunOutcome,
	Scanner,
	SeasonPlan,
	SensorState
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** All that is known, gathered once for every spike. */
export interface Facts {
	now: number;
	/** When this server came up. */
	startedAt: number;
	evidence: { build: string; config: string; schema: string };
	/** The admission rate that is set; null: nobody can tell. */
	ratePerSecond: number | null;
	/** Newest first. */
	runs: readonly RunOutcome[];
	/** Levels that can be switched to. */
	levels: readonly number[];
	drills: readonly Drill[];
	keys: KeyBoard;
	scanners: readonly Scanner[];
	/** Null: devices are not read here just now. */
	devices: readonly SensorState[] | null;
	reconciliation: Reconciliation;
	plan: Pick<SeasonPlan, 'freezes' | 'orders' | 'roster'>;
	notes: Readonly<Record<ReadinessNoteKind, RecordEntry | null>>;
}

/** What a check comes to, without what it has nothing of. */
export type Finding = Partial<Omit<ReadinessResult, 'check' | 'state'>> & { state: ReadinessState };

export const dayMs = 86_400_000;

export function resultOf(check: ReadinessCheck, finding: Finding): ReadinessResult {
	const { names = [], ...rest } = finding;
	return {
		...{ check, reason: null, at: null, by: null, value: null, limit: null, run: null, note: null },
		...rest,
		names: names.slice(0, limits.readiness.namesShown)
	};
}

/** People come to a place: there are gates and counters, not only the online room. */
export const isOnSite = ({ place, kind }: Pick<KnownSpike, 'place' | 'kind'>): boolean =>
	place !== null || kind === 'night' || kind === 'match';

/** The newest run of people over the network that was judged. What the model reckons is no evidence. */
const lastJudged = (runs: readonly RunOutcome[]) =>
	runs.find(({ kind, verdict }) => kind === 'load' && (verdict === 'passed' || verdict === 'failed'));

/** Why a run says nothing about what would open its doors now; null: it does. */
function staleReason(run: RunOutcome, { now, evidence, ratePerSecond }: Facts): ReadinessReason | null {
	if (run.build !== evidence.build) return 'other-build';
	if (run.schema !== evidence.schema) return 'other-schema';
	if (run.config !== evidence.config) return 'other-config';
	if (ratePerSecond === null) return 'no-figures';
	const differs = Math.abs((run.ratePerSecond ?? Infinity) - ratePerSecond);
	if (differs > Math.max(0.1, ratePerSecond * limits.readiness.rateShareMax)) return 'other-rate';
	return now - (run.finishedAt ?? 0) > limits.readiness.runDaysMax * dayMs ? 'too-old' : null;
}

/**
 * The last judged run passed, on this build, schema, configuration and rate, not long ago. One that is invalid proves
 * nothing either way: an older one stands.
 */
export function judgeRun(facts: Facts): Finding {
	const run = lastJudged(facts.runs);
	if (!run) return { state: 'missing', reason: 'never' };
	const basis = { at: run.finishedAt, run: run.id, value: run.peakPerSecond };
	const reason = staleReason(run, facts);
	if (reason !== null) return { ...basis, state: 'stale', reason };
	return run.verdict === 'passed'
		? { ...basis, state: 'shown' }
		: { ...basis, state: 'refuted', reason: 'last-failed' };
}

/** The narrowest part was measured by a run that still counts, and the admission rate lies below it. */
export function judgeNarrowest(facts: Facts): Finding {
	const run = lastJudged(facts.runs);
	if (!run) return { state: 'missing', reason: 'never' };
	const basis = { at: run.finishedAt, run: run.id, value: facts.ratePerSecond };
	const reason = staleReason(run, facts);
	// Another rate is just what is judged here.
	if (reason !== null && reason !== 'other-rate') return { ...basis, state: 'stale', reason };
	const limit = run.narrowest?.suggestedPerSecond ?? run.provenPerSecond;
	if (limit === null) return { ...basis, state: 'missing', reason: 'not-measured' };
	return (facts.ratePerSecond ?? Infinity) <= limit
		? { ...basis, limit, state: 'shown' }
		: { ...basis, limit, state: 'refuted', reason: 'rate-above' };
}

/** Every level was drilled, and its effect measured. */
export function judgeDrills({ levels, drills, now }: Facts): Finding {
	const good = drills.filter(({ effect, endedAt }) => effect !== null && endedAt !== null);
	const of = (level: number) => good.find((drill) => drill.level === level);
	const missing = levels.filter((level) => !of(level));
	const oldest = Math.min(...levels.map((level) => of(level)?.endedAt ?? Infinity));
	const at = Number.isFinite(oldest) ? oldest : null;
	if (levels.length === 0) return { state: 'unknown', reason: 'no-figures' };
	if (missing.length > 0)
		return {
			...{ state: 'missing', reason: missing.length === levels.length ? 'never' : 'some-missing' },
			names: missing.map(String)
		};
	const old = levels.filter(
		(level) => now - (of(level)?.endedAt ?? 0) > limits.readiness.drillDaysMax * dayMs
	);
	if (old.length > 0) return { state: 'stale', reason: 'too-old', at, names: old.map(String) };
	return { state: 'shown', at };
}

/** What lies outside is believed to whoever wrote it down, for a while. */
export function judgeNote({ notes, now }: Facts, kind: ReadinessNoteKind): Finding {
	const note = notes[kind];
	if (!note) return { state: 'missing', reason: 'never' };
	const basis = { at: note.at, by: note.actor, note: note.reason };
	return now - note.at > limits.readiness.notesDaysMax[kind] * dayMs
		? { ...basis, state: 'stale', reason: 'too-old' }
		: { ...basis, state: 'shown' };
}

/** A run has gone through since this server came up: caches and pools have seen work. */
export function judgeWarm({ runs, startedAt }: Facts): Finding {
	const run = runs.find(
		({ kind, startedAt: at, finishedAt }) => kind === 'load' && at !== null && finishedAt !== null
	);
	if (!run) return { state: 'missing', reason: 'never' };
	const basis = { at: run.finishedAt, run: run.id };
	return (run.startedAt ?? 0) >= startedAt
		? { ...basis, state: 'shown' }
		: { ...basis, state: 'stale', reason: 'too-old' };
}
