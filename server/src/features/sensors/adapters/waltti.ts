import { Type } from 'typebox';
import { createJsonReader, Scalar, Text } from '../read-keys.ts';
import { newReading, refusal, type Adapter, type Message, type Value } from '../reading.ts';
import { parseTime, toClock, toCount } from '../strict-parse.ts';

/**
 * Automatic passenger counting of Waltti (`apc-from-vehicle/v1/fi/waltti/{partner}/{countingSystemId}`; the device is
 * that id) and of HSL (the topic stands in the site file).
 *
 * Channel: the door. People in and out at this stop, all classes that are people together: a pram is none. Known by
 * `messageId`, at HSL by (operator, vehicle, time). `vehicleload`, channel `vehicle`: people on board by the device's
 * own reckoning. A `countquality` other than `regular` makes the numbers doubtful.
 */
export const waltti: Adapter = {
	name: 'waltti',
	onChangeOnly: false,
	topics: (_, system) => [`apc-from-vehicle/v1/fi/waltti/+/${system}`],
	mayPublish: () => [],
	bridgeTopics: ['apc-from-vehicle/#'],
	httpTopic: () => '',
	parse(_topic, payload, arrival, { device }) {
		if (payload.byteLength === 0) return [];
		const read = readCounts(payload, arrival);
		if (!read.ok) return refusal(device, read.reason);
		const { messageId, oper, veh, tst, vehiclecounts } = read.value.APC;
		const at = typeof tst === 'string' || typeof tst === 'number' ? parseTime(tst) : null;
		const byVehicle = at === null ? null : `${oper ?? ''}|${veh ?? ''}|${at}`;
		const known = {
			...toClock(at, tst !== undefined),
			key: messageId ?? byVehicle,
			doubtful: (vehiclecounts.countquality ?? 'regular') !== 'regular'
		};
		const messages = (vehiclecounts.doorcounts ?? []).map(({ door, count }): Message[] => {
			const value = sumPeople(count);
			if (typeof value === 'string') return refusal(device, value);
			return [{ kind: 'reading', reading: newReading(device, door, value, arrival, known) }];
		});
		if (vehiclecounts.vehicleload !== undefined) {
			const load = toCount(vehiclecounts.vehicleload);
			const value = { kind: 'present' as const, people: load.ok ? load.value : 0 };
			messages.push(
				load.ok
					? [{ kind: 'reading', reading: newReading(device, 'vehicle', value, arrival, known) }]
					: refusal(device, load.reason)
			);
		}
		return messages.length > 0 ? messages.flat() : refusal(device, 'not_a_count');
	}
};

const peopleClasses: readonly string[] = ['adult', 'child', 'wheelchair'];

const Counts = Type.Array(Type.Object({ class: Text, in: Scalar, out: Scalar }), { maxItems: 20 });
const readCounts = createJsonReader(
	Type.Object({
		APC: Type.Object({
			messageId: Type.Optional(Type.String({ minLength: 1, maxLength: 100 })),
			oper: Type.Optional(Scalar),
			veh: Type.Optional(Scalar),
			tst: Type.Optional(Scalar),
			vehiclecounts: Type.Object({
				countquality: Type.Optional(Text),
				vehicleload: Type.Optional(Scalar),
				doorcounts: Type.Optional(
					Type.Array(Type.Object({ door: Type.String({ maxLength: 120 }), count: Counts }), { maxItems: 30 })
				)
			})
		})
	})
);

function sumPeople(counts: readonly { class: string; in: unknown; out: unknown }[]) {
	const value: Extract<Value, { kind: 'delta' }> & { in: number; out: number } = {
		...{ kind: 'delta', in: 0, out: 0, from: null }
	};
	for (const count of counts) {
		if (!peopleClasses.includes(count.class)) continue;
		const [into, out] = [toCount(count.in), toCount(count.out)];
		if (!into.ok) return into.reason;
		if (!out.ok) return out.reason;
		value.in += into.value;
		value.out += out.value;
	}
	return value;
}
