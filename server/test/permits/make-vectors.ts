import { sign } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import {
	encodeBase45,
	encodeClaims,
	encodeKeyList,
	sealKeyList,
	sealPermit,
	sealRevocationList,
	toBits,
	toHex,
	type ListedKey,
	type PermitClaims
} from '../../contract/permit/index.ts';
import { listNames, makeDeltas, revokedBefore, sizeBefore } from './make-deltas.ts';
import { signWith, testKey } from './test-keys.ts';

const [root, first, second, lost, foreign] = [1, 2, 3, 4, 5].map(testKey) as [
	...[ReturnType<typeof testKey>, ReturnType<typeof testKey>, ReturnType<typeof testKey>],
	...[ReturnType<typeof testKey>, ReturnType<typeof testKey>]
];
const [fromSeconds, untilSeconds] = [1_799_000_000, 2_000_000_000];
const listed = (key: ReturnType<typeof testKey>, compromised = false): ListedKey => ({
	...{ kid: key.kid, publicKey: key.publicKey, compromised },
	...{ notBeforeSeconds: fromSeconds, notAfterSeconds: untilSeconds }
});

const usual: PermitClaims = {
	id: '7Q4M-KX2D-9RHT-WC3E',
	...{ season: 1, slot: 12, place: 2, gates: 0, category: 1, party: 4, status: 524_287 },
	...{ personTag: '0123456789ab', fromSeconds: 1_804_179_600, untilSeconds: 1_804_183_200 }
};
const goldenClaims: [string, PermitClaims, ReturnType<typeof testKey>][] = [
	['usual', usual, first],
	['under the second key', usual, second],
	[
		'least of everything',
		{
			id: '0000-0000-0000-0000',
			...{ season: 1, slot: 1, place: 1, gates: 0, category: 0, party: 1, status: 0 },
			...{ personTag: '000000000000', fromSeconds: 1_500_000_000, untilSeconds: 1_500_000_001 }
		},
		first
	],
	[
		'most of everything',
		{
			id: 'ZZZZ-ZZZZ-ZZZZ-ZZZZ',
			...{ season: 65_535, slot: 2_147_483_647, place: 65_535, gates: 4_294_967_295 },
			...{ category: 65_535, party: 20, status: 4_294_967_295, personTag: 'ffffffffffff' },
			...{ fromSeconds: 4_294_967_295 - 400 * 86_400, untilSeconds: 4_294_967_295 }
		},
		first
	]
];

/** An envelope from parts that the codec itself would never write. */
function envelope(parts: {
	head?: string;
	open?: string;
	payload?: Uint8Array;
	signature?: Uint8Array;
	front?: string;
	after?: string;
}): string {
	const head = parts.head ?? `a201320444${first.kid}`;
	const payload = parts.payload ?? encodeClaims(usual);
	const bytes = (hex: string) => Buffer.from(hex, 'hex');
	const signed = Buffer.concat([
		bytes('846a5369676e617475726531'),
		bytesOf(bytes(head)),
		bytes('40'),
		bytesOf(payload)
	]);
	const signature = parts.signature ?? sign(null, signed, first.privateKey);
	return encodeP1(
		Buffer.concat([
			bytes(parts.front ?? 'd284'),
			bytesOf(bytes(head)),
			bytes(parts.open ?? 'a0'),
			bytesOf(payload),
			bytesOf(signature),
			bytes(parts.after ?? '')
		])
	);
}

function bytesOf(content: Uint8Array): Buffer {
	const head = content.length < 24 ? [0x40 + content.length] : [0x58, content.length];
	return Buffer.concat([Buffer.from(head), content]);
}

const encodeP1 = (bytes: Uint8Array) => `P1:${encodeBase45(bytes)}`;

/** The usual payload with one piece of its bytes (hexadecimal) put in another way, properly signed. */
function payloadWith(piece: string, other: string): Uint8Array {
	const hex = toHex(encodeClaims(usual));
	if (hex.split(piece).length !== 2) throw new Error(`${piece} is not once in ${hex}`);
	return Buffer.from(hex.replace(piece, other), 'hex');
}

const hex32 = (value: number) => value.toString(16).padStart(8, '0');
const [from, until] = [hex32(usual.fromSeconds), hex32(usual.untilSeconds)];

type Hostile = [name: string, text: string, outcome: string, layer?: string];

