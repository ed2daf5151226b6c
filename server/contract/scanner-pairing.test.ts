import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { encodePairing, pairingPrefix, readPairing } from './scanner-pairing.ts';

const tokens = fc
	.tuple(fc.uint8Array({ minLength: 6, maxLength: 6 }), fc.uint8Array({ minLength: 32, maxLength: 32 }))
	.map(([id, secret]) => `s-${Buffer.from(id).toString('hex')}.${Buffer.from(secret).toString('base64url')}`);

describe('the pairing code', () => {
	it('carries every token through an alphanumeric code', () => {
		fc.assert(
			fc.property(tokens, (token) => {
				const text = encodePairing(token);
				expect(text).toMatch(/^MARSAD-SCANNER:[0-9A-Z $%*+\-./:]{57}$/);
				expect(readPairing(text)).toBe(token);
				expect(readPairing(`${text}\r\n`)).toBe(token);
			})
		);
	});

	it('is also the token itself, typed or pasted', () => {
		const token = `s-${randomBytes(6).toString('hex')}.${randomBytes(32).toString('base64url')}`;
		expect(readPairing(`  ${token}\n`)).toBe(token);
	});

	it('is nothing else', () => {
		const text = encodePairing(`s-0123456789ab.${'A'.repeat(43)}`);
		for (const wrong of ['', 'P1:ABC', pairingPrefix, text.slice(0, -3), text.toLowerCase(), `${text}0`])
			expect(readPairing(wrong), wrong).toBeNull();
		expect(() => encodePairing('s-0123456789ab.short')).toThrow(RangeError);
	});
});
