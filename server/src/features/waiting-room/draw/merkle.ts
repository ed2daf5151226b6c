import { hash } from 'node:crypto';

/** One step of a proof: the sibling's hash (hexadecimal) and the side on which it stands. */
export interface ProofStep {
	side: 'left' | 'right';
	hash: string;
}

/**
 * Hash tree over the lines of a list, in their order (RFC 6962: a leaf is SHA-256(0x00 ‖ line), a node
 * SHA-256(0x01 ‖ left ‖ right), a last one without a sibling moves up as it is). Blocks of {@link blockLeaves} lines
 * are trees of their own, so that a proof needs one block and the list of block roots, never the whole list.
 */
export const blockLeaves = 1_024;

export function leafOf(line: string): Buffer {
	return hash('sha256', Buffer.concat([Buffer.of(0), Buffer.from(line)]), 'buffer');
}

function nodeOf(left: Buffer, right: Buffer): Buffer {
	return hash('sha256', Buffer.concat([Buffer.of(1), left, right]), 'buffer');
}

/** Root over hashes that stand side by side; the root of nothing is the hash of nothing. */
export function rootOf(hashes: readonly Buffer[]): Buffer {
	if (hashes.length === 0) return hash('sha256', Buffer.alloc(0), 'buffer');
	let level = hashes;
	while (level.length > 1) level = nextLevel(level);
	return level[0]!;
}

function nextLevel(level: readonly Buffer[]): Buffer[] {
	const next: Buffer[] = [];
	for (let i = 0; i < level.length; i += 2) {
		const right = level[i + 1];
		next.push(right ? nodeOf(level[i]!, right) : level[i]!);
	}
	return next;
}

/** Steps from one of these hashes up to their root. */
export function pathOf(hashes: readonly Buffer[], index: number): ProofStep[] {
	const path: ProofStep[] = [];
	let level = hashes;
	for (let at = index; level.length > 1; at >>= 1) {
		const sibling = level[at ^ 1];
		if (sibling) path.push({ side: at % 2 === 1 ? 'left' : 'right', hash: sibling.toString('hex') });
		level = nextLevel(level);
	}
	return path;
}

/** The root that a proof leads to from a line: it stands in the list when this is the published root. */
export function rootFrom(line: string, path: readonly ProofStep[]): string {
	let at = leafOf(line);
	for (const { side, hash: sibling } of path) {
		const other = Buffer.from(sibling, 'hex');
		at = side === 'left' ? nodeOf(other, at) : nodeOf(at, other);
	}
	return at.toString('hex');
}
