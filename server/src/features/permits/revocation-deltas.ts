import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { inflate } from 'node:zlib';
import {
	decodeRevocationList,
	openSign1,
	revocationListType,
	revocationTurnedMax,
	sealRevocationDelta,
	type RevocationList
} from '../../../contract/permit/index.ts';
import { limits } from '../../limits.ts';
import type { Db } from '../../platform/database/database.ts';
import type { KeyRing } from './key-ring.ts';
import type { StoredList } from './keys-store.ts';
import { listTurns } from './turns-store.ts';

const expand = promisify(inflate);

/** What leads from an older revocation list to the newest one. */
export interface RevocationDeltas {
	/** Signed; null where the whole list must be fetched: too old, too much, not shorter, or no key can sign. */
	since(base: number): Promise<Buffer | null>;
}

/** Every difference is signed once and kept in memory; it comes of the stored turns, on any instance. */
export function createRevocationDeltas(deps: {
	db: Db;
	season: string;
	ring: Pick<KeyRing, 'keys' | 'signerOf'>;
}): RevocationDeltas {
	let of: StoredList | undefined;
	let kept = new Map<number, Promise<Buffer | null>>();
	let opened: Promise<OpenedList | null> | null = null;
	return {
		since(base) {
			const list = deps.ring.keys().lists.revocations;
			if (!list || base >= list.version || base <= list.version - limits.permits.turnsKept)
				return Promise.resolve(null);
			if (list.version !== of?.version) [of, kept, opened] = [list, new Map(), null];
			const known = kept.get(base);
			if (known) return known;
			opened ??= readList(list.body);
			const made = seal(deps, opened, list, base);
			if (kept.size >= limits.permits.deltasKept) kept.clear();
			kept.set(base, made);
			// What could not be made just now is tried again.
			made.catch(() => kept.delete(base));
			return made;
		}
	};
}

/** A list of ours, taken apart. */
interface OpenedList {
	list: RevocationList;
	kid: string;
	digest: Uint8Array;
}

async function readList(body: Buffer): Promise<OpenedList | null> {
	const { payload, kid } = openSign1(body, revocationListType);
	const list = decodeRevocationList(payload);
	return (
		list && {
			list,
			kid,
			digest: createHash('sha256')
				.update(await expandBits(list))
				.digest()
		}
	);
}

async function seal(
	{ db, season, ring }: { db: Db; season: string; ring: Pick<KeyRing, 'signerOf'> },
	opened: Promise<OpenedList | null>,
	{ version, body }: StoredList,
	base: number
): Promise<Buffer | null> {
	const read = await opened;
	const sign = read && ring.signerOf(read.kid);
	const turns = sign && (await listTurns(db, season, base, version));
	const turned = turns && joinTurns(turns);
	if (!sign || !turned || turned.length > revocationTurnedMax) return null;
	const { issuedSeconds, nextUpdateSeconds, season: number, size, places, categories } = read.list;
	const facts = { version, issuedSeconds, nextUpdateSeconds, season: number, size, places, categories };
	const digest = Uint8Array.from(read.digest);
	const delta = Buffer.from(sealRevocationDelta({ ...facts, base, turned, digest }, read.kid, sign));
	return delta.length < body.length ? delta : null;
}

/** What turned twice is as it was. */
export function joinTurns(turns: readonly (readonly number[])[]): number[] {
	const turned = new Set<number>();
	for (const index of turns.flat()) if (!turned.delete(index)) turned.add(index);
	return [...turned].sort((a, b) => a - b);
}

/** The bits of a list as they were before they were compressed. */
export async function expandBits({ deflated, size }: RevocationList): Promise<Buffer> {
	return expand(deflated, { maxOutputLength: Math.max(1, size / 8) });
}

/** The bits of a stored list that we signed ourselves; null where it cannot be read. */
export async function readBits(body: Buffer): Promise<Buffer | null> {
	const list = decodeRevocationList(openSign1(body, revocationListType).payload);
	return list && expandBits(list);
}
