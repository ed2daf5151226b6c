import { inflateSync } from 'node:zlib';
import { kidOf, must, openEnvelope, Reader, Refused, signedBy } from './envelope.ts';

const UINT32_MOST = 2 ** 32 - 1;

export interface KeyList {
	version: number;
	issuedSeconds: number;
	nextSeconds: number;
	keys: Map<string, { publicKey: Buffer; notBefore: number; notAfter: number; compromised: boolean }>;
}

/** 5: the key list. */
export function readKeyList(bytes: Buffer, roots: readonly Buffer[], accepted = 0): KeyList {
	const envelope = openEnvelope(bytes, 'marsad-keys');
	const root = roots.find((each) => kidOf(each) === envelope.kid);
	must(root !== undefined, 'a list under no pinned root');
	must(signedBy(root, envelope), 'a list with a wrong signature');
	const reader = new Reader(envelope.payload);
	reader.map(4);
	reader.label(1);
	const version = reader.unsigned(1, UINT32_MOST);
	must(version >= accepted, 'an older list than the one accepted before');
	reader.label(2);
	const issuedSeconds = reader.unsigned(0, UINT32_MOST);
	reader.label(3);
	const nextSeconds = reader.unsigned(0, UINT32_MOST);
	reader.label(4);
	const many = reader.array();
	must(many <= 64, 'more than 64 keys');
	const keys: KeyList['keys'] = new Map();
	for (let n = 0; n < many; n += 1) {
		reader.array(6);
		const kid = reader.bytesOf(4).toString('hex');
		const publicKey = reader.bytesOf(32);
		must(reader.integer() === -19, 'another algorithm');
		const notBefore = reader.unsigned(0, UINT32_MOST);
		const notAfter = reader.unsigned(0, UINT32_MOST);
		const compromised = reader.unsigned(0, 1) === 1;
		must(!keys.has(kid), 'a key id twice');
		must(kid === kidOf(publicKey), 'a key id that is not of its key');
		keys.set(kid, { publicKey, notBefore, notAfter, compromised });
	}
	reader.end();
	return { version, issuedSeconds, nextSeconds, keys };
}

export interface Revocations {
	version: number;
	season: number;
	bits: Buffer;
	places: Map<number, { id: string; gates: string[] }>;
	categories: Map<number, string>;
}

/** 6: the revocation list. */
export function readRevocations(bytes: Buffer, { keys }: KeyList, accepted = 0): Revocations {
	const envelope = openEnvelope(bytes, 'marsad-revocations');
	const key = keys.get(envelope.kid);
	must(key !== undefined, 'a list under a key that nobody listed');
	must(!key.compromised, 'a list under a compromised key');
	must(signedBy(key.publicKey, envelope), 'a list with a wrong signature');
	const reader = new Reader(envelope.payload);
	reader.map(8);
	reader.label(1);
	const version = reader.unsigned(1, UINT32_MOST);
	must(version >= accepted, 'an older list than the one accepted before');
	reader.label(2);
	reader.unsigned(0, UINT32_MOST);
	reader.label(3);
	reader.unsigned(0, UINT32_MOST);
	reader.label(4);
	const season = reader.unsigned(1, 65535);
	reader.label(5);
	const count = reader.unsigned(0, 2 ** 26);
	must(count % 8 === 0, 'bits that are no whole bytes');
	reader.label(6);
	const bits = expand(reader.bytesOf(), count / 8);
	const names = readNames(reader);
	reader.end();
	return { version, season, bits, ...names };
}

/** Labels 7 and 8 of the list and of what has changed: what the numbers in a permit mean. */
export function readNames(reader: Reader): Pick<Revocations, 'places' | 'categories'> {
	reader.label(7);
	const places: Revocations['places'] = new Map();
	for (let many = reader.array(); many > 0; many -= 1) {
		reader.array(3);
		const number = reader.unsigned(1, 65535);
		const id = reader.text();
		const gates: string[] = [];
		for (let left = reader.array(); left > 0; left -= 1) gates.push(reader.text());
		must(!places.has(number), 'a place twice');
		places.set(number, { id, gates });
	}
	reader.label(8);
	const categories: Revocations['categories'] = new Map();
	for (let many = reader.array(); many > 0; many -= 1) {
		reader.array(2);
		const number = reader.unsigned(1, 65535);
		must(!categories.has(number), 'a category twice');
		categories.set(number, reader.text());
	}
	return { places, categories };
}

/** Never more room than the list says it needs: a small list must not become a large one in memory. */
function expand(packed: Buffer, length: number): Buffer {
	let expanded: Buffer;
	try {
		expanded = inflateSync(packed, { maxOutputLength: Math.max(1, length) });
	} catch {
		throw new Refused('bits that do not expand');
	}
	must(expanded.length === length, 'more or fewer bits than said');
	return expanded;
}

export const isRevoked = ({ bits }: Revocations, index: number): boolean =>
	((bits[Math.floor(index / 8)] ?? 0) & (1 << (index % 8))) !== 0;
