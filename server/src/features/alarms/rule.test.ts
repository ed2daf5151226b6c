import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { advanceRule, levelOf, newRuleMemory, type Rule, type RuleMemory } from './rule.ts';

const rule: Rule = { onDelaySeconds: 15, offDelaySeconds: 60 };
const limits = [80];
const deadband = 5;

/** A value a second; null is silence. Returns each change of the held level with its second. */
function run(values: readonly (number | null)[], memory: RuleMemory = newRuleMemory(1), from = 0) {
	const changes: { second: number; held: number }[] = [];
	for (const [index, value] of values.entries()) {
		const level = value === null ? null : levelOf(value, limits, { deadband, held: memory.held });
		const next = advanceRule(memory, rule, level, (from + index) * 1_000);
		if (next.held !== memory.held) changes.push({ second: from + index, held: next.held });
		memory = next;
	}
	return { changes, memory };
}
const hold = (value: number | null, seconds: number) => Array.from({ length: seconds }, () => value);

describe('deadband and delays', () => {
	it('raises at 80 and clears at 75, never at 79', () => {
		const { changes } = run([...hold(80, 20), ...hold(79, 600), ...hold(75, 600), ...hold(74.9, 100)]);
		expect(changes).toEqual([
			{ second: 15, held: 1 },
			{ second: 1_280, held: 0 }
		]);
	});

	it('makes one alarm and one return of noise of one per cent around the limit for ten minutes', () => {
		const noise = Array.from({ length: 600 }, (_, second) => 80 + 0.8 * Math.sin(second * 1.7));
		// By the sine alone the value is on both sides of the limit in every fifteen seconds.
		const held = run([...hold(81, 16), ...noise, ...hold(60, 100)]);
		expect(held.changes.map((change) => change.held)).toEqual([1, 0]);
		expect(run(noise).changes).toEqual([]);
	});

	it('forgets a pending rise, and a pending fall, at the first look that contradicts it', () => {
		const rising = run([...hold(85, 14), 79, ...hold(85, 14), 79]);
		expect(rising.changes).toEqual([]);
		const falling = run([...hold(85, 16), ...hold(10, 59), 85, ...hold(10, 59), 85]);
		expect(falling.changes.map((change) => change.held)).toEqual([1]);
	});

	it('keeps what it has in silence, and does not count silence towards a return', () => {
		const { changes } = run([...hold(85, 20), ...hold(10, 50), ...hold(null, 5_000), ...hold(10, 59)]);
		expect(changes.map((change) => change.held)).toEqual([1]);
	});

	it('rises to the worst level that has held for long enough, and falls one by one', () => {
		const steps: Rule = { onDelaySeconds: [10, 0], offDelaySeconds: 5 };
		let memory = newRuleMemory(2);
		const at = (level: number, second: number) =>
			(memory = advanceRule(memory, steps, level, second * 1_000));
		expect(at(1, 0).held).toBe(0);
		expect(at(2, 1).held).toBe(2);
		expect(at(1, 2).held).toBe(2);
		expect(at(1, 7).held).toBe(1);
		expect(at(0, 8).held).toBe(1);
		expect(at(0, 13).held).toBe(0);
	});

	it('never clears by silence, whatever values, gaps and restarts come', () => {
		const value = fc.option(fc.double({ min: 0, max: 120, noNaN: true }), { nil: null });
		const part = fc.record({ value, seconds: fc.integer({ min: 1, max: 120 }), restart: fc.boolean() });
		fc.assert(
			fc.property(fc.array(part, { maxLength: 40 }), (parts) => {
				let memory = newRuleMemory(1);
				let second = 0;
				/** Seconds, without a gap or a restart, in which the value was below the deadband. */
				let clearFor = 0;
				for (const { value: now, seconds, restart } of parts) {
					if (restart) {
						memory = newRuleMemory(1, memory.held);
						clearFor = 0;
					}
					for (let i = 0; i < seconds; i++, second++) {
						clearFor = now !== null && now < 75 ? clearFor + 1 : 0;
						const before = memory.held;
						memory = run([now], memory, second).memory;
						if (before === 1 && memory.held === 0 && clearFor <= 60) return false;
					}
				}
				return true;
			}),
			{ numRuns: 300 }
		);
	});
});
