import { decodeCbor, encodeCbor, fromHex, isBytes, readMap, sameBytes, toHex } from './cbor.ts';
import { PermitFault } from './fault.ts';

/** COSE algorithm id of Ed25519 (RFC 9864). The older `EdDSA` (-8) names a family, not an algorithm: it is refused. */
export const ed25519 = -19;

/** Length of a key id: the first bytes of the SHA-256 of the public key. */
export const kidBytes = 4;
const signatureBytes = 64;
/** COSE_Sign1 (RFC 9052); the tag is always written. */
const tag = 0xd2;
const labels = { alg: 1, kid: 4, type: 16 } as const;
const noBytes = new Uint8Array(0);

/** Checks one Ed25519 signature; the caller brings the cryptography of the place where it runs. */
export type VerifySignature = (
	publicKey: Uint8Array<ArrayBuffer>,
	signature: Uint8Array<ArrayBuffer>,
	message: Uint8Array<ArrayBuffer>
) => boolean | Promise<boolean>;

/** Signs with a private key that only the caller knows. 64 bytes. */
export type SignMessage = (message: Uint8Array<ArrayBuffer>) => Uint8Array;

/** A signed envelope taken apart. Nothing in it is proven yet. */
export interface Sign1 {
	/** Lower-case hexadecimal, 8 letters. */
	kid: string;
	payload: Uint8Array<ArrayBuffer>;
	signature: Uint8Array<ArrayBuffer>;
	/** What the signature is over. */
	message: Uint8Array<ArrayBuffer>;
}

/**
 * Takes an envelope apart.
 * @param type what the header must say that it is; null: it must say nothing (a permit)
 * @throws PermitFault `cbor` or `envelope`
 */
export function openSign1(bytes: Uint8Array, type: string | null): Sign1 {
	if (bytes[0] !== tag) throw new PermitFault('envelope', 'not a tagged COSE_Sign1');
	const parts = decodeCbor(bytes.subarray(1));
	if (!Array.isArray(parts) || parts.length !== 4) throw new PermitFault('envelope', 'not four parts');
	const [head, open, payload, signature] = parts as unknown[];
	if (!(head instanceof Uint8Array) || !(payload instanceof Uint8Array))
		throw new PermitFault('envelope', 'header and payload must be byte strings');
	if (!(open instanceof Map) || open.size !== 0)
		throw new PermitFault('envelope', 'the unprotected header must be empty');
	if (!isBytes(signature, signatureBytes)) throw new PermitFault('envelope', 'a signature has 64 bytes');
	const kid = readKid(decodeCbor(head), type);
	if (!sameBytes(head, headOf(kid, type))) throw new PermitFault('envelope', 'another header');
	return {
		kid,
		payload: Uint8Array.from(payload),
		signature: Uint8Array.from(signature),
		message: messageOf(head, payload)
	};
}

/** Signs a payload and puts the envelope round it. */
export function sealSign1(
	payload: Uint8Array,
	kid: string,
	type: string | null,
	sign: SignMessage
): Uint8Array<ArrayBuffer> {
	const head = headOf(kid, type);
	const signature = Uint8Array.from(sign(messageOf(head, payload)));
	if (signature.length !== signatureBytes) throw new RangeError('an Ed25519 signature has 64 bytes');
	const parts = encodeCbor([head, new Map(), Uint8Array.from(payload), signature]);
	const bytes = new Uint8Array(parts.length + 1);
	bytes[0] = tag;
	bytes.set(parts, 1);
	return bytes;
}

function readKid(header: unknown, type: string | null): string {
	const known = readMap(header, Object.values(labels).slice(0, type === null ? 2 : 3));
	if (!known) throw new PermitFault('envelope', 'other labels in the header');
	if (known.get(labels.alg) !== ed25519) throw new PermitFault('envelope', 'another algorithm');
	const kid = known.get(labels.kid);
	if (!isBytes(kid, kidBytes)) throw new PermitFault('envelope', 'a key id has 4 bytes');
	if (type !== null && known.get(labels.type) !== type) throw new PermitFault('envelope', 'another type');
	return toHex(kid);
}

function headOf(kid: string, type: string | null): Uint8Array<ArrayBuffer> {
	const id = fromHex(kid);
	if (id.length !== kidBytes) throw new RangeError('a key id has 4 bytes');
	const header = new Map<number, unknown>([
		[labels.alg, ed25519],
		[labels.kid, id]
	]);
	if (type !== null) header.set(labels.type, type);
	return encodeCbor(header);
}

/** The Sig_structure of RFC 9052, 4.4. */
function messageOf(head: Uint8Array, payload: Uint8Array): Uint8Array<ArrayBuffer> {
	return encodeCbor(['Signature1', Uint8Array.from(head), noBytes, Uint8Array.from(payload)]);
}
