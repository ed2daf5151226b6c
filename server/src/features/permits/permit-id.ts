import { randomBytes } from 'node:crypto';

/** Crockford's base 32: no I, L, O, U, so that an id survives being read aloud or copied by hand. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const idBytes = 10;

/** A permit's id, `7Q4M-KX2D-9RHT-WC3E`: 80 random bits, unguessable, short enough to read out. */
export function newPermitId(bytes: Uint8Array = randomBytes(idBytes)): string {
	let value = 0n;
	for (const byte of bytes) value = (value << 8n) | BigInt(byte);
	let text = '';
	for (let place = 15; place >= 0; place--) text += alphabet[Number((value >> BigInt(place * 5)) & 31n)];
	return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** The id as it was issued, from what a person typed: case, spaces and look-alike letters do not matter. */
export function readPermitId(typed: string): string | null {
	if (typed.length > 40) return null;
	const plain = typed.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
	if (!/^[0-9A-HJKMNP-TV-Z]{16}$/.test(plain)) return null;
	return plain.replace(/(.{4})(?=.)/g, '$1-');
}
