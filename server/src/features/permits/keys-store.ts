import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { PlannedKey } from './key-plan.ts';

/** A key as it lies in the database: its private part closed. */
export interface StoredKey extends PlannedKey {
	sealed: Buffer;
}

export interface StoredRoot {
	kid: string;
	publicKey: Uint8Array<ArrayBuffer>;
	/** Only of a root that this server made for itself. */
	sealed: Buffer | null;
	pinnedAt: number;
}

/** A signed list as it is served; times are epoch ms. */
export interface StoredList {
	version: number;
	issuedAt: number;
	nextUpdateAt: number;
	mark: string;
	body: Buffer;
}

export interface StoredDraft {
	mark: string;
	madeAt: number;
	payload: Uint8Array<ArrayBuffer>;
}

export interface StoredSeason {
	number: number;
	statusKey: Buffer;
	tagKey: Buffer;
}

/** Everything about keys of one season, read at once. */
export interface StoredKeys {
	keys: StoredKey[];
	roots: StoredRoot[];
	lists: Partial<Record<'keys' | 'revocations', StoredList>>;
	draft: StoredDraft | null;
}

export type ListKind = Row<'permit_lists'>['kind'];

/** The season's row, made on the first call with the next free number. */
export async function ensureSeason(
	db: Db,
	season: string,
	make: () => { statusKey: Buffer; tagKey: Buffer }
): Promise<StoredSeason> {
	const find = (on: Db | Tx) =>
		on.selectFrom('permit_seasons').selectAll().where('season', '=', season).executeTakeFirst();
	const row =
		(await find(db)) ??
		(await db.transaction().execute(async (tx) => {
			await sql`lock table permit_seasons in share row exclusive mode`.execute(tx);
			const there = await find(tx);
			if (there) return there;
			const { last } = await tx
				.selectFrom('permit_seasons')
				.select((eb) => eb.fn.coalesce(eb.fn.max('number'), eb.lit(0)).as('last'))
				.executeTakeFirstOrThrow();
			const { statusKey, tagKey } = make();
			return tx
				.insertInto('permit_seasons')
				.values({ season, number: last + 1, status_key: statusKey, tag_key: tagKey })
				.returningAll()
				.executeTakeFirstOrThrow();
		}));
	return { number: row.number, statusKey: row.status_key, tagKey: row.tag_key };
}

/** One at a time changes the keys and lists of a season. */
export async function lockSeason(tx: Tx, season: string): Promise<void> {
	await tx.selectFrom('permit_seasons').select('number').where('season', '=', season).forUpdate().execute();
}

export async function readKeys(db: Db | Tx, season: string): Promise<StoredKeys> {
	const keys = await db.selectFrom('permit_keys').selectAll().where('season', '=', season).execute();
	const roots = await db
		.selectFrom('permit_roots')
		.selectAll()
		.where('season', '=', season)
		.orderBy('pinned_at')
		.execute();
	const lists = await db.selectFrom('permit_lists').selectAll().where('season', '=', season).execute();
	const draft = await db
		.selectFrom('permit_list_drafts')
		.selectAll()
		.where('season', '=', season)
		.executeTakeFirst();
	return {
		keys: keys.map(toKey).sort((a, b) => b.createdAt - a.createdAt),
		roots: roots.map((row) => ({
			kid: row.kid,
			publicKey: Uint8Array.from(row.public_key),
			sealed: row.private_key,
			pinnedAt: row.pinned_at.getTime()
		})),
		lists: Object.fromEntries(lists.map((row) => [row.kind, toList(row)])),
		draft: draft
			? { mark: draft.mark, madeAt: draft.made_at.getTime(), payload: Uint8Array.from(draft.payload) }
			: null
	};
}

function toKey(row: Row<'permit_keys'>): StoredKey {
	return {
		kid: row.kid,
		publicKey: Uint8Array.from(row.public_key),
		sealed: row.private_key,
		createdAt: row.created_at.getTime(),
		notBefore: row.not_before.getTime(),
		notAfter: row.not_after.getTime(),
		urgent: row.urgent,
		listedAt: row.listed_at?.getTime() ?? null,
		compromisedAt: row.compromised_at?.getTime() ?? null
	};
}

function toList(row: Row<'permit_lists'>): StoredList {
	return {
		version: row.version,
		issuedAt: row.issued_at.getTime(),
		nextUpdateAt: row.next_update_at.getTime(),
		mark: row.mark,
		body: row.body
	};
}

export async function insertKey(tx: Tx, season: string, key: StoredKey): Promise<void> {
	await tx
		.insertInto('permit_keys')
		.values({
			...{ season, kid: key.kid, urgent: key.urgent },
			...{ public_key: Buffer.from(key.publicKey), private_key: key.sealed },
			created_at: new Date(key.createdAt),
			not_before: new Date(key.notBefore),
			not_after: new Date(key.notAfter)
		})
		.execute();
}

export async function insertRoot(tx: Tx, season: string, root: StoredRoot): Promise<void> {
	await tx
		.insertInto('permit_roots')
		.values({
			...{ season, kid: root.kid, public_key: Buffer.from(root.publicKey) },
			...{ private_key: root.sealed, pinned_at: new Date(root.pinnedAt) }
		})
		.execute();
}

export async function markCompromised(tx: Tx, season: string, kid: string, at: number): Promise<void> {
	await tx
		.updateTable('permit_keys')
		.set({ compromised_at: new Date(at) })
		.where('season', '=', season)
		.where('kid', '=', kid)
		.execute();
}

/** Stores a newer list. A version that is not above the stored one changes nothing: false. */
export async function putList(tx: Tx, season: string, kind: ListKind, list: StoredList): Promise<boolean> {
	const row = {
		...{ version: list.version, mark: list.mark, body: list.body },
		...{ issued_at: new Date(list.issuedAt), next_update_at: new Date(list.nextUpdateAt) }
	};
	const result = await tx
		.insertInto('permit_lists')
		.values({ season, kind, ...row })
		.onConflict((oc) =>
			oc.columns(['season', 'kind']).doUpdateSet(row).where('permit_lists.version', '<', list.version)
		)
		.executeTakeFirst();
	return result.numInsertedOrUpdatedRows === 1n;
}

/** Keys that stand in a signed list for the first time: their notice runs from now. */
export async function markListed(tx: Tx, season: string, kids: readonly string[], at: number): Promise<void> {
	await tx
		.updateTable('permit_keys')
		.set({ listed_at: new Date(at) })
		.where('season', '=', season)
		.where('kid', 'in', [...kids, ''])
		.where('listed_at', 'is', null)
		.execute();
}

export async function putDraft(tx: Tx, season: string, draft: StoredDraft): Promise<void> {
	const row = { mark: draft.mark, made_at: new Date(draft.madeAt), payload: Buffer.from(draft.payload) };
	await tx
		.insertInto('permit_list_drafts')
		.values({ season, ...row })
		.onConflict((oc) => oc.column('season').doUpdateSet(row))
		.execute();
}

export async function deleteDraft(tx: Tx, season: string): Promise<void> {
	await tx.deleteFrom('permit_list_drafts').where('season', '=', season).execute();
}
