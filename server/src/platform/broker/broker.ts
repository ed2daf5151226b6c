import mqtt from 'mqtt';
import type { IClientOptions, IPublishPacket, MqttClient } from 'mqtt';
import type { Logger } from 'pino';
import { limits } from '../../limits.ts';
import type { Clock } from '../clock.ts';
import { holdAcks } from './ordered-acks.ts';
import { isPublishTopic, topicMatches } from './topic-filter.ts';

const connectTimeoutMs = 10_000;
const publishTimeoutMs = 10_000;
const keepaliveSeconds = 15;
const sessionExpirySeconds = 86_400;
const retryBaseMs = 500;
const retryMaxMs = 10_000;
/** Topics whose takers are remembered; more than any site has. */
const topicsKnownMax = 10_000;

/** What is known of a message beside its topic and payload. */
export type MessageInfo = { retained: boolean; qos: number; dup: boolean; receivedAt: number };

/**
 * Takes one message. A QoS 1 message is acknowledged to the broker when the promise resolves; when it is rejected
 * the connection is cut and the broker sends again. A message that is merely wrong must therefore not reject.
 */
export type MessageHandler = (topic: string, payload: Buffer, info: MessageInfo) => Promise<void> | void;

export type BrokerState = { connected: boolean; since: number };

export type BrokerOptions = {
	url: string;
	username?: string;
	password?: string;
	/** Stays the same over restarts, so that the broker keeps what came meanwhile. */
	clientId: string;
	log: Pick<Logger, 'info' | 'warn' | 'error'>;
	clock: Clock;
	/** 4 is MQTT 3.1.1, which every broker speaks (the embedded one nothing else); 5 where it is needed. */
	protocolVersion?: 4 | 5;
	/** True keeps the session while away; false starts afresh each time. */
	persistent?: boolean;
	/** Asked before each connection is made again: false while another instance may hold the session. */
	mayConnect?: () => boolean;
	random?: () => number;
};

export type Broker = {
	/** Whether the broker is reached, and since when (epoch milliseconds). */
	state(): BrokerState;
	onState(listener: (state: BrokerState) => void): void;
	/** Registers a handler once; after each reconnect the filter is subscribed again by itself. */
	subscribe(filter: string, handler: MessageHandler): Promise<void>;
	/** @throws Error when not connected, refused, or not answered in time; nothing is kept for later */
	publish(
		topic: string,
		payload: string | Buffer,
		options?: { retain?: boolean; qos?: 0 | 1 }
	): Promise<void>;
	/** Messages handed to handlers and not acknowledged yet. */
	inflight(): number;
	stop(): Promise<void>;
};

type Registration = { filter: string; handler: MessageHandler };

