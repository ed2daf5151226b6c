import { createHash } from 'node:crypto';

/**
 * A cursor says what its holder has, so that any instance can work out what is new, and nothing has to be remembered of
 * anybody. Bytes: version, scope (4), minute of issue (4), then of a set each thing's name (6) and digest (4), of a log
 * the number of its last line (6).
 */
const version = 1;
const headBytes = 9;
const thingBytes = 10;
const logBytes = 6;

/** What a holder has of a set: digest by name. */
export type Known = ReadonlyMap<number, number>;

/** Short hash of where a cursor belongs: its kind, the site and season, and who may use it. */
export const scopeOf = (text: string): number => hash(text).readUInt32BE(0);
export const nameOf = (id: string): number => hash(id).readUIntBE(0, 6);
export const digestOf = (text: string): number => hash(text).readUInt32BE(0);

function hash(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}

const minuteMs = 60_000;

function head(scope: number, at: number, bodyBytes: number): Buffer {
	const bytes = Buffer.allocUnsafe(headBytes + bodyBytes);
	bytes.writeUInt8(version, 0);
	bytes.writeUInt32BE(scope, 1);
	bytes.writeUInt32BE(Math.floor(at / minuteMs), 5);
	return bytes;
}

export function writeSetCursor(scope: number, at: number, known: Known): string {
	const bytes = head(scope, at, known.size * thingBytes);
	let place = headBytes;
	for (const [name, digest] of known) {
		bytes.writeUIntBE(name, place, 6);
		bytes.writeUInt32BE(digest, place + 6);
		place += thingBytes;
	}
	return bytes.toString('base64url');
}

export function writeLogCursor(scope: number, at: number, last: number): string {
	const bytes = head(scope, at, logBytes);
	bytes.writeUIntBE(last, headBytes, logBytes);
	return bytes.toString('base64url');
}

/** What is behind the head; null for a cursor that is broken, of somewhere else, or too old. */
function bodyOf(cursor: string, scope: number, now: number, keptMs: number): Buffer | null {
	const bytes = Buffer.from(cursor, 'base64url');
	if (bytes.length < headBytes || bytes.readUInt8(0) !== version || bytes.readUInt32BE(1) !== scope)
		return null;
	const ageMs = now - bytes.readUInt32BE(5) * minuteMs;
	// One of the future was written before a clock was set back: it says as little.
	if (ageMs > keptMs || ageMs < -keptMs) return null;
	return bytes.subarray(headBytes);
}

/** Null: the holder is to begin anew. */
export function readSetCursor(cursor: string, scope: number, now: number, keptMs: number): Known | null {
	const body = bodyOf(cursor, scope, now, keptMs);
	if (!body || body.length % thingBytes !== 0) return null;
	const known = new Map<number, number>();
	for (let place = 0; place < body.length; place += thingBytes)
		known.set(body.readUIntBE(place, 6), body.readUInt32BE(place + 6));
	return known;
}

/** Null: the holder is to begin anew. */
export function readLogCursor(cursor: string, scope: number, now: number, keptMs: number): number | null {
	const body = bodyOf(cursor, scope, now, keptMs);
	return body?.length === logBytes ? body.readUIntBE(0, logBytes) : null;
}
