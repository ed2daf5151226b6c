import { describe, expect, it } from 'vitest';
import { AppError } from '../../errors.ts';
import { createIdentity } from './identity.ts';

const secret = 'a secret that is thirty-two characters long';
const codeOf = (run: () => unknown) => {
	try {
		run();
	} catch (error) {
		return error instanceof AppError ? error.code : error;
	}
	return null;
};

describe('identity', () => {
	const identity = createIdentity({ secret, believeUser: true });

	it('believes ?user= and a body user in demo and laboratory, and keeps only a keyed hash', () => {
		const { holder } = identity.identify({ query: { user: 'sara' } });
		expect(holder).not.toContain('sara');
		expect(identity.identify({ query: {}, body: { user: 'sara' } }).holder).toBe(holder);
		expect(identity.holderOf('sara')).toBe(holder);
		expect(createIdentity({ secret: `${secret}!`, believeUser: true }).holderOf('sara')).not.toBe(holder);
	});

	it('knows nobody behind a missing, empty, repeated or oversized user', () => {
		for (const query of [{}, { user: '' }, { user: ['a', 'b'] }, { user: 'x'.repeat(129) }, null]) {
			expect(codeOf(() => identity.identify({ query }))).toBe('no_identity');
		}
	});

	it('refuses outside demo and laboratory and says why', () => {
		const closed = createIdentity({ secret, believeUser: false });
		expect(codeOf(() => closed.identify({ query: { user: 'sara' } }))).toBe('identity_not_configured');
	});
});
