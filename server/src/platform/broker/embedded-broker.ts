import { Aedes } from 'aedes';
import type { AuthenticateError, Client, ConnectPacket, PublishPacket, Subscription } from 'aedes';
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import type { Logger } from 'pino';
import { limits } from '../../limits.ts';
import { holdPublisherAcks, type PublisherAcks } from './publisher-acks.ts';
import { createRepeats } from './repeats.ts';
import { createTakeovers } from './takeovers.ts';
import { filterCovers, isPublishTopic, topicMatches } from './topic-filter.ts';

/** Who signed in on the broker and what that one may do; wildcards are allowed in both lists. */
export type BrokerIdentity = {
	kind: 'server' | 'device' | 'bridge' | 'simulator';
	/** The device's name, for devices. */
	device?: string;
	publish: readonly string[];
	subscribe: readonly string[];
};

/** What the broker counts, for metrics. */
export type BrokerEvent =
	| 'connected'
	| 'disconnected'
	| 'published'
	| 'refused_sign_in'
	| 'refused_connection'
	| 'refused_publish'
	| 'refused_subscribe'
	| 'refused_size'
	| 'throttled'
	| 'same_client_id'
	| 'client_error';

/** Two clients with one id throw each other out for ever; or it says what it may not say, and is cut off. */
export type DeviceTrouble = 'same_client_id' | 'foreign_topic';

export type EmbeddedBrokerOptions = {
	host: string;
	/** 0 takes a free one. */
	port: number;
	log: Pick<Logger, 'info' | 'warn'>;
	authenticate(username: string, password: string): Promise<BrokerIdentity | null> | BrokerIdentity | null;
	onEvent?(event: BrokerEvent): void;
	/** What is wrong with one device as the broker sees it, said once for each time it happens. */
	onDeviceTrouble?(device: string, trouble: DeviceTrouble): void;
	/**
	 * Acknowledges to publishers what the server subscribes only when the server has acknowledged it, and lets nobody
	 * in before the server listens.
	 */
	acksFromServer?: boolean;
	/** Caps that tests make small. */
	caps?: Partial<BrokerCaps>;
};

type BrokerCaps = {
	payloadBytesMax: number;
	connectionsMax: number;
	messagesPerSecondPerClient: number;
	messagesPerSecondPerSimulator: number;
};

export type EmbeddedBroker = { port: number; connections(): number; stop(): Promise<void> };

const connectTimeoutMs = 10_000;
/** Room for the topic and the headers beside the payload. */
const packetOverheadBytes = 2_048;

type Session = { identity: BrokerIdentity; tokens: number; filledAt: number };

