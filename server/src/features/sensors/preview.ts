import type {
	CounterProperties,
	PreviewAnswer,
	PreviewReading,
	PreviewRequest
} from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { adapters } from './adapters/index.ts';
import type { Claim } from './claims.ts';
import { jsonHint } from './json-hint.ts';
import type { Arrival, Message, Reading, ReadingKind, Source, Value } from './reading.ts';

/**
 * How a payload would be read: the same adapter, the same refusals, nothing counted or kept. Pure.
 *
 * @param claim what the site file says about the device, where it names it
 */
export function previewPayload(
	request: PreviewRequest,
	context: { site: string; claim: Claim | undefined; receivedAt: number }
): PreviewAnswer {
	const adapter = adapters[request.adapter];
	const source = sourceOf(request, context.claim);
	const payload = bytesOf(request);
	const dropped = new Set<string>();
	const arrival: Arrival = {
		receivedAt: context.receivedAt,
		retained: false,
		contentType: request.contentType,
		onDropped: (key) => void (dropped.size < limits.readings.droppedKeysMax && dropped.add(key.slice(0, 80)))
	};
	const topic = request.topic ?? adapter.httpTopic(context.site, source.device, request.channel);
	const messages = adapter.parse(topic, payload, arrival, source);
	const refused = messages.flatMap((message) =>
		message.kind === 'refused' ? [{ reason: message.reason }] : []
	);
	const text = payload.toString('utf8');
	return {
		readings: messages.flatMap((message) =>
			message.kind === 'reading' ? [describe(message.reading, source)] : []
		),
		signs: messages.flatMap(signOf),
		refused,
		ignored: messages.length === 0,
		droppedKeys: [...dropped].sort(),
		hint: refused.some(({ reason }) => reason === 'bad_json') ? jsonHint(text) : null
	};
}

interface PreviewSource extends Source {
	ids: readonly { id: string; channel: string | null; measures: string }[];
}

function sourceOf(
	{ device, adapter, decoder, mapping, channel }: PreviewRequest,
	claim?: Claim
): PreviewSource {
	const known = claim?.adapter.name === adapter ? claim : undefined;
	const own = mapping && {
		channel: channel ?? null,
		measures: measuresOf[mapping.kind],
		mapping
	};
	return {
		device: device ?? 'device',
		decoder: decoder ?? known?.source.decoder ?? null,
		counters: own ? [own] : (known?.source.counters ?? []),
		ids: known?.ids ?? []
	};
}

const measuresOf: Readonly<Record<Exclude<ReadingKind, 'reset'>, CounterProperties['measures']>> = {
	delta: 'crossing',
	total: 'crossing',
	present: 'present',
	density: 'density',
	presence: 'presence',
	heat: 'heat'
};

function bytesOf({ payload, encoding = 'text' }: PreviewRequest): Buffer {
	if (encoding === 'text') return Buffer.from(payload, 'utf8');
	return Buffer.from(payload.replaceAll(/\s/g, ''), encoding);
}

function describe(reading: Reading, source: PreviewSource): PreviewReading {
	const { value, key, order } = reading;
	const isCrossing = value.kind === 'delta' || value.kind === 'total';
	const measures = value.kind === 'reset' ? 'crossing' : measuresOf[value.kind];
	const taken = source.ids.filter((of) => of.channel === reading.channel && of.measures === measures);
	return {
		kind: value.kind,
		channel: reading.channel,
		in: isCrossing ? value.in : null,
		out: isCrossing ? value.out : null,
		value: plainValue(value),
		from: value.kind === 'delta' ? value.from : null,
		at: reading.deviceAt,
		clock: reading.clock,
		key: key ?? order?.session ?? null,
		sequence: key === null ? (order?.seq ?? null) : null,
		modulus: value.kind === 'total' ? value.modulus : null,
		historical: reading.historical,
		doubtful: reading.doubtful,
		simulated: reading.simulated,
		counters: taken.map(({ id }) => id)
	};
}

function plainValue(value: Value): number | null {
	if (value.kind === 'present') return value.people;
	if (value.kind === 'density') return value.peoplePerSquareMetre;
	if (value.kind === 'presence') return value.occupied ? 1 : 0;
	return value.kind === 'heat' ? value.wbgtCelsius : null;
}

function signOf(message: Message): PreviewAnswer['signs'] {
	if (message.kind === 'state')
		return [{ kind: message.online ? 'online' : 'offline', channel: message.channel, trouble: null }];
	if (message.kind === 'trouble')
		return [{ kind: 'trouble', channel: message.channel, trouble: message.trouble }];
	if (message.kind === 'heartbeat' || message.kind === 'session')
		return [{ kind: message.kind, channel: null, trouble: null }];
	return [];
}
