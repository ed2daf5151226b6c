import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';

/** Signs small payloads of one kind under a key of their own; a reader gets null for everything not authentic. */
export interface TokenSigner {
	/** `bound` is part of what is signed and not of the token: who it belongs to. */
	sign(payload: Buffer, bound: string): string;
	read(token: unknown, bound: string): Buffer | null;
}

const macBytes = 32;
const tokenLengthMax = 768;
const part = /^[A-Za-z0-9_-]+$/;

/** HMAC-SHA256 under a key derived from the master secret; `scope` (season, room) is signed, too. */
export function createTokenSigner(options: {
	secret: string;
	/** One capital letter and a version, such as `R1`. */
	kind: string;
	purpose: string;
	scope: readonly string[];
}): TokenSigner {
	const derive = (info: string, bytes: number) =>
		Buffer.from(hkdfSync('sha256', options.secret, 'marsad', info, bytes));
	const key = derive(`waiting-room:${options.purpose}`, 32);
	const id = derive(`waiting-room:${options.purpose}:id`, 6).toString('base64url');

	const macOf = (payload: Buffer, bound: string) => {
		const mac = createHmac('sha256', key);
		// Lengths in front: no two different sets of parts give the same bytes.
		for (const text of [options.kind, id, ...options.scope, bound]) {
			const bytes = Buffer.from(text);
			const length = Buffer.alloc(4);
			length.writeUInt32BE(bytes.length);
			mac.update(length).update(bytes);
		}
		return mac.update(payload).digest();
	};
	return {
		sign: (payload, bound) =>
			[options.kind, id, payload.toString('base64url'), macOf(payload, bound).toString('base64url')].join(
				'.'
			),
		read(token, bound) {
			if (typeof token !== 'string' || token.length > tokenLengthMax) return null;
			const [kind, keyId, body, signature, ...more] = token.split('.');
			if (kind !== options.kind || keyId !== id || more.length > 0) return null;
			if (!body || !signature || !part.test(body) || !part.test(signature)) return null;
			const payload = Buffer.from(body, 'base64url');
			const given = Buffer.from(signature, 'base64url');
			// base64url has spare bits: only the one spelling that we write counts.
			if (payload.toString('base64url') !== body || given.toString('base64url') !== signature) return null;
			if (given.length !== macBytes || !timingSafeEqual(given, macOf(payload, bound))) return null;
			return payload;
		}
	};
}
