import { newReading, refusal, type Adapter, type Arrival, type Message, type Value } from '../reading.ts';
import { readXml, type XmlElement } from '../read-xml.ts';
import { decodeText, parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Hikvision cameras (ISAPI), `EventNotificationAlert` as XML by HTTP, alone or in a multipart body beside a picture,
 * which is never looked at. The channel is `channelID`.
 *
 * `peopleCounting` carries two meanings in the same tags: with `statisticalMethods` `realTime` they are running
 * totals, with `timeRange` and `signalTrigger` people of a window, known by (channel, start). `childCounting` uses the
 * tags once more, for people who are counted already. `isDataRetransmission` marks what could not be sent before.
 * Any other event is a sign of life.
 */
export const hikvision: Adapter = {
	name: 'hikvision',
	onChangeOnly: false,
	topics: () => [],
	mayPublish: () => [],
	httpTopic: () => '',
	parse(_topic, payload, arrival, { device }) {
		if (payload.byteLength === 0) return [];
		const parts = xmlParts(payload, arrival.contentType);
		if (parts.length === 0) return refusal(device, 'bad_xml');
		return parts.flatMap((part) => readAlert(part, arrival, device));
	}
};

const partsMax = 16;

/** The XML parts of a body: the whole of it, or those of a multipart one that start like XML. */
function xmlParts(payload: Uint8Array, contentType: string | undefined): Uint8Array[] {
	const boundary = /^multipart\/[\w-]+\s*;[^]*?boundary="?([^";\s]{1,200})"?/i.exec(contentType ?? '')?.[1];
	if (boundary === undefined) return [payload];
	const body = Buffer.from(payload.buffer, payload.byteOffset, payload.byteLength);
	const parts: Uint8Array[] = [];
	let start = body.indexOf(`--${boundary}`);
	for (let count = 0; start !== -1 && count < partsMax; count++) {
		const from = start + boundary.length + 2;
		const end = body.indexOf(`--${boundary}`, from);
		const part = body.subarray(from, end === -1 ? undefined : end);
		const head = part.indexOf('\r\n\r\n');
		const content = head === -1 ? part : part.subarray(head + 4);
		if (/^\s*</.test(content.subarray(0, 20).toString('latin1'))) parts.push(content);
		start = end;
	}
	return parts;
}

function readAlert(part: Uint8Array, arrival: Arrival, device: string): Message[] {
	const text = decodeText(part);
	if (!text.ok) return refusal(device, text.reason);
	const xml = readXml(text.value);
	if (!xml.ok) return refusal(device, xml.reason);
	const alert = xml.value;
	if (alert.name !== 'EventNotificationAlert') return refusal(device, 'not_a_count');
	if (arrival.onDropped) tellDropped(alert, arrival.onDropped);
	const counting = child(alert, 'peopleCounting');
	if (textOf(alert, 'eventType')?.toLowerCase() !== 'peoplecounting' || !counting)
		return [{ kind: 'heartbeat', device }];
	return readCounting(alert, counting, arrival, device);
}

function readCounting(alert: XmlElement, counting: XmlElement, arrival: Arrival, device: string): Message[] {
	const [enter, exit] = [toCount(textOf(counting, 'enter')), toCount(textOf(counting, 'exit'))];
	if (!enter.ok) return refusal(device, enter.reason);
	if (!exit.ok) return refusal(device, exit.reason);
	const people = { in: enter.value, out: exit.value };
	const method = textOf(counting, 'statisticalMethods');
	const range = child(counting, 'TimeRange') ?? child(counting, 'timeRange');
	const start = range && textOf(range, 'startTime');
	const isTotal = method === 'realTime';
	if (!isTotal && method !== 'timeRange' && method !== 'signalTrigger') return refusal(device, 'bad_shape');
	const value: Value = isTotal
		? { kind: 'total', ...people, epoch: null, modulus: null }
		: { kind: 'delta', ...people, from: start === undefined ? null : readTime(start) };
	const said = (range && textOf(range, 'endTime')) ?? textOf(alert, 'dateTime');
	const retransmitted = textOf(alert, 'isDataRetransmission') ?? textOf(counting, 'isDataRetransmission');
	const reading = newReading(device, textOf(alert, 'channelID') ?? null, value, arrival, {
		...toClock(said === undefined ? null : readTime(said), said !== undefined),
		key: !isTotal && start !== undefined ? `${method}|${start.slice(0, 60)}` : null,
		historical: retransmitted === 'true'
	});
	return [{ kind: 'reading', reading }];
}

/** Some firmware writes offsets such as `-5:00`. */
function readTime(text: string): number | null {
	return parseTime(text.replace(/([+-])(\d):(\d{2})$/, '$10$2:$3'));
}

const child = (element: XmlElement, name: string): XmlElement | undefined =>
	element.children.find((other) => other.name === name);
const textOf = (element: XmlElement, name: string): string | undefined => child(element, name)?.text;

const readNames: readonly string[] = [
	'channelID',
	'dateTime',
	'eventType',
	'peopleCounting',
	'isDataRetransmission'
];

function tellDropped(alert: XmlElement, onDropped: (key: string) => void): void {
	for (const { name } of alert.children) if (!readNames.includes(name)) onDropped(name);
}
