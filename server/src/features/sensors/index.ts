import type { SensorState } from '../../../contract/index.ts';
import type { Broker } from '../../platform/broker/broker.ts';
import type { LeadingBroker } from '../../platform/broker/leading-broker.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Feature } from '../../platform/feature.ts';
import { createLeader, type Leader } from '../../platform/leader/leader.ts';
import type { Log } from '../../platform/log.ts';
import type { Metrics } from '../../platform/metrics.ts';
import type { Notices } from '../../platform/notices/notices.ts';
import type { Record as TheRecord } from '../record/index.ts';
import type { Site } from '../site/index.ts';
import { adapters } from './adapters/index.ts';
import { claimsOf, routesOf } from './claims.ts';
import { findCredential } from './credential-store.ts';
import { describeDevice } from './device.ts';
import { createDeviceSignIn, type DeviceSignIn } from './device-sign-in.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { previewRoutes } from './preview-routes.ts';
import { readingRoutes } from './reading-routes.ts';
import { createIngest } from './sensor-ingest.ts';
import type { ScanTotals } from './scan-totals.ts';
import { sensorRoutes } from './sensor-routes.ts';
import { sumCounterFlows } from './sensor-store.ts';
import { simulatorRoutes } from './simulator-routes.ts';
import { createStoredCounts } from './stored-counts.ts';

export { claimsOf } from './claims.ts';
export { counterHints, isHeard, type Counter } from './device.ts';
export { previewPayload } from './preview.ts';

/** Devices, their readings and what they counted. */
export interface Sensors extends Feature {
	/** Counters of the site file with what they counted, from memory: newer than the store by at most a second. */
	counters: Ledger['counters'];
	/** Devices as the sensor page shows them, as far as readings are folded here. */
	devices(): SensorState[];
	/** Another number, and something was read here since. */
	revision(): number;
	/** Net people that counters which left the site file brought into a zone. */
	retiredNetFlow(zone: string): number;
	/** Whether stored counts are loaded and new ones are folded here. */
	isReady(): boolean;
	/** The term under which readings are folded here; null while another instance does, or nobody yet. */
	term(): number | null;
	/** Where another instance counts, the counters here hold what it had stored a second ago or later. */
	refresh(): Promise<void>;
	/** What was scanned at a gate, where readings are folded here; elsewhere nothing happens. */
	takeScans(counter: string, scans: ScanTotals): void;
	/** People over each counter in whole minutes of a period. */
	counted(
		counters: readonly string[],
		period: { from: number; to: number }
	): Promise<Map<string, { in: number; out: number }>>;
	/** Told each time stored counts have been loaded. */
	onReady(listener: () => void): void;
	/** Told when a simulated crowd starts, with the people it has in each zone; the simulator waits for it. */
	onCrowd(listener: (present: Readonly<Record<string, number>>) => Promise<void>): void;
	/** Devices and simulators sign in on the embedded broker through this. */
	authenticateDevice: DeviceSignIn['authenticate'];
	/** What the broker sees is wrong with a device: shown with what the device says of itself. */
	noteTrouble(device: string, trouble: string): void;
	/** Commits what waits now; tests and the end of the process need not wait for the timer. */
	flush(): Promise<void>;
	/** What was read so far is stored, whichever instance reads, and the counters here hold it. @throws AppError `not_ready` */
	settle(): Promise<void>;
}

