import type { Aedes, AedesPublishPacket, Client, PublishPacket } from 'aedes';
import { topicMatches } from './topic-filter.ts';

/** Members of aedes that its types leave out. */
type BrokerInternals = {
	id: string;
	counter: number;
	publish(packet: PublishPacket, client: Client, done: (error?: Error | null) => void): void;
};
type ClientInternals = {
	_nextBatch(error?: Error): void;
	_parser: { on(event: 'packet', listener: (packet: Received) => void): void };
};
type Received = { cmd: string; messageId?: number };
type Numbered = { brokerId?: string; brokerCounter?: number; messageId?: number };

/** Lets publishers wait for their acknowledgement until this server has acknowledged the same message. */
export type PublisherAcks = {
	/** The server subscribed: messages that match are acknowledged by it alone from now on. */
	addFilter(filter: string): void;
	/** Resolves when the server listens: before that, a QoS 1 message could only be lost. */
	whenListening(): Promise<void>;
	/** The server signed in on this connection. */
	watchServer(client: Client): void;
	/** Numbers a message on its way to the server, so that its acknowledgement is known again. */
	forward(packet: AedesPublishPacket): AedesPublishPacket;
	/** The server's connection ended: who waits is cut off, and sends again. */
	forget(): void;
	/** Takes over a QoS 1 message. False when it is none of the server's: the broker goes on as always. */
	publish(client: Client, packet: PublishPacket): boolean;
	waiting(): number;
};

const messageIdMax = 65_535;

/**
 * aedes acknowledges a publisher when the message is in memory: a crash before the server's commit would lose it.
 * Here the message is handed on first, and its PUBACK leaves when the server's own has come back.
 */
export function holdPublisherAcks(aedes: Aedes): PublisherAcks {
	const internals = aedes as unknown as BrokerInternals;
	const filters = new Set<string>();
	let listening = Promise.withResolvers<void>();
	/** Publishers by the broker's number of their message; those numbers by the id under which it went to the server. */
	const waiting = new Map<number, { client: Client; messageId: number }>();
	const forwarded = new Map<number, number>();
	let lastId = 0;

	const acknowledge = (id: number): void => {
		const counter = forwarded.get(id);
		forwarded.delete(id);
		const publisher = counter === undefined ? undefined : waiting.get(counter);
		if (counter === undefined || !publisher) return;
		waiting.delete(counter);
		if (publisher.client.connected) publisher.client.conn.write(puback(publisher.messageId));
	};

	aedes.on('clientDisconnect', (client) => {
		for (const [counter, publisher] of waiting) if (publisher.client === client) waiting.delete(counter);
	});

	return {
		addFilter(filter) {
			filters.add(filter);
			listening.resolve();
		},
		whenListening: () => listening.promise,
		watchServer(client) {
			(client as unknown as ClientInternals)._parser.on('packet', ({ cmd, messageId }) => {
				if (cmd === 'puback' && messageId !== undefined) acknowledge(messageId);
			});
		},
		forward(packet) {
			const { brokerId, brokerCounter } = packet;
			if (packet.qos !== 1) return packet;
			lastId = (lastId % messageIdMax) + 1;
			if (brokerId === internals.id && brokerCounter !== undefined) forwarded.set(lastId, brokerCounter);
			return { ...packet, messageId: lastId };
		},
		forget() {
			if (filters.size > 0) listening = Promise.withResolvers<void>();
			filters.clear();
			for (const { client } of waiting.values()) client.conn.destroy();
			waiting.clear();
			forwarded.clear();
		},
		publish(client, packet) {
			const numbered: PublishPacket & Numbered = packet;
			const { messageId } = numbered;
			if (packet.qos !== 1 || messageId === undefined) return false;
			if (![...filters].some((filter) => topicMatches(filter, packet.topic))) return false;
			numbered.brokerId = internals.id;
			numbered.brokerCounter = ++internals.counter;
			waiting.set(numbered.brokerCounter, { client, messageId });
			const { _nextBatch: readOn } = client as unknown as ClientInternals;
			internals.publish(numbered, client, (error) => readOn(error ?? undefined));
			return true;
		},
		waiting: () => waiting.size
	};
}

function puback(messageId: number): Buffer {
	return Buffer.from([0x40, 0x02, messageId >> 8, messageId & 0xff]);
}