function outerFaults(text: string): Hostile[] {
	const body = text.slice(3);
	return [
		['nothing', '', 'bad-format', 'prefix'],
		['no prefix', body, 'bad-format', 'prefix'],
		['another prefix', `HC1:${body}`, 'bad-format', 'prefix'],
		['a lower-case prefix', `p1:${body}`, 'bad-format', 'prefix'],
		['a space in front', ` ${text}`, 'bad-format', 'prefix'],
		['a space behind', `${text} `, 'bad-format', 'base45'],
		['a line end behind', `${text}\n`, 'bad-format', 'base45'],
		['lower case', `P1:${body.toLowerCase()}`, 'bad-format', 'base45'],
		['a letter outside the alphabet', `P1:${body.slice(0, 60)}_${body.slice(61)}`, 'bad-format', 'base45'],
		['a plus for a space', `${text}+`, 'bad-format', 'base45'],
		['a triplet above 65535', `P1:GGW${body.slice(3)}`, 'bad-format', 'base45'],
		['the largest triplet', `P1::::${body.slice(3)}`, 'bad-format', 'base45'],
		['a pair above 255', `${text}::`, 'bad-format', 'base45'],
		['a letter left over', text.slice(0, 3 + 3 * 60 + 1), 'bad-format', 'base45'],
		['only the prefix', 'P1:', 'bad-format', 'envelope'],
		['a slogan behind', `${text}ABC`, 'bad-format', body.length % 3 === 0 ? 'cbor' : 'base45'],
		['cut short', text.slice(0, 3 + 3 * 40), 'bad-format', 'cbor'],
		['far too long', text + '000'.repeat(100), 'bad-format', 'base45']
	];
}

function cborFaults(): Hostile[] {
	const cbor = (name: string, parts: Parameters<typeof envelope>[0]): Hostile => [
		...([name, envelope(parts), 'bad-format', 'cbor'] as const)
	];
	return [
		cbor('a byte behind', { after: '00' }),
		cbor('an array without an end', { front: 'd29f', after: 'ff' }),
		cbor('a longer head of the array', { front: 'd29804' }),
		cbor('a header with a longer number', { head: `a20132045804${first.kid}` }),
		cbor('a header with its labels the other way round', { head: `a20444${first.kid}0132` }),
		cbor('a header with a label twice', { head: `a3013201320444${first.kid}` }),
		cbor('a claim twice', { payload: payloadWith(`a4041a${until}`, `a5041a${until}041a${until}`) }),
		cbor('claims the other way round', {
			payload: payloadWith(`041a${until}051a${from}`, `051a${from}041a${until}`)
		}),
		cbor('a time in eight bytes', { payload: payloadWith(`041a${until}`, `041b00000000${until}`) }),
		cbor('a time as a float', { payload: payloadWith(`041a${until}`, '04fb41dae2695c000000') }),
		cbor('a party in two bytes', { payload: payloadWith('01041a0007ffff', '0118041a0007ffff') }),
		cbor('a map without an end', { payload: payloadWith('a4041a', 'bf041a') }),
		cbor('a tag on the id', { payload: payloadWith('074a', '07c24a') }),
		cbor('nothing at all inside', { payload: new Uint8Array(0) })
	];
}

function envelopeFaults(golden: string): Hostile[] {
	const kid = first.kid;
	const wrong = (name: string, parts: Parameters<typeof envelope>[0], layer = 'envelope'): Hostile => [
		...([name, envelope(parts), 'bad-format', layer] as const)
	];
	const unsigned = { signature: new Uint8Array(64) };
	return [
		wrong('no tag', { front: '84' }),
		wrong('the tag of a MAC', { front: 'd184' }),
		wrong('the tag of a CWT in front', { front: 'd83dd284' }),
		wrong('an empty map in the header', { head: 'a0' }),
		wrong('no algorithm', { head: `a10444${kid}` }),
		wrong('the algorithm EdDSA', { head: `a201270444${kid}` }),
		wrong('the algorithm ES256', { head: `a201260444${kid}` }),
		wrong('no algorithm at all: none', { head: `a201000444${kid}` }),
		wrong('a key id of one byte', { head: 'a201320441aa' }),
		wrong('a key id of eight bytes', { head: `a201320448${kid}${kid}` }),
		wrong('a key id as text', { head: 'a20132046461626364' }),
		wrong('one label more', { head: `a301320444${kid}0500` }),
		wrong('the type of a key list', { head: `a301320444${kid}106b6d61727361642d6b657973` }),
		wrong('something unsigned beside', { open: `a10444${kid}` }),
		wrong('something unsigned that is no map', { open: '80' }),
		wrong('a part more', { front: 'd285', after: '40' }),
		wrong('an empty signature', { signature: new Uint8Array(0) }),
		wrong('a signature of 63 bytes', { signature: new Uint8Array(63) }),
		wrong('a signature of 65 bytes', { signature: new Uint8Array(65) }),
		['a signature of zeros', envelope(unsigned), 'bad-signature'],
		['signed by somebody else', sealPermit(usual, kid, signWith(foreign.privateKey)), 'bad-signature'],
		['a signature with S + L', envelope({ signature: malleable(golden) }), 'bad-signature'],
		[
			'claims of one, signature of another',
			sealPermit({ ...usual, party: 20 }, kid, () => signatureOf(golden)),
			'bad-signature'
		],
		['signed as a raw payload', envelope({ signature: rawSignature() }), 'bad-signature'],
		[
			'under a key that nobody listed',
			sealPermit(usual, foreign.kid, signWith(foreign.privateKey)),
			'unknown-key'
		],
		['under a key that was lost', sealPermit(usual, lost.kid, signWith(lost.privateKey)), 'compromised-key']
	];
}

