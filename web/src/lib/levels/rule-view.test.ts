import type { LevelRulesNow, RuleEvidence, RuleState } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { createFormat } from '#lib/format.ts';
import {
	evidenceColumns,
	heldShare,
	ruleStateWords,
	shownRules,
	signalValue,
	tripWords
} from './rule-view.ts';

const format = createFormat('en', 'Asia/Riyadh');
const rule = (change: Partial<RuleState>): RuleState => ({
	...{ rule: 'booking-p95-ms:2', signal: 'booking-p95-ms', level: 2, mode: 'propose', state: 'quiet' },
	...{ value: 800, quality: 'live', since: null, heldSeconds: 0, neededSeconds: 300, quietUntil: null },
	...change
});
const told = (rules: RuleState[]): LevelRulesNow => ({
	...{ at: 100_000, rules, blind: [], settlingUntil: null, mark: 'none' }
});

test('a value carries its unit, and nothing known is no zero', () => {
	expect(signalValue('booking-p95-ms', 2_300, format)).toMatch(/^2\.30 \S+$/);
	expect(signalValue('work-ratio', 0.6, format)).toBe('0.60');
	expect(signalValue('error-share', 0.05, format)).toBe('5%');
	expect(signalValue('pool-wait-ms', null, format)).toBe('–');
});

test('what asks for eyes comes first; rules told long ago are no quiet ones', () => {
	const rules = [rule({}), rule({ state: 'blind' }), rule({ state: 'tripped' })];
	expect(shownRules(told(rules), true, 101_000).map(({ state }) => state)).toEqual([
		'tripped',
		'blind',
		'quiet'
	]);
	const old = shownRules(told(rules), true, 111_000);
	expect(old.every(({ state }) => state === 'old')).toBe(true);
	expect(shownRules(told(rules), false, 101_000)[0]!.state).toBe('old');
});

test('time gathered is shown against time needed', () => {
	const pending = rule({ state: 'pending', heldSeconds: 190 });
	expect(heldShare(pending)).toBeCloseTo(0.633, 2);
	expect(heldShare(rule({}))).toBeNull();
	expect(ruleStateWords(pending, format, null)).toMatch(/3 .*10 .* 5 /);
});

test('a gap in the evidence stays a gap', () => {
	const series = { stepSeconds: 5, at: [1, 2, 3], values: [5, null, 7] };
	expect(evidenceColumns({ series }).series['value']).toEqual([5, null, 7]);
});

test('a rule is told in words', () => {
	const written = { op: 'above', threshold: 2_000, forSeconds: 300, clear: 1_400, clearForSeconds: 600 };
	expect(tripWords({ ...(written as RuleEvidence), signal: 'booking-p95-ms' }, format)).toMatch(
		/2\.00 .* 5 /
	);
});
