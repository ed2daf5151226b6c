import { createHash } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { limits } from '../../../limits.ts';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Adapter, type Arrival, type Message, type Value } from '../reading.ts';
import { parseJson, parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Irisys Vector. The channel is the register's name without `In` or `Out` at its end; without either it counts in.
 *
 * - MQTT, topics free (in the site file; the binary topic of targets is not to be claimed): a list of CHANGES of
 *   registers since the last message, `[]` for none. After an outage up to 256 KB at once. Known by the list itself,
 *   as long as its times can be times.
 * - MQTT, status: `connected`, `disconnected` (last will).
 * - HTTP, `CountLogs`: running totals since power-on, known and ordered by `LogEntryId`. `Dwell` is no people.
 */
export const irisys: Adapter = {
	name: 'irisys',
	onChangeOnly: false,
	topics: () => [],
	mayPublish: () => [],
	httpTopic: () => '',
	parse(_topic, payload, arrival, { device }) {
		if (payload.byteLength === 0) return [];
		const json = parseJson(payload, limits.readings.backlogBytes);
		if (!json.ok) return refusal(device, json.reason);
		if (Array.isArray(json.value)) return readChanges(payload, arrival, device);
		const read = readObject(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const { status, CountLogs } = read.value;
		if (status === 'connected' || status === 'disconnected')
			return [{ kind: 'state', device, channel: null, online: status === 'connected' }];
		return CountLogs ? readLogs(CountLogs, arrival, device) : refusal(device, 'not_a_count');
	}
};

const Change = Type.Object({ register: Text, value: Scalar, t: Type.Optional(Text) });
const readList = createJsonReader(Type.Array(Change, { maxItems: 6_000 }), limits.readings.backlogBytes);
const Logs = Type.Array(
	Type.Object({
		Counts: Type.Array(Type.Object({ Name: Text, Value: Scalar }), { maxItems: 200 }),
		LogEntryId: Type.Optional(Scalar),
		Timestamp: Type.Optional(Text)
	}),
	{ maxItems: 1_000 }
);
const readObject = createJsonReader(
	Type.Object({ status: Type.Optional(Text), CountLogs: Type.Optional(Logs) }),
	limits.readings.backlogBytes
);

function placeOf(register: string): { channel: string; direction: 'in' | 'out' } {
	const [, name, end] = /^(.+?)\s*(In|Out)$/.exec(register) ?? [];
	return { channel: (name ?? register).slice(0, 120), direction: end === 'Out' ? 'out' : 'in' };
}

function readChanges(payload: Uint8Array, arrival: Arrival, device: string): Message[] {
	const list = readList(payload, arrival);
	if (!list.ok) return refusal(device, list.reason);
	const byChannel = Map.groupBy(list.value, ({ register }) => placeOf(register).channel);
	const messages = [...byChannel].map(([channel, changes]) => sumUp(channel, changes, arrival, device));
	return messages.length > 0 ? messages.flat() : [{ kind: 'heartbeat', device }];
}

function sumUp(
	channel: string,
	changes: readonly Static<typeof Change>[],
	arrival: Arrival,
	device: string
): Message[] {
	const value = { kind: 'delta' as const, in: 0, out: 0, from: null };
	for (const change of changes) {
		const people = toCount(change.value);
		if (!people.ok) return refusal(device, people.reason);
		value[placeOf(change.register).direction] += people.value;
	}
	const times = changes.map(({ t }) => (t === undefined ? null : parseTime(t)));
	const isTimed = times.every((at) => at !== null);
	const said = changes.some(({ t }) => t !== undefined);
	const hash = createHash('sha256').update(JSON.stringify(changes)).digest('base64url').slice(0, 22);
	const reading = newReading(device, channel, value, arrival, {
		...toClock(isTimed ? (times.at(-1) ?? null) : null, said),
		key: isTimed ? hash : null
	});
	return [{ kind: 'reading', reading }];
}

function readLogs(logs: Static<typeof Logs>, arrival: Arrival, device: string): Message[] {
	const messages = logs.flatMap(({ Counts, LogEntryId, Timestamp }) => {
		const seq = LogEntryId === undefined ? null : toCount(LogEntryId);
		const known = {
			...toClock(Timestamp === undefined ? null : parseTime(Timestamp), Timestamp !== undefined),
			order: seq?.ok ? { session: '', seq: seq.value } : null
		};
		const people = Counts.filter(({ Name }) => !/dwell/i.test(Name));
		return [...Map.groupBy(people, ({ Name }) => placeOf(Name).channel)].flatMap(
			([channel, registers]): Message[] => {
				const value: Extract<Value, { kind: 'total' }> = {
					...{ kind: 'total', in: null, out: null },
					...{ epoch: null, modulus: null }
				};
				for (const { Name, Value: stand } of registers) {
					const count = toCount(stand);
					if (!count.ok) return refusal(device, count.reason);
					value[placeOf(Name).direction] = count.value;
				}
				return [{ kind: 'reading', reading: newReading(device, channel, value, arrival, known) }];
			}
		);
	});
	if (messages.length > limits.readings.perMessageMax) return refusal(device, 'too_large');
	return messages.length > 0 ? messages : [{ kind: 'heartbeat', device }];
}
