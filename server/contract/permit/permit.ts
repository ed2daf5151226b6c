import { decodeBase45, encodeBase45 } from './base45.ts';
import { sameBytes } from './cbor.ts';
import { decodeClaims, encodeClaims, type PermitClaims } from './claims.ts';
import { PermitFault, type PermitLayer } from './fault.ts';
import type { ListedKey } from './key-list.ts';
import { openSign1, sealSign1, type Sign1, type SignMessage, type VerifySignature } from './sign1.ts';

/** Names format and version; upper case, so that the whole text is one alphanumeric segment of a QR code. */
export const permitPrefix = 'P1:';
/** More than any permit has: what is longer is not looked at. */
const lettersMax = 300;

/** A text taken apart, its signature not yet checked: nothing of it may be shown. */
export interface UnprovenPermit {
	kid: string;
	claims: PermitClaims;
	envelope: Sign1;
}

/** What a scanned text turned out to be. */
export type PermitVerdict =
	/** Signed by us, and whole; window, gate, revocation and use are still to be judged. */
	| { outcome: 'genuine'; claims: PermitClaims; key: ListedKey }
	/** Well formed, under a key that the list does not name: perhaps the list is old. Unproven: for counting alone. */
	| { outcome: 'unknown-key'; kid: string; unproven: PermitClaims }
	/** Signed under a key that has fallen into other hands. */
	| { outcome: 'compromised-key'; kid: string }
	| { outcome: 'bad-signature'; kid: string }
	| { outcome: 'bad-format'; layer: PermitLayer; detail: string };

/** The text of a permit, `P1:…`. The same claims under the same key give the same text. */
export function sealPermit(claims: PermitClaims, kid: string, sign: SignMessage): string {
	return permitPrefix + encodeBase45(sealSign1(encodeClaims(claims), kid, null, sign));
}

/** Takes a text apart, strictly at every layer. @throws PermitFault */
export function openPermit(text: string): UnprovenPermit {
	if (!text.startsWith(permitPrefix)) throw new PermitFault('prefix', 'no permit of ours');
	if (text.length > lettersMax) throw new PermitFault('base45', 'too long');
	const bytes = decodeBase45(text.slice(permitPrefix.length));
	const envelope = openSign1(bytes, null);
	const claims = decodeClaims(envelope.payload);
	const again = sealSign1(encodeClaims(claims), envelope.kid, null, () => envelope.signature);
	if (!sameBytes(again, bytes)) throw new PermitFault('envelope', 'written in another way');
	return { kid: envelope.kid, claims, envelope };
}

/**
 * Judges a scanned text: form, key, signature. Never throws for anything that the text has to do with.
 * @param findKey the keys of the newest list that was accepted, by id
 */
export async function verifyPermit(
	text: string,
	findKey: (kid: string) => ListedKey | undefined,
	verify: VerifySignature
): Promise<PermitVerdict> {
	let permit: UnprovenPermit;
	try {
		permit = openPermit(text);
	} catch (error) {
		if (!(error instanceof PermitFault)) throw error;
		return { outcome: 'bad-format', layer: error.layer, detail: error.message };
	}
	const { kid, claims, envelope } = permit;
	const key = findKey(kid);
	if (!key) return { outcome: 'unknown-key', kid, unproven: claims };
	if (!(await verify(key.publicKey, envelope.signature, envelope.message)))
		return { outcome: 'bad-signature', kid };
	if (key.compromised) return { outcome: 'compromised-key', kid };
	return { outcome: 'genuine', claims, key };
}
