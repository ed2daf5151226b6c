import { encodeCbor, isBytes, isWhole, readMap, sameBytes } from './cbor.ts';
import { tryDecode, verifyList, type ListedKey, type ListFault } from './key-list.ts';
import {
	readCategories,
	readPlaces,
	revocationBitsMax,
	type NumberedPlace,
	type RevocationList
} from './revocation-list.ts';
import { sealSign1, type SignMessage, type VerifySignature } from './sign1.ts';

/** What has changed between two revocation lists of a season. Times are epoch seconds. */
export interface RevocationDelta {
	/** The list that comes of it. */
	version: number;
	issuedSeconds: number;
	nextUpdateSeconds: number;
	season: number;
	/** Bits in the list that comes of it. */
	size: number;
	/** The list that it changes; it fits no other. */
	base: number;
	/** Indices whose bit is another one now, ascending: revoked since, or fallen out. */
	turned: number[];
	/** SHA-256 of the bits that come of it. */
	digest: Uint8Array<ArrayBuffer>;
	places: NumberedPlace[];
	categories: { number: number; id: string }[];
}

/** A revocation list as a scanner keeps it: its bits expanded. */
export interface KnownRevocations extends Pick<
	RevocationList,
	'version' | 'issuedSeconds' | 'nextUpdateSeconds' | 'season' | 'places' | 'categories'
> {
	bits: Uint8Array<ArrayBuffer>;
}

export type RevocationDeltaVerdict = { outcome: 'good'; delta: RevocationDelta } | { outcome: ListFault };
/**
 * What came of a delta: the list after it, or why the one before stays as it is. `roll-back`: it leads to a list that
 * is not newer. `gap`: it changes another list than the one that is known. `mismatch`: what comes of it is not what it
 * says. After any of the last three the whole list is to be fetched.
 */
export type RevocationDeltaResult =
	| { outcome: 'good'; known: KnownRevocations }
	| { outcome: 'roll-back' | 'gap' | 'other-season' | 'mismatch' };

export const revocationDeltaType = 'marsad-revocations-delta';
/** More changes than this travel as a whole list. */
export const revocationTurnedMax = 65_536;
const labels = {
	...{ version: 1, issued: 2, nextUpdate: 3, season: 4, size: 5 },
	...{ places: 7, categories: 8, base: 9, turned: 10, digest: 11 }
} as const;
const uint32Max = 4_294_967_295;
const digestBytes = 32;

/** Signs a delta under a key that signs permits. @throws RangeError for one that no reader would take */
export function sealRevocationDelta(
	delta: RevocationDelta,
	kid: string,
	sign: SignMessage
): Uint8Array<ArrayBuffer> {
	const payload = encodeCbor(
		new Map<number, unknown>([
			[labels.version, delta.version],
			[labels.issued, delta.issuedSeconds],
			[labels.nextUpdate, delta.nextUpdateSeconds],
			[labels.season, delta.season],
			[labels.size, delta.size],
			[labels.places, delta.places.map(({ number, id, gates }) => [number, id, gates])],
			[labels.categories, delta.categories.map(({ number, id }) => [number, id])],
			[labels.base, delta.base],
			// Gaps are shorter than indices: the first counts from 0, each other one from the one before.
			[labels.turned, delta.turned.map((index, at) => index - (delta.turned[at - 1] ?? 0))],
			[labels.digest, Uint8Array.from(delta.digest)]
		])
	);
	if (!decodeRevocationDelta(payload)) throw new RangeError('not a revocation delta');
	return sealSign1(payload, kid, revocationDeltaType, sign);
}

