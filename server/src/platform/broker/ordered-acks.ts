import type { MqttClient } from 'mqtt';

type PubAck = { cmd: string; messageId?: number };
type SendPacket = (packet: PubAck, done?: (error?: Error) => void, ...rest: unknown[]) => unknown;
type Waiting = { settled: boolean; send: () => void };

/**
 * Lets the acknowledgement of a QoS 1 message wait for its handler while the next messages are already read.
 *
 * mqtt.js acknowledges after `handleMessage` calls back, but reads nothing more until then: with a commit twice a
 * second that would be two messages a second. So the call-back comes at once, up to `inflightMax` open handlers,
 * and the PUBACK itself is held back here; they leave in the order of the messages, as the protocol demands.
 * A handler that fails is never acknowledged: `onFailure` has to cut the connection, then the broker sends again.
 */
export function holdAcks(
	client: MqttClient,
	inflightMax: number,
	handle: (packet: { topic: string; messageId?: number }) => Promise<void>,
	onFailure: (error: unknown) => void
): { open(): number } {
	const internals = client as unknown as { _sendPacket: SendPacket };
	const sendPacket = internals._sendPacket.bind(client);
	const open = new Map<number, Promise<void>>();
	const queue: Waiting[] = [];
	let onRoom: (() => void) | undefined;

	const flush = (): void => {
		while (queue[0]?.settled) queue.shift()?.send();
		if (open.size < inflightMax) {
			onRoom?.();
			onRoom = undefined;
		}
	};
	internals._sendPacket = (packet, done, ...rest) => {
		const handled = packet.cmd === 'puback' && packet.messageId !== undefined && open.get(packet.messageId);
		if (!handled) return sendPacket(packet, done, ...rest);
		const waiting: Waiting = { settled: false, send: () => void (client.connected && sendPacket(packet)) };
		queue.push(waiting);
		handled.then(() => {
			waiting.settled = true;
			flush();
		}, onFailure);
		if (open.size < inflightMax) done?.();
		else onRoom = () => done?.();
		return client;
	};
	client.handleMessage = (packet, done) => {
		const handling = handle(packet);
		const { messageId } = packet;
		if (packet.qos === 0 || messageId === undefined) handling.catch(onFailure);
		else {
			open.set(messageId, handling);
			const forget = (): void => {
				if (open.get(messageId) === handling) open.delete(messageId);
			};
			handling.then(forget, forget);
		}
		done();
	};
	return { open: () => open.size };
}
