import { isStorableText, type RejectReason } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Reading } from './reading.ts';

/** A value, or the reason why there is none. */
export type Parsed<T> = { ok: true; value: T } | { ok: false; reason: RejectReason };

const depthMax = 16;
/** Keys that reach into object prototypes in careless code: dropped wherever they stand. */
const dangerousKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];
const decoder = new TextDecoder('utf-8', { fatal: true });

const refuse = (reason: RejectReason): { ok: false; reason: RejectReason } => ({ ok: false, reason });

/** Bytes to text: size bounded, UTF-8 fatal, no U+0000, one byte-order mark stripped. */
export function decodeText(
	payload: Uint8Array,
	bytesMax: number = limits.readings.payloadBytes
): Parsed<string> {
	if (payload.byteLength > bytesMax) return refuse('too_large');
	try {
		const text = decoder.decode(payload);
		return isStorableText(text) ? { ok: true, value: text } : refuse('bad_utf8');
	} catch {
		return refuse('bad_utf8');
	}
}

/**
 * Strict JSON of bounded depth; dangerous keys dropped; whole numbers beyond 2^53 refused, they have lost digits;
 * escapes that make text no store takes refused.
 */
export function parseJson(payload: Uint8Array, bytesMax?: number): Parsed<unknown> {
	const text = decodeText(payload, bytesMax);
	if (!text.ok) return text;
	let value: unknown;
	try {
		value = JSON.parse(text.value);
	} catch {
		return refuse('bad_json');
	}
	try {
		// Without an escape every text is as it was decoded, and that was checked.
		tidy(value, 0, !text.value.includes('\\'));
		return { ok: true, value };
	} catch (error) {
		if (error instanceof Refused) return refuse(error.reason);
		throw error;
	}
}

/**
 * A whole count as bare decimal digits, blanks and line ends around it allowed. `Number` would read an empty text as
 * 0 and `0x10` as 16.
 */
export function parseCount(text: string): Parsed<number> {
	const digits = text.trim();
	if (!/^\d{1,16}$/.test(digits)) return refuse('bad_number');
	const value = Number(digits);
	return Number.isSafeInteger(value) ? { ok: true, value } : refuse('bad_number');
}

/**
 * A count as a format brings it: a whole number, or one as text. `signed` where a format counts by difference;
 * elsewhere -1 is a failed read.
 */
export function toCount(value: unknown, { signed = false } = {}): Parsed<number> {
	const text = typeof value === 'string' ? value.trim() : value;
	const number = typeof text === 'string' && /^-?\d{1,16}$/.test(text) ? Number(text) : text;
	if (typeof number !== 'number' || !Number.isSafeInteger(number)) return refuse('bad_number');
	if (number < 0 && !signed) return refuse('implausible');
	return { ok: true, value: number };
}

/** A measured value as a number or as bare decimal text. */
export function toDecimal(value: unknown): Parsed<number> {
	const text = typeof value === 'string' ? value.trim() : value;
	const number = typeof text === 'string' && /^-?\d{1,9}(\.\d{1,9})?$/.test(text) ? Number(text) : text;
	return typeof number === 'number' && Number.isFinite(number)
		? { ok: true, value: number }
		: refuse('bad_number');
}

const isoTime = /^\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?([Zz]|[+-]\d{2}:?\d{2})$/;

/** ISO 8601 with an offset, or epoch milliseconds. @returns null for anything else: local time is nobody's time */
export function parseTime(value: string | number): number | null {
	if (typeof value === 'number') return value >= 0 && value <= 8.64e15 ? Math.round(value) : null;
	if (!isoTime.test(value)) return null;
	const at = Date.parse(value);
	return Number.isNaN(at) ? null : at;
}

/** What a format says about the device's clock: a time, none, or something that cannot be one. */
export function toClock(
	at: number | null,
	said: boolean
): { deviceAt: number | null; clock: Reading['clock'] } {
	return { deviceAt: at, clock: at !== null ? 'device' : said ? 'bad' : 'none' };
}

class Refused extends Error {
	readonly reason: RejectReason;
	constructor(reason: RejectReason) {
		super(reason);
		this.reason = reason;
	}
}

/** In place: the value was made by our own parser a moment ago. `isPlain` texts hide nothing in escapes. */
function tidy(value: unknown, depth: number, isPlain: boolean): void {
	if (typeof value === 'number') {
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) throw new Refused('bad_number');
	} else if (typeof value === 'string') {
		if (!isPlain && !isStorableText(value)) throw new Refused('bad_utf8');
	} else if (typeof value === 'object' && value !== null) {
		if (depth >= depthMax && Object.keys(value).length > 0) throw new Refused('bad_shape');
		if (Array.isArray(value)) for (const item of value) tidy(item, depth + 1, isPlain);
		else tidyMembers(value as Record<string, unknown>, depth, isPlain);
	}
}

function tidyMembers(members: Record<string, unknown>, depth: number, isPlain: boolean): void {
	for (const key of Object.keys(members)) {
		if (!isPlain && !isStorableText(key)) throw new Refused('bad_utf8');
		if (dangerousKeys.includes(key)) delete members[key];
		else tidy(members[key], depth + 1, isPlain);
	}
}
