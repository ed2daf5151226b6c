// A second reader of permits, written from docs/permit-format.md alone: none of our code, no CBOR library. Reads
// { keys, texts } as JSON from standard input and prints one verdict a text.
import { createPublicKey, verify } from 'node:crypto';
import { text as readText } from 'node:stream/consumers';

const LETTERS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:';

/** Walks over the bytes; every read says what it insists on, and anything else is the end. */
class Walk {
	/** @param {Buffer} bytes */
	constructor(bytes) {
		this.bytes = bytes;
		this.at = 0;
	}
	/** @param {number} count */
	take(count) {
		if (this.at + count > this.bytes.length) throw new Error('too short');
		this.at += count;
		return this.bytes.subarray(this.at - count, this.at);
	}
	/** The head of an item: major type and argument, in the shortest form. @param {number} major */
	head(major) {
		const [first] = this.take(1);
		if (first >> 5 !== major) throw new Error(`type ${first >> 5} where ${major} belongs`);
		const info = first & 31;
		if (info < 24) return info;
		if (info > 27) throw new Error('no such length');
		const size = 1 << (info - 24);
		let value = 0n;
		for (const byte of this.take(size)) value = value * 256n + BigInt(byte);
		const least = size === 1 ? 24n : 1n << BigInt(4 * size);
		if (value < least) throw new Error('not the shortest form');
		return Number(value);
	}
	/** @param {number} major @param {number} value */
	exactly(major, value) {
		if (this.head(major) !== value) throw new Error(`not ${value}`);
	}
	/** @param {number} min @param {number} max */
	whole(min, max) {
		const value = this.head(0);
		if (value < min || value > max) throw new Error('out of range');
		return value;
	}
	/** @param {number} [size] */
	string(size) {
		const length = this.head(2);
		if (size !== undefined && length !== size) throw new Error(`not ${size} bytes`);
		return this.take(length);
	}
	end() {
		if (this.at !== this.bytes.length) throw new Error('something behind the end');
	}
}

/** @param {string} body */
function fromBase45(body) {
	if (body.length % 3 === 1) throw new Error('a letter is left over');
	const out = [];
	for (let i = 0; i < body.length; i += 3) {
		const group = [...body.slice(i, i + 3)].map((letter) => LETTERS.indexOf(letter));
		if (group.includes(-1)) throw new Error('not a letter of base45');
		const value = group.reduceRight((sum, digit) => sum * 45 + digit, 0);
		if (value > (group.length === 3 ? 0xffff : 0xff)) throw new Error('group too large');
		out.push(...(group.length === 3 ? [value >> 8, value & 255] : [value]));
	}
	return Buffer.from(out);
}

/** @param {Buffer} content */
function asByteString(content) {
	const { length } = content;
	return Buffer.concat([Buffer.from(length < 24 ? [64 + length] : [0x58, length]), content]);
}

/** @param {string} text */
function takeApart(text) {
	if (!text.startsWith('P1:') || text.length > 300) throw new Error('no permit');
	const outer = new Walk(fromBase45(text.slice(3)));
	outer.exactly(6, 18);
	outer.exactly(4, 4);
	const header = outer.string();
	outer.exactly(5, 0);
	const payload = outer.string();
	const signature = outer.string(64);
	outer.end();

	const inHeader = new Walk(header);
	inHeader.exactly(5, 2);
	inHeader.exactly(0, 1);
	inHeader.exactly(1, 18);
	inHeader.exactly(0, 4);
	const kid = inHeader.string(4).toString('hex');
	inHeader.end();
	const message = Buffer.concat([
		Buffer.from([0x84, 0x6a]),
		Buffer.from('Signature1'),
		asByteString(header),
		Buffer.from([0x40]),
		asByteString(payload)
	]);
	return { kid, signature, message, claims: readClaims(new Walk(payload)) };
}

/** @param {Walk} walk */
function readClaims(walk) {
	const u32 = 2 ** 32 - 1;
	walk.exactly(5, 4);
	walk.exactly(0, 4);
	const untilSeconds = walk.whole(1_500_000_000, u32);
	walk.exactly(0, 5);
	const fromSeconds = walk.whole(1_500_000_000, u32);
	if (untilSeconds <= fromSeconds || untilSeconds - fromSeconds > 34_560_000) throw new Error('window');
	walk.exactly(0, 7);
	const id = walk.string(10).toString('hex');
	walk.exactly(1, 70_000);
	walk.exactly(4, 9);
	walk.exactly(0, 1);
	const claims = {
		id,
		season: walk.whole(1, 65_535),
		slot: walk.whole(1, 2 ** 31 - 1),
		place: walk.whole(1, 65_535),
		gates: walk.whole(0, u32),
		category: walk.whole(0, 65_535),
		party: walk.whole(1, 20),
		status: walk.whole(0, u32),
		personTag: walk.string(6).toString('hex'),
		fromSeconds,
		untilSeconds
	};
	walk.end();
	return claims;
}

/** @param {string} text @param {Map<string, { publicKey: string, compromised: boolean }>} keys */
function judge(text, keys) {
	let permit;
	try {
		permit = takeApart(text);
	} catch (error) {
		return { outcome: 'bad-format', detail: error instanceof Error ? error.message : '' };
	}
	const key = keys.get(permit.kid);
	if (!key) return { outcome: 'unknown-key' };
	const x = Buffer.from(key.publicKey, 'hex').toString('base64url');
	const publicKey = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	if (!verify(null, permit.message, publicKey, permit.signature)) return { outcome: 'bad-signature' };
	if (key.compromised) return { outcome: 'compromised-key' };
	return { outcome: 'genuine', claims: permit.claims };
}

const asked = JSON.parse(await readText(process.stdin));
const keys = new Map(asked.keys.map((/** @type {{ kid: string }} */ key) => [key.kid, key]));
process.stdout.write(JSON.stringify(asked.texts.map((/** @type {string} */ text) => judge(text, keys))));
