import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Decision, type HealthSignal, type RateLimit } from './decide.ts';

const start = 1_772_000_000_000;
const manager = (perSecond: number): RateLimit => ({ source: 'manager', perSecond });
const level = (perSecond: number): RateLimit => ({ source: 'level', perSecond });
const signal = (value: number | null, at: number | null): HealthSignal => ({
	name: 'booking p95',
	value,
	good: 1_000,
	limit: 4_000,
	at
});

/** Decides once a second; each step may change what is known. */
function run(
	steps: { limits: RateLimit[]; health?: (at: number) => HealthSignal[]; seconds: number }[]
): Decision[] {
	const decisions: Decision[] = [];
	let at = start;
	for (const { limits, health, seconds } of steps) {
		for (let second = 0; second < seconds; second++) {
			decisions.push(decide({ at, limits, health: health?.(at) ?? [], previous: decisions.at(-1) ?? null }));
			at += 1_000;
		}
	}
	return decisions;
}
const last = (steps: Parameters<typeof run>[0]) => run(steps).at(-1)!;

describe('the conductor decides', () => {
	it('starts at the full rate: nothing is known to be wrong', () => {
		expect(run([{ limits: [manager(250)], seconds: 1 }])[0]).toMatchObject({
			ratePerSecond: 250,
			limitedBy: 'manager',
			health: 1,
			blind: false
		});
		// The room is registered a moment after the first turn.
		expect(
			last([
				{ limits: [], seconds: 2 },
				{ limits: [manager(250)], seconds: 1 }
			]).ratePerSecond
		).toBe(250);
	});

	it('takes the lowest of manager, level and 0.8 of the narrowest part, and says which', () => {
		expect(last([{ limits: [manager(250), level(40)], seconds: 1 }])).toMatchObject({
			ratePerSecond: 40,
			limitedBy: 'level'
		});
		expect(last([{ limits: [manager(250), level(400)], seconds: 1 }])).toMatchObject({
			ratePerSecond: 250,
			limitedBy: 'manager'
		});
		expect(
			last([{ limits: [manager(250), { source: 'narrowest-part', perSecond: 100 }], seconds: 1 }])
		).toMatchObject({
			ratePerSecond: 80,
			limitedBy: 'narrowest-part'
		});
	});

	it('falls at once with health, in proportion, and is led back slowly', () => {
		const sick = (at: number) => [signal(2_500, at)];
		const well = (at: number) => [signal(100, at)];
		const decisions = run([
			{ limits: [manager(250)], health: well, seconds: 2 },
			{ limits: [manager(250)], health: sick, seconds: 1 },
			{ limits: [manager(250)], health: well, seconds: 11 }
		]);
		expect(decisions[2]).toMatchObject({
			ratePerSecond: 125,
			limitedBy: 'health',
			worstSignal: 'booking p95'
		});
		expect(decisions[3]).toMatchObject({ limitedBy: 'rising' });
		expect(decisions[12]!.ratePerSecond).toBeCloseTo(125 * 1.1, 6);
	});

	it('climbs to a rate that was never in force, but returns at once to one that a person lowered while all was well', () => {
		const raised = run([
			{ limits: [manager(50)], seconds: 3 },
			{ limits: [manager(250)], seconds: 11 }
		]);
		expect(raised.at(-1)).toMatchObject({ limitedBy: 'rising' });
		expect(raised.at(-1)!.ratePerSecond).toBeLessThanOrEqual(55.6);
		const paused = run([
			{ limits: [manager(250)], seconds: 3 },
			{ limits: [manager(0)], seconds: 60 },
			{ limits: [manager(250)], seconds: 1 }
		]);
		expect(paused[10]!.ratePerSecond).toBe(0);
		expect(paused.at(-1)!.ratePerSecond).toBe(250);
		expect(
			last([
				{ limits: [manager(250)], seconds: 2 },
				{ limits: [manager(250), level(20)], seconds: 5 },
				{ limits: [manager(250)], seconds: 1 }
			]).ratePerSecond
		).toBe(250);
	});

	it('a level only caps: it never multiplies what health has already taken', () => {
		const half = (at: number) => [signal(1_250, at)];
		const without = last([{ limits: [manager(250)], health: half, seconds: 3 }]);
		expect(without).toMatchObject({ limitedBy: 'health' });
		expect(without.ratePerSecond).toBeGreaterThan(20);
		const above = Math.ceil(without.ratePerSecond);
		const capped = (cap: number) =>
			last([
				{ limits: [manager(250)], health: half, seconds: 3 },
				{ limits: [manager(250), level(cap)], health: half, seconds: 3 }
			]);
		expect(capped(above)).toMatchObject({ ratePerSecond: without.ratePerSecond, limitedBy: 'health' });
		expect(capped(20)).toMatchObject({ ratePerSecond: 20, limitedBy: 'level', levelCapPerSecond: 20 });
	});

	it('holds after 30 s without a signal, halves once after 60 s, and says BLIND (W-35)', () => {
		const decisions = run([{ limits: [manager(200)], health: () => [signal(100, start)], seconds: 300 }]);
		expect(decisions[29]).toMatchObject({ blind: false, ratePerSecond: 200 });
		expect(decisions[31]).toMatchObject({ blind: true, ratePerSecond: 200, limitedBy: 'blind' });
		for (const second of [61, 62, 120, 299])
			expect(decisions[second]).toMatchObject({ blind: true, ratePerSecond: 100 });
	});

	it('never rises while blind, and takes a source that never spoke for missing', () => {
		const decisions = run([
			{ limits: [manager(100)], health: () => [signal(null, null)], seconds: 35 },
			{ limits: [manager(400)], health: () => [signal(null, null)], seconds: 60 }
		]);
		expect(decisions[34]).toMatchObject({ blind: true, ratePerSecond: 100 });
		expect(decisions[36]!.ratePerSecond).toBe(100);
		expect(decisions.at(-1)!.ratePerSecond).toBe(50);
		// A sick rate that goes blind is not doubled by "half of the base".
		const sick = run([{ limits: [manager(200)], health: () => [signal(3_700, start)], seconds: 100 }]);
		expect(Math.max(...sick.slice(1).map((d) => d.ratePerSecond))).toBeCloseTo(20, 6);
	});

	it('takes no traffic for no trouble, as long as the source speaks', () => {
		expect(
			last([{ limits: [manager(200)], health: (at) => [signal(null, at)], seconds: 120 }])
		).toMatchObject({ blind: false, ratePerSecond: 200 });
	});

	it('climbs from 0 when health had closed the door', () => {
		const decisions = run([
			{ limits: [manager(200)], health: (at) => [signal(100, at)], seconds: 5 },
			{ limits: [manager(200)], health: (at) => [signal(9_000, at)], seconds: 5 },
			{ limits: [manager(200)], health: (at) => [signal(100, at)], seconds: 11 }
		]);
		expect(decisions[9]!.ratePerSecond).toBe(0);
		expect(decisions.at(-1)!.ratePerSecond).toBeCloseTo(5.5, 6);
	});

	it('climbs again after blindness', () => {
		const decisions = run([
			{ limits: [manager(200)], health: () => [signal(100, start)], seconds: 70 },
			{ limits: [manager(200)], health: (at) => [signal(100, at)], seconds: 11 }
		]);
		expect(decisions[70]!.ratePerSecond).toBeLessThan(110);
		expect(decisions.at(-1)!.ratePerSecond).toBeLessThanOrEqual(112);
	});

	it('is never negative, never above any limit, never rises faster than written, falls at once', () => {
		const second = fc.record({
			manager: fc.constantFrom(0, 3, 50, 250, 1_000),
			level: fc.constantFrom(null, null, 0, 20, 100),
			value: fc.constantFrom(null, 0, 900, 2_000, 5_000),
			ageMs: fc.constantFrom(0, 0, 0, 31_000, 61_000)
		});
		fc.assert(
			fc.property(fc.array(second, { maxLength: 80 }), (seconds) => {
				let previous: Decision | null = null;
				let best = 0;
				seconds.forEach((entry, index) => {
					const at = start + index * 1_000;
					const limits = [manager(entry.manager), ...(entry.level === null ? [] : [level(entry.level)])];
					const now = decide({ at, limits, health: [signal(entry.value, at - entry.ageMs)], previous });
					expect(now.ratePerSecond).toBeGreaterThanOrEqual(0);
					expect(now.ratePerSecond).toBeLessThanOrEqual(entry.manager * now.health + 1e-9);
					expect(now.ratePerSecond).toBeLessThanOrEqual(entry.level ?? Infinity);
					expect(now.basePerSecond).toBeLessThanOrEqual(Math.min(entry.manager, entry.level ?? Infinity));
					if (previous?.started) {
						const allowed = Math.max(previous.ratePerSecond * 1.01, previous.ratePerSecond + 0.5, best);
						expect(now.ratePerSecond).toBeLessThanOrEqual(allowed + 1e-9);
					}
					// What was in force while all was well, and was not disproved since.
					best = now.blind || now.health < 1 ? now.ratePerSecond : Math.max(best, now.ratePerSecond);
					previous = now;
				});
			})
		);
	});

	it('keeps the written rise over ten seconds', () => {
		for (const from of [1, 20, 49, 52, 60, 500]) {
			const decisions = run([
				{ limits: [manager(from)], seconds: 2 },
				{ limits: [manager(10_000)], seconds: 30 }
			]);
			for (let i = 1; i + 10 < decisions.length; i++) {
				const a = decisions[i]!.ratePerSecond;
				expect(decisions[i + 10]!.ratePerSecond).toBeLessThanOrEqual(a + Math.max(a * 0.1, 5) + 1e-6);
			}
		}
	});
});
