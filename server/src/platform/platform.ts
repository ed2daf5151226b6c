import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { Mark } from '../../contract/index.ts';
import type { Config } from '../config.ts';
import { connectBroker, type Broker } from './broker/broker.ts';
import { createLeadingBroker, type LeadingBroker } from './broker/leading-broker.ts';
import {
	startEmbeddedBroker,
	type BrokerIdentity,
	type DeviceTrouble,
	type EmbeddedBroker,
	type EmbeddedBrokerOptions
} from './broker/embedded-broker.ts';
import type { Clock } from './clock.ts';
import { openDatabase, type Database } from './database/database.ts';
import type { Log } from './log.ts';
import { createMetrics, type Metrics } from './metrics.ts';
import { createHub, type Hub } from './realtime/hub.ts';
import { newInstanceId } from './realtime/realtime.ts';
import { joinOthers, type Together } from './together.ts';
import { openValkey, type Valkey } from './valkey/valkey.ts';

type Identify = (username: string, password: string) => Promise<BrokerIdentity | null>;

export interface PlatformOptions {
	config: Config;
	log: Log;
	clock: Clock;
	databaseUrl: string;
	databaseDirectUrl: string;
	/** Names this deployment among others on the same servers. */
	scope: string;
}

/** The open adapters to the outside. */
export interface Platform {
	/** Names this process among instances. */
	instance: string;
	metrics: Metrics;
	database: Database;
	/** With it several instances share the queue; null: this is the only one. */
	valkey: Valkey | null;
	/** The others, where there may be any. */
	together: Together | null;
	broker: Broker;
	/** The one session that the broker outside keeps for all instances; null where there is one alone. */
	sessionOf: ((mayConnect: () => boolean) => LeadingBroker) | null;
	embeddedBroker: EmbeddedBroker | null;
	hub: Hub;
	/** `simulated` in demo and laboratory: the whole run is marked. */
	runMark: Mark;
	/** Devices and simulators sign in on the embedded broker through this. */
	setIdentify(identify: Identify): void;
	/** What the embedded broker sees is wrong with a device. */
	onDeviceTrouble(listener: (device: string, trouble: DeviceTrouble) => void): void;
	close(): Promise<void>;
}

/** Everything that touches the outside; knows no feature. */
export async function openPlatform(options: PlatformOptions): Promise<Platform> {
	const { config, log, clock } = options;
	const instance = newInstanceId();
	const metrics = createMetrics({ processFigures: true });
	const database = openDatabase({
		url: options.databaseUrl,
		directUrl: options.databaseDirectUrl,
		poolMax: config.databasePoolMax,
		clock,
		log
	});
	const valkey = config.valkeyUrl ? openValkey({ url: config.valkeyUrl, log }) : null;
	const serverPassword = randomBytes(32).toString('base64url');
	let identify: Identify = async () => null;
	const troubleListeners: ((device: string, trouble: DeviceTrouble) => void)[] = [];
	const embeddedBroker = config.mqttUrl
		? null
		: await startServerBroker(config, log, metrics, {
				serverPassword,
				identify: (name, password) => identify(name, password),
				onDeviceTrouble: (device, trouble) =>
					troubleListeners.forEach((listener) => listener(device, trouble))
			});
	const { mqttUrl, valkeyUrl } = config;
	const session = { clientId: 'marsad-server', persistent: true, log, clock };
	const ownSession = { ...session, clientId: `marsad-server-${instance}`, persistent: false };
	const broker = connectBroker(
		mqttUrl
			? { url: mqttUrl, ...(valkey ? ownSession : session) }
			: {
					url: `mqtt://127.0.0.1:${embeddedBroker!.port}`,
					...{ username: serverName, password: serverPassword, ...ownSession }
				}
	);
	const sessionOf = (mayConnect: () => boolean) =>
		createLeadingBroker(() => connectBroker({ url: mqttUrl!, ...session, mayConnect }));
	const hub = createHub(clock);
	const together =
		valkey && valkeyUrl ? joinOthers({ ...options, valkey, valkeyUrl, database, hub, instance }) : null;
	const runMark: Mark = config.demo ? 'simulated' : 'none';
	return {
		instance,
		metrics,
		database,
		valkey,
		together,
		broker,
		sessionOf: valkey && mqttUrl ? sessionOf : null,
		embeddedBroker,
		hub,
		runMark,
		setIdentify(next) {
			identify = next;
		},
		onDeviceTrouble: (listener) => void troubleListeners.push(listener),
		async close() {
			hub.stop();
			await broker.stop();
			await embeddedBroker?.stop();
			await valkey?.close();
			await database.close();
			metrics.stop();
		}
	};
}

const serverName = 'server';

/** The embedded broker knows this server by a password made at every start; everybody else is asked of `identify`. */
async function startServerBroker(
	config: Config,
	log: Log,
	metrics: Metrics,
	options: { serverPassword: string; identify: Identify } & Pick<EmbeddedBrokerOptions, 'onDeviceTrouble'>
): Promise<EmbeddedBroker> {
	const events = metrics.counter('marsad_broker_events_total', 'What the embedded broker did, by kind', [
		'event'
	]);
	return startEmbeddedBroker({
		host: config.host,
		port: config.mqttPort,
		log,
		acksFromServer: true,
		onEvent: (event) => events.inc({ event }),
		...(options.onDeviceTrouble && { onDeviceTrouble: options.onDeviceTrouble }),
		authenticate: (username, password) =>
			username === serverName
				? sameText(password, options.serverPassword)
					? { kind: 'server', publish: ['#'], subscribe: ['#'] }
					: null
				: options.identify(username, password)
	});
}

function sameText(given: string, expected: string): boolean {
	const a = Buffer.from(given);
	const b = Buffer.from(expected);
	return a.length === b.length && timingSafeEqual(a, b);
}
