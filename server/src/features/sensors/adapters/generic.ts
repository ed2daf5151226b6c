import { refusal, type Adapter, type Message } from '../reading.ts';
import { readMapped } from '../mapping.ts';
import { decodeText, parseJson } from '../strict-parse.ts';

/**
 * Any JSON, or a bare number, by the mapping of each counter: topics and meaning stand in the site file, nothing is
 * guessed. An emptied topic means that what stood there has gone, not that it is zero.
 */
export const generic: Adapter = {
	name: 'generic',
	onChangeOnly: false,
	topics: () => [],
	mayPublish: () => [],
	httpTopic: () => '',
	parse(_topic, payload, arrival, source) {
		const { device, counters } = source;
		const mapped = counters.filter(({ mapping }) => mapping !== null);
		if (mapped.length === 0) return refusal(device, 'no_decoder');
		if (payload.byteLength === 0)
			return mapped.map(({ channel }): Message => ({ kind: 'state', device, channel, online: false }));
		const json = parseJson(payload);
		if (json.ok) return readMapped(json.value, arrival, source);
		const bare = mapped.every(({ mapping }) => [mapping?.in, mapping?.out, mapping?.value].includes(''));
		const text = decodeText(payload);
		// What is no JSON may still be a bare word where a number is expected: it is judged as that.
		return bare && text.ok ? readMapped(text.value, arrival, source) : refusal(device, json.reason);
	}
};