/** Null for what is no delta in its one form. */
export function decodeRevocationDelta(payload: Uint8Array): RevocationDelta | null {
	const map = readMap(tryDecode(payload), Object.values(labels));
	const get = (label: keyof typeof labels) => map?.get(labels[label]);
	const [version, issuedSeconds, nextUpdateSeconds] = [get('version'), get('issued'), get('nextUpdate')];
	const [season, size, base, digest] = [get('season'), get('size'), get('base'), get('digest')];
	if (!isWhole(version, 2, uint32Max) || !isWhole(base, 1, version - 1)) return null;
	if (!isWhole(issuedSeconds, 0, uint32Max) || !isWhole(nextUpdateSeconds, issuedSeconds, uint32Max))
		return null;
	if (!isWhole(season, 1, 65_535) || !isWhole(size, 0, revocationBitsMax) || size % 8 !== 0) return null;
	if (!isBytes(digest, digestBytes)) return null;
	const [turned, places, categories] = [
		readTurned(get('turned')),
		readPlaces(get('places')),
		readCategories(get('categories'))
	];
	if (!turned || !places || !categories) return null;
	return {
		...{ version, issuedSeconds, nextUpdateSeconds, season, size, base, turned },
		...{ digest: Uint8Array.from(digest), places, categories }
	};
}

/** Null where an index stands twice, out of order, or beyond any list. */
function readTurned(gaps: unknown): number[] | null {
	if (!Array.isArray(gaps) || gaps.length > revocationTurnedMax) return null;
	const turned: number[] = [];
	let index = 0;
	for (const [at, gap] of (gaps as unknown[]).entries()) {
		if (!isWhole(gap, at === 0 ? 0 : 1, revocationBitsMax)) return null;
		index += gap;
		if (index >= revocationBitsMax) return null;
		turned.push(index);
	}
	return turned;
}

/** Reads a signed delta under the keys of the key list; a compromised one signs nothing. */
export async function verifyRevocationDelta(
	bytes: Uint8Array,
	keys: readonly ListedKey[],
	verify: VerifySignature
): Promise<RevocationDeltaVerdict> {
	const good = keys.filter(({ compromised }) => !compromised);
	const read = await verifyList(bytes, revocationDeltaType, good, verify, decodeRevocationDelta, 0);
	return read.outcome === 'good' ? { outcome: 'good', delta: read.list } : read;
}

/**
 * The list after a delta; the one that is known is not touched. Nothing is taken that is older, that leaves one out, or
 * whose result is not the one that was signed.
 * @param sha256 the caller brings the cryptography of the place where it runs
 */
export async function applyRevocationDelta(
	known: KnownRevocations,
	delta: RevocationDelta,
	sha256: (bytes: Uint8Array<ArrayBuffer>) => Uint8Array | Promise<Uint8Array>
): Promise<RevocationDeltaResult> {
	if (delta.season !== known.season) return { outcome: 'other-season' };
	if (delta.version <= known.version) return { outcome: 'roll-back' };
	if (delta.base !== known.version) return { outcome: 'gap' };
	const bits = turnBits(known.bits, delta.size, delta.turned);
	if (!bits || !sameBytes(Uint8Array.from(await sha256(bits)), delta.digest)) return { outcome: 'mismatch' };
	const { version, issuedSeconds, nextUpdateSeconds, season, places, categories } = delta;
	return {
		outcome: 'good',
		known: { version, issuedSeconds, nextUpdateSeconds, season, places, categories, bits }
	};
}

/** Null where a bit beyond the end would be set: such a delta is of other lists. */
function turnBits(
	before: Uint8Array,
	size: number,
	turned: readonly number[]
): Uint8Array<ArrayBuffer> | null {
	const bits = new Uint8Array(Math.max(size / 8, before.length));
	bits.set(before);
	for (const index of turned) {
		if (index >>> 3 >= bits.length) return null;
		bits[index >>> 3]! ^= 1 << (index & 7);
	}
	// A list grows shorter only by what has fallen out of it.
	if (bits.subarray(size / 8).some((byte) => byte !== 0)) return null;
	return bits.slice(0, size / 8);
}

/** Indices that differ between two lists, ascending; null where there are more than `most`. */
export function compareBits(
	before: Uint8Array,
	after: Uint8Array,
	most: number = revocationTurnedMax
): number[] | null {
	const turned: number[] = [];
	const length = Math.max(before.length, after.length);
	for (let at = 0; at < length; at++) {
		const difference = (before[at] ?? 0) ^ (after[at] ?? 0);
		if (difference === 0) continue;
		for (let bit = 0; bit < 8; bit++) if (difference & (1 << bit)) turned.push(at * 8 + bit);
		if (turned.length > most) return null;
	}
	return turned;
}
