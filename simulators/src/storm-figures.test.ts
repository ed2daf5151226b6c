import { describe, expect, it } from 'vitest';
import { createRandom } from './chance.ts';
import { findPulse, peakPerSecond, percentileOf } from './storm-figures.ts';
import { createScreenJudge } from './storm-report.ts';
import { stormTempers, type StormTemper } from './storm-tempers.ts';

/** Attempts of clients whose server is away for so long, in virtual time. */
function attempts(temper: StormTemper, clients: number, awayMs: number, seed: number): number[] {
	const random = createRandom(seed);
	const moments: number[] = [];
	for (let client = 0; client < clients; client += 1) {
		let nowMs = 0;
		const back = stormTempers[temper].create({ now: () => nowMs, random });
		do {
			nowMs += back.failed(null);
			moments.push(nowMs);
		} while (nowMs < awayMs);
	}
	return moments;
}

describe('figures of a return', () => {
	it('the peak is the fullest second, wherever it begins', () => {
		expect(peakPerSecond([])).toBe(0);
		expect(peakPerSecond([900, 1_100, 1_200, 1_899, 5_000])).toBe(4);
		expect(peakPerSecond([0, 1_000, 2_000])).toBe(1);
	});

	it('clients in step are told from those that obey', () => {
		for (const seed of [1, 2, 3]) {
			const obedient = attempts('obedient', 5_000, 4_000, seed);
			expect(peakPerSecond(obedient)).toBeLessThan(500);
			expect(findPulse(obedient)!.correlation).toBeLessThan(0.4);
			const library = attempts('library', 5_000, 60_000, seed);
			expect(peakPerSecond(library)).toBeGreaterThan(4_000);
			expect(findPulse(library)!.correlation).toBeGreaterThan(0.6);
			expect(findPulse(library)!.seconds % 5).toBe(0);
		}
		expect(findPulse([1, 2, 3])).toBeNull();
	});

	it('percentiles', () => {
		expect(percentileOf([], 50)).toBeNull();
		expect(percentileOf([5, 1, 3], 50)).toBe(3);
		expect(percentileOf([5, 1, 3], 100)).toBe(5);
	});

	it('a screen is right when it shows what the others show, of the newest start', () => {
		const copy = (seq: number, value: number, stream = 'b') => ({ stream, seq, state: { bar: value } });
		const all = [copy(10, 7), copy(10, 7), copy(9, 6), copy(2, 1), copy(10, 8), copy(10, 7, 'a'), null];
		const isRight = createScreenJudge(all, copy(10, 7));
		expect(all.map(isRight)).toEqual([true, true, true, false, false, false, false]);
	});
});
