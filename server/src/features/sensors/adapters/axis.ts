import { Type, type Static } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import {
	newReading,
	refusal,
	type Adapter,
	type Arrival,
	type Message,
	type Source,
	type Value
} from '../reading.ts';
import { parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Axis cameras, told apart by the shape of the message; the device is the serial as the topics write it.
 *
 * - Object Analytics, `axis/{serial}/event/CameraApplicationPlatform/ObjectAnalytics/{scenario}`: all numbers are
 *   texts, `human` is people, and no field says what kind of scenario it is: the counter with the scenario's name
 *   as its channel does. One that measures crossings gets a running total of the line's one direction, one that
 *   measures presence the alarm's yes or no, any other the people there now.
 * - DataQ, `dataq/occupancy/{serial}`, channel `Human`: people there now; a class with nobody is left out.
 *   `dataq/connect/{serial}`: came and went.
 * - 3D People Counter by HTTP ("Axis Retail Data"): people in and out of one interval, known by that interval.
 */
export const axis: Adapter = {
	name: 'axis',
	onChangeOnly: false,
	topics: (_, serial) => [
		`axis/${serial}/event/CameraApplicationPlatform/ObjectAnalytics/+`,
		`dataq/occupancy/${serial}`,
		`dataq/connect/${serial}`
	],
	mayPublish: (_, serial) => [`axis/${serial}/#`, `dataq/+/${serial}`],
	httpTopic: () => '',
	parse(_topic, payload, arrival, source) {
		if (payload.byteLength === 0) return [];
		const { device } = source;
		const read = readMessage(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const { connected, occupancy, message, data } = read.value;
		if (typeof connected === 'boolean') return [{ kind: 'state', device, channel: null, online: connected }];
		if (occupancy) return readDataQ(occupancy.Human, read.value.timestamp, arrival, device);
		if (message?.data) return readScenario(message.data, read.value.timestamp, arrival, source);
		if (data?.measurements) return readIntervals(data.measurements, arrival, device);
		return refusal(device, 'not_a_count');
	}
};

const Measurement = Type.Object({
	kind: Type.Optional(Text),
	utcFrom: Type.Optional(Text),
	utcTo: Type.Optional(Text),
	items: Type.Optional(Type.Array(Type.Object({ direction: Text, count: Scalar }), { maxItems: 100 }))
});
const Scenario = Type.Object({
	scenario: Type.Optional(Text),
	human: Type.Optional(Scalar),
	active: Type.Optional(Scalar)
});
const readMessage = createJsonReader(
	Type.Object({
		timestamp: Type.Optional(Scalar),
		connected: Type.Optional(Type.Boolean()),
		occupancy: Type.Optional(Type.Object({ Human: Type.Optional(Scalar) })),
		message: Type.Optional(Type.Object({ data: Type.Optional(Scenario) })),
		data: Type.Optional(
			Type.Object({ measurements: Type.Optional(Type.Array(Measurement, { maxItems: 1_500 })) })
		)
	})
);

const clockOf = (timestamp: unknown) =>
	toClock(typeof timestamp === 'number' ? parseTime(timestamp) : null, timestamp !== undefined);

function readDataQ(human: unknown, timestamp: unknown, arrival: Arrival, device: string): Message[] {
	const people = toCount(human ?? 0);
	if (!people.ok) return refusal(device, people.reason);
	const value: Value = { kind: 'present', people: people.value };
	return [{ kind: 'reading', reading: newReading(device, 'Human', value, arrival, clockOf(timestamp)) }];
}

function readScenario(
	data: Static<typeof Scenario>,
	timestamp: unknown,
	arrival: Arrival,
	{ device, counters }: Source
): Message[] {
	const channel = data.scenario ?? null;
	const measures = counters.find((counter) => counter.channel === channel)?.measures;
	const value =
		measures === 'presence' ? readActive(data.active) : readHuman(data.human, measures === 'crossing');
	if (typeof value === 'string') return refusal(device, value);
	return [{ kind: 'reading', reading: newReading(device, channel, value, arrival, clockOf(timestamp)) }];
}

function readActive(active: unknown): Value | 'not_a_count' {
	if (active === '1' || active === true) return { kind: 'presence', occupied: true };
	return active === '0' || active === false ? { kind: 'presence', occupied: false } : 'not_a_count';
}

function readHuman(human: unknown, isCrossing: boolean) {
	if (human === undefined || human === null) return 'not_a_count' as const;
	const people = toCount(human);
	if (!people.ok) return people.reason;
	const value: Value = isCrossing
		? { kind: 'total', in: people.value, out: null, epoch: null, modulus: null }
		: { kind: 'present', people: people.value };
	return value;
}

function readIntervals(
	measurements: readonly Static<typeof Measurement>[],
	arrival: Arrival,
	device: string
): Message[] {
	const messages = measurements
		.filter(({ kind }) => kind === 'people-counts')
		.flatMap(({ utcFrom = '', utcTo = '', items = [] }): Message[] => {
			const value = { kind: 'delta' as const, in: 0, out: 0, from: parseTime(utcFrom) };
			for (const { direction, count } of items) {
				if (direction !== 'in' && direction !== 'out') continue;
				const people = toCount(count);
				if (!people.ok) return refusal(device, people.reason);
				value[direction] += people.value;
			}
			const clock = toClock(parseTime(utcTo), utcTo !== '');
			const key = clock.deviceAt === null ? null : `${utcFrom}|${utcTo}`;
			return [{ kind: 'reading', reading: newReading(device, null, value, arrival, { ...clock, key }) }];
		});
	return messages.length > 0 ? messages : refusal(device, 'not_a_count');
}
