import type { CounterMapping } from '../../../contract/index.ts';
import {
	isOldRetained,
	newReading,
	refusal,
	type Arrival,
	type Message,
	type Reading,
	type Source,
	type Value
} from './reading.ts';
import { parseTime, toClock, toCount, toDecimal, type Parsed } from './strict-parse.ts';

const foundMax = 200;

/**
 * Reads a message by the mappings of the site file: only what their pointers name. A counter whose conditions do not
 * hold is not meant; of one that is meant and finds no number the message says nothing, which is not zero.
 */
export function readMapped(
	message: unknown,
	arrival: Arrival,
	source: Source,
	known: Partial<Reading> = {}
): Message[] {
	const { device } = source;
	const messages: Message[] = [];
	let isMeant = false;
	for (const { channel, mapping } of source.counters) {
		if (!mapping || !meets(message, mapping)) continue;
		isMeant = true;
		const value = readValue(message, mapping);
		if (value === null) continue;
		if (!value.ok) messages.push(...refusal(device, value.reason));
		else
			messages.push({
				kind: 'reading',
				reading: newReading(device, channel, value.value, arrival, identify(message, mapping, arrival, known))
			});
	}
	if (arrival.onDropped) tellDropped(message, source, arrival.onDropped);
	if (messages.length > 0) return messages;
	return isMeant ? refusal(device, 'not_a_count') : [{ kind: 'heartbeat', device }];
}

function meets(message: unknown, { where = [] }: CounterMapping): boolean {
	return where.every(({ at, equals }) => find(message, at).some((value) => value === equals));
}

/** @returns null when the message does not say it */
function readValue(message: unknown, mapping: CounterMapping): Parsed<Value> | null {
	const { kind } = mapping;
	if (kind === 'delta' || kind === 'total') {
		const people = {
			in: readCount(message, mapping.in, mapping),
			out: readCount(message, mapping.out, mapping)
		};
		for (const side of [people.in, people.out]) if (side && !side.ok) return side;
		const [into, out] = [valueOf(people.in), valueOf(people.out)];
		if (into === null && out === null) return null;
		if (kind === 'delta')
			return { ok: true, value: { kind, in: into, out, from: startOf(message, mapping) } };
		const epoch = mapping.epoch === undefined ? null : textAt(message, mapping.epoch);
		return { ok: true, value: { kind, in: into, out, epoch, modulus: null } };
	}
	if (kind === 'present') {
		const people = readCount(message, mapping.value, mapping, true);
		return people && withValue(people, (count) => ({ kind, people: count }));
	}
	const [found] = mapping.value === undefined ? [] : find(message, mapping.value);
	if (found === undefined || found === null) return null;
	if (kind === 'presence') return withValue(toOccupied(found), (occupied) => ({ kind, occupied }));
	const measured = toDecimal(found);
	if (measured.ok && hasFailed(measured.value, mapping)) return { ok: false, reason: 'implausible' };
	return withValue(measured, (value) =>
		kind === 'density' ? { kind, peoplePerSquareMetre: value } : { kind, wbgtCelsius: value }
	);
}

function startOf(message: unknown, { from, time }: CounterMapping): number | null {
	const said = from === undefined ? undefined : find(message, from)[0];
	return said === undefined ? null : timeOf(said, time?.unit ?? 'iso');
}

function readCount(
	message: unknown,
	pointer: string | undefined,
	mapping: CounterMapping,
	signed = false
): Parsed<number> | null {
	if (pointer === undefined) return null;
	const found = find(message, pointer).filter((value) => value !== null && value !== undefined);
	if (found.length === 0) return mapping.absent === 'zero' ? { ok: true, value: 0 } : null;
	let sum = 0;
	for (const value of found) {
		const count = toCount(value, { signed });
		if (!count.ok) return count;
		if (hasFailed(count.value, mapping)) return { ok: false, reason: 'implausible' };
		sum += count.value;
	}
	return Number.isSafeInteger(sum) ? { ok: true, value: sum } : { ok: false, reason: 'bad_number' };
}

const hasFailed = (value: number, { failed = [] }: CounterMapping): boolean => failed.includes(value);
const valueOf = (parsed: Parsed<number> | null): number | null => (parsed?.ok ? parsed.value : null);

