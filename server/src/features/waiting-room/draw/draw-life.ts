import { randomBytes } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { Log } from '../../../platform/log.ts';
import { limits } from '../../../limits.ts';
import type { Queue } from '../queue.ts';
import type { Beacon } from './beacon.ts';
import {
	freezeDraw,
	saveClosing,
	saveDrawn,
	savePlaced,
	saveRandomness,
	saveRoot,
	saveRound,
	takeWork,
	type StoredDraw
} from './draw-store.ts';
import {
	endsOf,
	listEntries,
	listLate,
	nextDrawn,
	rankEntries,
	savePlaces,
	storedLine
} from './entries-store.ts';
import { commitmentOf, type DrawKeys } from './entry.ts';
import { blockLeaves, leafOf, rootOf } from './merkle.ts';
import { seedOf } from './order.ts';

export interface DrawLifeDeps {
	db: Db;
	clock: Clock;
	log: Log;
	/** Name of this instance among others: one works on a draw, the others follow when it falls silent. */
	worker: string;
	queue: Pick<Queue, 'place' | 'find'>;
	keysOf(draw: StoredDraw): DrawKeys;
	beacon: Beacon | null;
	/** Demo and laboratory draw with a value made here, marked as such, where no beacon is named. */
	simulated: boolean;
	pageSize?: number;
}

/** Whether the draw has moved: the caller looks at it again at once. */
export type Moved = boolean;

/**
 * Takes a draw one step on: frozen at T0, its root, the outside randomness, the order, the places. Each step can be
 * repeated, by this instance or by another, at any point where it was cut off, with the same outcome.
 */
export function createDrawLife(deps: DrawLifeDeps): (draw: StoredDraw, opensAt: number) => Promise<Moved> {
	const { db, clock, log } = deps;
	const seekRandomness = createSeeker(deps);
	/** Other instances leave the draw alone while this one is heard of. */
	const hold = (draw: StoredDraw) => takeWork(db, draw.id, deps.worker, clock.now(), limits.draw.workerMs);

	const frozen = async (draw: StoredDraw): Promise<Moved> => {
		if (draw.root === null) {
			const { root, blocks } = await computeRoot(db, draw.id, () => hold(draw));
			await saveRoot(db, draw.id, root, blocks);
			log.info({ draw: draw.id, entries: draw.registered, root }, 'the list of the draw is frozen');
			return true;
		}
		if (draw.randomness === null) return seekRandomness(draw);
		const { secret } = deps.keysOf(draw);
		if (commitmentOf(secret) !== draw.commitment) {
			log.error({ draw: draw.id }, 'the secret is not the one committed to: the master secret was changed');
			return false;
		}
		await saveDrawn(db, draw.id, secret.toString('hex'), clock.now());
		return true;
	};

	return async (draw, opensAt) => {
		if (draw.state === 'placed' || draw.state === 'void') return false;
		if (draw.state === 'committed' && clock.now() < opensAt) return false;
		if (!(await hold(draw))) return false;
		switch (draw.state) {
			case 'committed':
				return freezeDraw(db, draw.id, clock.now());
			case 'frozen':
				return frozen(draw);
			case 'drawn':
				await placeDrawn(deps, draw, () => hold(draw));
				await placeLate(deps, draw);
				await saveClosing(db, draw.id);
				return true;
			case 'closing':
				await placeLate(deps, draw);
				await savePlaced(db, draw.id, await firstNumberOf(deps, draw), clock.now());
				log.info({ draw: draw.id, placed: draw.placed }, 'everybody drawn has a place');
				return true;
		}
	};
}

/** Root of the list and of its blocks, a page at a time. */
async function computeRoot(db: Db, draw: number, alive: () => Promise<unknown>) {
	const blocks: { first: Buffer; root: Buffer }[] = [];
	let after: Buffer | null = null;
	for (;;) {
		const page = await listEntries(db, draw, after, blockLeaves);
		if (page.length > 0) {
			blocks.push({ first: page[0]!.entry, root: rootOf(page.map((entry) => leafOf(storedLine(entry)))) });
			after = page.at(-1)!.entry;
		}
		if (page.length < blockLeaves) break;
		if (blocks.length % 64 === 0) await alive();
	}
	return { root: rootOf(blocks.map(({ root }) => root)).toString('hex'), blocks };
}

