import { setTimeout as delay } from 'node:timers/promises';
import { randomBytes } from 'node:crypto';
import mqtt, { type MqttClient } from 'mqtt';
import { askSession, SimulatorError, unreachable, type Session } from './session.ts';

/** How a message is to be sent. */
export interface SayOptions {
	qos?: 0 | 1;
	retain?: boolean;
}

/** One connection to the broker that is made again, with a new session, whenever it is lost. Keeps no message. */
export interface Link {
	/** The session that is in use now. */
	session(): Session;
	isUp(): boolean;
	/** Resolves when there is a connection; rejects when the link was closed. */
	whenUp(): Promise<void>;
	/** @returns true when it was acknowledged (QoS 1) or written (QoS 0); false when the connection was lost first */
	say(topic: string, payload: string, options?: SayOptions): Promise<boolean>;
	/** Resolves when the last message was written. */
	close(): Promise<void>;
	/** Rejects when the server takes no simulated data any more; never resolves. */
	failed: Promise<never>;
}

export interface LinkOptions {
	server: URL;
	/** People by zone, told once, with the first session. */
	present?: Readonly<Record<string, number>>;
	/** What the broker says for us when we are gone without a word. */
	will?: { topic: string; payload: string; retain: boolean };
	onUp?: (link: Link) => void;
	/** What is listened to, and who hears it; on each new connection again. */
	listen?: { topics: readonly string[]; hear: (topic: string, payload: string) => void };
	print?: (line: string) => void;
}

const connectTimeoutMs = 10_000;
/** A message that is not acknowledged for so long shows that the connection is dead. */
const ackTimeoutMs = 30_000;
const ackCheckMs = 5_000;
const retryBaseMs = 500;
const retryMaxMs = 10_000;
const closeTimeoutMs = 3_000;

/**
 * Asks for a session and connects; from then on it comes back by itself. Each time it asks anew: a server that was
 * started again has another secret for its simulators, and perhaps another port.
 * @throws SimulatorError when the server cannot be reached at first, or takes no simulated data
 */
export async function openLink(options: LinkOptions): Promise<Link> {
	const print = options.print ?? (() => undefined);
	const { promise: failed, reject: fail } = newGate<never>();
	const stop = new AbortController();
	let up = newGate<void>();
	let client: MqttClient | null = null;
	const tries = { count: 0 };
	const underWay = createUnderWay();

	let session = await askSession(options.server, options.present).catch((error: unknown) => {
		throw unreachable(error, options.server);
	});

	const connect = () => {
		const next = openClient(session, options.will);
		next.on('connect', () => {
			tries.count = 0;
			client = next;
			up.resolve();
			const { listen } = options;
			// What it is not allowed to hear it does without.
			if (listen) next.subscribe([...listen.topics], { qos: 1 }, () => undefined);
			options.onUp?.(link);
		});
		next.on('message', (topic, payload) => options.listen?.hear(topic, payload.toString()));
		next.once('close', () => onClose(next));
	};

	const onClose = (closed: MqttClient) => {
		closed.end(true);
		if (stop.signal.aborted) return;
		if (client === closed) {
			client = null;
			up = newGate<void>();
			underWay.loseAll();
			print('the broker is lost: trying again');
		}
		askAgain(options.server, tries, stop.signal).then(
			(next) => {
				session = next;
				if (!stop.signal.aborted) connect();
			},
			(error: unknown) => stop.signal.aborted || fail(error)
		);
	};

	const watch = setInterval(() => {
		if (underWay.oldestMs() > ackTimeoutMs) client?.stream.destroy();
	}, ackCheckMs);
	const link: Link = {
		session: () => session,
		isUp: () => client !== null,
		whenUp: () => up.promise,
		say: async (topic, payload, options = {}) =>
			client !== null && underWay.say(client, topic, payload, options),
		async close() {
			stop.abort();
			clearInterval(watch);
			const last = client;
			client = null;
			// Whoever asks from now on is told so, also when there was a connection until now.
			const isClosed = new Error('the link is closed');
			up.reject(isClosed);
			up = newGate<void>();
			up.reject(isClosed);
			underWay.loseAll();
			if (last) await Promise.race([last.endAsync(), delay(closeTimeoutMs, undefined, { ref: false })]);
			last?.end(true);
		},
		failed
	};
	connect();
	return link;
}

/** A promise to be settled by hand; whoever does not wait for it is not ended by its rejection. */
function newGate<T>() {
	const gate = Promise.withResolvers<T>();
	gate.promise.catch(() => undefined);
	return gate;
}

/** A new session after a random wait that grows with every try. @throws when stopped, or when the server refuses */
async function askAgain(server: URL, tries: { count: number }, signal: AbortSignal): Promise<Session> {
	for (;;) {
		const windowMs = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(tries.count++, 10));
		await delay(Math.random() * windowMs, undefined, { signal });
		try {
			return await askSession(server);
		} catch (error) {
			if (error instanceof SimulatorError) throw error;
		}
	}
}

function openClient(session: Session, will: LinkOptions['will']): MqttClient {
	const client = mqtt.connect(session.mqttUrl, {
		clientId: `simulator-${randomBytes(6).toString('hex')}`,
		username: session.username,
		password: session.password,
		protocolVersion: 4,
		clean: true,
		reconnectPeriod: 0,
		connectTimeout: connectTimeoutMs,
		keepalive: 15,
		queueQoSZero: false,
		...(will && { will: { ...will, payload: Buffer.from(will.payload), qos: 1 as const } })
	});
	// The close that follows says all there is to do.
	client.on('error', () => undefined);
	return client;
}

/** Messages that were said and not acknowledged yet. */
function createUnderWay() {
	const losers = new Map<() => void, number>();
	return {
		say: (client: MqttClient, topic: string, payload: string, { qos = 1, retain = false }: SayOptions) =>
			new Promise<boolean>((resolve) => {
				const settle = (isTaken: boolean) => {
					losers.delete(lose);
					resolve(isTaken);
				};
				const lose = () => settle(false);
				losers.set(lose, performance.now());
				client.publish(topic, payload, { qos, retain }, (error) => settle(!error));
			}),
		loseAll() {
			for (const lose of [...losers.keys()]) lose();
		},
		/** How long the first of them waits. */
		oldestMs() {
			const [since] = losers.values();
			return since === undefined ? 0 : performance.now() - since;
		}
	};
}
