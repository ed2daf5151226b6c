import type { Booking } from './features/booking/index.ts';
import type { Entries } from './features/entries/index.ts';
import type { Levels } from './features/levels/index.ts';
import type { Permits } from './features/permits/index.ts';
import type { ReadinessSources } from './features/readiness/index.ts';
import type { Runs } from './features/runs/index.ts';
import type { Season } from './features/season/index.ts';
import type { Sensors } from './features/sensors/index.ts';
import type { WaitingRoom } from './features/waiting-room/index.ts';

/** What each part leaves as evidence of being ready. */
export function readinessSources(of: {
	season: Pick<Season, 'plan'>;
	runs: Pick<Runs, 'outcomes' | 'evidence'>;
	levels: Pick<Levels, 'state'>;
	permits: Pick<Permits, 'keyBoard'>;
	entries: Pick<Entries, 'scanners'>;
	sensors: Pick<Sensors, 'isReady' | 'devices'>;
	booking: Pick<Booking, 'figures'>;
	waitingRoom: Pick<WaitingRoom, 'figures'>;
}): ReadinessSources {
	return {
		plan: of.season.plan,
		async facts() {
			const { ready, managerPerSecond } = of.waitingRoom.figures();
			const { levels, lastDrills } = of.levels.state();
			return {
				evidence: await of.runs.evidence(),
				runs: await of.runs.outcomes(),
				keys: await of.permits.keyBoard(),
				ratePerSecond: ready ? managerPerSecond : null,
				levels: levels.map(({ level }) => level).filter((level) => level > 0),
				drills: lastDrills,
				scanners: of.entries.scanners(),
				devices: of.sensors.isReady() ? of.sensors.devices() : null,
				reconciliation: of.booking.figures().reconciliation
			};
		}
	};
}
