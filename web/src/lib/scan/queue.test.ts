import { entryBatchBytesMax, entryBatchMax, type Entry } from '@marsad/server/contract';
import { describe, expect, it } from 'vitest';
import { cutBatch, readAnswer } from './queue.ts';

const entry = (seq: number, text = ''): Entry => ({
	...{ kind: 'permit', seq, boot: 'b', gate: 'g', direction: 'in', deviceAt: 1, uptimeMs: 1, offline: true },
	...{ verdict: 'amber', people: 1, text }
});
const many = (count: number, text = '') => Array.from({ length: count }, (_, n) => entry(n + 1, text));

describe('a batch', () => {
	it('has room for so many entries and bytes, and stops before one that may still change', () => {
		expect(cutBatch(many(600), null)).toHaveLength(entryBatchMax);
		const large = cutBatch(many(500, 'x'.repeat(900)), null);
		expect(JSON.stringify(large).length).toBeLessThan(entryBatchBytesMax);
		expect(large.length).toBeGreaterThan(200);
		expect(cutBatch(many(5), 4).map(({ seq }) => seq)).toEqual([1, 2, 3]);
		expect(cutBatch(many(5), null, 2)).toHaveLength(2);
	});

	it('gives up only what was in it and is acknowledged', () => {
		const sent = many(6);
		const answer = readAnswer(sent, {
			acknowledged: [
				[1, 2],
				[5, 900]
			],
			setAside: [{ index: 3, seq: 4, code: 'bad_shape', title: '' }]
		});
		expect(answer).toEqual({
			acknowledged: [
				[1, 2],
				[5, 6]
			],
			aside: [{ seq: 4, code: 'bad_shape' }]
		});
	});
});
