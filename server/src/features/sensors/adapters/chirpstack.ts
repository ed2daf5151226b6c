import { Type, type Static } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { refusal, type Adapter, type Arrival, type Message, type Source } from '../reading.ts';
import { parseTime, toCount } from '../strict-parse.ts';
import { readFrame, readUplink } from './lora-uplink.ts';

/**
 * ChirpStack v4, `application/{id}/device/{devEui}/event/{up, join, status, log, …}`; the device is the devEui. The
 * frame in `up` is read by the counter's byte table (`decoder`), or what the server's codec made of it by `mapping`.
 * Known by (devAddr, fCnt): `deduplicationId` is new for a frame that is delivered again, and a join begins another
 * devAddr. `log` tells of a frame counter that was reset.
 */
export const chirpstack: Adapter = {
	name: 'chirpstack',
	onChangeOnly: false,
	topics: (_, devEui) => [`application/+/device/${devEui}/event/+`],
	mayPublish: () => [],
	bridgeTopics: ['application/#'],
	httpTopic: (_, devEui) => `application/http/device/${devEui}/event/up`,
	parse(topic, payload, arrival, source) {
		const { device } = source;
		const event = topic.split('/').at(-1);
		if (event === 'join')
			return [
				{ kind: 'session', device },
				{ kind: 'heartbeat', device }
			];
		if (event === 'status') return [{ kind: 'heartbeat', device }];
		if (event !== 'up' && event !== 'log') return [];
		const read = readEvent(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		return event === 'log' ? readLog(read.value, device) : readUp(read.value, payload, arrival, source);
	}
};

const Event = Type.Object({
	time: Type.Optional(Text),
	devAddr: Type.Optional(Text),
	fCnt: Type.Optional(Scalar),
	data: Type.Optional(Type.String({ maxLength: 2_000 })),
	level: Type.Optional(Text),
	code: Type.Optional(Text)
});
const readEvent = createJsonReader(Event);
const readObject = createJsonReader(Type.Object({ object: Type.Optional(Type.Unknown()) }));

function readLog({ code = '', level }: Static<typeof Event>, device: string): Message[] {
	if (code === 'UPLINK_F_CNT_RESET') return [{ kind: 'session', device }];
	if (level !== 'ERROR' || code === 'UPLINK_F_CNT_RETRANSMISSION') return [{ kind: 'heartbeat', device }];
	return [{ kind: 'trouble', device, channel: null, trouble: code.slice(0, 60) }];
}

function readUp(
	event: Static<typeof Event>,
	payload: Uint8Array,
	arrival: Arrival,
	source: Source
): Message[] {
	const { device } = source;
	const bytes = readFrame(event.data);
	if (bytes === null && event.data !== undefined && event.data !== '') return refusal(device, 'bad_shape');
	const seq = event.fCnt === undefined ? null : toCount(event.fCnt);
	if (seq && !seq.ok) return refusal(device, 'bad_shape');
	const object = source.decoder === null ? readObject(payload, arrivalOf(arrival)) : null;
	const uplink = {
		bytes,
		decoded: object?.ok ? object.value.object : undefined,
		order: seq ? { session: event.devAddr ?? '', seq: seq.value } : null,
		at: event.time === undefined ? null : parseTime(event.time)
	};
	return readUplink(uplink, arrival, source);
}

const arrivalOf = ({ receivedAt, retained }: Arrival): Arrival => ({ receivedAt, retained });
