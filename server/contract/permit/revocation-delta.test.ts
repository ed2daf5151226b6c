import { createHash, createPublicKey, verify } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { signWith, testKey } from '../../test/permits/test-keys.ts';
import {
	applyRevocationDelta,
	compareBits,
	fromHex,
	isRevoked,
	sealRevocationDelta,
	toBits,
	verifyRevocationDelta,
	verifyRevocationList,
	type KnownRevocations,
	type ListedKey,
	type VerifySignature
} from './index.ts';
import vectors from './vectors.json' with { type: 'json' };

const verifySignature: VerifySignature = (publicKey, signature, message) => {
	const x = Buffer.from(publicKey).toString('base64url');
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	return verify(null, message, key, signature);
};
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const keys: ListedKey[] = vectors.keys.map((key) => ({ ...key, publicKey: fromHex(key.publicKey) }));

async function knownList(): Promise<KnownRevocations> {
	const verdict = await verifyRevocationList(fromHex(vectors.revocations.list), keys, verifySignature, 0);
	if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
	return { ...verdict.list, bits: Uint8Array.from(inflateSync(verdict.list.deflated)) };
}

/** As a scanner takes it: signature first, then onto the list that it has. */
async function take(hex: string, known: KnownRevocations) {
	const verdict = await verifyRevocationDelta(fromHex(hex), keys, verifySignature);
	return verdict.outcome === 'good' ? applyRevocationDelta(known, verdict.delta, sha256) : verdict;
}

const { delta, revokedAfter, refused } = vectors.revocationDeltas;

describe('a revocation delta', () => {
	it('makes of the list before exactly the one after', async () => {
		const before = await knownList();
		const result = await take(delta, before);
		if (result.outcome !== 'good') throw new Error(result.outcome);
		const { known } = result;
		expect(known.version).toBe(9);
		expect(known.bits.length).toBe(262_144);
		expect(compareBits(known.bits, toBits(2_097_152, revokedAfter))).toEqual([]);
		expect(isRevoked(known.bits, 8)).toBe(false);
		expect(isRevoked(before.bits, 8), 'the list before stays as it was').toBe(true);
	});

	it.each(refused)('is refused $name', async ({ delta: wrong, outcome }) => {
		expect((await take(wrong, await knownList())).outcome).toBe(outcome);
	});

	it('is refused twice, altered anywhere, cut, and where a list is meant', async () => {
		const before = await knownList();
		const once = await take(delta, before);
		if (once.outcome !== 'good') throw new Error(once.outcome);
		expect((await take(delta, once.known)).outcome).toBe('roll-back');
		const bytes = fromHex(delta);
		for (let at = 0; at < bytes.length; at++) {
			const altered = Uint8Array.from(bytes);
			altered[at]! ^= 1;
			const verdict = await verifyRevocationDelta(altered, keys, verifySignature);
			expect(verdict.outcome, `byte ${at}`).not.toBe('good');
		}
		const cut = await verifyRevocationDelta(bytes.subarray(0, -1), keys, verifySignature);
		expect(cut.outcome).toBe('bad-format');
		expect((await take(vectors.revocations.list, before)).outcome).toBe('bad-format');
		expect((await verifyRevocationList(bytes, keys, verifySignature, 0)).outcome).toBe('bad-format');
	});

	it('leads from any list to any other, however many steps are joined', async () => {
		const size = 4_096;
		const set = fc.uniqueArray(fc.nat({ max: size - 1 }), { maxLength: 40 });
		const key = testKey(2);
		await fc.assert(
			fc.asyncProperty(set, set, set, async (first, second, third) => {
				const lists = [first, second, third].map((indices) => toBits(size, indices));
				const [from, , to] = lists as [...typeof lists, never];
				const bytes = sealRevocationDelta(
					{
						...{ version: 3, issuedSeconds: 1, nextUpdateSeconds: 2, season: 1, size, base: 1 },
						...{ turned: compareBits(from!, to!) ?? [], digest: Uint8Array.from(sha256(to!)) },
						...{ places: [], categories: [] }
					},
					...([key.kid, signWith(key.privateKey)] as const)
				);
				const verdict = await verifyRevocationDelta(bytes, keys, verifySignature);
				if (verdict.outcome !== 'good') throw new Error(verdict.outcome);
				const before = {
					...{ version: 1, issuedSeconds: 1, nextUpdateSeconds: 2, season: 1, bits: from! },
					...{ places: [], categories: [] }
				};
				const after = await applyRevocationDelta(before, verdict.delta, sha256);
				if (after.outcome !== 'good') throw new Error(after.outcome);
				expect([...after.known.bits]).toEqual([...to!]);
			}),
			{ numRuns: 60 }
		);
	});
});
