import { Buffer } from 'node:buffer';
import { exportJWK, exportSPKI, generateKeyPair, importJWK } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pageClient, startIssuer, type TestIssuer } from '../../../test/kit/issuer.ts';
import { AppError } from '../../errors.ts';
import { createTestClock, type TestClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createIssuer, type Issuer } from './identity-issuer.ts';

const jwks = '/jwks';
const discovery = '/.well-known/openid-configuration';
let real: TestIssuer;
let clock: TestClock;
let issuer: Issuer;

const open = () =>
	createIssuer({
		...{ issuer: real.issuer, audiences: ['native-app', pageClient], clientId: pageClient },
		...{ clock, log: createLog('silent') }
	});
const outcome = (token: string) =>
	issuer.verify(token).catch((error: unknown) => {
		if (!(error instanceof AppError)) throw error;
		return `${error.code}: ${String(error.details['reason'] ?? '')}`;
	});

beforeAll(async () => {
	real = await startIssuer();
});
afterAll(() => real.close());
beforeEach(() => {
	clock = createTestClock(Date.now());
	issuer = open();
});

describe('a token of the issuer', () => {
	it('names its subject, for the page and for native clients, without a call per request', async () => {
		const before = [real.asked(jwks), real.asked(discovery)];
		const tokens = await Promise.all([
			real.sign(),
			real.sign({ aud: 'native-app' }),
			real.sign({ aud: ['native-app', 'https://elsewhere'] }, { typ: 'at+jwt' })
		]);
		for (let i = 0; i < 20; i++) for (const token of tokens) expect(await outcome(token)).toBe('person-1');
		expect([real.asked(jwks), real.asked(discovery)]).toEqual(before.map((count) => count + 1));
	});

	it.each<[string, Record<string, unknown>, object, string]>([
		['for somebody else', { aud: 'another-client' }, {}, 'aud check_failed'],
		['of another issuer', { iss: 'https://elsewhere.example' }, {}, 'iss check_failed'],
		['without a subject', { sub: undefined }, {}, 'sub missing'],
		['with an empty subject', { sub: '' }, {}, 'no subject'],
		['that never ends', { exp: undefined }, {}, 'exp missing'],
		['that is over', { exp: Math.floor(Date.now() / 1_000) - 60 }, {}, 'expired'],
		['of tomorrow', { nbf: Math.floor(Date.now() / 1_000) + 600 }, {}, 'nbf check_failed'],
		['that signs somebody out', {}, { typ: 'logout+jwt' }, 'not an identity token']
	])('%s is refused, and the reason said', async (_name, claims, header, reason) => {
		expect(await outcome(await real.sign(claims, header))).toBe(`no_identity: ${reason}`);
	});

	it('may be half a minute out of step, not more', async () => {
		const seconds = Math.floor(clock.now() / 1_000);
		expect(await outcome(await real.sign({ exp: seconds - 20 }))).toBe('person-1');
		expect(await outcome(await real.sign({ nbf: seconds + 20 }))).toBe('person-1');
		expect(await outcome(await real.sign({ exp: seconds - 40 }))).toBe('no_identity: expired');
	});
});

describe('a token that nobody issued', () => {
	const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
	const honest = () => ({
		...{ iss: real.issuer, sub: 'person-1', aud: pageClient },
		exp: Math.floor(Date.now() / 1_000) + 600
	});

	it('is refused unsigned, whatever its header says', async () => {
		for (const alg of ['none', 'None', 'NONE', ''])
			expect(await outcome(`${encode({ alg, kid: 'first' })}.${encode(honest())}.`)).toMatch(/^no_identity/);
	});

	it('is refused when the public key was used as a shared secret', async () => {
		const { keys } = (await (await fetch(real.issuer + jwks)).json()) as { keys: object[] };
		const key = (await importJWK({ ...keys[0], ext: true }, 'RS256')) as Parameters<typeof exportSPKI>[0];
		const pem = await exportSPKI(key);
		const token = await real.sign({}, {}, new TextEncoder().encode(pem), 'HS256');
		expect(await outcome(token)).toMatch(/^no_identity/);
	});

	it('is refused under a key of its own, named as ours or carried along', async () => {
		const own = await generateKeyPair('RS256', { extractable: true });
		expect(await outcome(await real.sign({}, {}, own.privateKey))).toMatch(/^no_identity/);
		const carried = { jwk: await exportJWK(own.publicKey) };
		expect(await outcome(await real.sign({}, carried as object, own.privateKey))).toMatch(/^no_identity/);
	});

	it('is refused when its end was cut, its payload exchanged, or it is no token at all', async () => {
		const token = await real.sign();
		const [head, , signature] = token.split('.');
		for (const wrong of [
			token.slice(0, -2),
			`${head}.${encode({ ...honest(), sub: 'person-2' })}.${signature}`,
			'no-token',
			'a.b.c',
			'x'.repeat(9_000)
		])
			expect(await outcome(wrong)).toMatch(/^no_identity/);
	});

	it('cannot make the issuer be asked without end: a storm of unknown keys costs one call', async () => {
		expect(await outcome(await real.sign())).toBe('person-1');
		const before = real.asked(jwks);
		const storm = await Promise.all(
			Array.from({ length: 200 }, (_, i) => real.sign({}, { kid: `made-up-${i}` }))
		);
		for (const result of await Promise.all(storm.map(outcome))) expect(result).toMatch(/^no_identity/);
		expect(real.asked(jwks) - before).toBeLessThanOrEqual(1);
		expect(await outcome(await real.sign())).toBe('person-1');
	});
});

describe('an issuer that is away', () => {
	it('takes nobody’s identity: the keys that were fetched go on working for a day', async () => {
		const token = await real.sign({ exp: Math.floor(clock.now() / 1_000) + 2 * 86_400 });
		expect(await outcome(token)).toBe('person-1');
		await real.goAway();
		for (const hours of [1, 10, 12]) {
			clock.advance(hours * 3_600_000);
			expect(await outcome(token)).toBe('person-1');
		}
		clock.advance(2 * 3_600_000);
		expect(await outcome(token)).toBe('identity_unavailable: ');
		await real.comeBack();
		clock.advance(10_000);
		expect(await outcome(token)).toBe('person-1');
	});

	it('is said to be away when it never answered, and asked again only after a pause', async () => {
		await real.goAway();
		const token = await real.sign();
		expect(await outcome(token)).toBe('identity_unavailable: ');
		expect(await issuer.signIn()).toBeNull();
		await real.comeBack();
		expect(await outcome(token)).toBe('identity_unavailable: ');
		clock.advance(6_000);
		expect(await outcome(token)).toBe('person-1');
		expect(await issuer.signIn()).toEqual({
			issuer: real.issuer,
			clientId: pageClient,
			authorizationEndpoint: `${real.issuer}/auth`,
			tokenEndpoint: `${real.issuer}/token`,
			scope: 'openid'
		});
		expect(issuer.origins()).toEqual([real.issuer]);
	});

	it('is not believed when it says that it is another', async () => {
		issuer = createIssuer({
			...{ issuer: `${real.issuer}/`, audiences: [pageClient], clientId: pageClient },
			...{ clock, log: createLog('silent') }
		});
		expect(await outcome(await real.sign({ iss: `${real.issuer}/` }))).toBe('identity_unavailable: ');
	});
});
