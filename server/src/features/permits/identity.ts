import { createHmac } from 'node:crypto';
import { AppError } from '../../errors.ts';

/** Who asks, as everything behind this line knows a person: a keyed hash, never the identity itself. */
export interface Person {
	holder: string;
}

/** The part of a request that can say who asks. */
export interface IdentifiableRequest {
	query: unknown;
	body?: unknown;
}

/** Tells people apart on the public calls. */
export interface Identity {
	/** @throws AppError `no_identity`, or `identity_not_configured` where nobody can be identified at all */
	identify(request: IdentifiableRequest): Person;
	/** The holder of an identity that is already known to be true. */
	holderOf(identity: string): string;
}

const identityLengthMax = 128;

/**
 * In demo and laboratory `?user=` (or `user` in the body) is believed. Outside, identity tokens come with a
 * later issue: until then every public call that needs a person is refused and says why.
 */
export function createIdentity(options: { secret: string; believeUser: boolean }): Identity {
	const holderOf = (identity: string) =>
		createHmac('sha256', options.secret).update('holder\0').update(identity).digest('base64url');
	return {
		holderOf,
		identify(request) {
			if (!options.believeUser) throw new AppError('identity_not_configured', {}, 60);
			const identity = userOf(request.query) ?? userOf(request.body);
			if (identity === undefined) throw new AppError('no_identity');
			return { holder: holderOf(identity) };
		}
	};
}

/** A repeated, empty or oversized `user` is nobody. */
function userOf(part: unknown): string | undefined {
	if (typeof part !== 'object' || part === null || !('user' in part)) return undefined;
	const { user } = part;
	if (typeof user !== 'string' || user.length === 0 || user.length > identityLengthMax) return undefined;
	return user;
}
