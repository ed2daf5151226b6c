import type { RecordEntry } from '../../../contract/index.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';

/** One line to be written; `before` and `after` are small JSON values without personal data. */
export interface NewEntry {
	at: number;
	actor: string;
	action: string;
	subject?: string | null;
	reason?: string | null;
	before?: unknown;
	after?: unknown;
}

/** Writes one line in the action's own transaction. */
export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
	await tx
		.insertInto('record')
		.values({
			at: new Date(entry.at),
			actor: entry.actor,
			action: entry.action,
			subject: entry.subject ?? null,
			reason: entry.reason ?? null,
			before: JSON.stringify(entry.before ?? null),
			after: JSON.stringify(entry.after ?? null)
		})
		.execute();
}

/** Lines after `since` (an id), oldest first. */
export async function listEntries(db: Db, since: number, limit: number): Promise<RecordEntry[]> {
	const rows = await db
		.selectFrom('record')
		.selectAll()
		.where('id', '>', since)
		.orderBy('id')
		.limit(limit)
		.execute();
	return rows.map(toEntry);
}

/** The newest lines of these actions about one subject, newest first. */
export async function newestEntries(
	db: Db,
	query: { actions: readonly string[]; subject: string; limit: number }
): Promise<RecordEntry[]> {
	const rows = await db
		.selectFrom('record')
		.selectAll()
		.where('action', 'in', [...query.actions])
		.where('subject', '=', query.subject)
		.orderBy('id', 'desc')
		.limit(query.limit)
		.execute();
	return rows.map(toEntry);
}

/** The newest lines since a moment, newest first, but for these actions. */
export async function entriesSince(
	db: Db,
	query: { at: number; without: readonly string[]; limit: number }
): Promise<RecordEntry[]> {
	const rows = await db
		.selectFrom('record')
		.selectAll()
		.where('at', '>', new Date(query.at))
		.where('action', 'not in', [...query.without])
		.orderBy('id', 'desc')
		.limit(query.limit)
		.execute();
	return rows.map(toEntry);
}

/**
 * Lines after `after`, oldest first; the last page where that is null, or more than `behindMax` lines back. Numbers are
 * given before the commit: a hole may still be filled, until the line behind it is older than any transaction.
 */
export async function readPage(
	db: Db,
	query: { after: number | null; limit: number; behindMax: number; settledBefore: number }
): Promise<{ lines: RecordEntry[]; hasMore: boolean; reset: boolean }> {
	const { limit, settledBefore } = query;
	const newest = await db.selectFrom('record').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
	const last = newest?.id ?? 0;
	// A number that was never given comes from another database.
	const reset = query.after === null || last - query.after > query.behindMax || query.after > last;
	const after = reset ? Math.max(0, last - limit) : query.after!;
	const found = await listEntries(db, after, limit + 1);
	// What is before the last page is not told anyway.
	const firstId = reset ? found[0]?.id : after + 1;
	const hole = found.findIndex(
		({ id, at }, place) => id !== (place === 0 ? firstId : found[place - 1]!.id + 1) && at > settledBefore
	);
	const told = hole === -1 ? found : found.slice(0, hole);
	return { lines: told.slice(0, limit), hasMore: told.length > limit, reset };
}

function toEntry(row: Row<'record'>): RecordEntry {
	return {
		id: row.id,
		at: row.at.getTime(),
		actor: row.actor,
		action: row.action,
		subject: row.subject,
		reason: row.reason,
		before: row.before,
		after: row.after
	};
}
