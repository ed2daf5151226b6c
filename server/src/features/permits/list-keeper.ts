import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import {
	compareBits,
	encodeKeyList,
	sealKeyList,
	sealRevocationList,
	toBits,
	verifyKeyList
} from '../../../contract/permit/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import { verifySignature } from './key-crypto.ts';
import { planKeyList } from './key-plan.ts';
import type { KeyRing } from './key-ring.ts';
import {
	deleteDraft,
	lockSeason,
	markListed,
	putDraft,
	putList,
	readKeys,
	type StoredKeys,
	type StoredList
} from './keys-store.ts';
import { describeNumbers } from './numbers.ts';
import { readBits } from './revocation-deltas.ts';
import { listRevoked, markRevoked } from './revoked-store.ts';
import { statusBlock } from './status-index.ts';
import { putTurns } from './turns-store.ts';

const compress = promisify(deflate);
const seconds = (ms: number) => Math.floor(ms / 1_000);

/** Keeps both lists up to date: signs what this server can sign, and lays ready what a root must sign elsewhere. */
export interface ListKeeper {
	/** Looks what has changed and signs anew what has; safe on several instances at once. */
	keep(): Promise<void>;
	/** Within a command: the key list follows a change of keys. */
	followKeys(tx: Tx): Promise<void>;
	/** Takes a draft that a root has signed elsewhere; false: it is not the draft, or no pinned root signed it. */
	take(tx: Tx, signed: Uint8Array): Promise<boolean>;
}

export function createListKeeper(deps: { db: Db; clock: Clock; ring: KeyRing; season: string }): ListKeeper {
	const { db, clock, ring, season } = deps;

	const store = async (tx: Tx, body: Uint8Array, plan: ReturnType<typeof planKeyList>) => {
		const { list, mark, kids } = plan;
		const stored: StoredList = {
			...{ version: list.version, mark, body: Buffer.from(body) },
			...{ issuedAt: list.issuedSeconds * 1_000, nextUpdateAt: list.nextUpdateSeconds * 1_000 }
		};
		if (!(await putList(tx, season, 'keys', stored))) return false;
		await markListed(tx, season, kids, clock.now());
		await deleteDraft(tx, season);
		return true;
	};

	const followKeys = async (tx: Tx) => {
		const stored = await readKeys(tx, season);
		const root = stored.roots.find(({ kid }) => ring.rootSigner(kid));
		if (!root) return layReady(tx, season, stored, clock.now());
		if (!isDue(stored, clock.now(), limits.permits.keyListMs)) return;
		const version = (stored.lists.keys?.version ?? 0) + 1;
		const plan = planKeyList(stored.keys, { version, now: clock.now(), keptMs: limits.permits.keyListMs });
		await store(tx, sealKeyList(plan.payload, root.kid, ring.rootSigner(root.kid)!), plan);
	};

	return {
		followKeys,
		async take(tx, signed) {
			const { roots, draft, keys } = await readKeys(tx, season);
			const verdict = await verifyKeyList(signed, roots, verifySignature, 0);
			if (verdict.outcome !== 'good' || !draft) return false;
			if (!draft.payload.every((byte, at) => encodeKeyList(verdict.list)[at] === byte)) return false;
			const listed = keys.filter(({ kid }) => verdict.list.keys.some((key) => key.kid === kid));
			const { list } = verdict;
			return store(tx, signed, {
				...{ list, mark: draft.mark, payload: draft.payload },
				kids: listed.map(({ kid }) => kid)
			});
		},
		async keep() {
			await ring.refresh();
			const { lists } = ring.keys();
			const ended = clock.now() - limits.permits.revokedKeptMs;
			const mark = `${await markRevoked(db, season, ended, clock.now())} ${ring.numbers().length} ${ring.signingKid()}`;
			const keysDue = isDue(ring.keys(), clock.now(), limits.permits.keyListMs);
			const revocationsDue = isOld(lists.revocations, mark, clock.now(), limits.permits.revocationsMs);
			if (!keysDue && !revocationsDue) return;
			await db.transaction().execute(async (tx) => {
				await lockSeason(tx, season);
				if (keysDue) await followKeys(tx);
				if (revocationsDue) await signRevocations(deps, tx, mark);
			});
			await ring.refresh();
		}
	};
}

async function signRevocations(
	{ clock, ring, season }: { clock: Clock; ring: KeyRing; season: string },
	tx: Tx,
	mark: string
): Promise<void> {
	const kid = ring.signingKid();
	const sign = kid === null ? null : ring.signerOf(kid);
	const marks = ring.season();
	if (kid === null || !sign || !marks) return;
	const { lists } = await readKeys(tx, season);
	const now = clock.now();
	// Another instance was faster.
	if (!isOld(lists.revocations, mark, now, limits.permits.revocationsMs)) return;
	const { revokedMax, revokedKeptMs, revocationsMs } = limits.permits;
	const serials = await listRevoked(tx, season, now - revokedKeptMs, now, revokedMax);
	const last = serials.reduce((most, serial) => Math.max(most, serial), 0);
	const size = Math.ceil(last / statusBlock) * statusBlock;
	const bits = toBits(size, serials.map(marks.statusOf));
	const list = {
		version: (lists.revocations?.version ?? 0) + 1,
		issuedSeconds: seconds(now),
		nextUpdateSeconds: seconds(now + revocationsMs),
		...{ season: marks.number, size, deflated: Uint8Array.from(await compress(bits, { level: 9 })) },
		...describeNumbers(ring.numbers())
	};
	const body = Buffer.from(sealRevocationList(list, kid, sign));
	const { version, issuedSeconds, nextUpdateSeconds } = list;
	await putList(tx, season, 'revocations', {
		...{ version, mark, body, issuedAt: issuedSeconds * 1_000, nextUpdateAt: nextUpdateSeconds * 1_000 }
	});
	const before = lists.revocations && (await readBits(lists.revocations.body));
	const turned = before ? compareBits(before, bits) : null;
	await putTurns(tx, season, { version, turned, kept: limits.permits.turnsKept });
}

/** Lays the list ready that a root must sign where it is kept. */
async function layReady(tx: Tx, season: string, stored: StoredKeys, now: number): Promise<void> {
	const { keyListByHandMs } = limits.permits;
	if (!isDue(stored, now, keyListByHandMs)) return;
	const version = (stored.lists.keys?.version ?? 0) + 1;
	const { mark, payload } = planKeyList(stored.keys, { version, now, keptMs: keyListByHandMs });
	// The draft that somebody may be carrying to the root right now stays as it is.
	if (stored.draft?.mark === mark) return;
	await putDraft(tx, season, { mark, madeAt: now, payload });
}

/** Whether the key list says something else than is true, or half of its time is over. */
function isDue(stored: StoredKeys, now: number, keptMs: number): boolean {
	const { mark } = planKeyList(stored.keys, { version: 1, now, keptMs });
	return isOld(stored.lists.keys, mark, now, keptMs);
}

function isOld(list: StoredList | undefined, mark: string, now: number, keptMs: number): boolean {
	return !list || list.mark !== mark || now >= list.nextUpdateAt - keptMs / 2;
}
