import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBits } from '../../../contract/permit/index.ts';
import { createStatusOf, statusBlock } from './status-index.ts';

const key = new Uint8Array(32).fill(7);

describe('the index of a permit', () => {
	it('is given once in its block, and every one is given', () => {
		const statusOf = createStatusOf(key);
		const seen = new Uint8Array(statusBlock);
		for (let serial = 1; serial <= statusBlock; serial++) seen[statusOf(serial)]! += 1;
		expect(seen.every((count) => count === 1)).toBe(true);
	});

	it('stays in the block of its serial, and is the same in every process', () => {
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 60_000_000 }), (serial) => {
				const index = createStatusOf(key)(serial);
				expect(Math.floor(index / statusBlock)).toBe(Math.floor((serial - 1) / statusBlock));
				expect(createStatusOf(Uint8Array.from(key))(serial)).toBe(index);
			}),
			{ numRuns: 50 }
		);
	});

	it('does not tell who booked before whom', () => {
		const statusOf = createStatusOf(key);
		const count = 20_000;
		let rising = 0;
		for (let serial = 1; serial < count; serial++) if (statusOf(serial + 1) > statusOf(serial)) rising += 1;
		expect(rising / count).toBeGreaterThan(0.48);
		expect(rising / count).toBeLessThan(0.52);
	});

	it('makes a list of some 28 kB of two million permits with one in a hundred revoked', () => {
		const statusOf = createStatusOf(key);
		const revoked = Array.from({ length: 20_000 }, (_, at) => statusOf(1 + at * 100));
		const bytes = deflateSync(toBits(2 * statusBlock, revoked), { level: 9 }).length;
		expect(bytes).toBeGreaterThan(20_000);
		expect(bytes).toBeLessThan(30_000);
	});
});
