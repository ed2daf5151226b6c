import type { SpikeNow } from '../contract/index.ts';
import type { PartFigures } from './features/alarms/index.ts';
import type { Sensors } from './features/sensors/index.ts';
import { judgedRatio } from './features/spike/index.ts';
import type { Platform } from './platform/platform.ts';

/** Figures of the parts of the server; a figure that is too old is no figure. */
export function partFigures(
	parts: Platform,
	sensors: Pick<Sensors, 'isReady'>,
	spike: { now: SpikeNow | null; at: number }
): PartFigures {
	const { now, at } = spike;
	const work = now && at - now.at < 5_000 ? now : null;
	return {
		databaseMs: parts.database.oldestWaitMs(),
		brokerConnected: parts.broker.state().connected,
		counting: sensors.isReady() ? true : parts.together ? null : false,
		workRatio: work && judgedRatio(work.work),
		bookingP95Seconds: work?.booking.p95Ms == null ? null : work.booking.p95Ms / 1_000
	};
}
