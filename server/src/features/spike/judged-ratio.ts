import type { SpikeNow } from '../../../contract/index.ts';

/** As many may be in hand when the window ends, or still be told to come back, without anybody losing ground. */
const inHandMost = 5;

/**
 * Served ÷ offered as alarms and rules judge it: of three bookings a minute the one that is not answered yet would be a third,
 * and call everybody. Null without inflow.
 */
export function judgedRatio(work: Pick<SpikeNow['work'], 'offered' | 'served' | 'ratio'>): number | null {
	if (work.ratio === null) return null;
	return work.offered - work.served <= inHandMost ? 1 : work.ratio;
}
