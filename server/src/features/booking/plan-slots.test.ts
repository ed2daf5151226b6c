import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { capacityMax, findPlanFault, planDemoSlots, planLaboratorySlots } from './plan-slots.ts';

const hourMs = 3_600_000;
const from = Date.UTC(2027, 1, 8, 9, 17);

describe('planning slots', () => {
	it('refuses a slot above what its lanes can scan', () => {
		const slot = { place: 'a', startsAt: from, endsAt: from + hourMs, lanes: 2 };
		expect(findPlanFault({ ...slot, capacity: 1_320 })).toBeNull();
		expect(findPlanFault({ ...slot, capacity: 1_321 })).toBe('above-lanes');
		expect(findPlanFault({ ...slot, endsAt: from + hourMs / 2, capacity: 661 })).toBe('above-lanes');
		expect(findPlanFault({ ...slot, lanes: 0, capacity: 1 })).toBe('above-lanes');
	});

	it('refuses an empty window and a capacity that is no number of people', () => {
		const slot = { place: 'a', startsAt: from, endsAt: from, capacity: 10, lanes: 1 };
		expect(findPlanFault(slot)).toBe('window');
		for (const capacity of [0, -1, 1.5, NaN]) {
			expect(findPlanFault({ ...slot, endsAt: from + hourMs, capacity })).toBe('capacity');
		}
	});

	it('allows exactly what fits and never one more', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 600 }), (lanes, minutes) => {
				const window = { place: 'a', startsAt: from, endsAt: from + minutes * 60_000, lanes };
				const most = capacityMax(window);
				expect(findPlanFault({ ...window, capacity: most })).toBeNull();
				expect(findPlanFault({ ...window, capacity: most + 1 })).toBe('above-lanes');
			})
		);
	});

	it('plans the laboratory: 50 slots of 100 places, far enough ahead', () => {
		const plans = planLaboratorySlots(from);
		expect(plans).toHaveLength(50);
		expect(plans.every((plan) => plan.capacity === 100 && findPlanFault(plan) === null)).toBe(true);
		expect(Math.min(...plans.map((plan) => plan.startsAt))).toBeGreaterThan(from);
	});

	it('plans a day of the demo that its own gates can scan, on full hours, without places that have no lane', () => {
		const plans = planDemoSlots(
			[
				{ place: 'north', lanes: 8 },
				{ place: 'closed', lanes: 0 }
			],
			from
		);
		expect(plans).toHaveLength(24);
		for (const plan of plans) {
			expect(findPlanFault(plan)).toBeNull();
			expect(plan.startsAt % hourMs).toBe(0);
			expect(plan.startsAt).toBeGreaterThanOrEqual(from);
		}
	});
});
