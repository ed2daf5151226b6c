import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import { lineOf } from './entry.ts';

/** Somebody who registers, before anything is stored. */
export interface Registration {
	/** Hexadecimal. */
	entry: string;
	holder: string;
	party: number;
	wishes: string;
	/** Came when the list should be closed already: behind everybody in it. */
	late: boolean;
}

/** `over`: the draw has taken in its last one. */
export type Registered = 'registered' | 'late' | 'over';

export interface ListedEntry {
	entry: Buffer;
	holder: string;
	party: number;
	wishes: string;
}

/**
 * Registers a batch under the draw's lock: the list cannot be frozen in between. Who is registered stays as he is,
 * a latecomer keeps the order in which he came.
 */
export async function registerEntries(
	db: Db,
	draw: number,
	items: readonly Registration[]
): Promise<Registered[]> {
	return db.transaction().execute(async (tx) => {
		const row = await tx
			.selectFrom('draws')
			.select('state')
			.where('id', '=', draw)
			.forUpdate()
			.executeTakeFirst();
		const open = row?.state === 'committed';
		const late = row?.state === 'committed' || row?.state === 'frozen' || row?.state === 'drawn';
		const isLate = items.map((item) => item.late || !open);
		const added = late ? await insertEntries(tx, draw, items, isLate) : 0;
		if (added > 0) {
			await sql`update draws set registered = registered + ${added} where id = ${draw} and state = 'committed'`.execute(
				tx
			);
		}
		const known = await tx
			.selectFrom('draw_entries')
			.select(['entry', 'late_order'])
			.where('draw', '=', draw)
			.where('entry', '=', sql<Buffer>`any(${items.map(({ entry }) => Buffer.from(entry, 'hex'))}::bytea[])`)
			.execute();
		const found = new Map(known.map((one) => [one.entry.toString('hex'), one.late_order]));
		return items.map(({ entry }) => {
			const order = row?.state === 'void' ? undefined : found.get(entry);
			if (order === undefined) return 'over';
			return order === null ? 'registered' : 'late';
		});
	});
}

/** Returns how many entries of the list are new. */
async function insertEntries(
	tx: Tx,
	draw: number,
	items: readonly Registration[],
	late: readonly boolean[]
): Promise<number> {
	const answer = await sql<{ listed: number }>`with new as (
			insert into draw_entries (draw, entry, holder, party, wishes, late_order)
			select ${draw}, entry, holder, party, wishes, case when late then nextval('draw_late_order') end
			from (
				select * from unnest(
					${items.map(({ entry }) => Buffer.from(entry, 'hex'))}::bytea[],
					${items.map(({ holder }) => holder)}::text[], ${items.map(({ party }) => party)}::smallint[],
					${items.map(({ wishes }) => wishes)}::text[], ${late}::boolean[]
				) with ordinality as item (entry, holder, party, wishes, late, position) order by position
			) as items
			on conflict do nothing
			returning late_order
		)
		select count(*) filter (where late_order is null) as listed from new`.execute(tx);
	return answer.rows[0]?.listed ?? 0;
}

/** Takes an entry out while the list is open; a latecomer as long as he is not placed. True when there was one. */
export async function removeEntry(db: Db, draw: number, entry: string): Promise<boolean> {
	return db.transaction().execute(async (tx) => {
		const row = await tx
			.selectFrom('draws')
			.select('state')
			.where('id', '=', draw)
			.forUpdate()
			.executeTakeFirst();
		const removed = await tx
			.deleteFrom('draw_entries')
			.where('draw', '=', draw)
			.where('entry', '=', Buffer.from(entry, 'hex'))
			.$if(row?.state !== 'committed', (query) => query.where('late_order', 'is not', null))
			.returning('late_order')
			.execute();
		if (removed.some(({ late_order }) => late_order === null)) {
			await sql`update draws set registered = greatest(0, registered - 1) where id = ${draw}`.execute(tx);
		}
		return removed.length > 0;
	});
}

/** The list in its published order: ascending by id, after one or from one on. */
export async function listEntries(
	db: Db,
	draw: number,
	after: Buffer | null,
	limit: number,
	from: Buffer | null = null
): Promise<ListedEntry[]> {
	return db
		.selectFrom('draw_entries')
		.select(['entry', 'holder', 'party', 'wishes'])
		.where('draw', '=', draw)
		.where('late_order', 'is', null)
		.$if(after !== null, (query) => query.where('entry', '>', after!))
		.$if(from !== null, (query) => query.where('entry', '>=', from!))
		.orderBy('entry')
		.limit(limit)
		.execute();
}

