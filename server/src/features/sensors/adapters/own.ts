import { Compile } from 'typebox/compile';
import { OwnReading, topics, type RejectReason } from '../../../../contract/index.ts';
import { newReading, type Adapter, type Arrival, type Message, type Value } from '../reading.ts';
import { decodeText, parseJson, parseTime } from '../strict-parse.ts';

/**
 * The product's own format, `marsad/{site}/{device}/reading` and `…/state`.
 *
 * Numbers: `in`/`out` are people since the device's last message, or running totals with `total: true`; `present`
 * is people there now; `density` people per square metre; `wbgtCelsius` heat. A message is known by (device, boot,
 * seq), else by (device, ts). Only the keys named here are looked at; whatever else a device sends is dropped unseen.
 */
export const own: Adapter = {
	name: 'own',
	onChangeOnly: false,
	topics: (site, device) => [topics.reading(site, device), topics.state(site, device)],
	topicsOfAll: (site) => [topics.allReadings(site), topics.allStates(site)],
	mayPublish: () => [],
	httpTopic: (site, device) => topics.reading(site, device),
	parse(topic, payload, arrival) {
		const [, , device = '', last] = topic.split('/');
		return last === 'state' ? parseState(device, payload) : parseReading(device, payload, arrival);
	}
};

const check = Compile(OwnReading);
const whitelist: ReadonlySet<string> = new Set(Object.keys(OwnReading.properties));

function parseState(device: string, payload: Uint8Array): Message[] {
	if (payload.byteLength === 0) return [];
	const text = decodeText(payload);
	if (!text.ok) return [{ kind: 'refused', device, reason: text.reason }];
	if (text.value !== 'online' && text.value !== 'offline')
		return [{ kind: 'refused', device, reason: 'bad_shape' }];
	return [{ kind: 'state', device, channel: null, online: text.value === 'online' }];
}

function parseReading(device: string, payload: Uint8Array, arrival: Arrival): Message[] {
	const refuse = (reason: RejectReason): Message[] => [{ kind: 'refused', device, reason }];
	// Zero bytes only clear what the broker retained.
	if (payload.byteLength === 0) return [];
	const json = parseJson(payload);
	if (!json.ok) return refuse(json.reason);
	if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
		return refuse('bad_shape');
	const picked = json.value as Record<string, unknown>;
	for (const key in picked)
		if (!whitelist.has(key)) {
			arrival.onDropped?.(key);
			delete picked[key];
		}
	if (!check.Check(picked)) return refuse(shapeReason(picked));
	const deviceAt = parseTime(picked.ts);
	if (deviceAt === null) return refuse('bad_time');
	const values = valuesOf(picked);
	if (values.length === 0) return refuse('not_a_count');
	const { boot, seq } = picked;
	const simulated = picked.sim === true;
	const more = {
		order: boot !== undefined && seq !== undefined ? { session: String(boot), seq } : null,
		deviceAt,
		recordedAt: simulated && picked.recordedAt !== undefined ? parseRecorded(picked.recordedAt) : null,
		simulated
	};
	return values.map((value) => ({
		kind: 'reading',
		reading: newReading(device, picked.channel ?? null, value, arrival, more)
	}));
}

function valuesOf({ in: into, out, total, boot, present, density, wbgtCelsius }: OwnReading): Value[] {
	const values: Value[] = [];
	const people = { in: into ?? null, out: out ?? null };
	if (people.in !== null || people.out !== null)
		values.push(
			total === true
				? { kind: 'total', ...people, epoch: boot === undefined ? null : String(boot), modulus: null }
				: { kind: 'delta', ...people, from: null }
		);
	if (present !== undefined) values.push({ kind: 'present', people: present });
	if (density !== undefined) values.push({ kind: 'density', peoplePerSquareMetre: density });
	if (wbgtCelsius !== undefined) values.push({ kind: 'heat', wbgtCelsius });
	return values;
}

/** A recorded series may hold local times: they only measure how long a count covers. */
function parseRecorded(text: string): number | null {
	return parseTime(text) ?? parseTime(`${text}Z`);
}

/** The reason an operator can act on: a number out of range is another fault than a wrong shape. */
function shapeReason(picked: object): RejectReason {
	const faulty = new Set(
		[...check.Errors(picked)].map(({ instancePath }) => instancePath.split('/')[1] ?? '')
	);
	if (['in', 'out', 'present', 'density', 'wbgtCelsius'].some((key) => faulty.has(key))) return 'bad_number';
	const hasTime = 'ts' in picked;
	return hasTime && faulty.has('ts') ? 'bad_time' : 'bad_shape';
}
