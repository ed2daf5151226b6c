import { sql } from 'kysely';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Permits, StoredPermit } from '../permits/index.ts';
import {
	decideBatch,
	isFinal,
	type Decision,
	type FinalAnswer,
	type KeptAnswer,
	type LockedSlot,
	type Wish
} from './decide-batch.ts';
import {
	countInCells,
	insertTakes,
	listQuotas,
	lockCells,
	lockCounting,
	peekCells,
	type QuotaWithShares
} from './quota-store.ts';
import {
	changesOf,
	pickCells,
	shareOf,
	type LockedQuota,
	type QuotaTake,
	type ShareDemand
} from './quotas.ts';
import { countIn, lockSlots, type SlotKeys } from './slots-store.ts';

/** Something else committed a permit for one of the batch's people between our look and our insert. */
class SomebodyFasterError extends Error {}
/** Somebody would have been refused although only some shards were looked at: look at all of them. */
class NeedsAllShardsError extends Error {}
/** The connection was lost while it committed: the batch may have taken effect or not. */
export class OutcomeUnknownError extends Error {}

export interface BatchDeps {
	db: Db;
	permits: Pick<Permits, 'findHeld' | 'insert'>;
	keys: SlotKeys;
	now: () => number;
	newPermitId: () => string;
	/** From 0 up to 1: where this batch begins to look for places among shards. */
	random?: () => number;
	onRetry?: (reason: 'faster' | 'failed' | 'all-shards') => void;
	/** How long the batch waited for its connection, real milliseconds. */
	onConnected?: (waitMs: number) => void;
	elapsedMs?: () => number;
}

/**
 * Books a batch in one transaction and returns one decision for each wish. A batch that failed before its commit
 * was sent is run once more as a whole; where the commit itself failed nobody knows, and the retry of each person
 * finds out.
 * @throws OutcomeUnknownError, or the database's error at the second failure
 */
export async function bookBatch(
	deps: BatchDeps,
	wishes: readonly Wish[]
): Promise<{ decisions: Decision[]; permits: StoredPermit[] }> {
	let failed = false;
	let allShards = false;
	for (let faster = 0; ;) {
		const attempt = { commitSent: false };
		const askedMs = deps.elapsedMs?.() ?? 0;
		try {
			return await deps.db.transaction().execute(async (tx) => {
				deps.onConnected?.((deps.elapsedMs?.() ?? 0) - askedMs);
				const result = await runBatch(deps, tx, wishes, allShards);
				attempt.commitSent = true;
				return result;
			});
		} catch (error) {
			if (attempt.commitSent) throw new OutcomeUnknownError('the commit was not confirmed', { cause: error });
			if (error instanceof NeedsAllShardsError) {
				allShards = true;
				deps.onRetry?.('all-shards');
				continue;
			}
			if (error instanceof SomebodyFasterError) {
				faster += 1;
				if (faster >= limits.booking.raceTriesMax) throw error;
				deps.onRetry?.('faster');
				continue;
			}
			if (failed) throw error;
			failed = true;
			deps.onRetry?.('failed');
		}
	}
}

