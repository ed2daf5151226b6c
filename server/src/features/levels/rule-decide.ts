import {
	ruleKey,
	type CurrentLevel,
	type LevelRule,
	type RuleProposal,
	type SettledProposal
} from '../../../contract/index.ts';
import { realLevel } from './levels-plan.ts';
import { isCleared, isTripped, type RuleMemory } from './rule-clock.ts';
import type { Looks } from './rule-signals.ts';

/** Everything that a decision of the rules stands on. */
export interface RulesInput {
	now: number;
	rules: readonly LevelRule[];
	memories: ReadonlyMap<string, RuleMemory>;
	looks: Looks;
	current: CurrentLevel;
	open: RuleProposal | null;
	/** Rules (null: the planned end) that are to be quiet until then. */
	quiet: readonly { rule: string | null; direction: 'up' | 'down'; until: number }[];
}

type Direction = RuleProposal['direction'];
export type RulesAction =
	| {
			kind: 'settle';
			outcome: Extract<SettledProposal['outcome'], 'expired' | 'cleared' | 'overtaken' | 'replaced'>;
	  }
	/** `rules`: those whose evidence goes with it, the first one speaks. None for a planned end. */
	| { kind: 'propose'; direction: Direction; level: number; rules: readonly LevelRule[] }
	| { kind: 'act'; direction: Direction; level: number; rules: readonly [LevelRule, ...LevelRule[]] };

/**
 * What the rules do now. Pure. Up where a rule has tripped: by itself where it is armed, else as a proposal; the rule that
 * asks for most speaks. Down by a proposal where a person set the level, by itself only where an armed rule did, and
 * never while any rule is blind.
 */
export function decideRules(input: RulesInput): RulesAction[] {
	const { open, current, now } = input;
	const real = realLevel(current);
	const tripped = input.rules
		.filter((rule) => rule.level > real && !isQuiet(input, ruleKey(rule), 'up') && isTrippedNow(input, rule))
		.sort((a, b) => b.level - a.level || Number(b.mode === 'armed') - Number(a.mode === 'armed'));
	const armed = tripped.find(({ mode }) => mode === 'armed');
	if (armed) return [{ kind: 'act', direction: 'up', level: armed.level, rules: [armed] }];
	const best = tripped[0];
	const ended = open && endingOf(input, open, best);
	const actions: RulesAction[] = ended ? [{ kind: 'settle', outcome: ended }] : [];
	if (open && !ended) return actions;
	if (best && (ended === null || ended === 'replaced' || open?.rule !== ruleKey(best)))
		return [...actions, { kind: 'propose', direction: 'up', level: best.level, rules: [best] }];
	// What has just run out is not proposed again in the same breath.
	if (ended === 'expired' || current.exercise || real === 0) return actions;
	if (current.until !== null && now >= current.until && !isQuiet(input, null, 'down')) {
		const level = current.from !== null && current.from < real ? current.from : 0;
		return [...actions, { kind: 'propose', direction: 'down', level, rules: [] }];
	}
	const down = wayDown(input, real);
	if (!down) return actions;
	const [first] = down.rules;
	const setByRule = input.rules.find((rule) => current.rule === ruleKey(rule));
	if (current.source === 'rule' && setByRule?.mode === 'armed') {
		const level = Math.max(down.level, current.from ?? 0);
		return level < real
			? [...actions, { kind: 'act', direction: 'down', level, rules: down.rules }]
			: actions;
	}
	if (isQuiet(input, ruleKey(first), 'down')) return actions;
	return [...actions, { kind: 'propose', direction: 'down', level: down.level, rules: down.rules }];
}

function isQuiet({ quiet, now }: RulesInput, rule: string | null, direction: Direction): boolean {
	return quiet.some((one) => one.rule === rule && one.direction === direction && one.until > now);
}

function isTrippedNow({ memories, looks }: RulesInput, rule: LevelRule): boolean {
	const memory = memories.get(ruleKey(rule));
	return memory !== undefined && isTripped(memory, rule, looks[rule.signal]);
}

function isClearedNow({ memories, looks }: RulesInput, rule: LevelRule): boolean {
	const memory = memories.get(ruleKey(rule));
	return memory !== undefined && isCleared(memory, rule, looks[rule.signal]);
}

/** How the open proposal ends now; null: it stands. */
function endingOf(
	input: RulesInput,
	open: RuleProposal,
	best: LevelRule | undefined
): Extract<RulesAction, { kind: 'settle' }>['outcome'] | null {
	const { current, now, rules } = input;
	if (open.expectedVersion !== current.version) return 'overtaken';
	if (best && (open.direction === 'down' || best.level > open.level)) return 'replaced';
	if (now >= open.expiresAt) return 'expired';
	if (open.why === 'until') return null;
	if (open.direction === 'up') {
		const rule = rules.find((one) => ruleKey(one) === open.rule);
		if (!rule) return 'overtaken';
		return isClearedNow(input, rule) ? 'cleared' : null;
	}
	// Whoever takes it must not take it blind, or after it has turned.
	const down = wayDown(input, realLevel(current));
	return down && down.level <= open.level ? null : 'cleared';
}

/**
 * How far down all rules would let go, and which of them say so: those that hold the level in force, or would hold one
 * on the way. Null while any of them is blind, or holds.
 */
function wayDown(
	input: RulesInput,
	level: number
): { level: number; rules: readonly [LevelRule, ...LevelRule[]] } | null {
	const { rules, looks } = input;
	if (level === 0 || rules.some(({ signal }) => looks[signal].kind !== 'known')) return null;
	const holding = rules.filter((rule) => !isClearedNow(input, rule));
	const floor = Math.max(0, ...holding.map((rule) => Math.min(rule.level, level)));
	const letGo = rules
		.filter((rule) => !holding.includes(rule) && Math.min(rule.level, level) > floor)
		.sort((a, b) => b.level - a.level);
	const [first, ...rest] = letGo;
	return floor < level && first ? { level: floor, rules: [first, ...rest] } : null;
}
