import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { Provider } from 'oidc-provider';

/** The client of the public page at the test issuer. */
export const pageClient = 'marsad-page';

/** A real OpenID Connect issuer (oidc-provider) on a free port, whose key the tests hold too. */
export interface TestIssuer {
	issuer: string;
	/** How often each path was asked. */
	asked(path: string): number;
	/** A token under the issuer's own key; claims and header over those of an honest identity token. */
	sign(
		claims?: Record<string, unknown>,
		header?: { kid?: string; typ?: string },
		key?: CryptoKey | Uint8Array,
		alg?: string
	): Promise<string>;
	privateKey: CryptoKey;
	/** The issuer goes away, and comes back at the same address. */
	goAway(): Promise<void>;
	comeBack(): Promise<void>;
	close(): Promise<void>;
}

/**
 * Signing in is the development form of oidc-provider: any name, any password. `redirectUris` may be told later:
 * the page's address is often known only after its server has started.
 */
export async function startIssuer(options: { redirectUris?: string[] } = {}): Promise<TestIssuer> {
	const { privateKey } = await generateKeyPair('RS256', { extractable: true });
	const jwk = { ...(await exportJWK(privateKey)), kid: 'first', alg: 'RS256', use: 'sig' };
	const counts = new Map<string, number>();
	let handler: ReturnType<Provider['callback']> | null = null;
	const listen = (port: number) =>
		new Promise<Server>((resolve, reject) => {
			const next = createServer((request, response) => {
				const path = (request.url ?? '').split('?')[0] ?? '';
				counts.set(path, (counts.get(path) ?? 0) + 1);
				void handler?.(request, response);
			});
			next.once('error', reject);
			next.listen(port, '127.0.0.1', () => resolve(next));
		});
	let server = await listen(0);
	const { port } = server.address() as AddressInfo;
	const issuer = `http://127.0.0.1:${port}`;
	handler = createProvider(issuer, jwk, options.redirectUris ?? ['http://127.0.0.1:1/']).callback();
	const goAway = () =>
		new Promise<void>((resolve) => {
			server.close(() => resolve());
			server.closeAllConnections();
		});
	return {
		issuer,
		privateKey,
		asked: (path) => counts.get(path) ?? 0,
		sign(claims = {}, header = {}, key = privateKey, alg = 'RS256') {
			const now = Math.floor(Date.now() / 1_000);
			const honest = { iss: issuer, sub: 'person-1', aud: pageClient, iat: now, exp: now + 600 };
			return new SignJWT({ ...honest, ...claims })
				.setProtectedHeader({ alg, kid: 'first', ...header })
				.sign(key);
		},
		goAway,
		async comeBack() {
			server = await listen(port);
		},
		close: goAway
	};
}

function createProvider(issuer: string, jwk: object, redirectUris: string[]): Provider {
	const provider = new Provider(issuer, {
		clients: [
			{
				client_id: pageClient,
				token_endpoint_auth_method: 'none',
				grant_types: ['authorization_code'],
				response_types: ['code'],
				redirect_uris: redirectUris
			}
		],
		jwks: { keys: [jwk as never] },
		cookies: { keys: ['cookies of the test issuer'] },
		pkce: { required: () => true },
		clientBasedCORS: () => true,
		findAccount: (_context, id) => ({ accountId: id, claims: () => ({ sub: id }) })
	});
	// Its own notices about development settings and plain http say nothing about the product.
	provider.on('server_error', () => undefined);
	return provider;
}
