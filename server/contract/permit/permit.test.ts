import { createPublicKey, verify } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeVectors } from '../../test/permits/make-vectors.ts';
import { signWith, testKey } from '../../test/permits/test-keys.ts';
import {
	decodeBase45,
	encodeBase45,
	fromHex,
	isRevoked,
	openPermit,
	PermitFault,
	permitIdOf,
	permitIdToBytes,
	sealPermit,
	toBits,
	toHex,
	verifyKeyList,
	verifyPermit,
	verifyRevocationList,
	type ListedKey,
	type PermitClaims,
	type VerifySignature
} from './index.ts';
import vectors from './vectors.json' with { type: 'json' };

const verifySignature: VerifySignature = (publicKey, signature, message) => {
	const x = Buffer.from(publicKey).toString('base64url');
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	return verify(null, message, key, signature);
};
const keys: ListedKey[] = vectors.keys.map((key) => ({ ...key, publicKey: fromHex(key.publicKey) }));
const root = { ...vectors.root, publicKey: fromHex(vectors.root.publicKey) };
const judge = (text: string) =>
	verifyPermit(text, (kid) => keys.find((key) => key.kid === kid), verifySignature);

const anyClaims: fc.Arbitrary<PermitClaims> = fc
	.record({
		id: fc.uint8Array({ minLength: 10, maxLength: 10 }).map(permitIdOf),
		season: fc.integer({ min: 1, max: 65_535 }),
		slot: fc.integer({ min: 1, max: 2_147_483_647 }),
		place: fc.integer({ min: 1, max: 65_535 }),
		gates: fc.integer({ min: 0, max: 4_294_967_295 }),
		category: fc.integer({ min: 0, max: 65_535 }),
		party: fc.integer({ min: 1, max: 20 }),
		status: fc.integer({ min: 0, max: 4_294_967_295 }),
		personTag: fc.uint8Array({ minLength: 6, maxLength: 6 }).map(toHex),
		fromSeconds: fc.integer({ min: 1_500_000_000, max: 4_000_000_000 }),
		length: fc.integer({ min: 1, max: 400 * 86_400 })
	})
	.map(({ length, ...claims }) => ({ ...claims, untilSeconds: claims.fromSeconds + length }));

describe('base45', () => {
	it('writes what the standard writes, and reads it back', () => {
		for (const [bytes, text] of [
			['AB', 'BB8'],
			['Hello!!', '%69 VD92EX0'],
			['base-45', 'UJCLQE7W581'],
			['ietf!', 'QED8WEX0']
		] as const) {
			expect(encodeBase45(Buffer.from(bytes))).toBe(text);
			expect(Buffer.from(decodeBase45(text)).toString()).toBe(bytes);
		}
	});

	it('reads every text as itself or not at all', () => {
		const letters = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:');
		fc.assert(
			fc.property(fc.string({ unit: letters, maxLength: 40 }), (text) => {
				let bytes: Uint8Array;
				try {
					bytes = decodeBase45(text);
				} catch (error) {
					expect(error).toBeInstanceOf(PermitFault);
					return;
				}
				expect(encodeBase45(bytes)).toBe(text);
			}),
			{ numRuns: 500 }
		);
	});

	it('never ends in a space, so that a trimming scanner does no harm', () => {
		fc.assert(fc.property(fc.uint8Array({ maxLength: 9 }), (bytes) => !encodeBase45(bytes).endsWith(' ')));
	});

	it.each(['GGW', ':::', '::', 'A', 'QED8WEX', 'qed8wex0', 'ÄÖÜ', 'AB\n'])('refuses %j', (text) => {
		expect(() => decodeBase45(text)).toThrow(PermitFault);
	});
});

describe('the vectors', () => {
	it('are what the codec makes today', () => {
		expect(JSON.parse(JSON.stringify(makeVectors()))).toEqual(vectors);
	});

	it.each(vectors.golden)('read: $name', async ({ text, claims, kid }) => {
		expect(await judge(text)).toMatchObject({ outcome: 'genuine', claims, key: { kid } });
	});

	it.each(vectors.hostile)('refuse: $name', async ({ text, outcome, layer }) => {
		const verdict = await judge(text);
		expect(verdict).toMatchObject({ outcome, ...(layer === undefined ? {} : { layer }) });
		expect('claims' in verdict).toBe(false);
	});

	it('know one way to write an answer of each kind', () => {
		const outcomes = new Set(vectors.hostile.map(({ outcome, layer }) => layer ?? outcome));
		expect([...outcomes].sort()).toEqual(
			[
				'bad-signature',
				'base45',
				'cbor',
				'claims',
				'compromised-key',
				'envelope',
				'prefix',
				'unknown-key'
			].sort()
		);
	});
});

