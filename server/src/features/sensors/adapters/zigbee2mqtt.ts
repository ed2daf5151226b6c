import { Type } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { isOldRetained, newReading, refusal, type Adapter, type Arrival, type Message } from '../reading.ts';
import { decodeText, parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Zigbee2MQTT with its default base topic; the device is the friendly name.
 *
 * - `zigbee2mqtt/{name}`: what changed, and no more: a key that is absent is not zero. `people` (SiHAS CSM-300),
 *   channel `people`: people there now. `occupancy`, channel `occupancy`: motion; it turns false by a timer, so it is
 *   presence and never a count. Zero bytes: the device was renamed or removed.
 * - `zigbee2mqtt/{name}/availability`, and `zigbee2mqtt/bridge/state` for all of them: came and went.
 */
export const zigbee2mqtt: Adapter = {
	name: 'zigbee2mqtt',
	onChangeOnly: false,
	topics: (_, name) => [
		`zigbee2mqtt/${name}`,
		`zigbee2mqtt/${name}/availability`,
		'zigbee2mqtt/bridge/state'
	],
	mayPublish: () => [],
	bridgeTopics: ['zigbee2mqtt/#'],
	httpTopic: (_, name) => `zigbee2mqtt/${name}`,
	parse(topic, payload, arrival, { device }) {
		if (topic.endsWith('/bridge/state')) return readState(payload, device).filter(isOffline);
		if (topic.endsWith('/availability')) return readState(payload, device);
		if (payload.byteLength === 0) return [{ kind: 'state', device, channel: null, online: false }];
		return readChange(payload, arrival, device);
	}
};

/** No device of this kind counts further. */
const peopleMax = 100;
const readStateObject = createJsonReader(Type.Object({ state: Text }));
const readDevice = createJsonReader(
	Type.Object({
		people: Type.Optional(Scalar),
		occupancy: Type.Optional(Scalar),
		last_seen: Type.Optional(Scalar)
	})
);

/** The bridge vouches for none of its devices: its coming back makes nothing true. */
const isOffline = (message: Message): boolean =>
	message.kind === 'refused' || (message.kind === 'state' && !message.online);

function readState(payload: Uint8Array, device: string): Message[] {
	if (payload.byteLength === 0) return [];
	const text = decodeText(payload);
	const object = readStateObject(payload, { receivedAt: 0, retained: false });
	const word = object.ok ? object.value.state : text.ok ? text.value.trim() : '';
	if (word !== 'online' && word !== 'offline') return refusal(device, 'bad_shape');
	return [{ kind: 'state', device, channel: null, online: word === 'online' }];
}

function readChange(payload: Uint8Array, arrival: Arrival, device: string): Message[] {
	const read = readDevice(payload, arrival);
	if (!read.ok) return refusal(device, read.reason);
	const { people, occupancy, last_seen: seen } = read.value;
	const at = typeof seen === 'number' || typeof seen === 'string' ? parseTime(seen) : null;
	const clock = toClock(at, seen !== undefined && seen !== null);
	const known = { ...clock, retained: isOldRetained(arrival, at) };
	const messages: Message[] = [];
	if (people !== undefined && people !== null) {
		const count = toCount(people);
		if (!count.ok) return refusal(device, count.reason);
		if (count.value > peopleMax) return refusal(device, 'implausible');
		const value = { kind: 'present' as const, people: count.value };
		messages.push({ kind: 'reading', reading: newReading(device, 'people', value, arrival, known) });
	}
	if (typeof occupancy === 'boolean') {
		const value = { kind: 'presence' as const, occupied: occupancy };
		messages.push({ kind: 'reading', reading: newReading(device, 'occupancy', value, arrival, known) });
	}
	return messages.length > 0 ? messages : [{ kind: 'heartbeat', device }];
}