/** What a stored entry says in the list. */
export function storedLine({
	entry,
	party,
	wishes
}: Pick<ListedEntry, 'entry' | 'party' | 'wishes'>): string {
	return lineOf({ id: entry.toString('hex'), party, wishes });
}

/** An entry of the list, with its place when it is drawn. */
export async function findEntry(
	db: Db,
	draw: number,
	entry: string
): Promise<(ListedEntry & { place: number | null }) | null> {
	const row = await db
		.selectFrom('draw_entries')
		.select(['entry', 'holder', 'party', 'wishes', 'place'])
		.where('draw', '=', draw)
		.where('entry', '=', Buffer.from(entry, 'hex'))
		.where('late_order', 'is', null)
		.executeTakeFirst();
	return row ?? null;
}

/**
 * Writes HMAC-SHA256(seed, id) beside the entries after `after`; the server does the hashing, so that millions of
 * them never come into this process. Returns the last id of the page, or null behind the end.
 */
export async function rankEntries(
	db: Db,
	draw: number,
	pads: { inner: Buffer; outer: Buffer },
	after: Buffer | null,
	limit: number
): Promise<Buffer | null> {
	const answer = await sql<{ last: Buffer | null }>`with page as (
			select entry from draw_entries
			where draw = ${draw} and late_order is null and (${after}::bytea is null or entry > ${after}::bytea)
			order by entry limit ${limit}
		), ranked as (
			update draw_entries e
			set rank = sha256(${pads.outer}::bytea || sha256(${pads.inner}::bytea || convert_to(encode(e.entry, 'hex'), 'UTF8')))
			from page where e.draw = ${draw} and e.entry = page.entry and e.rank is null
		)
		select entry as last from page order by entry desc limit 1`.execute(db);
	return answer.rows[0]?.last ?? null;
}

/** The next entries in the order drawn that have no place yet. */
export async function nextDrawn(db: Db, draw: number, limit: number): Promise<ListedEntry[]> {
	return db
		.selectFrom('draw_entries')
		.select(['entry', 'holder', 'party', 'wishes'])
		.where('draw', '=', draw)
		.where('late_order', 'is', null)
		.where('place', 'is', null)
		.where('rank', 'is not', null)
		.orderBy('rank')
		.orderBy('entry')
		.limit(limit)
		.execute();
}

/** Writes down places `from + 1`, `from + 2`, … False: another instance was faster, nothing is written. */
export async function savePlaces(
	db: Db,
	draw: number,
	from: number,
	entries: readonly Buffer[]
): Promise<boolean> {
	return db.transaction().execute(async (tx) => {
		const moved = await tx
			.updateTable('draws')
			.set({ placed: from + entries.length })
			.where('id', '=', draw)
			.where('placed', '=', from)
			.executeTakeFirst();
		if (moved.numUpdatedRows === 0n) return false;
		await sql`update draw_entries e set place = ${from} + new.position
			from unnest(${[...entries]}::bytea[]) with ordinality as new (entry, position)
			where e.draw = ${draw} and e.entry = new.entry`.execute(tx);
		return true;
	});
}

/** Latecomers after `after`, in the order in which they came. */
export async function listLate(
	db: Db,
	draw: number,
	after: number,
	limit: number
): Promise<{ order: number; holder: string; party: number }[]> {
	const rows = await db
		.selectFrom('draw_entries')
		.select(['late_order', 'holder', 'party'])
		.where('draw', '=', draw)
		.where('late_order', '>', after)
		.orderBy('late_order')
		.limit(limit)
		.execute();
	return rows.map((row) => ({ order: row.late_order ?? 0, holder: row.holder, party: row.party }));
}

/** Who was drawn first and last: their numbers tell whether all stand in one row. */
export async function endsOf(
	db: Db,
	draw: number,
	placed: number
): Promise<{ first: string; last: string } | null> {
	const rows = await db
		.selectFrom('draw_entries')
		.select(['place', 'holder'])
		.where('draw', '=', draw)
		.where('place', 'in', [1, placed])
		.where('late_order', 'is', null)
		.orderBy('place')
		.execute();
	return rows.length === 0 ? null : { first: rows[0]!.holder, last: rows.at(-1)!.holder };
}

export async function listBlocks(db: Db, draw: number): Promise<{ first: Buffer; root: Buffer }[]> {
	const rows = await db
		.selectFrom('draw_blocks')
		.select(['first_entry', 'root'])
		.where('draw', '=', draw)
		.orderBy('block')
		.execute();
	return rows.map(({ first_entry, root }) => ({ first: first_entry, root }));
}