describe('a permit', () => {
	const signer = testKey(2);

	it('comes back as it was, in a text that fits a QR code of version 8 at M', async () => {
		await fc.assert(
			fc.asyncProperty(anyClaims, async (claims) => {
				const text = sealPermit(claims, signer.kid, signWith(signer.privateKey));
				expect(text.length).toBeLessThanOrEqual(221);
				expect(text).toMatch(/^[0-9A-Z $%*+\-./:]+$/);
				expect(await judge(text)).toMatchObject({ outcome: 'genuine', claims });
			}),
			{ numRuns: 100 }
		);
	});

	it('is refused with any one bit of its bytes altered', async () => {
		const text = vectors.golden[0]!.text;
		const bytes = decodeBase45(text.slice(3));
		for (let bit = 0; bit < bytes.length * 8; bit++) {
			const altered = Uint8Array.from(bytes);
			altered[bit >> 3]! ^= 1 << (bit & 7);
			const verdict = await judge(`P1:${encodeBase45(altered)}`);
			// The id of the key is signed, too: another one is no key that anybody listed.
			expect(verdict.outcome, `bit ${bit}`).toMatch(/^bad-|^unknown-key$/);
		}
	}, 60_000);

	it('is refused, or the same permit, whatever letters are changed in its text', async () => {
		const { text, claims } = vectors.golden[0]!;
		await fc.assert(
			fc.asyncProperty(
				fc.nat({ max: text.length - 1 }),
				fc.nat({ max: 2 }),
				fc.string({ maxLength: 3 }),
				async (at, cut, put) => {
					const changed = text.slice(0, at) + put + text.slice(at + cut);
					const verdict = await judge(changed);
					if (verdict.outcome === 'genuine') {
						expect(changed).toBe(text);
						expect(verdict.claims.id).toBe(claims.id);
					}
				}
			),
			{ numRuns: 500 }
		);
	}, 60_000);

	it('has no second text with the same bytes: its identity is the id inside all the same', async () => {
		const [usual, again] = vectors.golden as [(typeof vectors.golden)[0], (typeof vectors.golden)[0]];
		expect(again.text).not.toBe(usual.text);
		expect(openPermit(again.text).claims.id).toBe(openPermit(usual.text).claims.id);
	});

	it('carries no claims out of range', () => {
		const claims = vectors.golden[0]!.claims;
		for (const wrong of [
			{ party: 0 },
			{ party: 1.5 },
			{ slot: -1 },
			{ gates: -0 },
			{ personTag: 'ABCDEF012345' },
			{ personTag: '00' },
			{ id: 'not an id' },
			{ fromSeconds: claims.fromSeconds * 1_000 },
			{ untilSeconds: claims.fromSeconds }
		])
			expect(() => sealPermit({ ...claims, ...wrong }, signer.kid, () => new Uint8Array(64))).toThrow(
				RangeError
			);
	});

	it('keeps the id that people read', () => {
		fc.assert(
			fc.property(fc.uint8Array({ minLength: 10, maxLength: 10 }), (bytes) => {
				expect([...permitIdToBytes(permitIdOf(bytes))]).toEqual([...bytes]);
			})
		);
	});
});

describe('a key list', () => {
	const list = fromHex(vectors.keyList);

	it('is read under its root', async () => {
		const verdict = await verifyKeyList(list, [root], verifySignature, 0);
		expect(verdict).toMatchObject({ outcome: 'good', list: { version: 3, keys } });
	});

	it('older than one that was seen is a roll-back; the same again is not', async () => {
		const older = fromHex(vectors.olderKeyList);
		expect(await verifyKeyList(older, [root], verifySignature, 3)).toEqual({ outcome: 'roll-back' });
		expect(await verifyKeyList(list, [root], verifySignature, 3)).toMatchObject({ outcome: 'good' });
	});

	it('is refused under another root, altered, cut, or as another thing', async () => {
		const outcome = async (bytes: Uint8Array, roots = [root]) =>
			(await verifyKeyList(bytes, roots, verifySignature, 0)).outcome;
		expect(await outcome(list, [])).toBe('unknown-key');
		expect(await outcome(list, [{ ...root, publicKey: testKey(9).publicKey }])).toBe('bad-signature');
		expect(await outcome(list.subarray(0, -1))).toBe('bad-format');
		expect(await outcome(fromHex(vectors.revocations.list))).toBe('bad-format');
		expect(await outcome(decodeBase45(vectors.golden[0]!.text.slice(3)))).toBe('bad-format');
		for (let at = 0; at < list.length; at++) {
			const altered = Uint8Array.from(list);
			altered[at]! ^= 1;
			expect(await outcome(altered), `byte ${at}`).not.toBe('good');
		}
	});
});

describe('a revocation list', () => {
	const { list, byLostKey, revoked } = vectors.revocations;

	it('names exactly the revoked, and what the numbers mean', async () => {
		const verdict = await verifyRevocationList(fromHex(list), keys, verifySignature, 7);
		if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
		const bits = inflateSync(verdict.list.deflated);
		expect(bits.length * 8).toBe(verdict.list.size);
		const found = Array.from({ length: 2_000 }, (_, at) => at).filter((at) => isRevoked(bits, at));
		expect(found).toEqual(revoked);
		expect(isRevoked(bits, 4_294_967_295)).toBe(false);
		expect(verdict.list.places).toEqual([{ number: 2, id: 'courtyard', gates: ['north', 'south'] }]);
	});

	it('is refused rolled back, and under a key that was lost', async () => {
		const outcome = async (hex: string, seen: number) =>
			(await verifyRevocationList(fromHex(hex), keys, verifySignature, seen)).outcome;
		expect(await outcome(list, 8)).toBe('roll-back');
		expect(await outcome(byLostKey, 0)).toBe('unknown-key');
		expect(await outcome(vectors.keyList, 0)).toBe('bad-format');
	});

	it('sets each bit where it is looked for', () => {
		fc.assert(
			fc.property(fc.uniqueArray(fc.nat({ max: 4_095 })), (set) => {
				const bits = toBits(4_096, set);
				expect(Array.from({ length: 4_096 }, (_, at) => at).filter((at) => isRevoked(bits, at))).toEqual(
					set.toSorted((a, b) => a - b)
				);
			})
		);
	});
});
