import { sql, type Selectable } from 'kysely';
import type { Db, Tx } from '../../../platform/database/database.ts';
import type { DrawsTable } from '../../../platform/database/schema-room.ts';
import type { RoomKey } from '../waiting-room-store.ts';

/** States as stored: `closing` is the end of `drawn`, when latecomers are placed. */
export type StoredState = 'committed' | 'frozen' | 'drawn' | 'closing' | 'placed' | 'void';

export interface Randomness {
	value: string;
	source: string;
	round: number | null;
	simulated: boolean;
	at: number;
}

/** A draw as stored; times are epoch ms. */
export interface StoredDraw {
	id: number;
	epoch: number;
	kind: 'opening' | 'ballot';
	state: StoredState;
	nonce: Buffer;
	commitment: string;
	committedAt: number;
	registered: number;
	frozenAt: number | null;
	root: string | null;
	waitsForRound: number | null;
	randomness: Randomness | null;
	secret: string | null;
	drawnAt: number | null;
	placed: number;
	placedAt: number | null;
	firstNumber: number | null;
}

const running = ['committed', 'frozen', 'drawn', 'closing'] as const;

function toDraw(row: Selectable<DrawsTable>): StoredDraw {
	const randomness = row.randomness !== null && {
		value: row.randomness,
		source: row.randomness_source ?? '',
		round: row.randomness_round,
		simulated: row.randomness_simulated ?? false,
		at: row.randomness_at?.getTime() ?? 0
	};
	return {
		id: row.id,
		epoch: row.epoch,
		kind: row.kind,
		state: row.state,
		nonce: row.nonce,
		commitment: row.commitment,
		committedAt: row.committed_at.getTime(),
		registered: row.registered,
		frozenAt: row.frozen_at?.getTime() ?? null,
		root: row.root,
		waitsForRound: row.waits_for_round,
		randomness: randomness || null,
		secret: row.secret,
		drawnAt: row.drawn_at?.getTime() ?? null,
		placed: row.placed,
		placedAt: row.placed_at?.getTime() ?? null,
		firstNumber: row.first_number
	};
}

/** Commits to a new draw. The caller holds the lock of the room's life. */
export async function insertDraw(
	tx: Tx,
	key: RoomKey,
	draw: { epoch: number; kind: 'opening' | 'ballot'; nonce: Buffer; commitment: string; now: number }
): Promise<number> {
	const { id } = await tx
		.insertInto('draws')
		.values({
			season: key.season,
			room: key.room,
			epoch: draw.epoch,
			kind: draw.kind,
			state: 'committed',
			nonce: draw.nonce,
			commitment: draw.commitment,
			committed_at: new Date(draw.now),
			root: null,
			waits_for_round: null,
			randomness: null,
			randomness_source: null,
			randomness_round: null,
			randomness_simulated: null,
			secret: null,
			first_number: null,
			worker: null
		})
		.returning('id')
		.executeTakeFirstOrThrow();
	return id;
}

/** The newest draw of the room, or the one with this id; of one kind, or of any. */
export async function findDraw(
	db: Db | Tx,
	key: RoomKey,
	kind: 'opening' | 'ballot' | null,
	id?: number
): Promise<StoredDraw | null> {
	const row = await db
		.selectFrom('draws')
		.selectAll()
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.$if(kind !== null, (query) => query.where('kind', '=', kind!))
		.$if(id !== undefined, (query) => query.where('id', '=', id!))
		.orderBy('id', 'desc')
		.limit(1)
		.executeTakeFirst();
	return row ? toDraw(row) : null;
}

/** Ends a draw that will not take place; what is placed already stays as it is. */
export async function voidRunning(tx: Tx, key: RoomKey, kind: 'opening' | 'ballot'): Promise<void> {
	await tx
		.updateTable('draws')
		.set({ state: 'void' })
		.where('season', '=', key.season)
		.where('room', '=', key.room)
		.where('kind', '=', kind)
		.where('state', 'in', running)
		.execute();
}

/** Laboratory: forgets every draw of the room. */
export async function forgetDraws(db: Db | Tx, key: RoomKey): Promise<void> {
	await db.deleteFrom('draws').where('season', '=', key.season).where('room', '=', key.room).execute();
}

