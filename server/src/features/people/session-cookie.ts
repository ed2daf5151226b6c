import { createHash, randomBytes } from 'node:crypto';
import { fastifyCookie } from '@fastify/cookie';
import { limits } from '../../limits.ts';

const plainName = 'marsad_session';
/** Browsers accept this name only with Secure, Path=/ and no Domain: a sibling host cannot plant one. */
const secureName = `__Host-${plainName}`;

/** The headers that tell who is asking; the same for a request and for the handshake of a socket. */
export interface Credentials {
	cookie?: string | undefined;
	authorization?: string | undefined;
}

/** A new secret of 256 bits, and the only form in which it is stored. */
export function createToken(): { token: string; sha256: string } {
	const token = randomBytes(32).toString('base64url');
	return { token, sha256: hashToken(token) };
}

export function hashToken(token: string): string {
	return createHash('sha256').update(token).digest('hex');
}

/** The session token in a Cookie header, if any. */
export function readSessionToken(header: string | undefined): string | null {
	if (!header) return null;
	const cookies = fastifyCookie.parse(header);
	return cookies[secureName] || cookies[plainName] || null;
}

/** The token of `Authorization: Bearer …`, if any. */
export function readBearer(header: string | undefined): string | null {
	return /^Bearer ([\x21-\x7e]{1,512})$/i.exec(header ?? '')?.[1] ?? null;
}

/** The Set-Cookie line that opens a session in the browser. */
export function sessionCookie(token: string, secure: boolean): string {
	return fastifyCookie.serialize(secure ? secureName : plainName, token, {
		...attributes(secure),
		maxAge: limits.people.sessionMs / 1_000
	});
}

/** The Set-Cookie line that ends it. */
export function endedCookie(secure: boolean): string {
	return fastifyCookie.serialize(secure ? secureName : plainName, '', { ...attributes(secure), maxAge: 0 });
}

function attributes(secure: boolean) {
	return { httpOnly: true, sameSite: 'strict', path: '/', secure } as const;
}
