import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createReadyCodec } from './ready.ts';

const secret = 'a master secret of the tests';
const ready = {
	holder: 'nwwiRbK0HKwFnvSBmCnzTmM3lxs8XbIYUqOPb8eVmHg',
	party: 4,
	language: 'ar',
	attributes: { country: 'PK', provider: null, category: 'family' },
	issuedAt: 1_770_000_000_000,
	expiresAt: 1_772_000_000_000
};
const codec = (change: { secret?: string; season?: string; now?: number } = {}) =>
	createReadyCodec({
		secret: change.secret ?? secret,
		season: change.season ?? 'demo',
		now: () => change.now ?? ready.issuedAt
	});

describe('a signed "ready"', () => {
	it('says again what was signed, without asking anybody', () => {
		const token = codec().sign(ready);
		expect(token.length).toBeLessThan(250);
		expect(codec().read(token)).toEqual(ready);
	});

	it('is worth nothing when it ran out, in another season, or under another secret', () => {
		const token = codec().sign(ready);
		expect(codec({ now: ready.expiresAt - 1 }).read(token)).toEqual(ready);
		expect(codec({ now: ready.expiresAt }).read(token)).toBeNull();
		expect(codec({ season: 'main' }).read(token)).toBeNull();
		expect(codec({ secret: 'another secret' }).read(token)).toBeNull();
	});

	it('is worth nothing when one character of it is another one', () => {
		const token = codec().sign(ready);
		fc.assert(
			fc.property(fc.nat(token.length - 1), fc.constantFrom(...'ABab09-_.'), (at, character) => {
				const changed = token.slice(0, at) + character + token.slice(at + 1);
				if (changed !== token) expect(codec().read(changed)).toBeNull();
			}),
			{ numRuns: 500 }
		);
		for (const odd of ['', 'R1', 'R1...', `${token}.x`, token.slice(0, -1), `R1.${'A'.repeat(400)}`])
			expect(codec().read(odd)).toBeNull();
	});
});