/** Closes the list: registrations that hold the draw's lock are in it, later ones are not. False: somebody was faster. */
export async function freezeDraw(db: Db, id: number, now: number): Promise<boolean> {
	return db.transaction().execute(async (tx) => {
		const frozen = await tx
			.updateTable('draws')
			.set({ state: 'frozen', frozen_at: new Date(now) })
			.where('id', '=', id)
			.where('state', '=', 'committed')
			.executeTakeFirst();
		if (frozen.numUpdatedRows === 0n) return false;
		await sql`update draws set registered = (select count(*) from draw_entries
			where draw = ${id} and late_order is null) where id = ${id}`.execute(tx);
		return true;
	});
}

/** Writes the root of the frozen list and of its blocks, once. */
export async function saveRoot(
	db: Db,
	id: number,
	root: string,
	blocks: readonly { first: Buffer; root: Buffer }[]
): Promise<void> {
	await db.transaction().execute(async (tx) => {
		const saved = await tx
			.updateTable('draws')
			.set({ root })
			.where('id', '=', id)
			.where('state', '=', 'frozen')
			.where('root', 'is', null)
			.executeTakeFirst();
		if (saved.numUpdatedRows === 0n) return;
		await sql`insert into draw_blocks (draw, block, first_entry, root)
			select ${id}, block - 1, first_entry, root from unnest(
				${blocks.map(({ first }) => first)}::bytea[], ${blocks.map((block) => block.root)}::bytea[]
			) with ordinality as new (first_entry, root, block)`.execute(tx);
	});
}

/** Names the beacon's round that will decide; the first answer stands. */
export async function saveRound(db: Db, id: number, round: number): Promise<void> {
	await db
		.updateTable('draws')
		.set({ waits_for_round: round })
		.where('id', '=', id)
		.where('state', '=', 'frozen')
		.where('waits_for_round', 'is', null)
		.execute();
}

/** The outside randomness, once and only after the root. False: there is one, or the list is not frozen. */
export async function saveRandomness(db: Db | Tx, id: number, value: Randomness): Promise<boolean> {
	const saved = await db
		.updateTable('draws')
		.set({
			randomness: value.value,
			randomness_source: value.source,
			randomness_round: value.round,
			randomness_simulated: value.simulated,
			randomness_at: new Date(value.at)
		})
		.where('id', '=', id)
		.where('state', '=', 'frozen')
		.where('root', 'is not', null)
		.where('randomness', 'is', null)
		.executeTakeFirst();
	return saved.numUpdatedRows > 0n;
}

/** Publishes the secret: from now on everybody can work out every place. */
export async function saveDrawn(db: Db, id: number, secret: string, now: number): Promise<void> {
	await db
		.updateTable('draws')
		.set({ state: 'drawn', secret, drawn_at: new Date(now) })
		.where('id', '=', id)
		.where('state', '=', 'frozen')
		.where('randomness', 'is not', null)
		.execute();
}

/** Everybody drawn is placed: no more latecomers are taken in. */
export async function saveClosing(db: Db, id: number): Promise<void> {
	await db
		.updateTable('draws')
		.set({ state: 'closing' })
		.where('id', '=', id)
		.where('state', '=', 'drawn')
		.execute();
}

export async function savePlaced(db: Db, id: number, firstNumber: number | null, now: number): Promise<void> {
	await db
		.updateTable('draws')
		.set({ state: 'placed', placed_at: new Date(now), first_number: firstNumber })
		.where('id', '=', id)
		.where('state', '=', 'closing')
		.execute();
}

/** Takes the work on a draw for a while, or goes on with it. False: another instance has it. */
export async function takeWork(
	db: Db,
	id: number,
	worker: string,
	now: number,
	forMs: number
): Promise<boolean> {
	const taken = await db
		.updateTable('draws')
		.set({ worker, worker_until: new Date(now + forMs) })
		.where('id', '=', id)
		.where((eb) =>
			eb.or([
				eb('worker', 'is', null),
				eb('worker', '=', worker),
				eb('worker_until', '<', new Date(now)),
				// A laboratory clock may have been set back.
				eb('worker_until', '>', new Date(now + 2 * forMs))
			])
		)
		.executeTakeFirst();
	return taken.numUpdatedRows > 0n;
}
