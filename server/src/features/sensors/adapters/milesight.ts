import { Type, type Static } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Adapter, type Arrival, type Message, type Value } from '../reading.ts';
import { parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Milesight's counters with network of their own (VS125, VS135 on Ethernet, VS121-P) as JSON over HTTP or MQTT; the
 * topic is free and stands in the site file.
 *
 * - `line_total_data`: running totals of each line since its reset. `line_periodic_data`: people since the last
 *   report. Channel `line N`.
 * - `region_count_data` (in `region_trigger_data` or alone): people there now, channel `region N`.
 * - VS121-P: `current_total` people there now (no channel) and `current_counted` of the regions that
 *   `numbering_regions` names; its `occupancy` is yes or no, not a number.
 *
 * `line_trigger_data` repeats crossings that the other two hold, and is not read. Times are local; they are taken
 * with the time zone that is sent along.
 */
export const milesight: Adapter = {
	name: 'milesight',
	onChangeOnly: false,
	topics: () => [],
	mayPublish: () => [],
	httpTopic: () => '',
	parse(_topic, payload, arrival, { device }) {
		if (payload.byteLength === 0) return [];
		const read = readReport(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const values = valuesOf(read.value);
		if (values.length === 0) return [{ kind: 'heartbeat', device }];
		const time = read.value.time_info;
		const end = time?.end_time ?? time?.trigger_time;
		const clock = toClock(readTime(end, time?.time_zone ?? time?.timezone), end !== undefined);
		return values.flatMap(([channel, value]) =>
			typeof value === 'string'
				? refusal(device, value)
				: [toMessage(device, channel, value, arrival, clock, time?.start_time)]
		);
	}
};

const Line = Type.Object({
	line: Scalar,
	total: Type.Optional(
		Type.Object({
			in: Type.Optional(Scalar),
			out: Type.Optional(Scalar),
			in_counted: Type.Optional(Scalar),
			out_counted: Type.Optional(Scalar)
		})
	)
});
const Lines = Type.Array(Line, { maxItems: 16 });
const Regions = Type.Array(
	Type.Object({
		region: Scalar,
		total: Type.Optional(Type.Object({ current_total: Type.Optional(Scalar) }))
	}),
	{ maxItems: 32 }
);
const Report = Type.Object({
	time_info: Type.Optional(
		Type.Object({
			start_time: Type.Optional(Text),
			end_time: Type.Optional(Text),
			trigger_time: Type.Optional(Text),
			time_zone: Type.Optional(Text),
			timezone: Type.Optional(Text)
		})
	),
	line_total_data: Type.Optional(Lines),
	line_periodic_data: Type.Optional(Lines),
	region_count_data: Type.Optional(Regions),
	region_trigger_data: Type.Optional(Type.Object({ region_count_data: Type.Optional(Regions) })),
	current_total: Type.Optional(Scalar),
	numbering_regions: Type.Optional(Type.Array(Scalar, { maxItems: 32 })),
	current_counted: Type.Optional(Type.Array(Scalar, { maxItems: 32 }))
});
const readReport = createJsonReader(Report);

type Read = [channel: string | null, value: Value | 'bad_number' | 'implausible'];

function valuesOf(report: Static<typeof Report>): Read[] {
	const totals = (report.line_total_data ?? []).map(({ line, total }): Read => {
		const people = both(total?.in_counted, total?.out_counted);
		return [
			`line ${line}`,
			typeof people === 'string' ? people : { kind: 'total', ...people, epoch: null, modulus: null }
		];
	});
	const deltas = (report.line_periodic_data ?? []).map(({ line, total }): Read => {
		const people = both(total?.in, total?.out);
		return [`line ${line}`, typeof people === 'string' ? people : { kind: 'delta', ...people, from: null }];
	});
	const regions = report.region_trigger_data?.region_count_data ?? report.region_count_data ?? [];
	const numbered = (report.numbering_regions ?? []).map((region, index) => ({
		region,
		count: report.current_counted?.[index]
	}));
	const present = [
		...regions.map(({ region, total }) => ({ region, count: total?.current_total })),
		...numbered
	];
	return [
		...totals,
		...deltas,
		...(report.current_total === undefined ? [] : [presentRead(null, report.current_total)]),
		...present
			.filter(({ count }) => count !== undefined)
			.map(({ region, count }) => presentRead(`region ${region}`, count))
	];
}

function presentRead(channel: string | null, count: unknown): Read {
	const people = toCount(count);
	if (!people.ok) return [channel, people.reason === 'implausible' ? 'implausible' : 'bad_number'];
	return [channel, { kind: 'present', people: people.value }];
}

function both(into: unknown, out: unknown): { in: number; out: number } | 'bad_number' | 'implausible' {
	const [a, b] = [toCount(into), toCount(out)];
	if (a.ok && b.ok) return { in: a.value, out: b.value };
	const failed = [a, b].some((side) => !side.ok && side.reason === 'implausible');
	return failed ? 'implausible' : 'bad_number';
}

function toMessage(
	device: string,
	channel: string | null,
	value: Value,
	arrival: Arrival,
	clock: ReturnType<typeof toClock>,
	start: string | undefined
): Message {
	// Times are whole seconds: two reports of a change can bear the same.
	const people = value.kind === 'present' ? `|${value.people}` : '';
	const key = clock.deviceAt === null ? null : `${start ?? ''}|${clock.deviceAt}${people}`;
	return { kind: 'reading', reading: newReading(device, channel, value, arrival, { ...clock, key }) };
}

/** `2022/12/20 18:15:52` in `UTC+8:00`, or a time with its offset. @returns null where no zone is told */
function readTime(text: string | undefined, zone: string | undefined): number | null {
	if (text === undefined) return null;
	const withOffset = parseTime(text);
	if (withOffset !== null) return withOffset;
	const [, sign, hours, minutes] = /^UTC([+-])(\d{1,2}):(\d{2})/.exec(zone ?? '') ?? [];
	if (sign === undefined || hours === undefined) return null;
	return parseTime(`${text.replaceAll('/', '-')}${sign}${hours.padStart(2, '0')}:${minutes}`);
}
