import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CurrentLevel, LevelRule, RuleProposal } from '../../../contract/index.ts';
import { levelSignals, ruleKey } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { advanceClock, freshMemory, isCleared, isTripped, standOf, type RuleMemory } from './rule-clock.ts';
import { decideRules } from './rule-decide.ts';
import type { Look, Looks } from './rule-signals.ts';

const p95: LevelRule = {
	...{ signal: 'booking-p95-ms', op: 'above', threshold: 2_000, forSeconds: 300, clear: 1_400 },
	...{ clearForSeconds: 600, level: 2, mode: 'propose' }
};
const ratio: LevelRule = {
	...{ signal: 'work-ratio', op: 'below', threshold: 0.6, forSeconds: 30, clear: 0.99 },
	...{ clearForSeconds: 120, level: 3, mode: 'propose' }
};
const known = (value: number): Look => ({ kind: 'known', value, quality: 'live' });
const partial = (value: number): Look => ({ kind: 'known', value, quality: 'partial' });
const blind: Look = { kind: 'blind', value: null, quality: 'unknown' };
const noInflow: Look = { kind: 'no-inflow', value: null, quality: 'live' };

/** Looks once a second. */
function run(looks: readonly Look[], rule = p95, from: RuleMemory = freshMemory) {
	return looks.reduce((memory, look, index) => advanceClock(memory, rule, look, (index + 1) * 1_000), from);
}
const seconds = (count: number, look: Look | ((second: number) => Look)) =>
	Array.from({ length: count }, (_, index) => (typeof look === 'function' ? look(index) : look));
const trips = (looks: readonly Look[], rule = p95) => isTripped(run(looks, rule), rule, looks.at(-1)!);

describe('the time of a rule', () => {
	it('p95 above two seconds for five minutes trips, and not a second before', () => {
		expect(trips(seconds(300, known(2_400)))).toBe(false);
		expect(trips(seconds(301, known(2_400)))).toBe(true);
		expect(trips(seconds(301, known(2_000)))).toBe(false);
	});

	it('noise round the threshold never adds up', () => {
		expect(trips(seconds(3_600, (second) => known(second % 2 ? 2_300 : 1_900)))).toBe(false);
		expect(trips([...seconds(299, known(2_400)), known(1_990), ...seconds(299, known(2_400))])).toBe(false);
	});

	it('seconds without data do not count, and are no break; a longer gap begins anew', () => {
		const short = [...seconds(200, known(2_400)), ...seconds(10, blind)];
		expect(trips([...short, ...seconds(91, known(2_400))])).toBe(false);
		expect(trips([...short, ...seconds(102, known(2_400))])).toBe(true);
		const long = [...seconds(299, known(2_400)), ...seconds(20, blind)];
		expect(trips([...long, ...seconds(300, known(2_400))])).toBe(false);
		expect(trips([...long, ...seconds(301, known(2_400))])).toBe(true);
	});

	it('is never tripped, and never cleared, while nobody can see', () => {
		const tripped = run(seconds(400, known(2_400)));
		for (const look of [blind, noInflow]) {
			expect(isTripped(advanceClock(tripped, p95, look, 401_000), p95, look)).toBe(false);
			const cleared = run(seconds(700, known(1_000)));
			expect(isCleared(advanceClock(cleared, p95, look, 701_000), p95, look)).toBe(false);
		}
		expect(trips(seconds(3_000, blind))).toBe(false);
	});

	it('recovers only below the clear value, only for the whole clear time, only on whole figures', () => {
		const clear = (looks: readonly Look[]) => isCleared(run(looks), p95, looks.at(-1)!);
		expect(clear(seconds(600, known(1_300)))).toBe(false);
		expect(clear(seconds(601, known(1_300)))).toBe(true);
		expect(clear(seconds(3_000, known(1_500)))).toBe(false);
		expect(clear([...seconds(599, known(1_300)), known(1_500), ...seconds(500, known(1_300))])).toBe(false);
		expect(clear(seconds(3_000, partial(1_300)))).toBe(false);
		expect(trips(seconds(301, partial(2_400)))).toBe(true);
	});

	it('says how it stands', () => {
		const look = known(0.5);
		const memory = run(seconds(11, look), ratio);
		expect(standOf(memory, ratio, look, false)).toEqual({
			...{ state: 'pending', since: 1_000, heldSeconds: 10, neededSeconds: 30 }
		});
		expect(standOf(memory, ratio, blind, false)).toMatchObject({ state: 'blind', heldSeconds: 10 });
		expect(standOf(run([known(1)], ratio), ratio, known(1), false).state).toBe('quiet');
		expect(standOf(run([known(1)], ratio), ratio, known(1), true).state).toBe('clearing');
	});
});

