import { describe, expect, it } from 'vitest';
import { readBookRequest } from './read-request.ts';

const read = (body: unknown, query: unknown = {}, headers: Record<string, string | string[]> = {}) =>
	readBookRequest({ body, query, headers });

describe('reading POST /book', () => {
	it('takes query or JSON, the body first, and the pass from the header first', () => {
		expect(read(undefined, { slot: '7', party: '3', gated: '1', token: 'q' })).toEqual({
			slot: 7,
			party: 3,
			gated: true,
			token: 'q',
			key: null
		});
		expect(read({ slot: 8 }, { slot: '7', token: 'q' }, { 'x-token': 'h' })).toMatchObject({
			slot: 8,
			token: 'h'
		});
		expect(read({ slot: 8, gated: 0 })).toMatchObject({ gated: false, party: null, token: null });
	});

	it('names the field that is not as it should be', () => {
		for (const slot of [undefined, 0, -1, 1.5, '1e3', '0x1', '', ' 1', '01', [1], {}, null, NaN, 2 ** 31]) {
			expect(read({ slot })).toEqual({ fault: 'slot' });
		}
		for (const party of [0, 21, 'two', null, 1.5])
			expect(read({ slot: 1, party })).toEqual({ fault: 'party' });
		expect(read({ slot: 1, token: 5 })).toEqual({ fault: 'token' });
		for (const key of ['', 'k'.repeat(256), ['a', 'b']]) {
			expect(read({ slot: 1 }, {}, { 'idempotency-key': key })).toEqual({ fault: 'Idempotency-Key' });
		}
	});

	it('gives the same asking the same hash, and another asking another', () => {
		const hash = (body: unknown) => {
			const input = read(body, {}, { 'idempotency-key': 'k' });
			return 'key' in input ? input.key?.bodySha256 : null;
		};
		expect(hash({ slot: 1 })).toBe(hash({ slot: '1' }));
		expect(hash({ slot: 1 })).not.toBe(hash({ slot: 2 }));
		expect(hash({ slot: 1 })).not.toBe(hash({ slot: 1, party: 2 }));
	});
});
