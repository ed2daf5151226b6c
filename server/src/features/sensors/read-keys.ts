import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { parseJson, type Parsed } from './strict-parse.ts';
import type { Arrival } from './reading.ts';

/** A number of a format that may write it as text. What it means, and whether it is one, is decided where it is read. */
export const Scalar = Type.Union([
	Type.Number(),
	Type.String({ maxLength: 400 }),
	Type.Boolean(),
	Type.Null()
]);
export const Text = Type.String({ maxLength: 400 });

/**
 * Reads JSON down to the keys a schema names. Whatever else a device sends (pictures, names, plates, ages, tracks,
 * passwords) is dropped here, before anything is looked at, logged or kept.
 */
export function createJsonReader<T extends TSchema>(
	schema: T,
	bytesMax?: number
): (payload: Uint8Array, arrival: Arrival) => Parsed<Static<T>> {
	const check = Compile(schema);
	return (payload, arrival) => {
		const json = parseJson(payload, bytesMax);
		if (!json.ok) return json;
		const kept = keepKeys(schema, json.value, arrival.onDropped);
		return check.Check(kept) ? { ok: true, value: kept as Static<T> } : { ok: false, reason: 'bad_shape' };
	};
}

/** The parts of a value that a schema of objects, lists and scalars names. */
export function keepKeys(schema: unknown, value: unknown, onDropped?: (key: string) => void): unknown {
	const { type, properties, items } = schema as { type?: string; properties?: object; items?: unknown };
	if (type === 'array' && Array.isArray(value)) return value.map((item) => keepKeys(items, item, onDropped));
	if (type !== 'object' || typeof value !== 'object' || value === null || Array.isArray(value)) {
		if (typeof value === 'object' && value !== null) dropAll(value, onDropped);
		return value;
	}
	const kept: Record<string, unknown> = {};
	for (const [key, item] of Object.entries(value)) {
		const known = Object.hasOwn(properties ?? {}, key)
			? (properties as Record<string, unknown>)[key]
			: undefined;
		if (known === undefined) onDropped?.(key);
		else kept[key] = keepKeys(known, item, onDropped);
	}
	return kept;
}

function dropAll(value: object, onDropped: ((key: string) => void) | undefined): void {
	if (!onDropped || Array.isArray(value)) return;
	for (const key of Object.keys(value)) onDropped(key);
}
