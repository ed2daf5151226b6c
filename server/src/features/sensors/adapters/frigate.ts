import { newReading, type Adapter, type Arrival, type Message } from '../reading.ts';
import { decodeText, parseCount } from '../strict-parse.ts';

/**
 * Frigate's MQTT topics as they are; the device is the host's topic prefix (`frigate` unless it was changed), the
 * channel one of its zones or cameras.
 *
 * - `{host}/{zone or camera}/person`: people there now, as bare ASCII digits. Published on change only and never
 *   retained; a zone's number is the sum over its cameras. `…/person/active`, `…/all` and `…/snapshot` (a JPEG) are
 *   other series and are not subscribed.
 * - `{host}/available`: online, offline or stopped. After offline or stopped no number is true until renewed.
 * - `{host}/{camera}/status/{role}`: the same for one camera.
 * - `{host}/stats`: a sign of life; its body is not read. Nor are events, which carry faces, names and plates.
 */
export const frigate: Adapter = {
	name: 'frigate',
	onChangeOnly: true,
	topics: (_, host) => [`${host}/available`, `${host}/stats`, `${host}/+/person`, `${host}/+/status/+`],
	mayPublish: (_, host) => [`${host}/#`],
	httpTopic: (_, host, channel) => `${host}/${channel ?? ''}/person`,
	parse(topic, payload, arrival) {
		const [host = '', channel = '', word, more] = topic.split('/');
		if (word === undefined && channel === 'available') return parseState(host, null, payload);
		if (word === undefined && channel === 'stats') return [{ kind: 'heartbeat', device: host }];
		if (word === 'person' && more === undefined) return [parsePerson(host, channel, payload, arrival)];
		if (word === 'status') return parseState(host, channel, payload);
		return [];
	}
};

function parseState(device: string, channel: string | null, payload: Uint8Array): Message[] {
	const text = decodeText(payload);
	const word = text.ok ? text.value.trim() : '';
	if (word === 'online') return [{ kind: 'state', device, channel, online: true }];
	// A camera that was switched off on purpose counts nobody either.
	if (word === 'offline' || word === 'stopped' || word === 'disabled')
		return [{ kind: 'state', device, channel, online: false }];
	return word === '' && text.ok ? [] : [{ kind: 'refused', device, reason: 'bad_shape' }];
}

function parsePerson(device: string, channel: string, payload: Uint8Array, arrival: Arrival): Message {
	const text = decodeText(payload);
	if (!text.ok) return { kind: 'refused', device, reason: text.reason };
	const count = parseCount(text.value);
	if (!count.ok) return { kind: 'refused', device, reason: count.reason };
	const value = { kind: 'present', people: count.value } as const;
	return { kind: 'reading', reading: newReading(device, channel, value, arrival) };
}
