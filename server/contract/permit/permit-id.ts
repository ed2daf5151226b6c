/** Crockford's base 32: no I, L, O, U, so that an id survives being read aloud or copied by hand. */
const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** 80 bits: unguessable, and short enough to read out. */
export const permitIdBytes = 10;

/** The written form of an id, `7Q4M-KX2D-9RHT-WC3E`. */
export function permitIdOf(bytes: Uint8Array): string {
	let value = 0n;
	for (const byte of bytes) value = (value << 8n) | BigInt(byte);
	let text = '';
	for (let place = 15; place >= 0; place--) text += alphabet[Number((value >> BigInt(place * 5)) & 31n)];
	return text.replace(/(.{4})(?=.)/g, '$1-');
}

/** @throws RangeError for a text that is no id as it was issued */
export function permitIdToBytes(id: string): Uint8Array<ArrayBuffer> {
	if (!/^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}$/.test(id)) throw new RangeError('not a permit id');
	let value = 0n;
	for (const letter of id.replaceAll('-', '')) value = (value << 5n) | BigInt(alphabet.indexOf(letter));
	return Uint8Array.from({ length: permitIdBytes }, (_, at) =>
		Number((value >> BigInt(8 * (permitIdBytes - 1 - at))) & 255n)
	);
}
