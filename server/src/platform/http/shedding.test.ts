import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createShedder, loadOf, thresholdOf, watchEventLoop, type LoadSignal } from './shedding.ts';

const signal = (value: number): LoadSignal => ({ name: 'pool-wait', value, start: 100, most: 1_100 });
const create = () => {
	const state = { ms: 0, value: 0 };
	const shedder = createShedder({
		signals: () => [signal(state.value)],
		elapsedMs: () => state.ms,
		random: () => 0.5
	});
	return { state, shedder };
};

describe('shedding by priority', () => {
	it('follows the published points', () => {
		expect([0.35, 0.8, 0.95].map((load) => Math.round(thresholdOf(load) * 10) / 10)).toEqual([
			95.7, 48.8, 14.3
		]);
		expect([thresholdOf(0), thresholdOf(1)]).toEqual([100, 0]);
	});

	it('takes the worst sign, within its bounds; one that cannot be read changes nothing', () => {
		expect(loadOf([signal(0), signal(600)])).toBe(0.5);
		expect(loadOf([signal(9_999)])).toBe(1);
		expect(loadOf([signal(Number.NaN), signal(350)])).toBe(0.25);
		expect(loadOf([])).toBe(0);
	});

	it('never refuses what may never be refused, and refuses in order of priority', () => {
		fc.assert(
			fc.property(fc.integer({ min: 0, max: 2_000 }), fc.integer({ min: 1, max: 99 }), (value, priority) => {
				const { state, shedder } = create();
				state.value = value;
				expect(shedder.refuses(0)).toBe(false);
				if (shedder.refuses(priority)) expect(shedder.refuses(priority + 1)).toBe(true);
			})
		);
		const { state, shedder } = create();
		state.value = 5_000;
		expect(shedder.refuses(1)).toBe(true);
		expect(shedder.refuses(0)).toBe(false);
	});

	it('believes load at once and relief slowly', () => {
		const { state, shedder } = create();
		state.value = 1_000;
		expect(shedder.refuses(50)).toBe(true);
		state.value = 0;
		state.ms = 250;
		expect(shedder.refuses(60)).toBe(true);
		expect(shedder.figures().load).toBeCloseTo(0.775);
		state.ms = 3_000;
		expect(shedder.refuses(99)).toBe(false);
	});

	it('looks four times a second at the most', () => {
		let looks = 0;
		const state = { ms: 0 };
		const shedder = createShedder({
			signals: () => (looks++, []),
			elapsedMs: () => state.ms,
			random: () => 0
		});
		for (let turn = 0; turn < 1_000; turn++) {
			shedder.refuses(80);
			state.ms += 1;
		}
		expect(looks).toBeLessThanOrEqual(4);
	});

	it('sends the refused back later the more there is to do, never all at once', () => {
		const { state, shedder } = create();
		state.value = 200;
		shedder.refuses(1);
		const calm = shedder.retryAfterSeconds();
		state.ms = 250;
		state.value = 5_000;
		shedder.refuses(1);
		expect(shedder.retryAfterSeconds()).toBeGreaterThan(calm);
		const spreads = [0, 0.99].map((random) => {
			const one = createShedder({ signals: () => [signal(5_000)], elapsedMs: () => 0, random: () => random });
			one.refuses(1);
			return one.retryAfterSeconds();
		});
		expect(spreads[1]! - spreads[0]!).toBeGreaterThanOrEqual(10);
	});

	it('does not take one long moment for overload', async () => {
		const loop = watchEventLoop(() => performance.now());
		expect(loop.delayMs()).toBe(0);
		const until = performance.now() + 900;
		while (performance.now() < until);
		await new Promise((resolve) => setTimeout(resolve, 50));
		expect(loop.delayMs()).toBe(0);
		loop.stop();
	});
});
