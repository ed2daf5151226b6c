import { createHmac, createSecretKey } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { PublicSettings } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import type { Issuer } from './identity-issuer.ts';

/** Who asks, as everything behind this line knows a person: a keyed hash, never the identity itself. */
export interface Person {
	holder: string;
}

/** The part of a request that can say who asks. */
export interface IdentifiableRequest {
	headers?: IncomingHttpHeaders;
	query: unknown;
	body?: unknown;
}

/** Reads a signed token of our own, without any I/O; null for everything that is none. */
export type TokenReader = (token: string) => Person | null;

/** Tells people apart on the public calls. */
export interface Identity {
	/**
	 * By `Authorization: Bearer` (a token of our own, else an identity token), in demo and laboratory also by `?user=`.
	 * @throws AppError `no_identity`, `identity_unavailable` while the issuer never answered, or
	 * `identity_not_configured` where nobody can be identified at all
	 */
	identify(request: IdentifiableRequest): Promise<Person>;
	/** The holder of an identity that is already known to be true. */
	holderOf(identity: string): string;
	/** Tokens of our own that stand for a person ("ready"): asked before the issuer. */
	readTokensBy(reader: TokenReader): void;
	/** What the page must know to sign people in. */
	settings(): Promise<PublicSettings>;
	/** Origins that the page calls while it signs somebody in. */
	signInOrigins(): readonly string[];
}

const identityLengthMax = 128;

/**
 * In demo and laboratory `?user=` (or `user` in the body) is believed; elsewhere the tokens of the one issuer. With
 * neither, every public call that needs a person is refused and says why.
 */
export function createIdentity(options: {
	secret: string;
	believeUser: boolean;
	/** The issuer of accounts and its name: one subject of two issuers is two people. */
	issuer?: Issuer | undefined;
	issuerName?: string | undefined;
}): Identity {
	const { believeUser, issuer } = options;
	const key = createSecretKey(options.secret, 'utf8');
	const hash = (...parts: string[]) => {
		const mac = createHmac('sha256', key);
		for (const part of parts) mac.update(part).update('\0');
		return mac.digest('base64url');
	};
	const holderOf = (identity: string) =>
		createHmac('sha256', key).update('holder\0').update(identity).digest('base64url');
	const readers: TokenReader[] = [];

	return {
		holderOf,
		readTokensBy: (reader) => void readers.push(reader),
		async identify(request) {
			const token = bearerOf(request.headers);
			if (token !== undefined) {
				for (const reader of readers) {
					const person = reader(token);
					if (person) return person;
				}
				if (issuer) return { holder: hash('person', options.issuerName ?? '', await issuer.verify(token)) };
			}
			if (believeUser) {
				const identity = userOf(request.query) ?? userOf(request.body);
				if (identity !== undefined) return { holder: holderOf(identity) };
			} else if (!issuer) throw new AppError('identity_not_configured', {}, 60);
			throw new AppError('no_identity');
		},
		async settings() {
			if (believeUser) return { identity: 'demo', signIn: null };
			if (!issuer) return { identity: 'none', signIn: null };
			const signIn = await issuer.signIn();
			return { identity: signIn ? 'sign-in' : 'unavailable', signIn };
		},
		signInOrigins: () => issuer?.origins() ?? []
	};
}

function bearerOf(headers: IncomingHttpHeaders | undefined): string | undefined {
	return /^Bearer +([^\s]+)$/i.exec(headers?.authorization ?? '')?.[1];
}

/** A repeated, empty or oversized `user` is nobody. */
function userOf(part: unknown): string | undefined {
	if (typeof part !== 'object' || part === null || !('user' in part)) return undefined;
	const { user } = part;
	if (typeof user !== 'string' || user.length === 0 || user.length > identityLengthMax) return undefined;
	return user;
}