const current = (level: number, change: Partial<CurrentLevel> = {}): CurrentLevel => ({
	...{ level, version: 5, since: 0, by: 'a', reason: 'b', source: 'hand', chips: [], exercise: false },
	...{ from: 0, until: null, rule: null, ...change }
});
const allLooks = (change: Partial<Looks> = {}): Looks => ({
	...(Object.fromEntries(
		levelSignals.map((signal) => [signal, known(signal === 'work-ratio' ? 1 : 500)])
	) as Looks),
	...change
});
/** A run of this many seconds, past the threshold or past the clear value. */
const held = (trip: number | null, clear: number | null): RuleMemory => {
	const runOf = (many: number | null) =>
		many === null ? null : { since: 0, heldMs: many * 1_000, seenAt: 0 };
	return { trip: runOf(trip), clear: runOf(clear), wasKnown: true, wasWhole: true };
};
const decide = (change: Partial<Parameters<typeof decideRules>[0]> = {}) =>
	decideRules({
		...{ now: 1e9, rules: [p95, ratio], looks: allLooks(), current: current(0), open: null, quiet: [] },
		memories: new Map(),
		...change
	});
const memoriesOf = (first: RuleMemory, second: RuleMemory) =>
	new Map([
		[ruleKey(p95), first],
		[ruleKey(ratio), second]
	]);
const openUp = (change: Partial<RuleProposal> = {}): RuleProposal => ({
	...{ id: 'p', direction: 'up', why: 'rule', rule: ruleKey(p95), from: 0, level: 2, at: 0 },
	...{ expiresAt: 2e9, expectedVersion: 5, evidence: [], figures: null, ...change }
});