async function runBatch(deps: BatchDeps, tx: Tx, wishes: readonly Wish[], allShards: boolean) {
	const { keys, permits } = deps;
	const now = deps.now();
	const holders = [...new Set(wishes.map(({ holder }) => holder))];
	const tickets = wishes.flatMap(({ ticket }) => (ticket === null ? [] : [ticket]));
	await lockCounting(tx, keys);
	const kept = await findKept(tx, keys.season, wishes);
	const held = await permits.findHeld(tx, holders, tickets);
	// Who has a permit takes no lock: a repeat must not queue on the hot row.
	const settled = new Set(held.filter(({ state }) => state === 'valid').map(({ holder }) => holder));
	const open = wishes.filter(({ holder }) => !settled.has(holder));
	const wanted = [...new Set(open.map(({ slot }) => slot))];
	const quotas = await lockQuotas(deps, tx, open, wanted, allShards);
	const sharded = new Set(quotas.flatMap(({ dimension, slot }) => (dimension === 'slot' ? [slot ?? 0] : [])));
	const slots = await lockSlots(tx, keys, wanted, now, sharded);
	const issue = (wish: Wish, slot: LockedSlot): StoredPermit => ({
		id: deps.newPermitId(),
		holder: wish.holder,
		room: keys.room,
		slot: slot.id,
		place: slot.place,
		startsAt: slot.startsAt,
		endsAt: slot.endsAt,
		party: wish.party,
		ticket: wish.ticket,
		state: 'valid',
		issuedAt: now,
		attributes: wish.attributes,
		replacedBy: null,
		serial: null,
		keyId: null
	});
	const result = decideBatch(wishes, { slots, held, kept, quotas }, issue);
	if (result.short) throw new NeedsAllShardsError('not every shard was looked at');
	if (result.permits.length > 0) {
		const inserted = await permits.insert(tx, result.permits);
		if (inserted !== result.permits.length) throw new SomebodyFasterError('a permit was there already');
		await countTakes(tx, keys, quotas, result.takes);
		await countIn(
			tx,
			keys,
			sumBySlot(result.permits).filter(({ slot }) => !sharded.has(slot))
		);
	}
	await keepAnswers(tx, keys.season, wishes, result.decisions, kept, now);
	return result;
}

/** The quotas that could count somebody of the batch, with the rows that are needed of them locked. */
async function lockQuotas(
	{ keys, random }: BatchDeps,
	tx: Tx,
	wishes: readonly Wish[],
	slots: readonly number[],
	allShards: boolean
): Promise<LockedQuota[]> {
	if (wishes.length === 0) return [];
	const values = new Set(
		wishes.flatMap(({ attributes }) => Object.values(attributes).filter((value) => value !== null))
	);
	const quotas = await listQuotas(tx, keys, slots, [...values]);
	if (quotas.length === 0) return [];
	const demands = sumDemands(quotas, wishes);
	const seen = allShards
		? []
		: await peekCells(
				tx,
				keys,
				demands.filter(({ shards }) => shards > 1)
			);
	const home = Math.floor((random?.() ?? 0) * 1_000);
	const { picks, partial } = pickCells(demands, seen, { all: allShards, home });
	const cells = await lockCells(tx, keys, quotas, picks);
	return quotas.map((quota) => ({
		...quota,
		cells: cells.filter((cell) => cell.quota === quota.id),
		partial: new Set(partial.filter((share) => share.quota === quota.id).map(({ value }) => value))
	}));
}

/** How many people want something of each share; a small share is locked whole, whoever comes. */
function sumDemands(quotas: readonly QuotaWithShares[], wishes: readonly Wish[]): ShareDemand[] {
	const demands = new Map<string, ShareDemand>();
	for (const quota of quotas) {
		for (const { slot, attributes, party } of wishes) {
			if (quota.slot !== null && quota.slot !== slot) continue;
			const value = shareOf(quota, attributes);
			const shards = value === null ? undefined : quota.shardsOf.get(value);
			if (value === null || shards === undefined) continue;
			const name = `${quota.id} ${value}`;
			const demand = demands.get(name) ?? { quota: quota.id, value, shards, people: 0 };
			demands.set(name, { ...demand, people: demand.people + party });
		}
	}
	return [...demands.values()];
}

async function countTakes(
	tx: Tx,
	keys: SlotKeys,
	quotas: readonly LockedQuota[],
	takes: readonly (QuotaTake & { permit: string })[]
): Promise<void> {
	if (takes.length === 0) return;
	await insertTakes(tx, keys, takes);
	const byPermit = Map.groupBy(takes, ({ permit }) => permit);
	const changes = [...byPermit.values()].flatMap((own) => changesOf(own, 1, quotas));
	await countInCells(tx, keys, quotas, changes);
}

