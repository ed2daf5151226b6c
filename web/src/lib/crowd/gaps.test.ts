import type { EntryGap } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import { orderGaps, sumGaps } from './gaps.ts';

const at = 2_000_000_000_000;
const gap = (gate: string, counted: number | null, scanned: number | null, more: Partial<EntryGap> = {}) => ({
	...{
		gate,
		authority: 'counters' as const,
		counted,
		scanned,
		countOnly: 0,
		unproven: 0,
		windowSeconds: 3_600
	},
	gap: counted === null || scanned === null ? null : counted - scanned,
	at: counted === null || scanned === null ? null : at,
	...{ quality: 'live' as const, mark: 'none' as const, ...more }
});

test('gaps add up where both are known, and what is missing is said', () => {
	const sum = sumGaps([
		gap('gate-1', 120, 100, { countOnly: 8, unproven: 3, at: at - 9_000 }),
		gap('gate-2', 40, 45, { quality: 'partial' }),
		gap('gate-3', 900, null, { quality: 'unknown' })
	]);
	expect(sum).toEqual({
		...{ gap: 15, counted: 160, scanned: 145, countOnly: 8, unproven: 3, known: 2, of: 3 },
		...{ at: at - 9_000, quality: 'partial' }
	});
	expect(sumGaps([gap('gate-1', 5, 5)])).toMatchObject({ gap: 0, quality: 'live' });
});

test('nothing known is unknown, never 0', () => {
	expect(sumGaps([])).toMatchObject({ gap: null, quality: 'unknown', at: null });
	expect(sumGaps([gap('gate-1', null, 8)])).toMatchObject({ gap: null, quality: 'unknown', of: 1 });
});

test('gates stand in the order of their numbers', () => {
	const order = orderGaps([gap('gate-10', 1, 1), gap('gate-2', 1, 1)]).map(({ gate }) => gate);
	expect(order).toEqual(['gate-2', 'gate-10']);
});