describe('what the rules decide', () => {
	it('propose up, the one that asks for most; once', () => {
		const memories = memoriesOf(held(300, null), held(30, null));
		expect(decide({ memories })).toMatchObject([
			{ kind: 'propose', direction: 'up', level: 3, rules: [ratio] }
		]);
		const open = openUp({ rule: ruleKey(ratio), level: 3 });
		expect(decide({ memories, open })).toEqual([]);
		expect(decide({ memories, open: openUp() })).toMatchObject([
			{ kind: 'settle', outcome: 'replaced' },
			{ kind: 'propose', level: 3 }
		]);
	});

	it('act where armed', () => {
		const armed = { ...p95, mode: 'armed' as const };
		const memories = memoriesOf(held(300, null), held(null, null));
		expect(decide({ rules: [armed, ratio], memories })).toMatchObject([
			{ kind: 'act', direction: 'up', level: 2 }
		]);
	});

	it('are silent for what is in force already, for what was put off, and while blind', () => {
		const memories = memoriesOf(held(300, null), held(null, null));
		expect(decide({ memories, current: current(2) })).toEqual([]);
		const quiet = [{ rule: ruleKey(p95), direction: 'up' as const, until: 1e9 + 1 }];
		expect(decide({ memories, quiet })).toEqual([]);
		expect(decide({ memories, quiet, now: 1e9 + 1 })).toHaveLength(1);
		expect(decide({ memories, looks: allLooks({ 'booking-p95-ms': blind }) })).toEqual([]);
	});

	it('propose down from a level that a person set, and go down by themselves where an armed rule did', () => {
		const memories = memoriesOf(held(null, 600), held(null, 120));
		expect(decide({ memories, current: current(3) })).toMatchObject([
			{ kind: 'propose', direction: 'down', level: 0, rules: [ratio, p95] }
		]);
		const armed = { ...p95, mode: 'armed' as const };
		const byRule = current(2, { source: 'rule', rule: ruleKey(p95), from: 1 });
		expect(decide({ rules: [armed, ratio], memories, current: byRule })).toMatchObject([
			{ kind: 'act', direction: 'down', level: 1 }
		]);
		expect(decide({ rules: [armed, ratio], memories, current: { ...byRule, rule: null } })).toMatchObject([
			{ kind: 'propose', direction: 'down' }
		]);
	});

	it('go down no further than a rule that still holds, and nowhere while any is blind', () => {
		const memories = memoriesOf(held(null, 599), held(null, 120));
		expect(decide({ memories, current: current(3) })).toMatchObject([
			{ direction: 'down', level: 2, rules: [ratio] }
		]);
		expect(decide({ memories, current: current(2) })).toEqual([]);
		for (const look of [
			blind,
			noInflow,
			{ ...blind, kind: 'settling' as const },
			{ ...blind, kind: 'muted' as const }
		])
			expect(decide({ memories, current: current(3), looks: allLooks({ 'work-ratio': look }) })).toEqual([]);
		// A milder rule that sees nothing holds everything, too: who knows what it would say.
		const blindBelow = allLooks({ 'booking-p95-ms': blind });
		expect(
			decide({
				memories: memoriesOf(held(null, 600), held(null, 120)),
				current: current(3),
				looks: blindBelow
			})
		).toEqual([]);
	});

	it('propose the return at a planned end, whatever is seen', () => {
		const looks = allLooks({ 'work-ratio': blind });
		expect(decide({ looks, current: current(2, { until: 1e9, from: 1 }) })).toMatchObject([
			{ kind: 'propose', direction: 'down', level: 1, rules: [] }
		]);
		expect(decide({ looks, current: current(2, { until: 1e9 + 1 }) })).toEqual([]);
	});

	it('let a proposal go when it has run out, when its signal is good again, when something was switched', () => {
		const memories = memoriesOf(held(900, null), held(null, null));
		expect(decide({ memories, open: openUp({ expiresAt: 1e9 }) })).toEqual([
			{ kind: 'settle', outcome: 'expired' }
		]);
		expect(decide({ memories: memoriesOf(held(null, 600), held(null, null)), open: openUp() })).toEqual([
			{ kind: 'settle', outcome: 'cleared' }
		]);
		expect(decide({ open: openUp({ expectedVersion: 4 }) })).toEqual([
			{ kind: 'settle', outcome: 'overtaken' }
		]);
		const down = openUp({ direction: 'down', from: 3, level: 0, rule: ruleKey(ratio) });
		const clear = memoriesOf(held(null, 600), held(null, 120));
		expect(decide({ memories: clear, current: current(3), open: down })).toEqual([]);
		const looks = allLooks({ 'work-ratio': blind });
		expect(decide({ memories: clear, current: current(3), open: down, looks })).toEqual([
			{ kind: 'settle', outcome: 'cleared' }
		]);
	});

	it('never relax without knowing, never go up for what they do not see, never act unarmed (any history)', () => {
		const look = fc.oneof(
			fc.double({ min: 0, max: 5_000, noNaN: true }).map(known),
			fc.double({ min: 0, max: 2, noNaN: true }).map(known),
			fc.constantFrom<Look>(blind, noInflow, { ...blind, kind: 'settling' }, { ...blind, kind: 'muted' })
		);
		const mode = fc.constantFrom('propose' as const, 'armed' as const);
		fc.assert(
			fc.property(
				fc.array(fc.tuple(fc.integer({ min: 1, max: 120 }), look, look), { maxLength: 40 }),
				mode,
				fc.integer({ min: 0, max: 4 }),
				fc.constantFrom<CurrentLevel['source']>('hand', 'rule', 'undo'),
				(spans, armed, level, source) => {
					const rules = [{ ...p95, mode: armed }, ratio];
					let memories = new Map<string, RuleMemory>();
					let now = 0;
					for (const [count, first, second] of spans)
						for (let one = 0; one < count; one++) {
							now += 1_000;
							const looks = allLooks({ 'booking-p95-ms': first, 'work-ratio': second });
							memories = new Map(
								rules.map((rule) => [
									ruleKey(rule),
									advanceClock(memories.get(ruleKey(rule)) ?? freshMemory, rule, looks[rule.signal], now)
								])
							);
							const inForce = current(level, { source, rule: source === 'rule' ? ruleKey(p95) : null });
							for (const action of decide({ now, rules, looks, memories, current: inForce })) {
								if (action.kind === 'settle') continue;
								const seen = action.rules.map(({ signal }) => looks[signal].kind);
								expect(seen).not.toContain('blind');
								if (action.direction === 'down') {
									expect(Object.values(looks).every(({ kind }) => kind === 'known')).toBe(true);
									expect(action.level).toBeLessThan(level);
									if (action.kind === 'act') expect([source, armed]).toEqual(['rule', 'armed']);
								} else {
									expect(action.level).toBeGreaterThan(level);
									if (action.kind === 'act') expect(action.rules[0]?.mode).toBe('armed');
									const rule = action.rules[0]!;
									const value = looks[rule.signal].value!;
									expect(rule.op === 'above' ? value > rule.threshold : value < rule.threshold).toBe(true);
								}
							}
						}
				}
			),
			{ numRuns: 60 }
		);
	});
});

describe('the gap that begins a time anew', () => {
	it('lies between a lost second and what nobody could have seen', () => {
		expect(limits.levels.gapMs).toBeGreaterThan(limits.levels.figuresFreshMs);
		expect(limits.levels.gapMs).toBeLessThan(60_000);
	});
});
