import {
	fromHex,
	verifyKeyList,
	verifyRevocationList,
	type KeyList,
	type ListFault,
	type VerifySignature
} from '@marsad/server/contract/permit';
import type { OpenRevocations } from './judge.ts';
import type { PinnedRoot } from './scan-store.ts';

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

/** Exactly so many bytes, or null: what would grow beyond them is not unpacked to its end. */
async function inflate(packed: Uint8Array<ArrayBuffer>, bytesWanted: number): Promise<Uint8Array | null> {
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
