import { encodeKeyList, keysMax, type KeyList, type ListedKey } from '../../../contract/permit/index.ts';
import type { KeyState } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';

/** What of a key decides what it does. Times are epoch ms. */
export interface PlannedKey {
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
	createdAt: number;
	notBefore: number;
	notAfter: number;
	urgent: boolean;
	/** When it first stood in a signed list. */
	listedAt: number | null;
	compromisedAt: number | null;
}

/**
 * From when a key signs: the first of a season at once (without it nothing could), a next one after its notice, which
 * runs from the list that scanners could have got, an urgent one with that list. Null: it is in no list yet.
 */
export function signsFrom(key: PlannedKey): number | null {
	if (!key.urgent && key.notBefore <= key.createdAt) return key.notBefore;
	if (key.listedAt === null) return null;
	return key.urgent ? key.listedAt : Math.max(key.notBefore, key.listedAt + limits.permits.noticeMs);
}

/** The key that signs now: the newest that may. */
export function findSigning<K extends PlannedKey>(keys: readonly K[], now: number): K | undefined {
	return keys
		.filter((key) => key.compromisedAt === null && now < key.notAfter)
		.filter((key) => (signsFrom(key) ?? Infinity) <= now)
		.toSorted(newestFirst)[0];
}

const newestFirst = (a: PlannedKey, b: PlannedKey) =>
	b.createdAt - a.createdAt || b.notBefore - a.notBefore || Number(b.urgent) - Number(a.urgent);

export function stateOf(key: PlannedKey, keys: readonly PlannedKey[], now: number): KeyState {
	if (key.compromisedAt !== null) return 'compromised';
	if (now >= key.notAfter) return 'over';
	if (findSigning(keys, now) === key) return 'signing';
	const from = signsFrom(key);
	return from === null || from > now ? 'next' : 'retired';
}

const seconds = (ms: number) => Math.floor(ms / 1_000);

/** A key as the list tells it. */
export function toListed(key: PlannedKey): ListedKey {
	return {
		kid: key.kid,
		publicKey: key.publicKey,
		notBeforeSeconds: seconds(key.notBefore),
		notAfterSeconds: seconds(key.notAfter),
		compromised: key.compromisedAt !== null
	};
}

/** What the list has to say of these keys, and a mark by which two lists that say the same are known. */
export function planKeyList(
	keys: readonly PlannedKey[],
	{ version, now, keptMs }: { version: number; now: number; keptMs: number }
): { mark: string; payload: Uint8Array<ArrayBuffer>; kids: string[]; list: KeyList } {
	const listed = keys
		.filter((key) => now < key.notAfter)
		.toSorted(newestFirst)
		.slice(0, keysMax);
	const list: KeyList = {
		version,
		issuedSeconds: seconds(now),
		nextUpdateSeconds: seconds(now + keptMs),
		keys: listed.map(toListed)
	};
	return {
		mark: list.keys.map(({ kid, compromised }) => (compromised ? `${kid}!` : kid)).join(' '),
		payload: encodeKeyList(list),
		kids: list.keys.map(({ kid }) => kid),
		list
	};
}
