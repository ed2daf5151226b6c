import { decodeBase45, encodeBase45 } from './permit/base45.ts';
import { fromHex, toHex } from './permit/cbor.ts';
import { PermitFault } from './permit/fault.ts';

/** Stands before the token on the pairing code of a scanner. */
export const pairingPrefix = 'MARSAD-SCANNER:';

const idBytes = 6;
const secretBytes = 32;
const tokenShape = /^s-([0-9a-f]{12})\.([\w-]{43})$/;

/**
 * What the pairing QR code of a new scanner says: the prefix, then base45 of the 6 bytes of its id and the 32 bytes of its
 * secret. All of it is one alphanumeric segment (72 letters, version 4 at M), and a keyboard-wedge reader that knows no
 * lower case carries it unharmed.
 * @param token as POST /api/v1/scanners answers it, `s-….…`
 * @throws RangeError for what is no token of a scanner
 */
export function encodePairing(token: string): string {
	const [, id = '', secret = ''] = tokenShape.exec(token) ?? [];
	const bytes = new Uint8Array(idBytes + secretBytes);
	if (id === '') throw new RangeError('not a token of a scanner');
	bytes.set(fromHex(id));
	bytes.set(fromBase64Url(secret), idBytes);
	return pairingPrefix + encodeBase45(bytes);
}

/**
 * The token in a text that was scanned, typed or pasted: a pairing code, or the token itself. Null for anything else.
 * Blanks around a token go; inside a pairing code a blank is a letter.
 */
export function readPairing(text: string): string | null {
	const typed = text.trim();
	if (tokenShape.test(typed)) return typed;
	if (!typed.startsWith(pairingPrefix)) return null;
	try {
		const bytes = decodeBase45(typed.slice(pairingPrefix.length));
		if (bytes.length !== idBytes + secretBytes) return null;
		return `s-${toHex(bytes.subarray(0, idBytes))}.${toBase64Url(bytes.subarray(idBytes))}`;
	} catch (error) {
		if (error instanceof PermitFault) return null;
		throw error;
	}
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

function fromBase64Url(text: string): Uint8Array {
	const bytes = new Uint8Array(Math.floor((text.length * 6) / 8));
	let [bits, held, filled] = [0, 0, 0];
	for (const letter of text) {
		bits = ((bits << 6) | digits.indexOf(letter)) & 0xffff;
		held += 6;
		if (held < 8) continue;
		held -= 8;
		bytes[filled++] = (bits >> held) & 255;
	}
	return bytes;
}

function toBase64Url(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 3) {
		const three = (bytes[at]! << 16) | ((bytes[at + 1] ?? 0) << 8) | (bytes[at + 2] ?? 0);
		const letters = Math.min(4, bytes.length - at + 1);
		for (let place = 0; place < letters; place++) text += digits[(three >> (18 - 6 * place)) & 63]!;
	}
	return text;
}
