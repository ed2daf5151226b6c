import { createHistogram } from 'node:perf_hooks';
import type { RecordEntry } from '../../../contract/index.ts';
import type { TestDatabase } from '../../../test/kit/test-database.ts';
import { createConductor } from '../../conductor/conductor.ts';
import { createTestClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createHub } from '../../platform/realtime/hub.ts';
import type { BookingFigures } from '../booking/index.ts';
import type { RoomFigures } from '../waiting-room/index.ts';
import { createSpike, type SpikeDeps, type StormPart } from './index.ts';
import { outcomeNames } from './samples.ts';

/** Lets what was started come to an end. */
export const settle = () => new Promise((resolve) => setTimeout(resolve, 20));

/** Parts that a test moves by hand. */
function createParts() {
	const outcomes = Object.fromEntries(outcomeNames.map((name) => [name, 0])) as BookingFigures['outcomes'];
	let latency = createHistogram();
	let checks = createHistogram();
	return {
		room: {
			ready: true,
			joinedTotal: 0,
			admittedTotal: 0,
			waiting: 0,
			called: 0,
			active: 0,
			oldestSeconds: null,
			emptiesAt: null,
			boundBy: null,
			measured: true,
			rateByHand: true,
			pollsPerSecond: 0,
			pending: 0,
			noShow: 0,
			placesMax: 500
		} as unknown as RoomFigures,
		booking: {
			outcomes,
			offered: 0,
			served: 0,
			buffer: { depth: 0, oldestSeconds: null, drainPerSecond: 0 },
			waitingForBatch: 0,
			eligibility: { kind: 'simulated', breaker: 'closed', running: 0, waiting: 0, trouble: null }
		} as BookingFigures,
		bookingFails: false,
		book(count: number, ms: number, served = count) {
			this.booking.offered += count;
			this.booking.served += served;
			this.booking.outcomes.booked += served;
			for (let i = 0; i < count; i++) latency.record(ms * 1_000);
		},
		takeHistogram() {
			const taken = latency;
			latency = createHistogram();
			return taken;
		},
		check(count: number, ms: number) {
			for (let i = 0; i < count; i++) checks.record(ms * 1_000);
		},
		takeCheckHistogram() {
			const taken = checks;
			checks = createHistogram();
			return taken;
		},
		mode: 'open' as const,
		/** Newest first. */
		commands: [] as RecordEntry[]
	};
}

/** Three screens, two of them connected in this second. */
export const calmStorm: StormPart = {
	...{ handshakes: 2, handshakesPeak: 2, refused: {}, connected: { screen: 3 }, tenants: [['account 1', 3]] },
	...{ bucketPerSecond: 200, connectionsMax: 6_000, tenantMax: 40, offered: 4, served: 4, failed: 0 },
	...{ breaker: 'closed', failureShare: 0, depth: 0, oldestMs: null, waitingTenants: 0, slowScreens: 0 },
	spreadMs: 30_000
};

let rooms = 0;

/** Spike health over parts that a test moves by hand, on a real database. */
export function createStand(
	test: TestDatabase,
	room = `spike ${rooms++}`,
	clock = createTestClock(),
	{ leads, ...more }: Partial<SpikeDeps> & { leads?: () => boolean } = {}
) {
	const parts = createParts();
	const conductor = createConductor({ clock, log: createLog('silent') });
	conductor.register({ name: 'room', limits: () => [{ source: 'manager', perSecond: 100 }] });
	const hub = createHub(clock);
	const probes: { state: 'up' | 'hangs' | 'throws' } = { state: 'up' };
	const deps: SpikeDeps = {
		database: {
			db: test.database.db,
			poolFigures: () => ({ inUse: 1, size: 10, waitingForOne: 0, waitP95Ms: 2 })
		},
		...{ clock, hub, log: createLog('silent'), metrics: createMetrics() },
		conductor: { ...conductor, leads: leads ?? conductor.leads },
		waitingRoom: {
			figures: () => ({ ...parts.room }),
			progress: () => ({ mode: parts.mode }) as ReturnType<SpikeDeps['waitingRoom']['progress']>
		},
		record: { newest: async () => parts.commands },
		...{ instance: 'one', build: Promise.resolve('build-one') },
		booking: {
			figures() {
				if (parts.bookingFails) throw new Error('no figures');
				return { ...parts.booking, outcomes: { ...parts.booking.outcomes } };
			},
			takeHistogram: () => parts.takeHistogram(),
			takeCheckHistogram: () => parts.takeCheckHistogram()
		},
		probes: [
			{
				name: 'part',
				async look() {
					if (probes.state === 'hangs') await new Promise(() => undefined);
					if (probes.state === 'throws') throw new Error('gone');
					return { state: 'up' };
				}
			}
		],
		takeStorm: () => ({ ...calmStorm }),
		level: () => 1,
		mark: 'simulated',
		season: 'demo',
		room,
		...more
	};
	const spike = createSpike(deps);
	const seconds = async (count: number, each: () => void = () => undefined) => {
		for (let i = 0; i < count; i++) {
			each();
			clock.advance(1_000);
			await conductor.turn();
		}
	};
	return { parts, conductor, hub, spike, seconds, clock, probes, room, metrics: deps.metrics };
}
