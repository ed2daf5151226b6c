import type { LevelFigures, SpikeNow } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** The newest figures as they stand beside a switch or a proposal; null when they are too old to be any. */
export function figuresOf(now: SpikeNow | null, at: number): LevelFigures | null {
	if (!now || at - now.at > limits.levels.figuresFreshMs) return null;
	const { room, work, booking, rate, process } = now;
	return {
		at: now.at,
		quality: work.quality,
		...{ p95Ms: booking.p95Ms, workRatio: work.ratio, offered: work.offered, served: work.served },
		...{ joined: room.joined, admitted: room.admitted },
		...{ depth: room.depth, called: room.called, active: room.active },
		...{ ratePerSecond: rate.perSecond, pollsPerSecond: process.pollsPerSecond }
	};
}
