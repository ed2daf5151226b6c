import { createHmac, randomBytes } from 'node:crypto';
import type { SignMessage } from '../../../contract/permit/index.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Log } from '../../platform/log.ts';
import { newKeyPair, signerOf, type Vault } from './key-crypto.ts';
import { findSigning } from './key-plan.ts';
import {
	ensureSeason,
	insertKey,
	insertRoot,
	lockSeason,
	readKeys,
	type StoredKey,
	type StoredKeys
} from './keys-store.ts';
import { findNumber, namesOf } from './numbers.ts';
import { addNumbers, readNumbers, type Numbered, type NumberKind } from './numbers-store.ts';
import type { Place } from './places.ts';
import { createStatusOf, type StatusOf } from './status-index.ts';

/** What the permits of a season are written with. */
export interface SeasonMarks {
	number: number;
	statusOf: StatusOf;
	/** Keyed hash of a person, 12 hexadecimal letters. */
	tagOf(holder: string): string;
}

/** The keys of a season in memory, read again every few seconds: another instance may have changed them. */
export interface KeyRing {
	/** Null until it was started, and where the master secret is another one. */
	season(): SeasonMarks | null;
	/** The key that signs now; null where there is none whose private part can be opened. */
	signingKid(): string | null;
	/** Signs under any key of the season: null where it is unknown or cannot be opened. */
	signerOf(kid: string): SignMessage | null;
	rootSigner(kid: string): SignMessage | null;
	keys(): StoredKeys;
	/** When the keys were last read, epoch ms; 0: never. */
	readAt(): number;
	numbers(): readonly Numbered[];
	/** The number of a name, given on the first use. */
	numberOf(kind: Exclude<NumberKind, 'gate'>, name: string): Promise<number>;
	refresh(): Promise<void>;
	/** Makes a new key, whose private part never leaves this call unencrypted. */
	addKey(tx: Tx, options: { notBefore: number; urgent: boolean }): Promise<StoredKey>;
	start(): Promise<void>;
}

const nothing: StoredKeys = { keys: [], roots: [], lists: {}, draft: null };

export function createKeyRing(deps: {
	db: Db;
	clock: Clock;
	log: Log;
	vault: Vault;
	season: string;
	places: readonly Place[];
	/** Demo and laboratory: a root of our own, so that lists can be signed without a ceremony. */
	automaticRoot: boolean;
}): KeyRing {
	const { db, clock, log, vault, season } = deps;
	let stored = nothing;
	let readAt = 0;
	let marks: SeasonMarks | null = null;
	let numbers: readonly Numbered[] = [];
	const signers = new Map<string, SignMessage | null>();

	const openSigner = (name: string, sealed: Buffer): SignMessage | null => {
		const known = signers.get(name);
		if (known !== undefined) return known;
		const plain = vault.open(sealed, name);
		if (!plain) log.error({ key: name }, 'a key cannot be opened with this master secret');
		const signer = plain && signerOf(plain);
		signers.set(name, signer);
		return signer;
	};
	const signerOfKid = (kid: string) => {
		const key = stored.keys.find((one) => one.kid === kid);
		return key ? openSigner(keyName(season, kid), key.sealed) : null;
	};
	const refresh = async () => {
		stored = await readKeys(db, season);
		readAt = clock.now();
	};
	const addKey: KeyRing['addKey'] = async (tx, { notBefore, urgent }) => {
		const pair = newKeyPair();
		const key: StoredKey = {
			...{ kid: pair.kid, publicKey: pair.publicKey, notBefore, urgent },
			sealed: vault.close(pair.privateKey, keyName(season, pair.kid)),
			...{ createdAt: clock.now(), notAfter: clock.now() + limits.permits.keyMs },
			...{ listedAt: null, compromisedAt: null }
		};
		await insertKey(tx, season, key);
		return key;
	};
	const makeFirst = () =>
		db.transaction().execute(async (tx) => {
			await lockSeason(tx, season);
			const there = await readKeys(tx, season);
			if (there.keys.length === 0) await addKey(tx, { notBefore: clock.now(), urgent: false });
			if (!deps.automaticRoot || there.roots.length > 0) return;
			const pair = newKeyPair();
			const sealed = vault.close(pair.privateKey, rootName(season, pair.kid));
			await insertRoot(tx, season, {
				...{ kid: pair.kid, publicKey: pair.publicKey, sealed, pinnedAt: clock.now() }
			});
		});

	return {
		season: () => marks,
		signingKid() {
			const usable = stored.keys.filter(({ kid }) => signerOfKid(kid));
			return findSigning(usable, clock.now())?.kid ?? null;
		},
		signerOf: signerOfKid,
		rootSigner(kid) {
			const root = stored.roots.find((one) => one.kid === kid);
			return root?.sealed ? openSigner(rootName(season, kid), root.sealed) : null;
		},
		keys: () => stored,
		readAt: () => readAt,
		numbers: () => numbers,
		async numberOf(kind, name) {
			const known = findNumber(numbers, kind, name);
			if (known !== undefined) return known;
			numbers = await addNumbers(db, season, [{ kind, place: '', name }]);
			return findNumber(numbers, kind, name)!;
		},
		refresh,
		addKey,
		async start() {
			const row = await ensureSeason(db, season, () => ({
				statusKey: randomBytes(32),
				tagKey: vault.close(randomBytes(32), tagName(season))
			}));
			marks = openMarks(row, vault, season);
			if (!marks) log.error('the season of the permits cannot be opened with this master secret');
			numbers = await readNumbers(db, season);
			const missing = namesOf(deps.places).filter((name) => !numbers.some((one) => sameName(one, name)));
			if (missing.length > 0) numbers = await addNumbers(db, season, missing);
			await makeFirst();
			await refresh();
		}
	};
}

function sameName(a: Omit<Numbered, 'number'>, b: Omit<Numbered, 'number'>): boolean {
	return a.kind === b.kind && a.place === b.place && a.name === b.name;
}

function openMarks(
	row: { number: number; statusKey: Buffer; tagKey: Buffer },
	vault: Vault,
	season: string
): SeasonMarks | null {
	const tagKey = vault.open(row.tagKey, tagName(season));
	if (!tagKey) return null;
	return {
		number: row.number,
		statusOf: createStatusOf(row.statusKey),
		tagOf: (holder) => createHmac('sha256', tagKey).update(holder).digest('hex').slice(0, 12)
	};
}

const keyName = (season: string, kid: string) => `permit key ${season} ${kid}`;
const rootName = (season: string, kid: string) => `permit root ${season} ${kid}`;
const tagName = (season: string) => `person tags ${season}`;
