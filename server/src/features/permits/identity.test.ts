import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { createIdentity, type IdentifiableRequest, type Identity } from './identity.ts';

const secret = 'a secret that is thirty-two characters long';
const codeOf = (identity: Identity, request: IdentifiableRequest) =>
	identity.identify(request).then(
		() => null,
		(error: unknown) => (error instanceof AppError ? error.code : error)
	);
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` }, query: {} });

describe('identity', () => {
	const identity = createIdentity({ secret, believeUser: true });

	it('believes ?user= and a body user in demo and laboratory, and keeps only a keyed hash', async () => {
		const { holder } = await identity.identify({ query: { user: 'sara' } });
		expect(holder).not.toContain('sara');
		expect((await identity.identify({ query: {}, body: { user: 'sara' } })).holder).toBe(holder);
		expect(identity.holderOf('sara')).toBe(holder);
		expect(createIdentity({ secret: `${secret}!`, believeUser: true }).holderOf('sara')).not.toBe(holder);
	});

	it('knows nobody behind a missing, empty, repeated or oversized user', async () => {
		for (const query of [{}, { user: '' }, { user: ['a', 'b'] }, { user: 'x'.repeat(129) }, null]) {
			expect(await codeOf(identity, { query })).toBe('no_identity');
		}
	});

	it('refuses outside demo and laboratory and says why', async () => {
		const closed = createIdentity({ secret, believeUser: false });
		expect(await codeOf(closed, { query: { user: 'sara' } })).toBe('identity_not_configured');
		expect(await codeOf(closed, bearer('a.b.c'))).toBe('identity_not_configured');
		expect(await closed.settings()).toEqual({ identity: 'none', signIn: null });
		expect(await identity.settings()).toEqual({ identity: 'demo', signIn: null });
	});

	it('takes tokens of our own before it asks the issuer, and believes no ?user= beside one', async () => {
		const asked: string[] = [];
		const issuer = {
			verify: async (token: string) => {
				asked.push(token);
				return 'subject';
			},
			signIn: async () => null,
			origins: () => []
		};
		const real = createIdentity({ secret, believeUser: false, issuer, issuerName: 'https://one' });
		real.readTokensBy((token) => (token === 'R1.own' ? { holder: 'own' } : null));
		expect((await real.identify(bearer('R1.own'))).holder).toBe('own');
		expect(asked).toEqual([]);
		const { holder } = await real.identify(bearer('a.b.c'));
		expect(asked).toEqual(['a.b.c']);
		expect(await codeOf(real, { query: { user: 'sara' } })).toBe('no_identity');
		const other = createIdentity({ secret, believeUser: false, issuer, issuerName: 'https://two' });
		expect((await other.identify(bearer('a.b.c'))).holder).not.toBe(holder);
		expect(real.holderOf('subject')).not.toBe(holder);
		expect(await real.settings()).toEqual({ identity: 'unavailable', signIn: null });
	});
});
