import { decode, encode, rfc8949EncodeOptions } from 'cborg';
import { PermitFault } from './fault.ts';

const strict = {
	useMaps: true,
	strict: true,
	allowIndefinite: false,
	allowUndefined: false,
	allowInfinity: false,
	allowNaN: false,
	allowBigInt: false,
	rejectDuplicateMapKeys: true
} as const;

/** Core deterministic encoding (RFC 8949, 4.2.1). Byte strings must be plain Uint8Array, maps Map. */
export function encodeCbor(value: unknown): Uint8Array<ArrayBuffer> {
	return Uint8Array.from(encode(value, rfc8949EncodeOptions));
}

/**
 * Reads one item that fills the bytes and is written in the one deterministic way.
 * @throws PermitFault `cbor`
 */
export function decodeCbor(bytes: Uint8Array): unknown {
	let value: unknown;
	try {
		value = decode(bytes, strict);
	} catch (error) {
		throw new PermitFault('cbor', error instanceof Error ? error.message : 'not CBOR');
	}
	if (!sameBytes(encodeCbor(value), bytes)) throw new PermitFault('cbor', 'not in its deterministic form');
	return value;
}

export function sameBytes(a: Uint8Array, b: Uint8Array): boolean {
	return a.length === b.length && a.every((byte, at) => byte === b[at]);
}

/** A whole number from `min` to `max`; -0 is a float to CBOR, and none. */
export function isWhole(value: unknown, min: number, max: number): value is number {
	return (
		Number.isInteger(value) && !Object.is(value, -0) && (value as number) >= min && (value as number) <= max
	);
}

export function isBytes(value: unknown, length: number): value is Uint8Array<ArrayBuffer> {
	return value instanceof Uint8Array && value.length === length;
}

/** A map with exactly these integer labels, or null. */
export function readMap(value: unknown, labels: readonly number[]): Map<number, unknown> | null {
	if (!(value instanceof Map) || value.size !== labels.length) return null;
	return labels.every((label) => value.has(label)) ? (value as Map<number, unknown>) : null;
}

const hexDigits = '0123456789abcdef';

export function toHex(bytes: Uint8Array): string {
	let text = '';
	for (const byte of bytes) text += hexDigits[byte >> 4]! + hexDigits[byte & 15]!;
	return text;
}

/** @throws RangeError for a text that is not lower-case hexadecimal */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
	if (!/^([0-9a-f]{2})*$/.test(text)) throw new RangeError('not lower-case hexadecimal');
	return Uint8Array.from({ length: text.length / 2 }, (_, at) =>
		Number.parseInt(text.slice(at * 2, at * 2 + 2), 16)
	);
}
