import { encodeCbor, isWhole, readMap } from './cbor.ts';
import { tryDecode, verifyList, type ListedKey, type ListFault } from './key-list.ts';
import { sealSign1, type SignMessage, type VerifySignature } from './sign1.ts';

/** A place of the season: its number, id, and entrances in the order of their bits. */
export interface NumberedPlace {
	number: number;
	id: string;
	gates: string[];
}

/** Which permits of a season are not good any more, and what the numbers in its permits mean. */
export interface RevocationList {
	/** Grows with each list; a lower one than was seen before is refused. */
	version: number;
	issuedSeconds: number;
	/** After this a newer one should have come. */
	nextUpdateSeconds: number;
	season: number;
	/** Bits in the list, whole bytes. */
	size: number;
	/** zlib (RFC 1950): byte i >> 3, bit i & 7 counted from the least, is set for a revoked index. */
	deflated: Uint8Array<ArrayBuffer>;
	places: NumberedPlace[];
	categories: { number: number; id: string }[];
}

export type RevocationVerdict = { outcome: 'good'; list: RevocationList } | { outcome: ListFault };

export const revocationListType = 'marsad-revocations';
/** Bits: 8 MiB of memory at a scanner. */
export const revocationBitsMax = 67_108_864;
const labels = {
	...{ version: 1, issued: 2, nextUpdate: 3, season: 4 },
	...{ size: 5, bits: 6, places: 7, categories: 8 }
} as const;
const uint32Max = 4_294_967_295;
const gatesMax = 32;
const namesMax = 4_096;

/** Signs a list under a key that signs permits. @throws RangeError for a list that no reader would take */
export function sealRevocationList(
	list: RevocationList,
	kid: string,
	sign: SignMessage
): Uint8Array<ArrayBuffer> {
	const payload = encodeCbor(
		new Map<number, unknown>([
			[labels.version, list.version],
			[labels.issued, list.issuedSeconds],
			[labels.nextUpdate, list.nextUpdateSeconds],
			[labels.season, list.season],
			[labels.size, list.size],
			[labels.bits, Uint8Array.from(list.deflated)],
			[labels.places, list.places.map(({ number, id, gates }) => [number, id, gates])],
			[labels.categories, list.categories.map(({ number, id }) => [number, id])]
		])
	);
	if (!decodeRevocationList(payload)) throw new RangeError('not a revocation list');
	return sealSign1(payload, kid, revocationListType, sign);
}

/** Null for what is no revocation list in its one form. */
export function decodeRevocationList(payload: Uint8Array): RevocationList | null {
	const map = readMap(tryDecode(payload), Object.values(labels));
	const get = (label: keyof typeof labels) => map?.get(labels[label]);
	const [version, issuedSeconds, nextUpdateSeconds] = [get('version'), get('issued'), get('nextUpdate')];
	const [season, size, deflated] = [get('season'), get('size'), get('bits')];
	if (!isWhole(version, 1, uint32Max) || !isWhole(issuedSeconds, 0, uint32Max)) return null;
	if (!isWhole(nextUpdateSeconds, issuedSeconds, uint32Max) || !isWhole(season, 1, 65_535)) return null;
	if (!isWhole(size, 0, revocationBitsMax) || size % 8 !== 0 || !(deflated instanceof Uint8Array))
		return null;
	const places = readPlaces(get('places'));
	const categories = readCategories(get('categories'));
	if (!places || !categories) return null;
	return {
		...{ version, issuedSeconds, nextUpdateSeconds, season, size },
		...{ deflated: Uint8Array.from(deflated), places, categories }
	};
}

/** Numbered places of a signed list; null for what is none. */
export function readPlaces(rows: unknown): NumberedPlace[] | null {
	return readAll(rows, readPlace);
}

/** Numbered categories likewise. */
export function readCategories(rows: unknown): { number: number; id: string }[] | null {
	return readAll(rows, readCategory);
}

function readAll<T>(rows: unknown, read: (row: unknown[]) => T | null): T[] | null {
	if (!Array.isArray(rows) || rows.length > namesMax) return null;
	const all = rows.map((row: unknown) => (Array.isArray(row) ? read(row as unknown[]) : null));
	return all.every((one): one is NonNullable<typeof one> => one !== null) ? (all as T[]) : null;
}

function readPlace(row: unknown[]): NumberedPlace | null {
	const [number, id, gates] = row;
	if (row.length !== 3 || !isWhole(number, 1, 65_535) || typeof id !== 'string') return null;
	if (!Array.isArray(gates) || gates.length > gatesMax) return null;
	const ids = gates.filter((gate): gate is string => typeof gate === 'string');
	return ids.length === gates.length ? { number, id, gates: ids } : null;
}

function readCategory(row: unknown[]): { number: number; id: string } | null {
	const [number, id] = row;
	return row.length === 2 && isWhole(number, 1, 65_535) && typeof id === 'string' ? { number, id } : null;
}

/**
 * Reads a signed revocation list under the keys of the key list; a compromised one signs nothing.
 * @param versionSeen the highest version that was accepted before, 0 for none
 */
export async function verifyRevocationList(
	bytes: Uint8Array,
	keys: readonly ListedKey[],
	verify: VerifySignature,
	versionSeen: number
): Promise<RevocationVerdict> {
	const good = keys.filter(({ compromised }) => !compromised);
	return verifyList(bytes, revocationListType, good, verify, decodeRevocationList, versionSeen);
}

/** Whether an index is revoked. `bits` is the inflated list; an index beyond its end is not. */
export function isRevoked(bits: Uint8Array, status: number): boolean {
	return ((bits[status >>> 3] ?? 0) & (1 << (status & 7))) !== 0;
}

/** The bits of a list of `size` with these indices set. */
export function toBits(size: number, revoked: Iterable<number>): Uint8Array<ArrayBuffer> {
	const bits = new Uint8Array(Math.ceil(size / 8));
	for (const status of revoked) {
		if (status >= size) throw new RangeError('an index beyond the end of the list');
		bits[status >>> 3]! |= 1 << (status & 7);
	}
	return bits;
}
