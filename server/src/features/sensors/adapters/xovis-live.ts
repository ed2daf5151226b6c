import { Type, type Static } from 'typebox';
import { Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Arrival, type Message, type Reading, type Value } from '../reading.ts';
import { parseTime, toCount } from '../strict-parse.ts';

/**
 * What is read of Xovis live frames: the kind of each track and the events; no positions, heights, ages, genders,
 * masks or directions of view.
 */
export const XovisFrames = Type.Array(
	Type.Object({
		time: Type.Optional(Scalar),
		tracked_objects: Type.Optional(
			Type.Array(Type.Object({ track_id: Type.Optional(Scalar), type: Type.Optional(Text) }), {
				maxItems: 2_000
			})
		),
		events: Type.Optional(
			Type.Array(
				Type.Object({
					category: Type.Optional(Text),
					type: Type.Optional(Text),
					attributes: Type.Optional(
						Type.Object({
							track_id: Type.Optional(Scalar),
							sequence_number: Type.Optional(Scalar),
							geometry_id: Type.Optional(Scalar),
							geometry_name: Type.Optional(Text),
							logic_id: Type.Optional(Scalar),
							logic_name: Type.Optional(Text),
							counter_name: Type.Optional(Text),
							counter_value: Type.Optional(Scalar)
						})
					)
				}),
				{ maxItems: 2_000 }
			)
		)
	}),
	{ maxItems: 5_000 }
);
type Frames = Static<typeof XovisFrames>;
type Event = NonNullable<Frames[number]['events']>[number];
interface Placed {
	event: Event;
	attributes: NonNullable<Event['attributes']>;
	at: number | null;
}

/**
 * SCENE: one person crossed a line. The same crossing comes again for the group, about two seconds later: the kind
 * is looked up by the event's track, wherever in the message that stands. COUNT: a counter now stands at a total
 * (`fw`, `bw`) or at people there (`balance`); counters of seconds and others are not people.
 */
export function readLive(
	data: { package_info?: { agent_id?: unknown }; frames: Frames },
	arrival: Arrival,
	device: string
): Message[] {
	const agent = String(data.package_info?.agent_id ?? '');
	const kinds = new Map(
		data.frames.flatMap(({ tracked_objects = [] }) =>
			tracked_objects.map(({ track_id, type }) => [track_id, type] as const)
		)
	);
	const events = data.frames.flatMap(({ time, events = [] }) =>
		events.map((event): Placed => ({ event, attributes: event.attributes ?? {}, at: readTime(time) }))
	);
	const persons = events.filter(
		({ attributes }) => (kinds.get(attributes.track_id) ?? 'PERSON') === 'PERSON'
	);
	return [
		...readCounters(
			events.filter(({ event }) => event.category === 'COUNT'),
			agent,
			arrival,
			device
		),
		...persons
			.filter(({ event }) => event.category === 'SCENE')
			.flatMap((placed) => readCrossing(placed, agent, arrival, device))
	];
}

function readTime(value: unknown): number | null {
	if (typeof value === 'string') return parseTime(value);
	return typeof value === 'number' ? parseTime(value < 1e11 ? value * 1_000 : value) : null;
}

const clockOf = (at: number | null): Pick<Reading, 'deviceAt' | 'clock'> => ({
	deviceAt: at,
	clock: at === null ? 'bad' : 'device'
});

function readCrossing(
	{ event, attributes, at }: Placed,
	agent: string,
	arrival: Arrival,
	device: string
): Message[] {
	const isForward = event.type === 'LINE_CROSS_FORWARD';
	if (!isForward && event.type !== 'LINE_CROSS_BACKWARD') return [];
	const { track_id, geometry_id, geometry_name, sequence_number } = attributes;
	const value: Value = { kind: 'delta', in: isForward ? 1 : 0, out: isForward ? 0 : 1, from: null };
	const key = at === null ? null : `${agent}|${at}|${track_id}|${geometry_id}|${sequence_number ?? ''}`;
	const reading = newReading(device, geometry_name ?? null, value, arrival, { ...clockOf(at), key });
	return [{ kind: 'reading', reading }];
}

/** The last stand of each counter; both directions of a logic are one number. */
function readCounters(events: readonly Placed[], agent: string, arrival: Arrival, device: string): Message[] {
	const messages: Message[] = [];
	for (const placed of events)
		if (placed.event.type === 'COUNT_RESET') {
			const channel = placed.attributes.logic_name ?? null;
			const reading = newReading(device, channel, { kind: 'reset' }, arrival, {
				...clockOf(placed.at),
				key: placed.at === null ? null : `reset|${agent}|${placed.at}`
			});
			messages.push({ kind: 'reading', reading });
		}
	const counted = events.filter(({ event }) => /^COUNT_(INCREMENT|DECREMENT)$/.test(event.type ?? ''));
	for (const [logic, ofLogic] of Map.groupBy(counted, ({ attributes }) => attributes.logic_id ?? null)) {
		const last = (name: string) => ofLogic.findLast(({ attributes }) => attributes.counter_name === name);
		messages.push(
			...readStand(`${agent}|${String(logic)}`, { fw: last('fw'), bw: last('bw') }, arrival, device),
			...readBalance(`${agent}|${String(logic)}`, last('balance'), arrival, device)
		);
	}
	return messages;
}

function readStand(
	source: string,
	{ fw, bw }: { fw: Placed | undefined; bw: Placed | undefined },
	arrival: Arrival,
	device: string
): Message[] {
	const placed = [fw, bw].filter((side) => side !== undefined);
	const newest = placed.toSorted((a, b) => (a.at ?? 0) - (b.at ?? 0)).at(-1);
	if (!newest) return [];
	const counts = [fw, bw].map((side) => (side ? toCount(side.attributes.counter_value) : null));
	for (const count of counts) if (count && !count.ok) return refusal(device, count.reason);
	const [into, out] = counts.map((count) => (count?.ok ? count.value : null));
	const value: Value = { kind: 'total', in: into ?? null, out: out ?? null, epoch: null, modulus: null };
	const key = newest.at === null ? null : `${source}|${newest.at}|${into}|${out}`;
	const channel = newest.attributes.logic_name ?? null;
	return [
		{ kind: 'reading', reading: newReading(device, channel, value, arrival, { ...clockOf(newest.at), key }) }
	];
}

function readBalance(
	source: string,
	placed: Placed | undefined,
	arrival: Arrival,
	device: string
): Message[] {
	if (!placed) return [];
	const people = toCount(placed.attributes.counter_value, { signed: true });
	if (!people.ok) return refusal(device, people.reason);
	const key = placed.at === null ? null : `${source}|${placed.at}|${people.value}`;
	const reading = newReading(
		device,
		placed.attributes.logic_name ?? null,
		{ kind: 'present', people: people.value },
		arrival,
		{ ...clockOf(placed.at), key }
	);
	return [{ kind: 'reading', reading }];
}