function rawSignature(): Uint8Array {
	return sign(null, encodeClaims(usual), first.privateKey);
}

/** The signature of the usual claims under the first key, as the codec's own text carries it. */
function signatureOf(golden: string): Uint8Array {
	let found: Uint8Array = new Uint8Array(64);
	if (sealPermit(usual, first.kid, (message) => (found = sign(null, message, first.privateKey))) !== golden)
		throw new Error('the usual permit is another one');
	return found;
}

/** The same signature with the group's order added to its second half: RFC 8032 has it refused. */
function malleable(golden: string): Uint8Array {
	const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
	const signature = Uint8Array.from(signatureOf(golden));
	let scalar = order;
	for (let at = 63; at >= 32; at--) scalar += BigInt(signature[at]!) << BigInt(8 * (at - 32));
	for (let at = 32; at < 64; at++) signature[at] = Number((scalar >> BigInt(8 * (at - 32))) & 255n);
	return signature;
}

function claimFaults(): Hostile[] {
	const claims = (name: string, piece: string, other: string): Hostile => [
		...([name, envelope({ payload: payloadWith(piece, other) }), 'bad-format', 'claims'] as const)
	];
	const tag = `46${usual.personTag}`;
	return [
		claims('one claim less', `a4041a${until}`, 'a3'),
		claims('one claim more', `a4041a${until}`, `a50100041a${until}`),
		claims('the label of a health certificate', '3a00011170', '390103'),
		claims('an id of eight bytes', '074a3dc949f44d4e23ae306e', '07483dc949f44d4e23ae'),
		claims('another version', '8901', '8902'),
		claims('eight parts', `8901010c020001041a0007ffff${tag}`, '8801010c020001041a0007ffff'),
		claims('a tag of eight bytes', tag, `48${usual.personTag}0000`),
		claims('a tag as text', tag, '66303132333435'),
		claims('a season of zero', '890101', '890100'),
		claims('a negative slot', '8901010c', '8901012b'),
		claims('a place of zero', '0c0200', '0c0000'),
		claims('nobody in the party', '01041a0007ffff', '01001a0007ffff'),
		claims('twenty-one in the party', '01041a0007ffff', '01151a0007ffff'),
		claims('a party as text', '01041a0007ffff', '0161341a0007ffff'),
		claims('an index below zero', '1a0007ffff', '3a0007ffff'),
		claims('an index beyond 32 bits', '1a0007ffff', '1b0000000100000000'),
		claims('a window that ends before it begins', `041a${until}`, `041a${hex32(usual.fromSeconds)}`),
		claims('milliseconds', `051a${from}`, `051b000001a41fb00400`),
		claims('before there was Marsad', `051a${from}`, '0500'),
		claims('a window of years', `041a${until}`, '041affffffff'),
		claims('a time that is true', `041a${until}`, '04f5')
	];
}

/** Everything that the checked-in file holds; the same each time. */
export function makeVectors() {
	const golden = goldenClaims.map(([name, claims, { kid, privateKey }]) => ({
		...{ name, kid, claims },
		...{ payload: toHex(encodeClaims(claims)), text: sealPermit(claims, kid, signWith(privateKey)) }
	}));
	const text = golden[0]!.text;
	const hostile = [...[...outerFaults(text), ...cborFaults(), ...envelopeFaults(text), ...claimFaults()]].map(
		([name, hostileText, outcome, layer]) => ({
			...{ name, text: hostileText, outcome },
			...(layer === undefined ? {} : { layer })
		})
	);
	const keys = [listed(first), listed(second), listed(lost, true)];
	const keyList = (version: number) =>
		sealKeyList(
			encodeKeyList({ version, issuedSeconds: fromSeconds, nextUpdateSeconds: untilSeconds, keys }),
			...([root.kid, signWith(root.privateKey)] as const)
		);
	const revoked = revokedBefore;
	const revocations = (key: ReturnType<typeof testKey>) =>
		sealRevocationList(
			{
				...{ version: 7, issuedSeconds: fromSeconds, nextUpdateSeconds: untilSeconds, season: 1 },
				...{ size: sizeBefore, deflated: Uint8Array.from(deflateSync(toBits(sizeBefore, revoked))) },
				...listNames
			},
			...([key.kid, signWith(key.privateKey)] as const)
		);
	return {
		root: { kid: root.kid, publicKey: toHex(root.publicKey) },
		keys: keys.map((key) => ({ ...key, publicKey: toHex(key.publicKey) })),
		keyList: toHex(keyList(3)),
		olderKeyList: toHex(keyList(2)),
		revocations: { list: toHex(revocations(first)), byLostKey: toHex(revocations(lost)), revoked },
		revocationDeltas: makeDeltas(
			{ issuedSeconds: fromSeconds, nextUpdateSeconds: untilSeconds },
			...([first, lost] as const)
		),
		...{ golden, hostile }
	};
}
