import { decodeCbor, encodeCbor, fromHex, isBytes, isWhole, readMap, toHex } from './cbor.ts';
import { PermitFault } from './fault.ts';
import { ed25519, kidBytes, openSign1, sealSign1, type SignMessage, type VerifySignature } from './sign1.ts';

/** A key that signs permits, as the list names it. Times are epoch seconds. */
export interface ListedKey {
	/** The first 4 bytes of the SHA-256 of the public key, in hexadecimal. */
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
	/** It signs nothing before this. */
	notBeforeSeconds: number;
	/** No permit under it is good after this. */
	notAfterSeconds: number;
	compromised: boolean;
}

/** The keys of a deployment. Times are epoch seconds. */
export interface KeyList {
	/** Grows with each list; a lower one than was seen before is refused. */
	version: number;
	issuedSeconds: number;
	/** After this a newer one should have come. */
	nextUpdateSeconds: number;
	keys: ListedKey[];
}

/** A key that signs key lists. Its private part stays away from the server. */
export interface RootKey {
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
}

export type ListFault = 'bad-format' | 'unknown-key' | 'bad-signature' | 'roll-back';
export type KeyListVerdict = { outcome: 'good'; list: KeyList } | { outcome: ListFault };

export const keyListType = 'marsad-keys';
export const keysMax = 64;
const labels = { version: 1, issued: 2, nextUpdate: 3, keys: 4 } as const;
const uint32Max = 4_294_967_295;
const publicKeyBytes = 32;

/** What a root signs. @throws RangeError for a list that no reader would take */
export function encodeKeyList(list: KeyList): Uint8Array<ArrayBuffer> {
	const payload = encodeCbor(
		new Map<number, unknown>([
			[labels.version, list.version],
			[labels.issued, list.issuedSeconds],
			[labels.nextUpdate, list.nextUpdateSeconds],
			[
				labels.keys,
				list.keys.map((key) => [
					fromHex(key.kid),
					Uint8Array.from(key.publicKey),
					ed25519,
					key.notBeforeSeconds,
					key.notAfterSeconds,
					key.compromised ? 1 : 0
				])
			]
		])
	);
	if (!decodeKeyList(payload)) throw new RangeError('not a key list');
	return payload;
}

/** Null for what is no key list in its one form. */
export function decodeKeyList(payload: Uint8Array): KeyList | null {
	const map = readMap(tryDecode(payload), Object.values(labels));
	const version = map?.get(labels.version);
	const issuedSeconds = map?.get(labels.issued);
	const nextUpdateSeconds = map?.get(labels.nextUpdate);
	const rows = map?.get(labels.keys);
	if (!isWhole(version, 1, uint32Max) || !isWhole(issuedSeconds, 0, uint32Max)) return null;
	if (!isWhole(nextUpdateSeconds, issuedSeconds, uint32Max) || !Array.isArray(rows)) return null;
	if (rows.length > keysMax) return null;
	const keys = rows.map(readKey);
	if (!keys.every((key) => key !== null)) return null;
	if (new Set(keys.map(({ kid }) => kid)).size !== keys.length) return null;
	return { version, issuedSeconds, nextUpdateSeconds, keys };
}

function readKey(row: unknown): ListedKey | null {
	if (!Array.isArray(row) || row.length !== 6) return null;
	const [kid, publicKey, alg, notBeforeSeconds, notAfterSeconds, state] = row as unknown[];
	if (!isBytes(kid, kidBytes) || !isBytes(publicKey, publicKeyBytes) || alg !== ed25519) return null;
	if (!isWhole(notBeforeSeconds, 0, uint32Max) || !isWhole(notAfterSeconds, notBeforeSeconds, uint32Max))
		return null;
	if (state !== 0 && state !== 1) return null;
	return {
		kid: toHex(kid),
		publicKey: Uint8Array.from(publicKey),
		notBeforeSeconds,
		notAfterSeconds,
		compromised: state === 1
	};
}

/** Signs a list under a root. */
export function sealKeyList(payload: Uint8Array, root: string, sign: SignMessage): Uint8Array<ArrayBuffer> {
	return sealSign1(payload, root, keyListType, sign);
}

/**
 * Reads a signed key list under the pinned roots.
 * @param versionSeen the highest version that was accepted before, 0 for none: an older one is a roll-back
 */
export async function verifyKeyList(
	bytes: Uint8Array,
	roots: readonly RootKey[],
	verify: VerifySignature,
	versionSeen: number
): Promise<KeyListVerdict> {
	return verifyList(bytes, keyListType, roots, verify, decodeKeyList, versionSeen);
}

/** The common way of both lists: form, key, signature, then content and version. */
export async function verifyList<L extends { version: number }>(
	bytes: Uint8Array,
	type: string,
	keys: readonly RootKey[],
	verify: VerifySignature,
	read: (payload: Uint8Array) => L | null,
	versionSeen: number
): Promise<{ outcome: 'good'; list: L } | { outcome: ListFault }> {
	try {
		const envelope = openSign1(bytes, type);
		const key = keys.find(({ kid }) => kid === envelope.kid);
		if (!key) return { outcome: 'unknown-key' };
		if (!(await verify(key.publicKey, envelope.signature, envelope.message)))
			return { outcome: 'bad-signature' };
		const list = read(envelope.payload);
		if (!list) return { outcome: 'bad-format' };
		return list.version < versionSeen ? { outcome: 'roll-back' } : { outcome: 'good', list };
	} catch (error) {
		if (error instanceof PermitFault) return { outcome: 'bad-format' };
		throw error;
	}
}

/** Null for what is not CBOR in its one form. */
export function tryDecode(payload: Uint8Array): unknown {
	try {
		return decodeCbor(payload);
	} catch (error) {
		if (error instanceof PermitFault) return null;
		throw error;
	}
}
