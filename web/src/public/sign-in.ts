import type { SignIn } from '@marsad/server/contract';
import { failureName, tokenName, type PersonToken } from './token.ts';

/**
 * Signing in by code and PKCE (RFC 7636), by the page itself. A script of its own, loaded only by who signs in. What
 * the browser must remember meanwhile stays in the tab's own storage; tokens never stand in an address.
 */
const attemptName = 'marsad.sign-in';
const attemptMsMax = 30 * 60_000;
const timeoutMs = 12_000;

interface Attempt {
	signIn: SignIn;
	verifier: string;
	state: string;
	nonce: string;
	/** Path, query and fragment as they stood in the address bar, byte for byte. */
	target: string;
	at: number;
}

function base64url(bytes: Uint8Array): string {
	return btoa(String.fromCharCode(...bytes))
		.replaceAll('+', '-')
		.replaceAll('/', '_')
		.replaceAll('=', '');
}

function randomText(): string {
	return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

function redirectUri(): string {
	return `${location.origin}/`;
}

/** Goes to the issuer. @throws when the tab keeps nothing: nobody could come back */
export async function beginSignIn(signIn: SignIn, language: string): Promise<void> {
	const attempt: Attempt = {
		signIn,
		verifier: randomText(),
		state: randomText(),
		nonce: randomText(),
		target: location.href.slice(location.origin.length),
		at: Date.now()
	};
	sessionStorage.setItem(attemptName, JSON.stringify(attempt));
	const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(attempt.verifier));
	const url = new URL(signIn.authorizationEndpoint);
	for (const [name, value] of Object.entries({
		response_type: 'code',
		client_id: signIn.clientId,
		redirect_uri: redirectUri(),
		scope: signIn.scope,
		code_challenge: base64url(new Uint8Array(hash)),
		code_challenge_method: 'S256',
		state: attempt.state,
		nonce: attempt.nonce,
		ui_locales: language
	}))
		url.searchParams.set(name, value);
	location.assign(url);
}

/**
 * Comes back from the issuer. The code leaves the address bar before anything else happens, and the address becomes
 * again what it was, byte for byte; an answer to no question of this tab is not followed. True: another page loads.
 */
export async function finishSignIn(storage: Storage): Promise<boolean> {
	const answer = new URLSearchParams(location.search);
	const attempt = takeAttempt(storage);
	if (!attempt || attempt.state !== answer.get('state')) return false;
	history.replaceState(null, '', location.pathname);
	const { target, signIn } = attempt;
	const code = answer.get('code');
	const fromElsewhere = answer.has('iss') && answer.get('iss') !== signIn.issuer;
	const tooLate = Date.now() - attempt.at > attemptMsMax;
	const token = !code || fromElsewhere || tooLate ? null : await exchange(code, attempt).catch(() => null);
	if (token) storage.setItem(tokenName, JSON.stringify(token));
	else storage.setItem(failureName, '1');
	location.replace(target);
	// The same page but for the fragment: nothing loads, so this one goes on.
	return !target.startsWith(`${location.pathname}#`);
}

function takeAttempt(storage: Storage): Attempt | null {
	try {
		const attempt = JSON.parse(storage.getItem(attemptName) ?? 'null') as Attempt | null;
		storage.removeItem(attemptName);
		return attempt;
	} catch {
		return null;
	}
}

/** The signature is the server's to check; that the answer is to this question is ours. */
async function exchange(code: string, { signIn, verifier, nonce }: Attempt): Promise<PersonToken | null> {
	const response = await fetch(signIn.tokenEndpoint, {
		method: 'POST',
		body: new URLSearchParams({
			grant_type: 'authorization_code',
			code,
			redirect_uri: redirectUri(),
			client_id: signIn.clientId,
			code_verifier: verifier
		}),
		credentials: 'omit',
		redirect: 'error',
		referrerPolicy: 'no-referrer',
		signal: AbortSignal.timeout(timeoutMs)
	});
	if (!response.ok) return null;
	const { id_token: token } = (await response.json()) as { id_token: string };
	const claims = readClaims(token);
	const audience = [claims.aud].flat();
	const ours = claims.nonce === nonce && claims.iss === signIn.issuer && audience.includes(signIn.clientId);
	return ours ? { token, until: claims.exp * 1_000 } : null;
}

function readClaims(token: string): { iss: string; aud: string | string[]; nonce: string; exp: number } {
	const payload = token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/');
	const bytes = Uint8Array.from(atob(payload), (char) => char.charCodeAt(0));
	return JSON.parse(new TextDecoder().decode(bytes)) as ReturnType<typeof readClaims>;
}
