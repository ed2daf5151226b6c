import { fromBase45, must, openEnvelope, Reader, Refused, signedBy, type Envelope } from './envelope.ts';
import { isRevoked, type KeyList, type Revocations } from './lists.ts';

const PEOPLE_LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

export interface Permit {
	beginSeconds: number;
	endSeconds: number;
	id: string;
	season: number;
	slot: number;
	place: number;
	gates: number;
	category: number;
	people: number;
	index: number;
	personTag: string;
}

const SECONDS_LEAST = 1_500_000_000;
const SECONDS_MOST = 2 ** 32 - 1;
const WINDOW_MOST = 400 * 86_400;

/** 3: the payload. */
function readPayload(bytes: Buffer): Permit {
	const reader = new Reader(bytes);
	reader.map(4);
	reader.label(4);
	const endSeconds = reader.unsigned(SECONDS_LEAST, SECONDS_MOST);
	reader.label(5);
	const beginSeconds = reader.unsigned(SECONDS_LEAST, SECONDS_MOST);
	must(beginSeconds < endSeconds && endSeconds - beginSeconds <= WINDOW_MOST, 'a window that is none');
	reader.label(7);
	const number = BigInt(`0x${reader.bytesOf(10).toString('hex')}`);
	const letters = Array.from(
		{ length: 16 },
		(_, at) => PEOPLE_LETTERS[Number((number >> BigInt(5 * (15 - at))) & 31n)]
	).join('');
	const id = letters.replace(/(.{4})(?=.)/g, '$1-');
	reader.label(-70001);
	reader.array(9);
	reader.unsigned(1, 1);
	const permit: Permit = {
		beginSeconds,
		endSeconds,
		id,
		season: reader.unsigned(1, 65535),
		slot: reader.unsigned(1, 2 ** 31 - 1),
		place: reader.unsigned(1, 65535),
		gates: reader.unsigned(0, 2 ** 32 - 1),
		category: reader.unsigned(0, 65535),
		people: reader.unsigned(1, 20),
		index: reader.unsigned(0, 2 ** 32 - 1),
		personTag: reader.bytesOf(6).toString('hex')
	};
	reader.end();
	return permit;
}

export type Verdict =
	| 'bad-format'
	| 'unknown-key'
	| 'bad-signature'
	| 'compromised-key'
	| 'another-gate'
	| 'too-early'
	| 'too-late'
	| 'revoked'
	| 'already-used'
	| 'good';

/** What the gate knows beside the key list; whatever it leaves out is not asked about. */
export interface Gate {
	nowSeconds?: number;
	season?: number;
	place?: number;
	/** Which entrance of the place this is, counted from 0. */
	entrance?: number;
	graceBefore?: number;
	graceAfter?: number;
	revocations?: Revocations;
	seen?: ReadonlySet<string>;
}

const CLOCKS = 120;

/** 4: judging it, in the order of the page. */
export function judge(text: string, list: KeyList, gate: Gate = {}): { verdict: Verdict; permit?: Permit } {
	let envelope: Envelope;
	let permit: Permit;
	try {
		must(text.length <= 300, 'too long');
		must(text.startsWith('P1:'), 'another prefix');
		envelope = openEnvelope(fromBase45(text.slice(3)));
		permit = readPayload(envelope.payload);
	} catch (error) {
		if (error instanceof Refused) return { verdict: 'bad-format' };
		throw error;
	}
	const key = list.keys.get(envelope.kid);
	if (key === undefined) return { verdict: 'unknown-key' };
	if (!signedBy(key.publicKey, envelope)) return { verdict: 'bad-signature' };
	if (key.compromised) return { verdict: 'compromised-key', permit };
	return { verdict: judgeGenuine(permit, key.notAfter, gate), permit };
}

function judgeGenuine(permit: Permit, notAfter: number, gate: Gate): Verdict {
	const {
		nowSeconds: now,
		season,
		place,
		entrance = 0,
		graceBefore = 0,
		graceAfter = 0,
		revocations,
		seen
	} = gate;
	if (now !== undefined && now > notAfter + CLOCKS) return 'unknown-key';
	if (season !== undefined && permit.season !== season) return 'another-gate';
	if (place !== undefined && permit.place !== place) return 'another-gate';
	const open = permit.gates === 0 || Math.floor(permit.gates / 2 ** entrance) % 2 === 1;
	if (place !== undefined && !open) return 'another-gate';
	if (now !== undefined && now < permit.beginSeconds - CLOCKS - graceBefore) return 'too-early';
	if (now !== undefined && now > permit.endSeconds + CLOCKS + graceAfter) return 'too-late';
	if (revocations && isRevoked(revocations, permit.index)) return 'revoked';
	return seen?.has(permit.id) ? 'already-used' : 'good';
}
