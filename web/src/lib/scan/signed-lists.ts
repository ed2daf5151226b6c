import {
	applyRevocationDelta,
	fromHex,
	verifyKeyList,
	verifyRevocationDelta,
	verifyRevocationList,
	type KeyList,
	type ListFault,
	type VerifySignature
} from '@marsad/server/contract/permit';
import type { OpenRevocations } from './judge.ts';
import type { KeptRevocations, PinnedRoot } from './scan-store.ts';

/** Both lists, proven. */
export interface OpenLists {
	keys: KeyList | null;
	revocations: OpenRevocations | null;
}
export type Opened<L> = { outcome: 'good'; list: L } | { outcome: ListFault };

/** A key list under the roots that were pinned when the scanner was set up: no other root is ever believed. */
export async function openKeys(
	bytes: Uint8Array,
	roots: readonly PinnedRoot[],
	verify: VerifySignature,
	versionSeen: number
): Promise<Opened<KeyList>> {
	const pinned = roots.map(({ kid, publicKey }) => ({ kid, publicKey: fromHex(publicKey) }));
	return verifyKeyList(bytes, pinned, verify, versionSeen);
}

/** A revocation list under the keys of a key list, with its bits unpacked. */
export async function openRevocations(
	bytes: Uint8Array,
	keys: KeyList,
	verify: VerifySignature,
	versionSeen: number
): Promise<Opened<OpenRevocations>> {
	const verdict = await verifyRevocationList(bytes, keys.keys, verify, versionSeen);
	if (verdict.outcome !== 'good') return verdict;
	const bits = await inflate(verdict.list.deflated, verdict.list.size / 8);
	return bits ? { outcome: 'good', list: { list: verdict.list, bits } } : { outcome: 'bad-format' };
}

/** The list that comes of the one that is held; null: this difference cannot be taken, the whole list can. */
export async function openChange(
	bytes: Uint8Array,
	keys: KeyList,
	verify: VerifySignature,
	{ list, bits }: OpenRevocations
): Promise<OpenRevocations | null> {
	const verdict = await verifyRevocationDelta(bytes, keys.keys, verify);
	if (verdict.outcome !== 'good') return null;
	const result = await applyRevocationDelta({ ...list, bits }, verdict.delta, sha256);
	return result.outcome === 'good' ? { list: result.known, bits: result.known.bits } : null;
}

/** What was kept, proven again: a list by itself, or bits by the signed difference that they came of. */
export async function reopenRevocations(
	{ bytes, packed }: KeptRevocations,
	keys: KeyList,
	verify: VerifySignature
): Promise<Opened<OpenRevocations>> {
	if (!packed) return openRevocations(bytes, keys, verify, 0);
	const verdict = await verifyRevocationDelta(bytes, keys.keys, verify);
	if (verdict.outcome !== 'good') return verdict;
	const { delta } = verdict;
	const bits = await inflate(packed, delta.size / 8);
	if (!bits || !sameBytes(await sha256(bits), delta.digest)) return { outcome: 'bad-format' };
	const { version, issuedSeconds, nextUpdateSeconds, season, places, categories } = delta;
	const list = { version, issuedSeconds, nextUpdateSeconds, season, places, categories };
	return { outcome: 'good', list: { list, bits } };
}

/** Bits as they are kept beside a difference. */
export async function packBits(bits: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
	const packed = new Blob([bits]).stream().pipeThrough(new CompressionStream('deflate'));
	return new Uint8Array(await new Response(packed).arrayBuffer());
}

const sha256 = async (bytes: Uint8Array<ArrayBuffer>) =>
	new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
const sameBytes = (a: Uint8Array, b: Uint8Array) =>
	a.length === b.length && a.every((byte, at) => byte === b[at]);

/** Exactly so many bytes, or null: what would grow beyond them is not unpacked to its end. */
async function inflate(
	packed: Uint8Array<ArrayBuffer>,
	bytesWanted: number
): Promise<Uint8Array<ArrayBuffer> | null> {
	const bytes = new Uint8Array(bytesWanted);
	let filled = 0;
	try {
		const reader = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
		for (;;) {
			const { done, value } = await reader.read();
			if (done) return filled === bytesWanted ? bytes : null;
			if (filled + value.length > bytesWanted) {
				await reader.cancel();
				return null;
			}
			bytes.set(value, filled);
			filled += value.length;
		}
	} catch {
		return null;
	}
}
