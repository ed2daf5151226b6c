import type { DrawProof } from '../../../../contract/index.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { StoredDraw } from './draw-store.ts';
import { findEntry, listBlocks, listEntries, storedLine } from './entries-store.ts';
import { blockLeaves, leafOf, pathOf } from './merkle.ts';

interface Block {
	first: Buffer;
	root: Buffer;
}

/** Makes proofs that an entry stands in a frozen list, from its own block and the roots of the others. */
export interface Prover {
	/** Null when no such entry is in the list. */
	prove(draw: StoredDraw & { root: string }, entry: string): Promise<DrawProof | null>;
}

export function createProver(db: Db): Prover {
	let remembered: { draw: number; blocks: Promise<Block[]> } | null = null;
	const blocksOf = (draw: number): Promise<Block[]> => {
		if (remembered?.draw !== draw) {
			const blocks = listBlocks(db, draw);
			remembered = { draw, blocks };
			blocks.catch(() => (remembered = null));
		}
		return remembered.blocks;
	};

	return {
		async prove(draw, entry) {
			const found = await findEntry(db, draw.id, entry);
			if (!found) return null;
			const blocks = await blocksOf(draw.id);
			const at = findBlock(blocks, found.entry);
			const lines = await listEntries(db, draw.id, null, blockLeaves, blocks[at]!.first);
			const inside = lines.findIndex((line) => line.entry.equals(found.entry));
			const leaves = lines.map((line) => leafOf(storedLine(line)));
			const path = [
				...pathOf(leaves, inside),
				...pathOf(
					blocks.map(({ root }) => root),
					at
				)
			];
			return {
				draw: draw.id,
				entry,
				line: storedLine(found),
				index: at * blockLeaves + inside,
				path,
				root: draw.root,
				place: found.place
			};
		}
	};
}

/** The last block that does not begin behind the entry. */
function findBlock(blocks: readonly Block[], entry: Buffer): number {
	let low = 0;
	for (let high = blocks.length - 1; low < high;) {
		const middle = (low + high + 1) >> 1;
		if (Buffer.compare(blocks[middle]!.first, entry) <= 0) low = middle;
		else high = middle - 1;
	}
	return low;
}
