import { createHash } from 'node:crypto';
import { limits } from '../../limits.ts';

/** What a caller asked for, checked; `party` and `token` are null when not given. */
export interface BookInput {
	slot: number;
	party: number | null;
	gated: boolean;
	token: string | null;
	key: { key: string; bodySha256: string } | null;
}

const slotMax = 2_147_483_647;
const partyMax = 20;

/**
 * Reads POST /book from query and JSON body (the body wins) and the headers `X-Token` and `Idempotency-Key`.
 * Returns the name of the first field that is not as it should be.
 */
export function readBookRequest(request: {
	query: unknown;
	body: unknown;
	headers: Readonly<Record<string, string | string[] | undefined>>;
}): BookInput | { fault: 'slot' | 'party' | 'token' | 'Idempotency-Key' } {
	const asked = { ...asObject(request.query), ...asObject(request.body) };
	const slot = readInteger(asked['slot'], slotMax);
	if (slot === null) return { fault: 'slot' };
	const party = asked['party'] === undefined ? null : readInteger(asked['party'], partyMax);
	if (party === null && asked['party'] !== undefined) return { fault: 'party' };
	const token = request.headers['x-token'] ?? asked['token'] ?? null;
	if (token !== null && typeof token !== 'string') return { fault: 'token' };
	const key = readKey(request.headers, { slot, party });
	if (key === undefined) return { fault: 'Idempotency-Key' };
	return {
		slot,
		party,
		gated: ['1', 'true', 1, true].some((yes) => asked['gated'] === yes),
		token,
		key
	};
}

/** The key of a command, with what it was sent for; null without one, undefined for one that is not as it should be. */
export function readKey(
	headers: Readonly<Record<string, string | string[] | undefined>>,
	wish: object
): BookInput['key'] | undefined {
	const key = headers['idempotency-key'];
	if (key === undefined) return null;
	if (typeof key !== 'string' || key.length === 0 || key.length > limits.booking.keyLengthMax)
		return undefined;
	return { key, bodySha256: createHash('sha256').update(JSON.stringify(wish)).digest('hex') };
}

/** The slot asked for in query or JSON body; null where that is none. */
export function readSlot(request: { query: unknown; body: unknown }): number | null {
	return readInteger({ ...asObject(request.query), ...asObject(request.body) }['slot'], slotMax);
}

function asObject(part: unknown): Record<string, unknown> {
	return typeof part === 'object' && part !== null && !Array.isArray(part)
		? (part as Record<string, unknown>)
		: {};
}

/** A whole number from 1 to `most`, as a number or as its plain decimal digits. */
function readInteger(value: unknown, most: number): number | null {
	const number = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value) ? Number(value) : value;
	return typeof number === 'number' && Number.isInteger(number) && number >= 1 && number <= most
		? number
		: null;
}