function sumBySlot(permits: readonly StoredPermit[]): { slot: number; people: number; permits: number }[] {
	const sums = new Map<number, { slot: number; people: number; permits: number }>();
	for (const { slot, party } of permits) {
		const sum = sums.get(slot) ?? { slot, people: 0, permits: 0 };
		sum.people += party;
		sum.permits += 1;
		sums.set(slot, sum);
	}
	return [...sums.values()];
}

/** First answers under the keys of the batch. */
async function findKept(tx: Tx, season: string, wishes: readonly Wish[]): Promise<KeptAnswer[]> {
	const keyed = wishes.flatMap(({ holder, key }) => (key ? [{ holder, key: key.key }] : []));
	if (keyed.length === 0) return [];
	const rows = await sql<Row<'booking_keys'>>`
		select kept.* from booking_keys kept
		join unnest(${keyed.map(({ holder }) => holder)}::text[], ${keyed.map(({ key }) => key)}::text[]) as asked (holder, key)
			on kept.holder = asked.holder and kept.key = asked.key
		where kept.season = ${season}`.execute(tx);
	return rows.rows.map((row) => ({
		holder: row.holder,
		key: row.key,
		bodySha256: row.body_sha256,
		answer: row.answer as FinalAnswer
	}));
}

/** The first answer under one person's key. */
export async function findKeptOf(
	db: Db,
	season: string,
	holder: string,
	key: string
): Promise<KeptAnswer | undefined> {
	const row = await db
		.selectFrom('booking_keys')
		.selectAll()
		.where('season', '=', season)
		.where('holder', '=', holder)
		.where('key', '=', key)
		.executeTakeFirst();
	return row && { holder, key, bodySha256: row.body_sha256, answer: row.answer as FinalAnswer };
}

/** Keeps final answers under their keys. A key that another instance just used makes the whole batch start again. */
async function keepAnswers(
	tx: Tx,
	season: string,
	wishes: readonly Wish[],
	decisions: readonly Decision[],
	kept: readonly KeptAnswer[],
	now: number
): Promise<void> {
	const known = new Set(kept.map(({ holder, key }) => `${holder} ${key}`));
	const rows = wishes.flatMap(({ holder, key }, index) => {
		const answer = decisions[index];
		if (!key || !answer || !isFinal(answer) || known.has(`${holder} ${key.key}`)) return [];
		known.add(`${holder} ${key.key}`);
		return [
			{
				season,
				holder,
				key: key.key,
				body_sha256: key.bodySha256,
				answer: JSON.stringify(answer),
				created_at: new Date(now)
			}
		];
	});
	if (rows.length === 0) return;
	rows.sort((a, b) => (`${a.holder} ${a.key}` < `${b.holder} ${b.key}` ? -1 : 1));
	const result = await tx
		.insertInto('booking_keys')
		.values(rows)
		.onConflict((oc) => oc.doNothing())
		.executeTakeFirst();
	if (Number(result.numInsertedOrUpdatedRows ?? 0) !== rows.length)
		throw new SomebodyFasterError('a key was there already');
}

/** Keeps what a change was asked for under its key: the same key with another wish is refused from then on. */
export async function keepChange(
	tx: Tx,
	season: string,
	{ holder, key, bodySha256 }: { holder: string; key: string; bodySha256: string },
	permit: string,
	now: number
): Promise<void> {
	await tx
		.insertInto('booking_keys')
		.values({
			...{ season, holder, key, body_sha256: bodySha256 },
			...{ answer: JSON.stringify({ changed: permit }), created_at: new Date(now) }
		})
		.onConflict((oc) => oc.doNothing())
		.execute();
}

/** Laboratory: forgets the answers kept under keys. */
export async function forgetKept(tx: Tx, season: string): Promise<void> {
	await tx.deleteFrom('booking_keys').where('season', '=', season).execute();
}
