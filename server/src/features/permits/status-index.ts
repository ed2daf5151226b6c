import { createCipheriv } from 'node:crypto';

/** Bits of one block of the revocation list: within it indices are given at random. */
export const statusBlock = 1_048_576;
const half = 1_024;
const rounds = 4;

/** The index of a serial in the revocation list. */
export type StatusOf = (serial: number) => number;

/**
 * A permutation of each block of indices under a key: unique without asking, and the list does not tell who booked
 * when. A Feistel network whose round functions are tables of AES-CTR output; each block has its own.
 * @param key 32 bytes; a season keeps its key, or revoked bits would move to other permits
 */
export function createStatusOf(key: Uint8Array): StatusOf {
	const tables = new Map<number, Uint16Array>();
	const tableOf = (block: number): Uint16Array => {
		const known = tables.get(block);
		if (known) return known;
		const iv = Buffer.alloc(16);
		iv.writeUInt32BE(block, 0);
		const cipher = createCipheriv('aes-256-ctr', key, iv);
		const bytes = cipher.update(Buffer.alloc(rounds * half * 2));
		const made = Uint16Array.from({ length: rounds * half }, (_, at) => bytes.readUInt16LE(at * 2) % half);
		tables.set(block, made);
		return made;
	};
	return (serial) => {
		const block = Math.floor((serial - 1) / statusBlock);
		const table = tableOf(block);
		const within = (serial - 1) % statusBlock;
		let [left, right] = [Math.floor(within / half), within % half];
		for (let round = 0; round < rounds; round++) [left, right] = [right, left ^ table[round * half + right]!];
		return block * statusBlock + left * half + right;
	};
}
