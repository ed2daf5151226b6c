import { createHmac, createSecretKey, hkdfSync } from 'node:crypto';

/** Signs for one purpose: the key's short name, and the mac over scope, who it belongs to, and payload. */
export interface TokenMac {
	id: string;
	/** 32 bytes. */
	of(payload: Buffer, bound: string): Buffer;
}

/**
 * HMAC-SHA256 under a key derived (HKDF) from the master secret for one purpose. `kind`, key name and `scope` (season,
 * room) are signed, too. This runs for every call of everybody who waits: the key is a key object, since a bare buffer
 * would be made into one for each signature, and all that never changes is laid out beforehand.
 */
export function createTokenMac(options: {
	secret: string;
	kind: string;
	purpose: string;
	scope: readonly string[];
}): TokenMac {
	const derive = (info: string, bytes: number) =>
		Buffer.from(hkdfSync('sha256', options.secret, 'marsad', info, bytes));
	const key = createSecretKey(derive(`waiting-room:${options.purpose}`, 32));
	const id = derive(`waiting-room:${options.purpose}:id`, 6).toString('base64url');
	// Lengths in front: no two different sets of parts give the same bytes.
	const head = Buffer.concat([options.kind, id, ...options.scope].map(withLength));
	return {
		id,
		of: (payload, bound) =>
			createHmac('sha256', key)
				.update(Buffer.concat([head, withLength(bound), payload]))
				.digest()
	};
}

function withLength(text: string): Buffer {
	const bytes = Buffer.byteLength(text);
	const part = Buffer.allocUnsafe(4 + bytes);
	part.writeUInt32BE(bytes);
	part.write(text, 4);
	return part;
}
