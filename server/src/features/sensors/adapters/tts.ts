import { Type } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { refusal, type Adapter } from '../reading.ts';
import { parseTime, toCount } from '../strict-parse.ts';
import { readFrame, readUplink } from './lora-uplink.ts';

/**
 * The Things Stack v3, `v3/{application}[@{tenant}]/devices/{id}/{up, join, …}`; the device is the device id. Read
 * like ChirpStack's frames. Zeros are left out of everything: no `f_cnt` is frame 0, and a mapping of
 * `decoded_payload` says so with `absent: zero`. Known by (session key, f_cnt); of the three clocks the network
 * server's is taken. What was made in the console (`simulated`) is nobody, in a simulated run, too.
 */
export const tts: Adapter = {
	name: 'tts',
	onChangeOnly: false,
	topics: (_, id) => [`v3/+/devices/${id}/up`, `v3/+/devices/${id}/join`],
	mayPublish: () => [],
	bridgeTopics: ['v3/#'],
	httpTopic: (_, id) => `v3/http/devices/${id}/up`,
	parse(topic, payload, arrival, source) {
		const { device } = source;
		const event = topic.split('/').at(-1);
		if (event === 'join')
			return [
				{ kind: 'session', device },
				{ kind: 'heartbeat', device }
			];
		if (event !== 'up') return [];
		const read = readUp(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const { simulated, uplink_message: uplink, end_device_ids: ids } = read.value;
		if (simulated === true) return refusal(device, 'simulated_not_allowed');
		const bytes = readFrame(uplink.frm_payload);
		if (bytes === null && uplink.frm_payload) return refusal(device, 'bad_shape');
		const seq = toCount(uplink.f_cnt ?? 0);
		if (!seq.ok) return refusal(device, 'bad_shape');
		const decoded =
			source.decoder === null ? readDecoded(payload, { ...arrival, onDropped: undefined }) : null;
		return readUplink(
			{
				bytes,
				// Without any member left the codec said zero for all of them.
				decoded: decoded?.ok ? (decoded.value.uplink_message.decoded_payload ?? {}) : undefined,
				order: { session: uplink.session_key_id ?? ids?.dev_addr ?? '', seq: seq.value },
				at: uplink.received_at === undefined ? null : parseTime(uplink.received_at)
			},
			arrival,
			source
		);
	}
};

const readUp = createJsonReader(
	Type.Object({
		simulated: Type.Optional(Type.Boolean()),
		end_device_ids: Type.Optional(Type.Object({ dev_addr: Type.Optional(Text) })),
		uplink_message: Type.Object({
			session_key_id: Type.Optional(Text),
			f_cnt: Type.Optional(Scalar),
			frm_payload: Type.Optional(Type.String({ maxLength: 2_000 })),
			received_at: Type.Optional(Text)
		})
	})
);
const readDecoded = createJsonReader(
	Type.Object({ uplink_message: Type.Object({ decoded_payload: Type.Optional(Type.Unknown()) }) })
);
