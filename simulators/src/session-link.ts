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
	const { promise: failed, reject: fail } = Promise.withResolvers<never>();
	// Whoever does not wait for it must not be ended by it.
	failed.catch(() => undefined);
	const stop = new AbortController();
	let up = Promise.withResolvers<void>();
	up.promise.catch(() => undefined);
	let client: MqttClient | null = null;
	let attempt = 0;
	const waiting = new Map<() => void, number>();

	let session = await askSession(options.server, options.present).catch((error: unknown) => {
		throw unreachable(error, options.server);
	});

	const connect = () => {
		const next = mqtt.connect(session.mqttUrl, {
			clientId: `simulator-${randomBytes(6).toString('hex')}`,
			username: session.username,
			password: session.password,
			protocolVersion: 4,
			clean: true,
			reconnectPeriod: 0,
			connectTimeout: connectTimeoutMs,
			keepalive: 15,
			queueQoSZero: false,
			...(options.will && {
				will: { ...options.will, payload: Buffer.from(options.will.payload), qos: 1 as const }
			})
		});
		// The close that follows says all there is to do.
		next.on('error', () => undefined);
		next.on('connect', () => {
			attempt = 0;
			client = next;
			up.resolve();
			options.onUp?.(link);
		});
		next.once('close', () => onClose(next));
	};

	const onClose = (closed: MqttClient) => {
		closed.end(true);
		if (stop.signal.aborted) return;
		if (client === closed) {
			client = null;
			up = Promise.withResolvers<void>();
			up.promise.catch(() => undefined);
			for (const lost of [...waiting.keys()]) lost();
			print('the broker is lost: trying again');
		}
		void comeBack();
	};

	const comeBack = async () => {
		for (;;) {
			const windowMs = Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(attempt++, 10));
			try {
				await delay(Math.random() * windowMs, undefined, { signal: stop.signal });
				session = await askSession(options.server);
				if (!stop.signal.aborted) connect();
				return;
			} catch (error) {
				if (stop.signal.aborted) return;
				if (error instanceof SimulatorError) return fail(error);
			}
		}
	};

	const watch = setInterval(() => {
		const oldestAt = waiting.values().next().value;
		if (oldestAt !== undefined && performance.now() - oldestAt > ackTimeoutMs) client?.stream.destroy();
	}, ackCheckMs);
	const link: Link = {
		session: () => session,
		isUp: () => client !== null,
		whenUp: () => up.promise,
		say: (topic, payload, { qos = 1, retain = false } = {}) =>
			new Promise<boolean>((resolve) => {
				const via = client;
				if (!via) return resolve(false);
				const lost = () => settle(false);
				const settle = (isTaken: boolean) => {
					waiting.delete(lost);
					resolve(isTaken);
				};
				waiting.set(lost, performance.now());
				via.publish(topic, payload, { qos, retain }, (error) => settle(!error));
			}),
		async close() {
			stop.abort();
			clearInterval(watch);
			const last = client;
			client = null;
			for (const lost of [...waiting.keys()]) lost();
			up.reject(new Error('the link is closed'));
			if (last) await Promise.race([last.endAsync(), delay(closeTimeoutMs, undefined, { ref: false })]);
			last?.end(true);
		},
		failed
	};
	connect();
	return link;
}
