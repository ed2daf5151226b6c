import { describe, expect, it } from 'vitest';
import { hashPassword, nobodysHash, verifyPassword } from './password.ts';

describe('passwords', () => {
	it('knows its own password and no other, in any script', async () => {
		const hash = await hashPassword('كلمة مرور طويلة جداً');
		expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
		expect(await verifyPassword('كلمة مرور طويلة جداً', hash)).toBe(true);
		expect(await verifyPassword('كلمة مرور طويلة جدا', hash)).toBe(false);
	});

	it('salts: the same password twice gives two hashes', async () => {
		expect(await hashPassword('the same password')).not.toBe(await hashPassword('the same password'));
	});

	it('verifies under the parameters that were written, not those of today', async () => {
		// From the tests of the reference implementation: argon2id, v=19, 256 KiB, 2 passes, "password", salt "somesalt".
		const reference = '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4';
		expect(await verifyPassword('password', reference)).toBe(true);
		expect(await verifyPassword('differentpassword', reference)).toBe(false);
	});

	it('no password opens the hash of nobody, nor anything that is no hash', async () => {
		for (const password of ['', 'x', '\0'.repeat(32)])
			expect(await verifyPassword(password, nobodysHash)).toBe(false);
		expect(await verifyPassword('x', 'x')).toBe(false);
		expect(await verifyPassword('', '')).toBe(false);
	});
});
