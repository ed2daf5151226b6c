import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A new scanner: its id, the token that is shown once, and the only form in which its secret is stored. */
export function newScannerToken(): { id: string; token: string; secretSha256: Buffer } {
	const id = `s-${randomBytes(6).toString('hex')}`;
	const secret = randomBytes(32).toString('base64url');
	return { id, token: `${id}.${secret}`, secretSha256: hashSecret(secret) };
}

/** Id and secret of `Authorization: Bearer {id}.{secret}`; null for what can be no token of a scanner. */
export function readScannerToken(header: string | undefined): { id: string; secret: string } | null {
	const parts = /^Bearer (s-[0-9a-f]{12})\.([\w-]{43})$/i.exec(header ?? '');
	return parts?.[1] && parts[2] ? { id: parts[1].toLowerCase(), secret: parts[2] } : null;
}

/** Constant in time, also where there is no such scanner. */
export function isSecret(secret: string, stored: Buffer | undefined): boolean {
	return timingSafeEqual(hashSecret(secret), stored ?? hashSecret('')) && stored !== undefined;
}

function hashSecret(secret: string): Buffer {
	return createHash('sha256').update(secret).digest();
}