/**
 * An MQTT 3.1.1 broker inside this process (aedes). Everybody signs in, and does only what their identity allows.
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startEmbeddedBroker(options: EmbeddedBrokerOptions): Promise<EmbeddedBroker> {
	const { log } = options;
	const caps: BrokerCaps = { ...limits.mqtt, ...options.caps };
	const count = options.onEvent ?? (() => undefined);
	const sessions = new WeakMap<Client, Session>();
	const connects = new WeakMap<Client, ConnectPacket>();
	const repeats = createRepeats();
	const takeovers = createTakeovers();
	const tellTrouble = ({ device }: BrokerIdentity, trouble: DeviceTrouble) =>
		device !== undefined && options.onDeviceTrouble?.(device, trouble);
	const isServer = (client: Client): boolean => sessions.get(client)?.identity.kind === 'server';
	// Made from the broker, and asked by the broker's own hooks.
	const held: { acks?: PublisherAcks } = {};
	const aedes = await Aedes.createBroker({
		connectTimeout: connectTimeoutMs,
		queueLimit: limits.mqtt.inflightMax,
		preConnect(client, packet, done) {
			connects.set(client, packet);
			repeats.watch(client);
			done(null, true);
		},
		authenticate(client, username, password, done) {
			const refuse = (): void => {
				count('refused_sign_in');
				done(signInError(), false);
			};
			const admit = async (): Promise<BrokerIdentity | null> => {
				const identity = await signIn(options, username, password);
				// Kept waiting rather than refused: many clients never come back after a refusal.
				if (identity && identity.kind !== 'server') await held.acks?.whenListening();
				return identity;
			};
			admit().then((identity) => {
				if (!identity) return refuse();
				sessions.set(client, { identity, tokens: messageRate(identity, caps), filledAt: performance.now() });
				if (identity.kind === 'server') held.acks?.watchServer(client);
				ownSession(client, connects.get(client), username ?? '', identity);
				if (takeovers.note(client)) {
					count('same_client_id');
					log.warn({ client: client.id }, 'clients with one id throw each other out');
					tellTrouble(identity, 'same_client_id');
				}
				done(null, true);
			}, refuse);
		},
		authorizePublish(client, packet, done) {
			const session = client && sessions.get(client);
			const refusal = publishRefusal(session, packet, caps);
			if (refusal) {
				count(refusal);
				log.warn(
					{ device: session?.identity.device, topic: packet.topic.slice(0, 120), reason: refusal },
					'a message to the broker was refused'
				);
				if (session && refusal === 'refused_publish') tellTrouble(session.identity, 'foreign_topic');
				return done(new Error(refusal));
			}
			count('published');
			const waitMs = session ? takeToken(session, caps) : 0;
			const goOn = (): void => {
				const taken = client && session?.identity.kind !== 'server' && held.acks?.publish(client, packet);
				if (!taken) done(null);
			};
			if (waitMs <= 0) return goOn();
			// Answered late rather than dropped: the broker then reads no further from this client, and nothing is lost.
			count('throttled');
			setTimeout(goOn, waitMs).unref();
		},
		authorizeForward(client, packet) {
			if (repeats.isRepeat(client, packet)) return null;
			return held.acks && isServer(client) ? held.acks.forward(packet) : packet;
		},
		authorizeSubscribe(client, subscription, done) {
			if (maySubscribe(sessions.get(client), subscription)) {
				if (isServer(client)) held.acks?.addFilter(subscription.topic);
				return done(null, subscription);
			}
			count('refused_subscribe');
			done(null, null);
		}
	});
	if (options.acksFromServer) held.acks = holdPublisherAcks(aedes);
	aedes.on('clientReady', () => count('connected'));
	aedes.on('clientDisconnect', (client) => {
		count('disconnected');
		takeovers.forget(client);
		if (isServer(client)) held.acks?.forget();
	});
	for (const event of ['clientError', 'connectionError'] as const) {
		aedes.on(event, (client, error) => {
			count(error.message.includes(sizeRefusal) ? 'refused_size' : 'client_error');
			client.conn.destroy();
		});
	}
	return listen(aedes, options, caps, count);
}

async function listen(
	aedes: Aedes,
	options: EmbeddedBrokerOptions,
	caps: BrokerCaps,
	count: (event: BrokerEvent) => void
): Promise<EmbeddedBroker> {
	const sockets = new Set<Socket>();
	const server = createServer({ keepAlive: true, keepAliveInitialDelay: 30_000, noDelay: true }, (socket) => {
		if (sockets.size >= caps.connectionsMax) {
			count('refused_connection');
			socket.destroy();
			return;
		}
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
		socket.on('error', () => socket.destroy());
		capPackets(aedes.handle(socket), caps.payloadBytesMax + packetOverheadBytes);
	});
	server.listen(options.port, options.host);
	try {
		await once(server, 'listening');
	} catch (error) {
		aedes.close();
		throw error;
	}
	server.on('error', (error) => options.log.warn({ err: error }, 'the broker could not take a connection'));
	const { port } = server.address() as AddressInfo;
	options.log.info({ port }, 'the embedded broker listens');
	let stopped: Promise<void> | undefined;
	const stop = async (): Promise<void> => {
		const closed = once(server, 'close');
		server.close();
		await new Promise<void>((resolve) => aedes.close(resolve));
		for (const socket of sockets) socket.destroy();
		await closed;
	};
	return { port, connections: () => sockets.size, stop: () => (stopped ??= stop()) };
}

async function signIn(
	options: EmbeddedBrokerOptions,
	username: string | undefined,
	password: Buffer | undefined
): Promise<BrokerIdentity | null> {
	if (!username || !password) return null;
	return options.authenticate(username, password.toString('utf8'));
}

function signInError(): AuthenticateError {
	const badUsernameOrPassword = 4;
	return Object.assign(new Error('bad user name or password'), { returnCode: badUsernameOrPassword });
}

/**
 * A client id is bound to the credential: nobody can throw out somebody else by calling themselves the same.
 * Only the server and bridges keep a session while they are away; a device's would be a queue without a reader.
 */
function ownSession(
	client: Client,
	packet: ConnectPacket | undefined,
	username: string,
	identity: BrokerIdentity
): void {
	client.id = `${identity.kind}/${username}/${client.id}`;
	if (identity.kind === 'server' || identity.kind === 'bridge') return;
	client.clean = true;
	if (packet) packet.clean = true;
}

function publishRefusal(
	session: Session | null | undefined,
	packet: PublishPacket,
	caps: BrokerCaps
): BrokerEvent | undefined {
	if (Buffer.byteLength(packet.payload) > caps.payloadBytesMax) return 'refused_size';
	if (!session || !isPublishTopic(packet.topic)) return 'refused_publish';
	const allowed = session.identity.publish.some((filter) => topicMatches(filter, packet.topic));
	return allowed ? undefined : 'refused_publish';
}

function maySubscribe(session: Session | undefined, subscription: Subscription): boolean {
	return session?.identity.subscribe.some((filter) => filterCovers(filter, subscription.topic)) ?? false;
}

function messageRate(identity: BrokerIdentity, caps: BrokerCaps): number {
	// The server is ourselves, and a bridge or a simulator speaks for a whole fleet.
	return identity.kind === 'device' ? caps.messagesPerSecondPerClient : caps.messagesPerSecondPerSimulator;
}

/** Takes one message from the client's allowance. @returns how long it has to wait, in milliseconds */
function takeToken(session: Session, caps: BrokerCaps): number {
	const ratePerSecond = messageRate(session.identity, caps);
	const now = performance.now();
	const filled = session.tokens + ((now - session.filledAt) / 1_000) * ratePerSecond;
	session.tokens = Math.min(ratePerSecond, filled) - 1;
	session.filledAt = now;
	return session.tokens >= 0 ? 0 : (-session.tokens / ratePerSecond) * 1_000;
}

const sizeRefusal = 'packet too large';

/**
 * aedes has no cap on packets: its parser would collect up to 256 MB for one client, signed in or not, before
 * anybody is asked. The parser learns the length first, and gives up there.
 */
function capPackets(client: Client, packetBytesMax: number): void {
	const parser = (client as unknown as { _parser: PacketParser })._parser;
	const parseLength = parser._parseLength.bind(parser);
	parser._parseLength = () => {
		const known = parseLength();
		if (!known || parser.packet.length <= packetBytesMax) return known;
		parser.emit('error', new Error(sizeRefusal));
		client.conn.destroy();
		return false;
	};
}

type PacketParser = {
	packet: { length: number };
	_parseLength(): boolean;
	emit(event: 'error', error: Error): void;
};
