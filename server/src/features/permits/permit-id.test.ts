import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { newPermitId, readPermitId } from './permit-id.ts';

describe('the id of a permit', () => {
	it('is four groups of four without look-alike letters, and reads back as itself', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
				const id = newPermitId(bytes);
				expect(id).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/);
				expect(readPermitId(id)).toBe(id);
				expect(readPermitId(id.toLowerCase().replaceAll('-', ' '))).toBe(id);
			})
		);
	});

	it('keeps all 80 bits: different bytes, different ids', () => {
		fc.assert(
			fc.property(
				fc.uint8Array({ minLength: 10, maxLength: 10 }),
				fc.uint8Array({ minLength: 10, maxLength: 10 }),
				(a, b) => {
					const same = Buffer.from(a).equals(Buffer.from(b));
					expect(newPermitId(a) === newPermitId(b)).toBe(same);
				}
			)
		);
	});

	it('forgives O for 0 and I or L for 1, and refuses what is no id', () => {
		expect(readPermitId('OOOO-IIII-LLLL-0000')).toBe('0000-1111-1111-0000');
		for (const wrong of ['', 'AAAA', 'UUUU-UUUU-UUUU-UUUU', `${'A'.repeat(41)}`, "'; drop table permits"]) {
			expect(readPermitId(wrong)).toBeNull();
		}
	});
});
