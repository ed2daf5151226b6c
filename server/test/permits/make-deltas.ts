import { createHash } from 'node:crypto';
import { sealRevocationDelta, toBits, toHex } from '../../contract/permit/index.ts';
import { signWith, type TestKey } from './test-keys.ts';

/** Indices revoked in list 7, and in list 9, which is longer. */
export const revokedBefore = [0, 7, 8, 1_000];
const revokedAfter = [0, 7, 1_000, 524_287, 1_048_579];
export const sizeBefore = 1_048_576;
const sizeAfter = 2_097_152;
export const listNames = {
	places: [{ number: 2, id: 'courtyard', gates: ['north', 'south'] }],
	categories: [{ number: 1, id: 'pilgrim' }]
};

/** What leads from list 7 to list 9, and deltas that a reader must not take. */
export function makeDeltas(
	times: { issuedSeconds: number; nextUpdateSeconds: number },
	first: TestKey,
	lost: TestKey
) {
	const digest = createHash('sha256').update(toBits(sizeAfter, revokedAfter)).digest();
	const seal = (change: object = {}, key: TestKey = first) =>
		toHex(
			sealRevocationDelta(
				{
					...{ version: 9, ...times, season: 1 },
					...{ size: sizeAfter, base: 7, turned: [8, 524_287, 1_048_579] },
					...{ digest: Uint8Array.from(digest), ...listNames, ...change }
				},
				...([key.kid, signWith(key.privateKey)] as const)
			)
		);
	return {
		delta: seal(),
		revokedAfter,
		refused: [
			{ name: 'signed under a lost key', delta: seal({}, lost), outcome: 'unknown-key' },
			{ name: 'of an older list', delta: seal({ version: 7, base: 6 }), outcome: 'roll-back' },
			{ name: 'over a list that is not known', delta: seal({ base: 8 }), outcome: 'gap' },
			{ name: 'of another season', delta: seal({ season: 2 }), outcome: 'other-season' },
			{ name: 'one bit less', delta: seal({ turned: [8, 524_287] }), outcome: 'mismatch' },
			{ name: 'of a list that is too short', delta: seal({ size: sizeBefore }), outcome: 'mismatch' }
		]
	};
}