export function createSensors(deps: {
	database: Database;
	clock: Clock;
	log: Log;
	metrics: Metrics;
	broker: Pick<Broker, 'subscribe' | 'onState'>;
	/** Where several instances share one session of the broker, instead of `broker`. */
	sessionOf?: ((mayConnect: () => boolean) => LeadingBroker) | undefined;
	record: Pick<TheRecord, 'append' | 'runCommand'>;
	site: Site;
	instance: string;
	/** True in demo and laboratory: elsewhere a simulated reading is counted as refused, and ignored. */
	simulatedAllowed: boolean;
	/** To other instances, where there are any. */
	notices?: Notices | undefined;
	/** Address of the broker as a simulator on this machine reaches it. */
	mqttUrl: () => string;
}): Sensors {
	const { database, clock, log, site, simulatedAllowed } = deps;
	const crowdListeners: ((present: Readonly<Record<string, number>>) => Promise<void>)[] = [];
	const readyListeners: (() => void)[] = [];
	const claims = claimsOf(site.id, site.countersByDevice);
	const ledger = createLedger(site.countersByDevice, {
		simulatedAllowed,
		isOnChangeOnly: (name) => adapters[name].onChangeOnly
	});
	const signIn = createDeviceSignIn({
		site: site.id,
		claims,
		simulatedAllowed,
		find: (device) => findCredential(database.db, device)
	});
	const messages = deps.metrics.counter('marsad_sensor_messages_total', 'Messages of devices by outcome', [
		'outcome'
	]);
	type Outcomes = ReturnType<typeof messages.labels>;
	/** Found once for each outcome: the library looks its labels up anew for each increment. */
	const byOutcome = new Map<string, Outcomes>();
	const countOutcome = (outcome: string) => {
		const known = byOutcome.get(outcome) ?? messages.labels({ outcome });
		byOutcome.set(outcome, known);
		known.inc();
	};
	let leader: Leader | null = null;
	const session = deps.sessionOf?.(() => leader?.term() != null);
	const ingest = createIngest({
		site: site.id,
		ledger,
		routes: routesOf(site.id, claims),
		broker: session ?? deps.broker,
		leader: () => leader ?? neverLeads,
		database,
		clock,
		log,
		count: ({ reason }) => countOutcome(reason ?? 'taken'),
		onReady: () => readyListeners.forEach((listener) => listener())
	});
	leader = createLeader({
		name: 'ingest',
		instance: deps.instance,
		database,
		clock,
		log,
		onElected() {
			ingest.onElected();
			session?.open();
		},
		onLost() {
			ingest.onLost();
			void session?.close().catch((error: unknown) => log.warn({ err: error }, 'the session did not close'));
		}
	});
	const stored = createStoredCounts({ db: database.db, clock, ingest, notices: deps.notices });
	// At once, not at the start: what a broker kept for us comes with the first connection.
	ingest.subscribe();

	return {
		name: 'sensors',
		counters: ledger.counters,
		devices() {
			const now = clock.now();
			return [...ledger.devices.values()].map((device) => describeDevice(device, now));
		},
		revision: ledger.revision,
		retiredNetFlow: (zone) => netFlowInto(ledger.retired, zone),
		isReady: () => ingest.isReady(),
		term: () => (ingest.isReady() ? leader.term() : null),
		refresh: stored.refresh,
		takeScans(counter, scans) {
			if (ingest.isReady()) ledger.takeScans(counter, scans, clock.now());
		},
		counted: (counters, period) => sumCounterFlows(database.db, site.id, counters, period),
		onReady: (listener) => void readyListeners.push(listener),
		onCrowd: (listener) => void crowdListeners.push(listener),
		authenticateDevice: signIn.authenticate,
		noteTrouble: (device, trouble) => void ingest.note({ kind: 'trouble', device, channel: null, trouble }),
		flush: () => ingest.flush(),
		settle: stored.settle,
		staffRoutes(app) {
			sensorRoutes(app, {
				...{ site: site.id, ledger, db: database.db, clock, record: deps.record },
				refresh: stored.refresh
			});
			readingRoutes(app, { site: site.id, claims, ingest, signIn, clock });
			previewRoutes(app, { site: site.id, claims, clock });
			simulatorRoutes(app, {
				site,
				signIn,
				mqttUrl: deps.mqttUrl,
				onCrowd: async (present) => {
					for (const listener of crowdListeners) await listener(present);
				}
			});
		},
		async start() {
			leader.start();
			ingest.start();
		},
		async stop() {
			await ingest.stop();
			await session?.close();
			await leader.stop();
		}
	};
}

function netFlowInto(retired: Ledger['retired'], zone: string): number {
	return retired.reduce((net, { fromZone, toZone, totalIn, totalOut }) => {
		if (toZone === zone) return net + totalIn - totalOut;
		return fromZone === zone ? net + totalOut - totalIn : net;
	}, 0);
}

const neverLeads: Pick<Leader, 'check' | 'term'> = {
	term: () => null,
	check: () => Promise.reject(new Error('nobody leads yet'))
};