function withValue<A>(parsed: Parsed<A>, make: (value: A) => Value): Parsed<Value> {
	return parsed.ok ? { ok: true, value: make(parsed.value) } : parsed;
}

const occupiedWords: readonly unknown[] = [true, 1, '1', 'true', 'on', 'ON', 'occupied', 'detected'];
const vacantWords: readonly unknown[] = [
	false,
	0,
	'0',
	'false',
	'off',
	'OFF',
	'vacant',
	'free',
	'clear',
	'unoccupied'
];

function toOccupied(value: unknown): Parsed<boolean> {
	if (occupiedWords.includes(value)) return { ok: true, value: true };
	return vacantWords.includes(value) ? { ok: true, value: false } : { ok: false, reason: 'bad_number' };
}

/** Time, key and order as far as the mapping names them; else what the envelope knows. */
function identify(
	message: unknown,
	mapping: CounterMapping,
	arrival: Arrival,
	known: Partial<Reading>
): Partial<Reading> {
	const said = mapping.time ? find(message, mapping.time.at)[0] : undefined;
	const at = mapping.time && said !== undefined ? timeOf(said, mapping.time.unit) : null;
	const clock =
		said === undefined
			? { deviceAt: known.deviceAt ?? null, clock: known.clock ?? 'none' }
			: toClock(at, true);
	const keys = mapping.key?.map((pointer) => textAt(message, pointer));
	const seq = mapping.sequence ? toCount(find(message, mapping.sequence.at)[0]) : null;
	const session = mapping.sequence?.session ? textAt(message, mapping.sequence.session) : '';
	return {
		...clock,
		key: keys?.every((part) => part !== null) ? keys.join('|').slice(0, 200) : (known.key ?? null),
		order: seq?.ok && session !== null ? { session, seq: seq.value } : (known.order ?? null),
		retained: isOldRetained(arrival, clock.deviceAt)
	};
}

function timeOf(value: unknown, unit: 'iso' | 'seconds' | 'milliseconds'): number | null {
	if (unit === 'iso') return typeof value === 'string' ? parseTime(value) : null;
	const number = toDecimal(value);
	return number.ok ? parseTime(number.value * (unit === 'seconds' ? 1_000 : 1)) : null;
}

function textAt(message: unknown, pointer: string): string | null {
	const [value] = find(message, pointer);
	return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, 120) : null;
}

/** Everything a pointer names; own keys only. */
function find(message: unknown, pointer: string): unknown[] {
	let found: unknown[] = [message];
	for (const step of stepsOf(pointer)) {
		found = found.flatMap((value) => (step === '*' ? membersOf(value) : memberOf(value, step)));
		if (found.length > foundMax) return [];
	}
	return found;
}

function stepsOf(pointer: string): string[] {
	return pointer
		.split('/')
		.slice(1)
		.map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

const membersOf = (value: unknown): unknown[] =>
	typeof value === 'object' && value !== null ? Object.values(value) : [];

function memberOf(value: unknown, step: string): unknown[] {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return [];
	return [(value as Record<string, unknown>)[step]];
}

/** Names of keys on no pointer's way. */
function tellDropped(message: unknown, source: Source, onDropped: (key: string) => void): void {
	const ways = source.counters.flatMap(({ mapping }) => (mapping ? pointersOf(mapping) : [])).map(stepsOf);
	const walk = (value: unknown, open: readonly string[][]) => {
		if (typeof value !== 'object' || value === null) return;
		for (const [key, item] of Object.entries(value)) {
			const on = open.filter(([step]) => step === key || step === '*').map(([, ...rest]) => rest);
			if (on.length === 0 && !Array.isArray(value)) onDropped(key);
			else walk(item, on);
		}
	};
	walk(message, ways);
}

function pointersOf(mapping: CounterMapping): string[] {
	const all = [
		mapping.in,
		mapping.out,
		mapping.value,
		mapping.epoch,
		mapping.from,
		mapping.time?.at,
		...(mapping.key ?? [])
	];
	const rest = [
		mapping.sequence?.at,
		mapping.sequence?.session,
		...(mapping.where ?? []).map(({ at }) => at)
	];
	return [...all, ...rest].filter((pointer) => pointer !== undefined);
}
