import { sql } from 'kysely';
import type { BallotRules } from '../../../../contract/index.ts';
import type { Db, Tx } from '../../../platform/database/database.ts';

/** A ballot beside its draw; times are epoch ms. */
export interface StoredBallot {
	closesAt: number;
	slots: readonly number[];
	rules: BallotRules | null;
	given: { placed: number; unplaced: number } | null;
}

export async function insertBallot(
	tx: Tx,
	draw: number,
	ballot: { closesAt: number; slots: readonly number[] }
): Promise<void> {
	await tx
		.insertInto('ballots')
		.values({
			...{ draw, closes_at: new Date(ballot.closesAt), slots: [...ballot.slots] },
			...{ rules: null, placed: null, unplaced: null }
		})
		.execute();
}

export async function findBallot(db: Db | Tx, draw: number): Promise<StoredBallot | null> {
	const row = await db.selectFrom('ballots').selectAll().where('draw', '=', draw).executeTakeFirst();
	if (!row) return null;
	const { placed, unplaced } = row;
	return {
		closesAt: row.closes_at.getTime(),
		slots: row.slots,
		rules: row.rules as BallotRules | null,
		given: placed === null || unplaced === null ? null : { placed, unplaced }
	};
}

/** Ends the registration now instead of at the planned time. */
export async function closeBallot(tx: Tx, draw: number, now: number): Promise<void> {
	await sql`update ballots set closes_at = least(closes_at, ${new Date(now)}) where draw = ${draw}`.execute(
		tx
	);
}

/** What there is to give, once: the first count after the freeze stands. */
export async function saveRules(db: Db, draw: number, rules: BallotRules): Promise<void> {
	await db
		.updateTable('ballots')
		.set({ rules: JSON.stringify(rules) })
		.where('draw', '=', draw)
		.where('rules', 'is', null)
		.execute();
}

export async function saveGiven(
	db: Db,
	draw: number,
	given: { placed: number; unplaced: number }
): Promise<void> {
	await db.updateTable('ballots').set(given).where('draw', '=', draw).execute();
}

/** Changes what a party wishes while the list is open; false once it is not. */
export async function saveWishes(
	db: Db,
	draw: number,
	entry: string,
	party: number,
	wishes: string
): Promise<boolean> {
	return db.transaction().execute(async (tx) => {
		const row = await tx
			.selectFrom('draws')
			.select('state')
			.where('id', '=', draw)
			.forUpdate()
			.executeTakeFirst();
		if (row?.state !== 'committed') return false;
		const changed = await tx
			.updateTable('draw_entries')
			.set({ party, wishes })
			.where('draw', '=', draw)
			.where('entry', '=', Buffer.from(entry, 'hex'))
			.executeTakeFirst();
		return changed.numUpdatedRows > 0n;
	});
}

export interface OrderedEntry {
	place: number;
	entry: Buffer;
	holder: string;
	party: number;
	wishes: string;
	slot: number | null;
}

/** The order drawn, after a place. */
export async function listOrder(db: Db, draw: number, after: number, limit: number): Promise<OrderedEntry[]> {
	const rows = await db
		.selectFrom('draw_entries')
		.select(['place', 'entry', 'holder', 'party', 'wishes', 'slot'])
		.where('draw', '=', draw)
		.where('place', '>', after)
		.orderBy('place')
		.limit(limit)
		.execute();
	return rows.map((row) => ({ ...row, place: row.place ?? 0 }));
}

export async function saveSlots(
	db: Db,
	draw: number,
	given: readonly { entry: Buffer; slot: number }[]
): Promise<void> {
	if (given.length === 0) return;
	await sql`update draw_entries e set slot = new.slot
		from unnest(${given.map(({ entry }) => entry)}::bytea[], ${given.map(({ slot }) => slot)}::int[]) as new (entry, slot)
		where e.draw = ${draw} and e.entry = new.entry`.execute(db);
}

/** A party's own line, with what it was given. */
export async function findOwn(
	db: Db,
	draw: number,
	entry: string
): Promise<(Omit<OrderedEntry, 'place'> & { place: number | null }) | null> {
	const row = await db
		.selectFrom('draw_entries')
		.select(['place', 'entry', 'holder', 'party', 'wishes', 'slot'])
		.where('draw', '=', draw)
		.where('entry', '=', Buffer.from(entry, 'hex'))
		.executeTakeFirst();
	return row ?? null;
}
