import { Type } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import {
	isOldRetained,
	newReading,
	refusal,
	type Adapter,
	type Arrival,
	type Message,
	type Value
} from '../reading.ts';
import { parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * ONVIF events as JSON over MQTT (Profile M, Bosch and others); the device is the camera's topic prefix, the channel
 * the name of the rule: `{prefix}/onvif-ej/RuleEngine/CountAggregation/{Counter or OccupancyCounter}/&1/{rule}`.
 *
 * `Counter` is a running total of one direction (a line crossed from left to right adds one, back takes one away),
 * `ResetTime` the start it runs from, in the camera's local time; `OccupancyCounter` is people there now, signed.
 * Property events are retained: their own time says how old they are. Zero bytes: the rule was deleted.
 */
export const onvif: Adapter = {
	name: 'onvif',
	onChangeOnly: false,
	topics: (_, prefix) => [`${prefix}/onvif-ej/RuleEngine/CountAggregation/#`],
	mayPublish: (_, prefix) => [`${prefix}/#`],
	httpTopic: (_, prefix, rule) => `${prefix}/onvif-ej/RuleEngine/CountAggregation/Counter/&1/${rule ?? ''}`,
	parse(topic, payload, arrival, { device }) {
		const place = topic.split('/onvif-ej/RuleEngine/')[1]?.split('/') ?? [];
		const counter = place.findIndex((level) => level === 'Counter' || level === 'OccupancyCounter');
		if (counter === -1) return [];
		const after = place.slice(counter + 1);
		const rule = (after[0]?.startsWith('&') ? after.slice(1) : after).join('/').slice(0, 120);
		const channel = rule === '' ? null : rule;
		if (payload.byteLength === 0) return [{ kind: 'state', device, channel, online: false }];
		return readCounter(place[counter] === 'Counter', payload, arrival, device, channel);
	}
};

const read = createJsonReader(
	Type.Object({
		UtcTime: Type.Optional(Text),
		Data: Type.Object({ Count: Scalar, ResetTime: Type.Optional(Text) })
	})
);

function readCounter(
	isTotal: boolean,
	payload: Uint8Array,
	arrival: Arrival,
	device: string,
	channel: string | null
): Message[] {
	const event = read(payload, arrival);
	if (!event.ok) return refusal(device, event.reason);
	const { UtcTime, Data } = event.value;
	const count = toCount(Data.Count, { signed: !isTotal });
	if (!count.ok) return refusal(device, count.reason);
	const clock = toClock(UtcTime === undefined ? null : parseTime(UtcTime), UtcTime !== undefined);
	const value: Value = isTotal
		? { kind: 'total', in: count.value, out: null, epoch: Data.ResetTime ?? null, modulus: null }
		: { kind: 'present', people: count.value };
	const retained = isOldRetained(arrival, clock.deviceAt);
	return [{ kind: 'reading', reading: newReading(device, channel, value, arrival, { ...clock, retained }) }];
}
