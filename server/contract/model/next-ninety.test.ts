import { describe, expect, it } from 'vitest';
import { arrivalsOf, nextNinetyMinutes, shareBy, type NinetyGate, type NinetyInput } from './next-ninety.ts';
import { rateAt } from './plan.ts';
import { scorePrediction } from './score.ts';

/** Half come in the hour before the slot, the rest in the half hour after it; one in ten never. */
const showUp = [
	{ second: -3_600, share: 0 },
	{ second: 0, share: 0.45 },
	{ second: 1_800, share: 0.9 }
];
const gate = (more: Partial<NinetyGate> = {}): NinetyGate => ({
	...{ id: 'north', zone: 'hall', lanes: 2, perLanePerSecond: 0.25, openShare: 1, outside: 0 },
	...{ outsideMax: 400, slots: [], countedPerSecond: null, ...more }
});
const hall = { id: 'hall', present: 0, capacity: 50_000, staySeconds: null };
const input = (more: Partial<NinetyInput>): NinetyInput => ({
	...{ gates: [gate()], zones: [hall], showUp, pauses: [], ...more }
});
const peopleOf = (curve: ReturnType<typeof arrivalsOf>, from = 0, until = 5_400) => {
	let sum = 0;
	for (let second = from; second < until; second += 30) sum += rateAt(curve, second + 15) * 30;
	return sum;
};

describe('who comes within ninety minutes', () => {
	it('is what the permits promise, less who never comes and who is in', () => {
		const slots = [{ beginsAtSecond: 3_600, permits: 1_000, entered: 0 }];
		expect(peopleOf(arrivalsOf(slots, null, input({})))).toBeCloseTo(900, 3);
		const begun = [{ beginsAtSecond: 0, permits: 1_000, entered: 700 }];
		expect(peopleOf(arrivalsOf(begun, null, input({})))).toBeCloseTo(200, 3);
	});

	it('begins with what is counted, and fades into the plan', () => {
		const curve = arrivalsOf([{ beginsAtSecond: 3_600, permits: 3_600, entered: 0 }], 2, input({}));
		expect(rateAt(curve, 15)).toBeCloseTo(2, 5);
		expect(rateAt(curve, 1_500)).toBeCloseTo(0.45, 2);
	});

	it('keeps people away in a pause and brings all of them afterwards', () => {
		const slots = [{ beginsAtSecond: 3_600, permits: 1_000, entered: 0 }];
		const pauses = [{ fromSecond: 900, untilSecond: 1_500, share: 0.1 }];
		const curve = arrivalsOf(slots, null, input({ pauses }));
		const without = arrivalsOf(slots, null, input({}));
		expect(peopleOf(curve, 900, 1_500)).toBeCloseTo(0.1 * peopleOf(without, 900, 1_500), 4);
		expect(rateAt(curve, 1_515)).toBeGreaterThan(rateAt(without, 1_515) * 1.5);
		expect(peopleOf(curve)).toBeCloseTo(900, 0);
	});

	it('reads the curve between its points, and nobody before it', () => {
		expect(shareBy(showUp, -4_000)).toBe(0);
		expect(shareBy(showUp, -1_800)).toBeCloseTo(0.225);
		expect(shareBy(showUp, 99_999)).toBe(0.9);
		expect(
			arrivalsOf([{ beginsAtSecond: 0, permits: 100, entered: 0 }], null, input({ showUp: [] }))[0]
		).toEqual({
			second: 15,
			perSecond: 0
		});
	});
});

describe('the minute it breaks, and the cure', () => {
	it('is calm where the lanes suffice', () => {
		const slots = [{ beginsAtSecond: 3_600, permits: 1_000, entered: 0 }];
		expect(nextNinetyMinutes(input({ gates: [gate({ slots })] }))).toMatchObject([
			{ gate: 'north', breaksAtSecond: null, because: null, cure: null }
		]);
	});

	it('names the fewest lanes that hold', () => {
		const slots = [{ beginsAtSecond: 3_600, permits: 6_000, entered: 0 }];
		const [answer] = nextNinetyMinutes(input({ gates: [gate({ slots })] }));
		expect(answer).toMatchObject({ because: 'outside', passesPerSecond: 0.5 });
		expect(answer!.breaksAtSecond).toBeGreaterThan(600);
		expect(answer!.cure).toMatchObject({ kind: 'lanes' });
		const lanes = (answer!.cure as { lanes: number }).lanes;
		const with_ = (count: number) => nextNinetyMinutes(input({ gates: [gate({ slots, lanes: count })] }))[0]!;
		expect(with_(lanes).breaksAtSecond).toBeNull();
		expect(with_(lanes - 1).breaksAtSecond).not.toBeNull();
	});

	it('sends people to another gate where the zone is what breaks, and says when nothing helps', () => {
		const slots = [{ beginsAtSecond: 1_800, permits: 2_000, entered: 0 }];
		const full = { ...hall, capacity: 900 };
		const wide = { lanes: 8, perLanePerSecond: 0.5, slots };
		const far = gate({ id: 'south', zone: 'court', lanes: 8 });
		const [north] = nextNinetyMinutes(
			input({ zones: [full, { ...hall, id: 'court' }], gates: [gate(wide), far] })
		);
		expect(north).toMatchObject({ because: 'zone', cure: { kind: 'divert', to: 'south' } });
		const [alone] = nextNinetyMinutes(input({ zones: [full], gates: [gate(wide)] }));
		expect(alone!.cure).toEqual({ kind: 'fewer-people', perSecond: 4 });
	});
});

describe('the score of a prediction', () => {
	it('tells error and bias, and nothing where there is nothing', () => {
		expect(scorePrediction([10, 20, null, 40], [8, 24, 5, null])).toEqual({
			...{ points: 2, meanError: 3, bias: -1 },
			share: 3 / 24
		});
		expect(scorePrediction([1], [null])).toMatchObject({ points: 0, meanError: null, share: null });
		expect(scorePrediction([0, 1], [0, 0]).share).toBeNull();
	});
});
