import type { LevelRule, RuleState } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Look } from './rule-signals.ts';

/** Time for which one thing has been seen without a break. Seconds without data are not in `heldMs`. */
export interface Run {
	since: number;
	heldMs: number;
	/** When it was last seen to be so. */
	seenAt: number;
}

/** What a rule remembers: how long it has been past its threshold, and how long past its clear value. */
export interface RuleMemory {
	trip: Run | null;
	clear: Run | null;
	/** The look before was one of known figures: the time since then counts. */
	wasKnown: boolean;
	wasWhole: boolean;
}

export const freshMemory: RuleMemory = { trip: null, clear: null, wasKnown: false, wasWhole: false };

/**
 * Takes one look. A value on the other side ends a run at once: noise round a threshold never adds up. Without data a run
 * stands still, and after a longer gap it begins anew: what nobody saw is evidence of nothing. Figures that are partial
 * can trip a rule, and never clear it.
 */
export function advanceClock(memory: RuleMemory, rule: LevelRule, look: Look, now: number): RuleMemory {
	if (look.kind !== 'known' || look.value === null) return pauseClock(memory);
	const { value } = look;
	const isWhole = look.quality === 'live';
	const isBad = rule.op === 'above' ? value > rule.threshold : value < rule.threshold;
	const isClear = rule.op === 'above' ? value <= rule.clear : value >= rule.clear;
	const trip = isBad ? continueRun(memory.trip, memory.wasKnown, now) : null;
	const clear = !isClear ? null : isWhole ? continueRun(memory.clear, memory.wasWhole, now) : memory.clear;
	return { trip, clear, wasKnown: true, wasWhole: isWhole };
}

function continueRun(run: Run | null, counts: boolean, now: number): Run {
	if (!run || now - run.seenAt > limits.levels.gapMs || now < run.seenAt)
		return { since: now, heldMs: 0, seenAt: now };
	const gapMs = now - run.seenAt;
	const seenMs = counts && gapMs <= limits.levels.figuresFreshMs ? gapMs : 0;
	return { since: run.since, heldMs: run.heldMs + seenMs, seenAt: now };
}

/** Nobody looked until now: what is gathered stands, the time in between is not counted. */
export function pauseClock(memory: RuleMemory): RuleMemory {
	return { ...memory, wasKnown: false, wasWhole: false };
}

export function isTripped({ trip }: RuleMemory, rule: LevelRule, look: Look): boolean {
	return look.kind === 'known' && trip !== null && trip.heldMs >= rule.forSeconds * 1_000;
}

export function isCleared({ clear }: RuleMemory, rule: LevelRule, look: Look): boolean {
	return (
		look.kind === 'known' &&
		look.quality === 'live' &&
		clear !== null &&
		clear.heldMs >= rule.clearForSeconds * 1_000
	);
}

/** How a rule stands, for the screens. `holds`: the level in force is its level, or above. */
export function standOf(
	memory: RuleMemory,
	rule: LevelRule,
	look: Look,
	holds: boolean
): Pick<RuleState, 'state' | 'since' | 'heldSeconds' | 'neededSeconds'> {
	const timed = (state: RuleState['state'], run: Run | null, neededSeconds: number) => ({
		state,
		since: run?.since ?? null,
		heldSeconds: Math.floor((run?.heldMs ?? 0) / 1_000),
		neededSeconds
	});
	if (look.kind !== 'known') {
		const run = memory.trip ?? (holds ? memory.clear : null);
		return timed(look.kind, run, run === memory.clear ? rule.clearForSeconds : rule.forSeconds);
	}
	if (memory.trip)
		return timed(isTripped(memory, rule, look) ? 'tripped' : 'pending', memory.trip, rule.forSeconds);
	if (holds && memory.clear)
		return timed(isCleared(memory, rule, look) ? 'cleared' : 'clearing', memory.clear, rule.clearForSeconds);
	return timed('quiet', null, rule.forSeconds);
}
