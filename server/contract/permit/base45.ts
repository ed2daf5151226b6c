import { PermitFault } from './fault.ts';

/** RFC 9285: what the alphanumeric mode of a QR code can hold. */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';
const valueOf = new Map([...alphabet].map((letter, value) => [letter, value]));

export function encodeBase45(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at < bytes.length; at += 2) {
		const pair = at + 1 < bytes.length;
		const value = pair ? bytes[at]! * 256 + bytes[at + 1]! : bytes[at]!;
		text += alphabet[value % 45]! + alphabet[Math.floor(value / 45) % 45]!;
		if (pair) text += alphabet[Math.floor(value / 2_025)]!;
	}
	return text;
}

/**
 * Every text that this reads is what {@link encodeBase45} writes for its bytes: no other letters, no left-over letter,
 * no group above its range.
 * @throws PermitFault `base45`
 */
export function decodeBase45(text: string): Uint8Array<ArrayBuffer> {
	const rest = text.length % 3;
	if (rest === 1) throw new PermitFault('base45', 'a letter is left over');
	const bytes = new Uint8Array(Math.floor(text.length / 3) * 2 + (rest === 2 ? 1 : 0));
	let filled = 0;
	for (let at = 0; at < text.length; at += 3) {
		const pair = at + 2 < text.length;
		const value =
			letterValue(text, at) + letterValue(text, at + 1) * 45 + (pair ? letterValue(text, at + 2) * 2_025 : 0);
		if (value > (pair ? 65_535 : 255)) throw new PermitFault('base45', 'a group is above its range');
		if (pair) bytes[filled++] = value >> 8;
		bytes[filled++] = value & 255;
	}
	return bytes;
}

function letterValue(text: string, at: number): number {
	const value = valueOf.get(text[at]!);
	if (value === undefined) throw new PermitFault('base45', 'a letter outside the alphabet');
	return value;
}
