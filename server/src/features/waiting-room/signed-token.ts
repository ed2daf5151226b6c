import { timingSafeEqual } from 'node:crypto';
import { createTokenMac } from './token-mac.ts';

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
	const mac = createTokenMac(options);

	return {
		sign: (payload, bound) =>
			[
				options.kind,
				mac.id,
				payload.toString('base64url'),
				mac.of(payload, bound).toString('base64url')
			].join('.'),
		read(token, bound) {
			if (typeof token !== 'string' || token.length > tokenLengthMax) return null;
			const [kind, keyId, body, signature, ...more] = token.split('.');
			if (kind !== options.kind || keyId !== mac.id || more.length > 0) return null;
			if (!body || !signature || !part.test(body) || !part.test(signature)) return null;
			const payload = Buffer.from(body, 'base64url');
			const given = Buffer.from(signature, 'base64url');
			// base64url has spare bits: only the one spelling that we write counts.
			if (payload.toString('base64url') !== body || given.toString('base64url') !== signature) return null;
			if (given.length !== macBytes || !timingSafeEqual(given, mac.of(payload, bound))) return null;
			return payload;
		}
	};
}
