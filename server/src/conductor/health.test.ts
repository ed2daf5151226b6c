import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Decision } from './decide.ts';
import { healthSignals, type HealthFigures, type PartHealth } from './health.ts';

const start = 1_772_000_000_000;
const well = (at: number, parts: readonly PartHealth[] = []): HealthFigures => ({
	bookingAt: at,
	bookingP95Ms: 100,
	bookingOldestMs: null,
	faultShare: 0,
	breaker: 'closed',
	poolAt: at,
	silentShare: null,
	poolWaitP95Ms: 1,
	parts
});
const part = (
	state: PartHealth['state'],
	at: number | null,
	forMs: number,
	name = 'database'
): PartHealth => ({
	...{ name, state, at, forMs }
});
const decideOn = (figures: HealthFigures, at = start, previous: Decision | null = null) =>
	decide({
		at,
		limits: [{ source: 'manager', perSecond: 100 }],
		health: healthSignals(figures),
		previous
	});

describe('what health is judged by', () => {
	it('is the worst of booking, pool, errors, breaker and the parts nobody books without', () => {
		expect(decideOn(well(start))).toMatchObject({ health: 1, worstSignal: null, worstValue: null });
		expect(decideOn({ ...well(start), bookingP95Ms: 2_500 })).toMatchObject({
			...{ health: 0.5, worstSignal: 'booking p95', worstValue: 2_500, ratePerSecond: 50 }
		});
		expect(decideOn({ ...well(start), faultShare: 0.2 })).toMatchObject({ health: 0, worstSignal: 'faults' });
		expect(decideOn({ ...well(start), poolWaitP95Ms: 2_000 })).toMatchObject({ worstSignal: 'pool wait' });
		expect(decideOn({ ...well(start), breaker: 'open' })).toMatchObject({ worstSignal: 'eligibility' });
		expect(decideOn({ ...well(start), bookingP95Ms: 2_500, faultShare: 0.2 }).worstSignal).toBe('faults');
	});

	it('takes one failed look at the database for a hiccup, and its absence for a closed door', () => {
		expect(decideOn(well(start, [part('up', start, 9_000)])).health).toBe(1);
		expect(decideOn(well(start, [part('down', start, 0)]))).toMatchObject({
			...{ health: 0.5, worstSignal: 'database' }
		});
		expect(decideOn(well(start, [part('down', start, 4_000, 'valkey')]))).toMatchObject({
			...{ health: 0, worstSignal: 'valkey', ratePerSecond: 0 }
		});
	});

	it('takes a part that says nothing for missing, never for well', () => {
		let previous = decideOn(well(start, [part('up', start, 0)]));
		for (let second = 1; second <= 65; second++) {
			const at = start + second * 1_000;
			previous = decideOn(well(at, [part('unknown', start, 0)]), at, previous);
			if (second === 31)
				expect(previous).toMatchObject({ blind: true, missing: ['database'], blindSince: start });
		}
		expect(previous.ratePerSecond).toBe(50);
	});
});

describe('blindness', () => {
	it('holds whatever rate was in force, then halves it once, whatever it was (W-35)', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 5_000 }), fc.integer({ min: 0, max: 3_900 }), (rate, p95) => {
				let previous: Decision | null = null;
				let held = 0;
				for (let second = 0; second <= 200; second++) {
					const at = start + second * 1_000;
					// Nothing is heard after the third second.
					const heardAt = Math.min(at, start + 3_000);
					previous = decide({
						at,
						limits: [{ source: 'manager', perSecond: rate }],
						health: healthSignals({ ...well(heardAt), bookingP95Ms: p95 }),
						previous
					});
					if (second === 33) held = previous.ratePerSecond;
					if (second > 33) expect(previous).toMatchObject({ blind: true, blindSince: start + 3_000 });
					if (second > 33 && second <= 63) expect(previous.ratePerSecond).toBe(held);
					if (second > 63) expect(previous.ratePerSecond).toBeCloseTo(held / 2, 6);
				}
			}),
			{ numRuns: 40 }
		);
	});
});
