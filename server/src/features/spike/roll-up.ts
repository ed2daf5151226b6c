import type { Db } from '../../platform/database/database.ts';
import { cellEnd, foldCells } from './fold.ts';
import { findEnds, insertSamples, loadSamples, type SampleKey, type Step } from './spike-store.ts';

/** A cell is complete when nobody can be late any more. */
const settleMs = 15_000;
/** The last cells are rolled up again: somebody may have been late all the same. */
const againMs = 120_000;
/** At most so much at once: catching up after a long absence neither fills the memory nor blocks. */
const chunkMs = 1_800_000;

/**
 * Rolls seconds up to ten seconds and those to minutes, all instances together. May run anywhere, at any time, twice
 * at once: a cell is the same whoever folds it.
 *
 * @param from oldest second written since the last time (epoch ms), Infinity when none was late
 */
export async function rollUp(db: Db, key: SampleKey, now: number, from: number): Promise<void> {
	await rollStep(db, key, { fine: 1, coarse: 10 }, now, from);
	await rollStep(db, key, { fine: 10, coarse: 60 }, now, from);
}

async function rollStep(
	db: Db,
	key: SampleKey,
	{ fine, coarse }: { fine: Step; coarse: Step },
	now: number,
	late: number
): Promise<void> {
	const finer = await findEnds(db, key, fine);
	if (!finer) return;
	const done = await findEnds(db, key, coarse);
	const from = Math.max(finer.oldest - 1, Math.min((done?.newest ?? -Infinity) - againMs, late - 1));
	const stepMs = coarse * 1_000;
	const end = Math.min(Math.floor((now - settleMs) / stepMs) * stepMs, cellEnd(finer.newest, coarse));
	for (let start = cellEnd(from + 1, coarse) - stepMs; start < end; start += chunkMs) {
		const to = Math.min(end, start + chunkMs);
		const rows = await loadSamples(db, key, fine, { from: start, to });
		await insertSamples(db, key, coarse, '', foldCells(rows, coarse));
	}
}
