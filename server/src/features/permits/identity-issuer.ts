import { createRemoteJWKSet, customFetch, errors, jwtVerify, type JWTPayload, type RemoteJWKSet } from 'jose';
import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import type { SignIn } from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Log } from '../../platform/log.ts';

/** Asymmetric only: a shared-secret or unsigned token is no token here, whatever its header says. */
const algorithms = ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA'];
/** Identity tokens carry no type or this one; access tokens of RFC 9068 theirs. Logout tokens are neither. */
const types = new Set([undefined, 'jwt', 'at+jwt', 'application/at+jwt']);
const bounds = limits.identity;

/** An OpenID Connect issuer of people's accounts. */
export interface Issuer {
	/**
	 * The subject of a token that is true, ours and of now. No call per request: keys are kept.
	 * @throws AppError `no_identity` with the reason, or `identity_unavailable` while no key was ever fetched
	 */
	verify(token: string): Promise<string>;
	/** Where the page signs people in; null while the issuer does not answer. */
	signIn(): Promise<SignIn | null>;
	/** Origins that the page calls to exchange its code; the issuer's own until it has answered. */
	origins(): readonly string[];
}

export interface IssuerOptions {
	/** Exactly as the tokens name it. */
	issuer: string;
	/** A token must name one of them: of native clients, and of the page itself. */
	audiences: readonly string[];
	clientId: string;
	clock: Clock;
	log: Log;
}

const Discovery = Compile(
	Type.Object({
		issuer: Type.String(),
		jwks_uri: Type.String(),
		authorization_endpoint: Type.String(),
		token_endpoint: Type.String()
	})
);

interface Known {
	keys: RemoteJWKSet;
	signIn: SignIn;
}

export function createIssuer({ issuer, audiences, clientId, clock, log }: IssuerOptions): Issuer {
	const ask = askWithin(clock);
	let known: Known | null = null;
	let pending: Promise<Known> | null = null;
	let keysAt = -Infinity;

	const discover = async (): Promise<Known> => {
		const response = await ask(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`, {
			redirect: 'error',
			signal: AbortSignal.timeout(bounds.timeoutMs)
		});
		const found: unknown = await response.json();
		if (!Discovery.Check(found)) throw new Error('the discovery document cannot be read');
		if (found.issuer !== issuer) throw new Error('the discovery document names another issuer');
		const keys = createRemoteJWKSet(safeUrl(found.jwks_uri), {
			timeoutDuration: bounds.timeoutMs,
			cooldownDuration: bounds.unknownKeyCooldownMs,
			cacheMaxAge: Infinity,
			[customFetch]: ask
		});
		return {
			keys,
			signIn: {
				issuer,
				clientId,
				authorizationEndpoint: safeUrl(found.authorization_endpoint).href,
				tokenEndpoint: safeUrl(found.token_endpoint).href,
				scope: 'openid'
			}
		};
	};
	const find = async (): Promise<Known> => {
		if (known) return known;
		pending ??= discover().finally(() => (pending = null));
		return (known = await pending);
	};

	/** Keys that were taken back reach us in the background; an issuer that is away takes no key away for a day. */
	const keepKeys = async ({ keys }: Known): Promise<void> => {
		const age = clock.elapsedMs() - keysAt;
		if (keys.jwks() && age < bounds.keysFreshMs) return;
		const reload = keys.reload().then(
			() => void (keysAt = clock.elapsedMs()),
			(error: unknown) => {
				if (!keys.jwks() || age > bounds.keysMaxMs) throw error;
				if (!(error instanceof CoolingDown))
					log.warn({ err: error }, 'the keys of the issuer stay as they were');
			}
		);
		if (!keys.jwks() || age > bounds.keysMaxMs) await reload;
		else void reload;
	};

	return {
		async verify(token) {
			if (token.length > bounds.tokenLengthMax) throw refused('too long');
			try {
				const found = await find();
				await keepKeys(found);
				const { payload, protectedHeader } = await jwtVerify(token, found.keys, {
					issuer,
					algorithms,
					audience: [...audiences],
					requiredClaims: ['sub', 'exp'],
					clockTolerance: bounds.leewaySeconds,
					currentDate: new Date(clock.now())
				});
				if (!types.has(protectedHeader.typ?.toLowerCase())) throw refused('not an identity token');
				return subjectOf(payload);
			} catch (error) {
				if (error instanceof AppError) throw error;
				throw answerFor(error, log);
			}
		},
		signIn: () =>
			find().then(
				(found) => found.signIn,
				(error: unknown) => {
					if (!(error instanceof CoolingDown))
						log.warn({ err: error }, 'the issuer of accounts does not answer');
					return null;
				}
			),
		origins: () => [new URL(known?.signIn.tokenEndpoint ?? issuer).origin]
	};
}

/** Asked again so soon that the answer cannot have changed. */
class CoolingDown extends Error {}

/**
 * fetch with a pause after each failure, whoever asks: neither a storm of made-up tokens nor an issuer that is away
 * turns into a storm of calls.
 */
function askWithin(clock: Clock): typeof fetch {
	let notBefore = -Infinity;
	return async (input, init) => {
		if (clock.elapsedMs() < notBefore) throw new CoolingDown('the issuer was asked a moment ago');
		notBefore = -Infinity;
		try {
			const response = await fetch(input, init);
			if (response.status !== 200) {
				await response.body?.cancel();
				throw new Error(`the issuer answered ${response.status}`);
			}
			return response;
		} catch (error) {
			notBefore = clock.elapsedMs() + bounds.retryMs;
			throw error;
		}
	};
}

/** Keys and codes travel encrypted, or do not leave this machine. */
function safeUrl(text: string): URL {
	const url = new URL(text);
	const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
	if (url.protocol !== 'https:' && !loopback)
		throw new Error('the issuer names an address without encryption');
	return url;
}

function subjectOf(payload: JWTPayload): string {
	const { sub } = payload;
	if (!sub || sub.length > bounds.subjectLengthMax) throw refused('no subject');
	return sub;
}

function refused(reason: string): AppError {
	return new AppError('no_identity', { reason });
}

/** What was wrong with a token is said; what is wrong with the issuer is ours to know. */
function answerFor(error: unknown, log: Log): AppError {
	if (error instanceof errors.JWTExpired) return refused('expired');
	if (error instanceof errors.JWTClaimValidationFailed) return refused(`${error.claim} ${error.reason}`);
	if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid)
		return unavailable(error, log);
	if (error instanceof errors.JOSEError && error.code !== 'ERR_JOSE_GENERIC')
		return refused('not a valid token');
	return unavailable(error, log);
}

function unavailable(error: unknown, log: Log): AppError {
	if (!(error instanceof CoolingDown)) log.warn({ err: error }, 'the issuer of accounts does not answer');
	return new AppError('identity_unavailable', {}, bounds.retrySeconds);
}
