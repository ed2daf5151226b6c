// A verifier of permits, of the key list and of the revocation list, written from docs/permit-format.md alone: nothing
// here comes from the product, on purpose, and nothing may. Where this program and the product disagree, the page is
// wrong or one of the two is, and a gate built by somebody else would find out in front of a crowd.
import { createHash, createPublicKey, verify } from 'node:crypto';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

export class Refused extends Error {}
export function must(good: boolean, why: string): asserts good {
	if (!good) throw new Refused(why);
}

/** 1: from text to bytes. */
export function fromBase45(text: string): Buffer {
	const values = [...text].map((letter) => LETTERS.indexOf(letter));
	must(!values.includes(-1), 'a letter outside the alphabet');
	must(values.length % 3 !== 1, 'one letter left over');
	const bytes: number[] = [];
	for (let at = 0; at < values.length; at += 3) {
		const [c = 0, d = 0, e] = values.slice(at, at + 3);
		if (e === undefined) {
			must(c + 45 * d <= 255, 'two letters above 255');
			bytes.push(c + 45 * d);
		} else {
			const number = c + 45 * d + 2025 * e;
			must(number <= 65535, 'three letters above 65535');
			bytes.push(number >> 8, number & 255);
		}
	}
	return Buffer.from(bytes);
}

/** Only for tests: a permit whose bytes were altered has to become text again. */
export function toBase45(bytes: Uint8Array): string {
	let text = '';
	for (let at = 0; at + 1 < bytes.length; at += 2) {
		const number = (bytes[at] ?? 0) * 256 + (bytes[at + 1] ?? 0);
		text += `${LETTERS[number % 45]}${LETTERS[Math.floor(number / 45) % 45]}${LETTERS[Math.floor(number / 2025)]}`;
	}
	const last = bytes.at(-1);
	if (bytes.length % 2 === 1 && last !== undefined)
		text += `${LETTERS[last % 45]}${LETTERS[Math.floor(last / 45)]}`;
	return text;
}

/** From which value on a head needs one, two, four and eight bytes. */
const shortestFrom = [24n, 256n, 65_536n, 4_294_967_296n];

/** As much of CBOR as the page names: shortest heads, definite lengths; whoever reads asks for what has to come next. */
export class Reader {
	at = 0;
	readonly bytes: Buffer;
	constructor(bytes: Buffer) {
		this.bytes = bytes;
	}

	take(length: number): Buffer {
		must(this.at + length <= this.bytes.length, 'cut short');
		this.at += length;
		return this.bytes.subarray(this.at - length, this.at);
	}

	head(): [type: number, value: number] {
		const first = this.take(1).readUInt8();
		const info = first & 31;
		if (info < 24) return [first >> 5, info];
		must(info <= 27, 'a length left open, or a reserved head');
		const width = 2 ** (info - 24);
		const value = BigInt(`0x${this.take(width).toString('hex')}`);
		must(value >= (shortestFrom[info - 24] ?? 0n), 'not the shortest head');
		must(value <= BigInt(Number.MAX_SAFE_INTEGER), 'too large a number');
		return [first >> 5, Number(value)];
	}

	of(type: number): number {
		const [found, value] = this.head();
		must(found === type, `another type (${found}) than asked for (${type})`);
		return value;
	}

	unsigned(least: number, most: number): number {
		const value = this.of(0);
		must(value >= least && value <= most, 'a number out of its range');
		return value;
	}

	integer(): number {
		const [type, value] = this.head();
		must(type <= 1, 'not an integer');
		return type === 0 ? value : -1 - value;
	}

	label(label: number): void {
		must(this.integer() === label, `label ${label} is not where it should be`);
	}

	bytesOf(length?: number): Buffer {
		const found = this.of(2);
		must(length === undefined || found === length, 'a byte string of another length');
		return this.take(found);
	}

	text(): string {
		const bytes = this.take(this.of(3));
		const text = bytes.toString('utf8');
		must(Buffer.from(text, 'utf8').equals(bytes), 'text that is not UTF-8');
		return text;
	}

	map(labels: number): void {
		must(this.of(5) === labels, 'more or fewer labels');
	}

	array(length?: number): number {
		const found = this.of(4);
		must(length === undefined || found === length, 'an array of another length');
		return found;
	}

	end(): void {
		must(this.at === this.bytes.length, 'bytes behind the end');
	}
}

function byteString(bytes: Uint8Array): Buffer {
	const head =
		bytes.length < 24
			? [0x40 | bytes.length]
			: bytes.length < 256
				? [0x58, bytes.length]
				: bytes.length < 65536
					? [0x59, bytes.length >> 8, bytes.length & 255]
					: [
							0x5a,
							bytes.length >>> 24,
							(bytes.length >> 16) & 255,
							(bytes.length >> 8) & 255,
							bytes.length & 255
						];
	return Buffer.concat([Buffer.from(head), bytes]);
}

export interface Envelope {
	kid: string;
	payload: Buffer;
	signature: Buffer;
	signed: Buffer;
}

/** 2: the envelope; with a type for the two lists (5, 6). */
export function openEnvelope(bytes: Buffer, type?: string): Envelope {
	const reader = new Reader(bytes);
	must(reader.take(2).equals(Buffer.from([0xd2, 0x84])), 'not a COSE_Sign1 with its tag');
	const header = reader.bytesOf();
	must(reader.take(1).equals(Buffer.from([0xa0])), 'something in the unprotected header');
	const payload = reader.bytesOf();
	const signature = reader.bytesOf(64);
	reader.end();

	const inner = new Reader(header);
	inner.map(type === undefined ? 2 : 3);
	inner.label(1);
	must(inner.integer() === -19, 'another algorithm');
	inner.label(4);
	const kid = inner.bytesOf(4).toString('hex');
	if (type !== undefined) {
		inner.label(16);
		must(inner.text() === type, 'another type of list');
	}
	inner.end();

	const again = [
		Buffer.from([0xd2, 0x84]),
		byteString(header),
		Buffer.from([0xa0]),
		byteString(payload),
		byteString(signature)
	];
	must(Buffer.concat(again).equals(bytes), 'not the same bytes when written again');
	const signed = Buffer.concat([
		Buffer.from([0x84, 0x6a]),
		Buffer.from('Signature1', 'latin1'),
		byteString(header),
		Buffer.from([0x40]),
		byteString(payload)
	]);
	return { kid, payload, signature, signed };
}

const GROUP_ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

export function signedBy(publicKey: Buffer, { signature, signed }: Envelope): boolean {
	const s = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`);
	if (s >= GROUP_ORDER) return false;
	const key = createPublicKey({
		key: { kty: 'OKP', crv: 'Ed25519', x: publicKey.toString('base64url') },
		format: 'jwk'
	});
	return verify(null, signed, key, signature);
}

export const kidOf = (publicKey: Buffer): string =>
	createHash('sha256').update(publicKey).digest('hex').slice(0, 8);