/** Gets the outside randomness where it can be got by itself; an administrator may give it at any time. */
function createSeeker({ db, clock, log, beacon, simulated }: DrawLifeDeps) {
	let askedAt = -Infinity;
	return async (draw: StoredDraw): Promise<Moved> => {
		if (!beacon) {
			if (!simulated) return false;
			const value = randomBytes(32).toString('hex');
			return saveRandomness(db, draw.id, {
				...{ value, source: 'simulated', round: null, simulated: true, at: clock.now() }
			});
		}
		if (clock.elapsedMs() - askedAt < limits.draw.beaconEveryMs) return false;
		askedAt = clock.elapsedMs();
		try {
			if (draw.waitsForRound === null) {
				// The root is out; the round after this one is not, and it decides.
				await saveRound(db, draw.id, (await beacon.latest()).round + 1);
				return true;
			}
			const answer = await beacon.at(draw.waitsForRound);
			if (!answer) return false;
			return await saveRandomness(db, draw.id, { ...answer, simulated: false, at: clock.now() });
		} catch (error) {
			log.warn(
				{ draw: draw.id, error: error instanceof Error ? error.message : 'unknown' },
				'no outside randomness for the draw yet'
			);
			return false;
		}
	};
}

/** HMAC is a hash of a hash; with the key's two pads anything that can hash can compute it. */
export function hmacPads(key: Buffer): { inner: Buffer; outer: Buffer } {
	const pad = (byte: number) => {
		const block = Buffer.alloc(64, byte);
		key.forEach((value, i) => (block[i] = byte ^ value));
		return block;
	};
	return { inner: pad(0x36), outer: pad(0x5c) };
}

async function placeDrawn(
	deps: DrawLifeDeps,
	draw: StoredDraw,
	alive: () => Promise<boolean>
): Promise<void> {
	const { db } = deps;
	const pageSize = deps.pageSize ?? limits.draw.pageSize;
	const { value } = draw.randomness!;
	const seed = seedOf({ secret: Buffer.from(draw.secret!, 'hex'), root: draw.root!, randomness: value });
	const pads = hmacPads(seed);
	for (let after: Buffer | null = null; ;) {
		after = await rankEntries(db, draw.id, pads, after, pageSize);
		if (after === null) break;
		if (!(await alive())) throw new Error('another instance places the draw');
	}
	for (let { placed } = draw; ;) {
		const page = await nextDrawn(db, draw.id, pageSize);
		if (page.length === 0) return;
		// The same page under the same name, however often it is tried: nobody gets two places.
		await deps.queue.place(page, `draw:${draw.id}:${placed}`);
		const entries = page.map(({ entry }) => entry);
		if (!(await savePlaces(db, draw.id, placed, entries)) || !(await alive()))
			throw new Error('another instance places the draw');
		placed += page.length;
	}
}

/** Latecomers, in the order in which they came. Who has a place keeps it, so this may be repeated as a whole. */
async function placeLate(deps: DrawLifeDeps, draw: StoredDraw): Promise<void> {
	const pageSize = deps.pageSize ?? limits.draw.pageSize;
	for (let after = 0; ;) {
		const page = await listLate(deps.db, draw.id, after, pageSize);
		if (page.length === 0) return;
		await deps.queue.place(page, `draw:${draw.id}:late:${page[0]!.order}:${page.at(-1)!.order}`);
		after = page.at(-1)!.order;
	}
}

/** The number of the first drawn, when all of them stand in one unbroken row behind it. */
async function firstNumberOf({ db, queue }: DrawLifeDeps, draw: StoredDraw): Promise<number | null> {
	const ends = await endsOf(db, draw.id, draw.placed);
	if (!ends) return null;
	const [first, last] = [await queue.find(ends.first), await queue.find(ends.last)];
	if (!first || !last || last.number - first.number + 1 !== draw.placed) return null;
	return first.number;
}
