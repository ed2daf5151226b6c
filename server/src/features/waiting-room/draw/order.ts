import { createHmac, createSecretKey, hash, type KeyObject } from 'node:crypto';

/**
 * The seed nobody could know: the secret was committed to before anybody registered, the root stands for the frozen
 * list, the randomness came from outside after the freeze. SHA-256(secret ‖ root ‖ randomness), bytes joined.
 */
export function seedOf(parts: { secret: Buffer; root: string; randomness: string }): Buffer {
	return hash(
		'sha256',
		Buffer.concat([parts.secret, Buffer.from(parts.root, 'hex'), Buffer.from(parts.randomness, 'hex')]),
		'buffer'
	);
}

/** What entries are ordered by, ascending: HMAC-SHA256(seed, id). No modulo, no shuffle, nothing depends on when or how somebody came. */
export function rankOf(seed: Buffer | KeyObject, id: string): Buffer {
	return createHmac('sha256', seed).update(id).digest();
}

/** Ids in the order drawn. */
export function orderOf(seed: Buffer, ids: readonly string[]): string[] {
	const key = createSecretKey(seed);
	return ids
		.map((id) => ({ id, rank: rankOf(key, id) }))
		.sort((a, b) => Buffer.compare(a.rank, b.rank) || (a.id < b.id ? -1 : 1))
		.map(({ id }) => id);
}
