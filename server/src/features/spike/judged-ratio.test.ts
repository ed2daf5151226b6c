import { describe, expect, it } from 'vitest';
import { judgedRatio } from './judged-ratio.ts';

describe('the work ratio that an alarm judges', () => {
	const of = (offered: number, served: number) =>
		judgedRatio({ offered, served, ratio: offered === 0 ? null : served / offered });

	it('is no storm while a handful is in hand, and is the ratio beyond that', () => {
		expect([of(2, 1), of(5, 0), of(600, 595)]).toEqual([1, 1, 1]);
		expect([of(6, 0), of(600, 400), of(100, 59)]).toEqual([0, 400 / 600, 0.59]);
	});

	it('is nothing without inflow', () => expect(of(0, 0)).toBe(null));
});
