import type { LevelRule, LevelRulesNow, LevelSignal, RuleEvidence, RuleState } from '@marsad/server/contract';
import type { Format } from '#lib/format.ts';
import { m } from '#lib/paraglide/messages.js';
import { figureStaleAfterMs } from '#lib/quality.ts';
import type { Columns } from '#lib/wall/trend.ts';
import { duration, shortAge, wordOf } from '#lib/words.ts';

export const signalWord = (signal: LevelSignal): string => wordOf('lev_signal', signal);

/** A signal's value with its unit; "–" where nobody knows. */
export function signalValue(signal: LevelSignal, value: number | null, format: Format): string {
	if (value === null) return '–';
	if (signal === 'booking-p95-ms') return `${format.secondsOf(value)} ${m.unit_seconds()}`;
	if (signal === 'error-share') return format.percent(value);
	if (signal === 'pool-wait-ms') return `${format.count(value)} ${m.unit_ms()}`;
	return format.ratio(value);
}

type Written = Pick<LevelRule, 'op' | 'threshold' | 'forSeconds' | 'clear' | 'clearForSeconds' | 'signal'>;

/** "above 2.00 s for 5 min": when a rule trips. */
export function tripWords(rule: Written, format: Format): string {
	const words = {
		value: signalValue(rule.signal, rule.threshold, format),
		duration: duration(rule.forSeconds, format)
	};
	return rule.op === 'above' ? m.lev_rule_above(words) : m.lev_rule_below(words);
}

/** "below 1.40 s for 10 min": when it lets go. */
export function clearWords(rule: Written, format: Format): string {
	const words = {
		value: signalValue(rule.signal, rule.clear, format),
		duration: duration(rule.clearForSeconds, format)
	};
	return rule.op === 'above' ? m.lev_rule_below(words) : m.lev_rule_above(words);
}

/** A rule as it must be shown: told too long ago, nobody knows any more. */
export type ShownRule = Omit<RuleState, 'state'> & { state: RuleState['state'] | 'old' };

/** Rules that stand still are not quiet ones; those that need a person come first. */
export function shownRules(rules: LevelRulesNow, isLive: boolean, now: number): ShownRule[] {
	const isOld = !isLive || now - rules.at >= figureStaleAfterMs;
	const order = [
		'tripped',
		'pending',
		'blind',
		'old',
		'clearing',
		'cleared',
		'settling',
		'muted',
		'no-inflow'
	];
	const rank = ({ state }: ShownRule) => (order.includes(state) ? order.indexOf(state) : order.length);
	return rules.rules
		.map((rule): ShownRule => (isOld ? { ...rule, state: 'old' } : rule))
		.sort((a, b) => rank(a) - rank(b) || a.level - b.level);
}

/** How a rule stands, in words, with how long of how long. */
export function ruleStateWords(rule: ShownRule, format: Format, settlingUntil: number | null): string {
	const span = {
		held: duration(rule.heldSeconds, format),
		needed: duration(rule.neededSeconds, format)
	};
	if (rule.state === 'pending') return m.lev_rule_pending(span);
	if (rule.state === 'clearing') return m.lev_rule_clearing(span);
	if (rule.state === 'settling' && settlingUntil !== null)
		return m.lev_rule_settling_until({ time: format.clock(settlingUntil) });
	return wordOf('lev_rule_state', rule.state);
}

/** The share of its time that a rule has gathered, 0 to 1; null when no time runs. */
export function heldShare({ state, heldSeconds, neededSeconds }: ShownRule): number | null {
	if (state !== 'pending' && state !== 'clearing') return null;
	return neededSeconds > 0 ? Math.min(1, heldSeconds / neededSeconds) : 1;
}

/** Only what asks for eyes is coloured: time that runs against us, a tripped rule, and what nobody sees. */
export function rulePriority({ state }: ShownRule): 'medium' | 'low' | null {
	if (state === 'tripped' || state === 'blind') return 'medium';
	return state === 'pending' ? 'low' : null;
}

/** The series of an evidence as the charts draw it. A step without a value is a hole in the line. */
export function evidenceColumns({ series }: Pick<RuleEvidence, 'series'>): Columns {
	return { at: series.at, series: { value: series.at.map((_, i) => series.values[i] ?? null) } };
}

/** The limits that a chart of evidence names: where it trips, and where it lets go. */
export function evidenceLimits(evidence: RuleEvidence, format: Format) {
	return [
		{
			value: evidence.threshold,
			label: m.lev_ev_threshold({ value: signalValue(evidence.signal, evidence.threshold, format) })
		},
		{
			value: evidence.clear,
			label: m.lev_ev_clear({ value: signalValue(evidence.signal, evidence.clear, format) }),
			isQuiet: true
		}
	];
}

/** One sentence of an evidence: what, past what, since when. */
export function evidenceLine(evidence: RuleEvidence, direction: 'up' | 'down', format: Format): string {
	const value = signalValue(evidence.signal, evidence.value, format);
	const limit = signalValue(
		evidence.signal,
		direction === 'up' ? evidence.threshold : evidence.clear,
		format
	);
	const since = evidence.since === null ? null : shortAge((evidence.at - evidence.since) / 1_000, format);
	const words = { signal: signalWord(evidence.signal), value, limit };
	const isAbove = (evidence.op === 'above') === (direction === 'up');
	if (since === null) return isAbove ? m.lev_ev_above(words) : m.lev_ev_below(words);
	return isAbove
		? m.lev_ev_above_for({ ...words, duration: since })
		: m.lev_ev_below_for({ ...words, duration: since });
}
