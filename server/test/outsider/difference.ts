import { createHash } from 'node:crypto';
import { must, openEnvelope, Reader, signedBy } from './envelope.ts';
import { readNames, type KeyList, type Revocations } from './lists.ts';

const UINT32_MOST = 2 ** 32 - 1;
const BITS_MOST = 2 ** 26;

/** 7: what has changed since. The list that comes of it, or a refusal: then the whole list is to be fetched. */
export function applyDifference(bytes: Buffer, { keys }: KeyList, known: Revocations): Revocations {
	const envelope = openEnvelope(bytes, 'marsad-revocations-delta');
	const key = keys.get(envelope.kid);
	must(key !== undefined, 'a difference under a key that nobody listed');
	must(!key.compromised, 'a difference under a compromised key');
	must(signedBy(key.publicKey, envelope), 'a difference with a wrong signature');
	const reader = new Reader(envelope.payload);
	reader.map(10);
	reader.label(1);
	const version = reader.unsigned(1, UINT32_MOST);
	reader.label(2);
	const issued = reader.unsigned(0, UINT32_MOST);
	reader.label(3);
	reader.unsigned(issued, UINT32_MOST);
	reader.label(4);
	const season = reader.unsigned(1, 65535);
	reader.label(5);
	const count = reader.unsigned(0, BITS_MOST);
	must(count % 8 === 0, 'bits that are no whole bytes');
	const names = readNames(reader);
	reader.label(9);
	const base = reader.unsigned(1, version - 1);
	reader.label(10);
	const turned = readTurned(reader);
	reader.label(11);
	const hash = reader.bytesOf(32);
	reader.end();

	must(season === known.season, 'another season');
	must(version > known.version, 'a roll-back');
	must(base === known.version, 'a gap');
	const bits = turn(known.bits, count / 8, turned);
	must(createHash('sha256').update(bits).digest().equals(hash), 'other bits than were signed');
	return { version, season, bits, ...names };
}

function readTurned(reader: Reader): number[] {
	const many = reader.array();
	must(many <= 65_536, 'too many changes');
	const turned: number[] = [];
	let last = 0;
	for (let n = 0; n < many; n += 1) {
		last += reader.unsigned(n === 0 ? 0 : 1, BITS_MOST);
		must(last < BITS_MOST, 'an index beyond any list');
		turned.push(last);
	}
	return turned;
}

/** Longer with zeros, or cut where only zeros are cut; the list that is known stays as it is. */
function turn(before: Buffer, length: number, turned: readonly number[]): Buffer {
	const bits = Buffer.alloc(Math.max(before.length, length));
	before.copy(bits);
	for (const index of turned) {
		const at = Math.floor(index / 8);
		must(at < bits.length, 'an index beyond the list');
		bits.writeUInt8(bits.readUInt8(at) ^ (1 << (index % 8)), at);
	}
	must(
		bits.subarray(length).every((byte) => byte === 0),
		'more than zeros cut'
	);
	return bits.subarray(0, length);
}
