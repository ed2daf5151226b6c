import type { Counter } from './device.ts';

/** What was scanned at a gate since ever, as its entries say. */
export interface ScanTotals {
	in: number;
	out: number;
	/** Of what is new since the last call: people who passed long before. */
	late: { in: number; out: number };
	/** When the newest of its scanners was heard, epoch ms. */
	heardAt: number;
	simulated: boolean;
}

/**
 * Brings a counter up to running totals. They come from our own store, so that they are believed as they stand: the same
 * again moves nobody, whatever was lost in between. @returns people who passed now; null when nobody moved
 */
export function countScans({ state, late }: Counter, scans: ScanTotals): { in: number; out: number } | null {
	const newIn = Math.max(0, scans.in - (state.base?.in ?? 0));
	const newOut = Math.max(0, scans.out - (state.base?.out ?? 0));
	if (newIn + newOut === 0) return null;
	state.base = { in: scans.in, out: scans.out };
	state.totalIn += newIn;
	state.totalOut += newOut;
	state.totalAt = scans.heardAt;
	const lateIn = Math.min(newIn, scans.late.in);
	const lateOut = Math.min(newOut, scans.late.out);
	late.in += lateIn;
	late.out += lateOut;
	return { in: newIn - lateIn, out: newOut - lateOut };
}