/** Connects in the background and keeps trying; the first connection is not waited for. */
export function connectBroker(options: BrokerOptions): Broker {
	const { clock, log } = options;
	const random = options.random ?? Math.random;
	const registrations: Registration[] = [];
	const takersByTopic = new Map<string, readonly MessageHandler[]>();
	const listeners: ((state: BrokerState) => void)[] = [];
	let state: BrokerState = { connected: false, since: clock.now() };
	let client: MqttClient | undefined;
	let acks: { open(): number } | undefined;
	let attempt = 0;
	let retryTimer: NodeJS.Timeout | undefined;
	let stopped = false;

	const setConnected = (connected: boolean): void => {
		if (state.connected === connected) return;
		state = { connected, since: clock.now() };
		if (connected) log.info({}, 'connected to the broker');
		else if (!stopped) log.warn({}, 'the broker is lost');
		for (const listener of listeners) listener(state);
	};

	const retryLater = (reason: string): void => {
		if (stopped || retryTimer) return;
		const delayMs = random() * Math.min(retryMaxMs, retryBaseMs * 2 ** Math.min(attempt, 10));
		attempt++;
		log.warn({ attempt, delayMs: Math.round(delayMs), reason }, 'trying the broker again');
		// A wait for the network is real time, also where the laboratory's clock runs fast.
		retryTimer = setTimeout(() => {
			retryTimer = undefined;
			if (options.mayConnect?.() ?? true) open();
			else retryLater('another instance leads');
		}, delayMs);
	};

	/** A new client for each connection: no state of the last one, no second copy of a subscription. */
	const open = (): void => {
		let reason = 'connection closed';
		const next = mqtt.connect(options.url, clientOptions(options));
		client = next;
		acks = holdAcks(
			next,
			limits.mqtt.inflightMax,
			(packet) => dispatch(packet as IPublishPacket),
			(error) => {
				// One cut takes all open messages along: the first failure says it for all of them.
				if (next.stream?.destroyed) return;
				log.error({ err: error }, 'a message was not taken: the broker will send it again');
				next.stream?.destroy();
			}
		);
		next.on('connect', () => {
			attempt = 0;
			for (const { filter } of registrations) void subscribeOn(next, filter);
			setConnected(true);
		});
		next.on('error', (error) => (reason = error.message));
		next.on('close', () => {
			if (client !== next) return;
			client = undefined;
			next.end(true);
			setConnected(false);
			retryLater(reason);
		});
		next.connect();
	};

	const subscribeOn = async (on: MqttClient, filter: string): Promise<void> => {
		try {
			const granted = await on.subscribeAsync(filter, { qos: 1 });
			if (granted.some((grant) => grant.qos >= 128))
				log.error({ filter }, 'the broker refuses a subscription');
		} catch (error) {
			// A broker that refuses says so by an error; one that went away is asked again on the next connection.
			if (on.connected) log.error({ filter, err: error }, 'the broker refuses a subscription');
		}
	};

	/** Who takes a topic: worked out once, for devices say the same one all day. */
	const takersOf = (topic: string): readonly MessageHandler[] => {
		const known = takersByTopic.get(topic);
		if (known) return known;
		const takers = registrations
			.filter(({ filter }) => topicMatches(filter, topic))
			.map(({ handler }) => handler);
		if (takersByTopic.size >= topicsKnownMax) takersByTopic.clear();
		takersByTopic.set(topic, takers);
		return takers;
	};

	const dispatch = async (packet: IPublishPacket): Promise<void> => {
		const { topic, payload } = packet;
		const info: MessageInfo = {
			retained: packet.retain,
			qos: packet.qos,
			dup: packet.dup,
			receivedAt: clock.now()
		};
		const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
		const takers = takersOf(topic);
		const [only] = takers;
		if (takers.length === 1 && only) return only(topic, bytes, info);
		await Promise.all(takers.map(async (handler) => handler(topic, bytes, info)));
	};

	open();
	return {
		state: () => state,
		onState: (listener) => void listeners.push(listener),
		async subscribe(filter, handler) {
			const known = registrations.some((registration) => registration.filter === filter);
			registrations.push({ filter, handler });
			takersByTopic.clear();
			if (!known && client?.connected) await subscribeOn(client, filter);
		},
		async publish(topic, payload, { retain = false, qos = 1 } = {}) {
			if (!isPublishTopic(topic)) throw new Error('a topic to publish to has no wildcard and is not empty');
			if (!client?.connected) throw new Error('not connected to the broker');
			await withTimeout(client.publishAsync(topic, payload, { retain, qos }), publishTimeoutMs);
		},
		inflight: () => acks?.open() ?? 0,
		async stop() {
			if (stopped) return;
			stopped = true;
			clearTimeout(retryTimer);
			const last = client;
			client = undefined;
			setConnected(false);
			if (!last) return;
			await withTimeout(last.endAsync(!last.connected), publishTimeoutMs).catch(() => last.stream?.destroy());
		}
	};
}

function clientOptions(options: BrokerOptions): IClientOptions {
	const persistent = options.persistent ?? true;
	return {
		clientId: options.clientId,
		clean: !persistent,
		protocolVersion: options.protocolVersion ?? 4,
		...(options.username !== undefined && { username: options.username }),
		...(options.password !== undefined && { password: options.password }),
		...(options.protocolVersion === 5 &&
			persistent && { properties: { sessionExpiryInterval: sessionExpirySeconds, receiveMaximum: 65_535 } }),
		// Our own back-off instead of a fixed period, and no message kept for later behind our back.
		reconnectPeriod: 0,
		connectTimeout: connectTimeoutMs,
		keepalive: keepaliveSeconds,
		queueQoSZero: false,
		resubscribe: false,
		manualConnect: true
	};
}

async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<T> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<never>((_, reject) => {
		timer = setTimeout(() => reject(new Error('the broker did not answer in time')), timeoutMs);
	});
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
