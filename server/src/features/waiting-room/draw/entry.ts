import { createHmac, createSecretKey, hash, hkdfSync } from 'node:crypto';

/** Bytes of an entry's id: opaque, without meaning to anybody who does not hold the draw's key. */
export const entryBytes = 12;

/** One entry of a draw as it stands in the published list. */
export interface Entry {
	/** Hexadecimal, {@link entryBytes} long. */
	id: string;
	/** People who are placed as one, or not at all. */
	party: number;
	/** What a ballot adds (wishes); empty for the order of a waiting room. Holds no line break. */
	wishes: string;
}

/** The entry's line in the list: what is published, and what the root stands for. */
export function lineOf({ id, party, wishes }: Entry): string {
	return wishes === '' ? `${id},${party}` : `${id},${party},${wishes}`;
}

/** Everything secret about one draw, derived: nobody who reads the database learns it before it is published. */
export interface DrawKeys {
	/** Committed to when the draw is made, published after it. */
	secret: Buffer;
	/** The id under which a holder stands in the list. */
	entryOf(holder: string): string;
}

/** Keys of the draw that was made with this nonce; the same on every instance that has the master secret. */
export function deriveDrawKeys(masterSecret: string, nonce: Buffer): DrawKeys {
	const derive = (info: string) => Buffer.from(hkdfSync('sha256', masterSecret, nonce, info, 32));
	const entryKey = createSecretKey(derive('marsad:draw:entry'));
	return {
		secret: derive('marsad:draw:secret'),
		entryOf: (holder) =>
			createHmac('sha256', entryKey).update(holder).digest().subarray(0, entryBytes).toString('hex')
	};
}

/** What is published before anybody can register: SHA-256 of the secret, hexadecimal. */
export function commitmentOf(secret: Buffer): string {
	return hash('sha256', secret, 'hex');
}
