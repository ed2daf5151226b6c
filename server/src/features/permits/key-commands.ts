import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Tx } from '../../platform/database/database.ts';
import { fromHex } from '../../../contract/permit/index.ts';
import type { Record as TheRecord } from '../record/index.ts';
import { isPublicKey, kidOf } from './key-crypto.ts';
import { findSigning, stateOf } from './key-plan.ts';
import type { KeyRing } from './key-ring.ts';
import { insertRoot, lockSeason, markCompromised, readKeys, type StoredKey } from './keys-store.ts';
import type { ListKeeper } from './list-keeper.ts';
import { countByKey, moveToKey } from './revoked-store.ts';

/** Who gives a command, and why: both stand in the record. */
export interface Order {
	actor: string;
	reason: string;
}

/** What can be done with keys. Each runs in the transaction of its command; no answer holds anything secret. */
export interface KeyCommands {
	/** @throws AppError `key_waiting` */
	addNext(tx: Tx, order: Order, urgent: boolean): Promise<string>;
	/** Valid permits of a key are signed under the one that signs now. @throws AppError `not_found`, `key_in_use` */
	reissue(tx: Tx, order: Order, kid: string): Promise<number>;
	/**
	 * Nothing signed under the key is good any more.
	 * @param permits how many valid permits the caller knows to die with it
	 * @throws AppError `not_found`; `key_in_use` while it signs, or with other than `permits` valid permits
	 */
	compromise(tx: Tx, order: Order, kid: string, permits: number): Promise<number>;
	/** @throws AppError `root_refused` */
	pinRoot(tx: Tx, order: Order, publicKey: string): Promise<string>;
	/** @throws AppError `key_list_refused` */
	takeList(tx: Tx, order: Order, signed: Uint8Array): Promise<void>;
}

export function createKeyCommands(deps: {
	clock: Clock;
	ring: KeyRing;
	lists: ListKeeper;
	record: Pick<TheRecord, 'append'>;
	season: string;
}): KeyCommands {
	const { clock, ring, lists, record, season } = deps;
	const begin = async (tx: Tx) => {
		await lockSeason(tx, season);
		return readKeys(tx, season);
	};
	const write = async (tx: Tx, order: Order, action: string, subject: string, after: unknown = null) => {
		await record.append(tx, { ...order, action: `permits.${action}`, subject, before: null, after });
		await lists.followKeys(tx);
	};
	const permitsUnder = async (tx: Tx, kid: string) =>
		(await countByKey(tx, season)).find((one) => one.kid === kid)?.permits ?? 0;

	return {
		async addNext(tx, order, urgent) {
			const { keys } = await begin(tx);
			const now = clock.now();
			const waiting = keys.some((key) => key.urgent === urgent && stateOf(key, keys, now) === 'next');
			if (waiting) throw new AppError('key_waiting');
			const notBefore = urgent ? now : now + limits.permits.noticeMs;
			const key = await ring.addKey(tx, { notBefore, urgent });
			await write(tx, order, 'key-made', `key ${key.kid}`, { urgent });
			return key.kid;
		},
		async reissue(tx, order, kid) {
			const { keys } = await begin(tx);
			find(keys, kid);
			const to = findSigning(keys, clock.now())?.kid;
			if (!to || to === kid || !ring.signerOf(to)) throw new AppError('key_in_use', { kid });
			const permits = await moveToKey(tx, season, kid, to);
			await write(tx, order, 'reissued', `key ${kid}`, { to, permits });
			return permits;
		},
		async compromise(tx, order, kid, permits) {
			const { keys } = await begin(tx);
			if (find(keys, kid).compromisedAt !== null) return 0;
			if (findSigning(keys, clock.now())?.kid === kid) throw new AppError('key_in_use', { kid });
			const dying = await permitsUnder(tx, kid);
			if (dying !== permits) throw new AppError('key_in_use', { kid, permits: dying });
			await markCompromised(tx, season, kid, clock.now());
			await write(tx, order, 'key-compromised', `key ${kid}`, { permits: dying });
			return dying;
		},
		async pinRoot(tx, order, publicKey) {
			const { roots } = await begin(tx);
			const key = fromHex(publicKey);
			const kid = kidOf(key);
			const known = roots.some((root) => root.kid === kid);
			if (!isPublicKey(key) || known || roots.length >= limits.permits.rootsMax)
				throw new AppError('root_refused', { kid });
			await insertRoot(tx, season, { kid, publicKey: key, sealed: null, pinnedAt: clock.now() });
			await write(tx, order, 'root-pinned', `root ${kid}`, { publicKey });
			return kid;
		},
		async takeList(tx, order, signed) {
			await begin(tx);
			if (!(await lists.take(tx, signed))) throw new AppError('key_list_refused');
			const { lists: stored } = await readKeys(tx, season);
			await write(tx, order, 'key-list-signed', `key list ${stored.keys?.version}`);
		}
	};
}

function find(keys: readonly StoredKey[], kid: string): StoredKey {
	const key = keys.find((one) => one.kid === kid);
	if (!key) throw new AppError('not_found');
	return key;
}
