import { Type, type Static } from 'typebox';
import { limits } from '../../../limits.ts';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Adapter, type Arrival, type Message } from '../reading.ts';
import { parseTime, toCount } from '../strict-parse.ts';
import { readLive, XovisFrames } from './xovis-live.ts';
import { readElements, readEvents, XovisElements, XovisEvents } from './xovis-v4.ts';

/**
 * Xovis 3D sensors, push agents of firmware 5 and 4 over HTTP or MQTT (the topic is free and stands in the site
 * file), told apart by the root of the message. Which way `fw` goes is drawn at installation.
 *
 * - `logics_data`: each record is one interval; `fw` and `bw` are people in it, `balance` and `queue-length` people
 *   there at its end. Names with a suffix (`fw-male`) are parts of the same people and are not read. Several records
 *   in one push are what waited. Known by (agent, logic, from, to): package ids come again with other content.
 * - `live_data`: see xovis-live. `status_data`: a sign of life, or what is wrong.
 * - Firmware 4: see xovis-v4.
 *
 * Channels are the names of logics, lines and zones.
 */
export const xovis: Adapter = {
	name: 'xovis',
	onChangeOnly: false,
	topics: () => [],
	mayPublish: () => [],
	httpTopic: () => '',
	parse(_topic, payload, arrival, { device }) {
		if (payload.byteLength === 0) return [];
		const read = readPush(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const { logics_data, live_data, status_data, content, values } = read.value;
		const messages = logics_data
			? readLogics(logics_data, arrival, device)
			: live_data
				? readLive(live_data, arrival, device)
				: status_data
					? readStatus(status_data, device)
					: content
						? readElements(content, read.value.status?.code, arrival, device)
						: values
							? readEvents(values, arrival, device)
							: refusal(device, 'not_a_count');
		if (messages.length > limits.readings.perMessageMax) return refusal(device, 'too_large');
		return messages.length > 0 ? messages : [{ kind: 'heartbeat', device }];
	}
};

const Package = Type.Optional(Type.Object({ agent_id: Type.Optional(Scalar) }));
const LogicsData = Type.Object({
	package_info: Package,
	logics: Type.Array(
		Type.Object({
			id: Type.Optional(Scalar),
			name: Type.Optional(Text),
			records: Type.Array(
				Type.Object({
					from: Type.Optional(Scalar),
					to: Type.Optional(Scalar),
					samples: Type.Optional(Scalar),
					samples_expected: Type.Optional(Scalar),
					counts: Type.Array(Type.Object({ name: Text, value: Scalar }), { maxItems: 500 })
				}),
				{ maxItems: 2_000 }
			)
		}),
		{ maxItems: 200 }
	)
});
const State = Type.Optional(
	Type.Object({ state: Type.Optional(Type.Object({ state: Type.Optional(Text) })) })
);
const StatusData = Type.Object({
	states: Type.Optional(
		Type.Object({
			device: State,
			time: State,
			singlesensor: Type.Optional(
				Type.Object({ status: Type.Optional(Type.Object({ illumination: Type.Optional(Text) })) })
			)
		})
	)
});
const readPush = createJsonReader(
	Type.Object({
		logics_data: Type.Optional(LogicsData),
		live_data: Type.Optional(Type.Object({ package_info: Package, frames: XovisFrames })),
		status_data: Type.Optional(StatusData),
		status: Type.Optional(Type.Object({ code: Type.Optional(Text) })),
		content: Type.Optional(Type.Object({ element: XovisElements })),
		values: Type.Optional(XovisEvents)
	}),
	limits.readings.backlogBytes
);

/** UNIX_TIME_MS unless the agent was told to send seconds or RFC 3339. */
function readTime(value: unknown): number | null {
	if (typeof value === 'string') return parseTime(value);
	if (typeof value !== 'number') return null;
	return parseTime(value < 1e11 ? value * 1_000 : value);
}

function readLogics(data: Static<typeof LogicsData>, arrival: Arrival, device: string): Message[] {
	const agent = String(data.package_info?.agent_id ?? '');
	return data.logics.flatMap(({ id, name, records }) =>
		records.flatMap((record, index) => {
			const [from, to] = [readTime(record.from), readTime(record.to)];
			const known = {
				key: to === null ? null : `${agent}|${id ?? name ?? ''}|${from}|${to}`,
				deviceAt: to,
				clock: to === null ? ('bad' as const) : ('device' as const),
				doubtful: isIncomplete(record.samples, record.samples_expected)
			};
			const isLast = index === records.length - 1;
			return readRecord(record.counts, { from, isLast }, arrival, { device, channel: name ?? null, known });
		})
	);
}

function isIncomplete(samples: unknown, expected: unknown): boolean {
	return typeof samples === 'number' && typeof expected === 'number' && samples < expected;
}

function readRecord(
	counts: readonly { name: string; value: unknown }[],
	record: { from: number | null; isLast: boolean },
	arrival: Arrival,
	to: { device: string; channel: string | null; known: Parameters<typeof newReading>[4] }
): Message[] {
	const { device, channel, known } = to;
	const valueOf = (...names: string[]) => counts.find(({ name }) => names.includes(name))?.value;
	const messages: Message[] = [];
	const [fw, bw] = [readSide(valueOf('fw')), readSide(valueOf('bw'))];
	const wrong = [fw, bw].find((side) => typeof side === 'string');
	if (typeof fw === 'string' || typeof bw === 'string')
		messages.push(...refusal(device, wrong === 'implausible' ? 'implausible' : 'bad_number'));
	else if (fw !== null || bw !== null) {
		const value = { kind: 'delta' as const, in: fw, out: bw, from: record.from };
		messages.push({ kind: 'reading', reading: newReading(device, channel, value, arrival, known) });
	}
	const standing = valueOf('balance', 'queue-length');
	// What stood at the end of an earlier interval is history.
	if (standing === undefined || !record.isLast) return messages;
	const people = toCount(standing, { signed: true });
	if (!people.ok) return [...messages, ...refusal(device, people.reason)];
	const value = { kind: 'present' as const, people: people.value };
	return [...messages, { kind: 'reading', reading: newReading(device, channel, value, arrival, known) }];
}

function readSide(value: unknown): number | null | 'bad_number' | 'implausible' {
	if (value === undefined) return null;
	const people = toCount(value);
	return people.ok ? people.value : people.reason === 'implausible' ? 'implausible' : 'bad_number';
}

function readStatus({ states }: Static<typeof StatusData>, device: string): Message[] {
	const trouble = (word: string): Message => ({ kind: 'trouble', device, channel: null, trouble: word });
	const state = (part: Static<typeof State> | undefined) => part?.state?.state ?? 'OK';
	const illumination = states?.singlesensor?.status?.illumination ?? 'SUFFICIENT';
	const troubles: Message[] = [
		...(state(states?.device) === 'OK' ? [] : [trouble('device')]),
		...(state(states?.time) === 'OK' ? [] : [trouble('clock')]),
		...(illumination === 'SUFFICIENT' ? [] : [trouble('dark')])
	];
	return troubles.length > 0 ? troubles : [{ kind: 'heartbeat', device }];
}
