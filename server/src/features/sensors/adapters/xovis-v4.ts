import { Type, type Static } from 'typebox';
import { Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Arrival, type Message, type Value } from '../reading.ts';
import { parseTime, toClock, toCount } from '../strict-parse.ts';

/** What is read of the count push of firmware 4. */
export const XovisElements = Type.Array(
	Type.Object({
		'element-id': Type.Optional(Scalar),
		'element-name': Type.Optional(Text),
		measurement: Type.Optional(
			Type.Array(
				Type.Object({
					from: Type.Optional(Text),
					to: Type.Optional(Text),
					value: Type.Array(Type.Object({ value: Scalar, label: Text }), { maxItems: 200 })
				}),
				{ maxItems: 2_000 }
			)
		)
	}),
	{ maxItems: 200 }
);

/** What is read of its event push: no positions, no heights. */
export const XovisEvents = Type.Array(
	Type.Object({
		timestamp: Type.Optional(Scalar),
		type: Type.Optional(Text),
		direction: Type.Optional(Text),
		object: Type.Optional(Type.Object({ id: Type.Optional(Scalar) })),
		countItem: Type.Optional(Type.Object({ id: Type.Optional(Scalar), name: Type.Optional(Text) })),
		objectType: Type.Optional(Text)
	}),
	{ maxItems: 5_000 }
);

/** People forward (`fw`) and back (`bw`) in each interval of each line, known by (element, to). */
export function readElements(
	{ element }: { element: Static<typeof XovisElements> },
	status: string | undefined,
	arrival: Arrival,
	device: string
): Message[] {
	const trouble: Message[] =
		status === undefined || status === 'OK'
			? []
			: [{ kind: 'trouble', device, channel: null, trouble: status.slice(0, 60).toLowerCase() }];
	const messages = element.flatMap(({ measurement = [], ...of }) =>
		measurement.flatMap(({ from, to, value }): Message[] => {
			const sides = ['fw', 'bw'].map((side) => value.find(({ label }) => label === side)?.value);
			if (sides.every((side) => side === undefined)) return [];
			const counts = sides.map((side) => (side === undefined ? null : toCount(side)));
			for (const count of counts) if (count && !count.ok) return refusal(device, count.reason);
			const [into, out] = counts.map((count) => (count?.ok ? count.value : null));
			const people: Value = {
				kind: 'delta',
				in: into ?? null,
				out: out ?? null,
				from: from === undefined ? null : parseTime(from)
			};
			const clock = toClock(to === undefined ? null : parseTime(to), true);
			const key = clock.deviceAt === null ? null : `${of['element-id'] ?? ''}|${clock.deviceAt}`;
			const channel = of['element-name'] ?? null;
			return [{ kind: 'reading', reading: newReading(device, channel, people, arrival, { ...clock, key }) }];
		})
	);
	return [...trouble, ...messages];
}

/** One crossing comes as up to five events; `LineCount` of a person is the one that counts. */
export function readEvents(events: Static<typeof XovisEvents>, arrival: Arrival, device: string): Message[] {
	return events.flatMap(({ type, objectType, direction, ...event }): Message[] => {
		if (type !== 'LineCount' || objectType !== 'PERSON') return [];
		if (direction !== 'forward' && direction !== 'backward') return refusal(device, 'bad_shape');
		const isForward = direction === 'forward';
		const value: Value = { kind: 'delta', in: isForward ? 1 : 0, out: isForward ? 0 : 1, from: null };
		const at = typeof event.timestamp === 'number' ? parseTime(event.timestamp) : null;
		const key = at === null ? null : `${at}|${event.object?.id ?? ''}|${event.countItem?.id ?? ''}`;
		const channel = event.countItem?.name ?? null;
		const reading = newReading(device, channel, value, arrival, { ...toClock(at, true), key });
		return [{ kind: 'reading', reading }];
	});
}
