import type { SpikeNow } from '@marsad/server/contract';
import type { Priority } from '../priority.ts';

/** Below this work ratio the storm has won: the kill line. */
export const killRatio = 0.6;
/** Below 1 for so long, the storm is winning. */
export const losingAfterSeconds = 120;
/** Bookings slower than this are too slow (95 of 100), and for so long that level 2 is due. */
export const p95LimitMs = 2_000;
export const p95LimitSeconds = 300;

/** A span shorter than this is not worth a word: it only flickers. */
export const tellingSeconds = 30;

export interface WorkFigure {
	ratio: number | null;
	priority: Priority | null;
	state: 'no-inflow' | 'keeping-up' | 'below' | 'losing' | 'kill-line';
	belowSeconds: number;
}

/** Drain ÷ inflow behind the waiting room. Colour only when it lasts, or when it is past the kill line. */
export function judgeWork(work: SpikeNow['work']): WorkFigure {
	const belowSeconds = work.belowOneSeconds;
	if (work.ratio === null) return { ratio: null, priority: null, state: 'no-inflow', belowSeconds };
	if (work.ratio < killRatio)
		return { ratio: work.ratio, priority: 'critical', state: 'kill-line', belowSeconds };
	if (work.ratio >= 1) return { ratio: work.ratio, priority: null, state: 'keeping-up', belowSeconds: 0 };
	const isLosing = belowSeconds >= losingAfterSeconds;
	return {
		ratio: work.ratio,
		priority: isLosing ? 'high' : null,
		state: isLosing ? 'losing' : 'below',
		belowSeconds
	};
}

/** Booking time of 95 of 100: medium above the limit, high when it lasts as long as the written rule says. */
export function judgeP95(p95Ms: number | null, aboveSeconds: number): Priority | null {
	if (p95Ms === null || p95Ms <= p95LimitMs) return null;
	return aboveSeconds >= p95LimitSeconds ? 'high' : 'medium';
}

/** The admission rate is abnormal when the conductor cannot see, or slows down because something is unwell. */
export function judgeRate(rate: SpikeNow['rate']): Priority | null {
	if (rate.blind) return 'high';
	return rate.limitedBy === 'health' ? 'medium' : null;
}
