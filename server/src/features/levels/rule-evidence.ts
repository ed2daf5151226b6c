import {
	levelSignals,
	ruleKey,
	type LevelRule,
	type LevelSignal,
	type RuleEvidence
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { RuleMemory } from './rule-clock.ts';
import type { Looks } from './rule-signals.ts';

/** What was seen lately, second by second; a proposal takes its chart from it. */
export interface Seen {
	note(at: number, looks: Looks): void;
	evidence(rule: LevelRule, memory: RuleMemory, direction: 'up' | 'down', now: number): RuleEvidence;
}

interface Moment {
	at: number;
	values: Record<LevelSignal, number | null>;
}

/** A chart begins so long before the time that the rule asks for. */
const leadMs = 300_000;

/** Remembers as long as the longest rule needs. */
export function createSeen(rules: readonly LevelRule[]): Seen & { keepMs: number } {
	const longest = Math.max(0, ...rules.map((rule) => Math.max(rule.forSeconds, rule.clearForSeconds)));
	const keepMs = longest * 1_000 + leadMs;
	let moments: Moment[] = [];
	return {
		keepMs,
		note(at, looks) {
			if (at <= (moments.at(-1)?.at ?? -Infinity)) return;
			const values = Object.fromEntries(levelSignals.map((signal) => [signal, looks[signal].value]));
			moments.push({ at, values: values as Moment['values'] });
			if (moments[0]!.at < at - 1.2 * keepMs) moments = moments.filter((moment) => moment.at >= at - keepMs);
		},
		evidence(rule, { trip, clear }, direction, now) {
			const { signal, op, threshold, forSeconds, clear: clearValue, clearForSeconds } = rule;
			const run = direction === 'up' ? trip : clear;
			const from = Math.min(run?.since ?? now, now) - leadMs;
			const newest = moments.findLast(({ values }) => values[signal] !== null);
			return {
				...{ rule: ruleKey(rule), signal, op, threshold, forSeconds, clear: clearValue, clearForSeconds },
				...{ value: newest?.values[signal] ?? null, at: newest?.at ?? now, since: run?.since ?? null },
				series: drawSeries(moments, signal, { from, to: now })
			};
		}
	};
}

/** On a fixed grid: the newest value of each step, null where nobody saw anything. */
function drawSeries(
	moments: readonly Moment[],
	signal: LevelSignal,
	{ from, to }: { from: number; to: number }
): RuleEvidence['series'] {
	const stepSeconds = Math.max(1, Math.ceil((to - from) / 1_000 / limits.levels.evidencePointsMax));
	const stepMs = stepSeconds * 1_000;
	const points = Math.max(1, Math.floor((to - from) / stepMs));
	const at = Array.from({ length: points }, (_, index) => to - (points - 1 - index) * stepMs);
	const values = at.map((): number | null => null);
	for (const moment of moments) {
		const index = points - 1 - Math.floor((to - moment.at) / stepMs);
		if (index >= 0 && index < points) values[index] = moment.values[signal] ?? values[index]!;
	}
	return { stepSeconds, at, values };
}
