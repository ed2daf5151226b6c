import { sealPermit, verifyPermit, type PermitClaims } from '../../../contract/permit/index.ts';
import { verifySignature } from './key-crypto.ts';
import { toListed } from './key-plan.ts';
import type { KeyRing, SeasonMarks } from './key-ring.ts';
import type { StoredPermit } from './permits-store.ts';

/** The numbers that stand for a permit's names. */
export interface PermitNumbers {
	place: number;
	category: number;
}

/** What the text of a permit says; the same for the same permit, whenever it is asked for. */
export function claimsOf(
	permit: StoredPermit & { serial: number },
	marks: SeasonMarks,
	numbers: PermitNumbers
): PermitClaims {
	return {
		id: permit.id,
		season: marks.number,
		slot: permit.slot,
		place: numbers.place,
		// A slot is at a place, and every entrance of it is right.
		gates: 0,
		category: numbers.category,
		party: permit.party,
		status: marks.statusOf(permit.serial),
		personTag: marks.tagOf(permit.holder),
		fromSeconds: Math.floor(permit.startsAt / 1_000),
		untilSeconds: Math.ceil(permit.endsAt / 1_000)
	};
}

/**
 * The text of a stored permit under the key that it has; null while it cannot be signed. Ed25519 makes the same
 * signature each time, so that nothing has to be kept.
 * @param giveKey gives a permit its key that has none yet; the key that it has afterwards
 */
export async function textOf(
	permit: StoredPermit,
	ring: Pick<KeyRing, 'season' | 'signingKid' | 'signerOf' | 'numberOf'>,
	giveKey: (id: string, kid: string) => Promise<string>
): Promise<string | null> {
	const marks = ring.season();
	const current = ring.signingKid();
	const { serial } = permit;
	if (!marks || serial === null) return null;
	const kid = permit.keyId ?? (current && (await giveKey(permit.id, current)));
	const sign = kid === null ? null : ring.signerOf(kid);
	if (kid === null || !sign) return null;
	const { category } = permit.attributes;
	const numbers = {
		place: await ring.numberOf('place', permit.place),
		category: category === null ? 0 : await ring.numberOf('category', category)
	};
	return sealPermit(claimsOf({ ...permit, serial }, marks, numbers), kid, sign);
}

/**
 * Whether a text is this permit of this season by the newest keys. The server made every key of the season: one that
 * it does not know is not ours. Null until the keys were read, or where the season cannot be opened.
 */
export async function isGenuine(
	text: string,
	id: string | undefined,
	ring: Pick<KeyRing, 'season' | 'keys' | 'readAt'>
): Promise<boolean | null> {
	const marks = ring.season();
	if (!marks || ring.readAt() === 0) return null;
	const listed = (kid: string) => {
		const key = ring.keys().keys.find((one) => one.kid === kid);
		return key && toListed(key);
	};
	const verdict = await verifyPermit(text, listed, verifySignature);
	if (verdict.outcome !== 'genuine') return false;
	return verdict.claims.season === marks.number && (id === undefined || verdict.claims.id === id);
}
