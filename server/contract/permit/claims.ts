import { decodeCbor, encodeCbor, fromHex, isBytes, isWhole, readMap, sameBytes, toHex } from './cbor.ts';
import { PermitFault } from './fault.ts';
import { permitIdBytes, permitIdOf, permitIdToBytes } from './permit-id.ts';

/** What a permit says. Numbers of season, place, gates and category are named in the signed revocation list. */
export interface PermitClaims {
	/** Its identity, `7Q4M-KX2D-9RHT-WC3E`: by this, and never by its text, a permit is told from another. */
	id: string;
	season: number;
	slot: number;
	place: number;
	/** Bit n is the n-th entrance of the place; 0: every entrance of the place. */
	gates: number;
	/** 0: none. */
	category: number;
	/** People who enter with it. */
	party: number;
	/** Its bit in the revocation list. */
	status: number;
	/** Keyed hash of the person, 12 hexadecimal letters: no name, and nothing that can be tried out without the key. */
	personTag: string;
	/** The window, epoch seconds. Grace is the gate's policy and not in here. */
	fromSeconds: number;
	untilSeconds: number;
}

const labels = { until: 4, from: 5, id: 7, own: -70_001 } as const;
const version = 1;
const tagBytes = 6;
const uint32Max = 4_294_967_295;
/** 2017: earlier times are a clock that was never set, or another unit. */
const secondsMin = 1_500_000_000;
/** No window is longer than a season. */
const windowSecondsMax = 400 * 86_400;
export const claimRanges = {
	season: [1, 65_535],
	slot: [1, 2_147_483_647],
	place: [1, 65_535],
	gates: [0, uint32Max],
	category: [0, 65_535],
	party: [1, 20],
	status: [0, uint32Max]
} as const satisfies Partial<Record<keyof PermitClaims, readonly [number, number]>>;
const names = Object.keys(claimRanges) as (keyof typeof claimRanges)[];

/** The payload. @throws RangeError for claims that no permit may carry */
export function encodeClaims(claims: PermitClaims): Uint8Array<ArrayBuffer> {
	const fault = findFault(claims);
	if (fault) throw new RangeError(fault);
	return write(claims);
}

/** @throws PermitFault `cbor` or `claims` */
export function decodeClaims(payload: Uint8Array): PermitClaims {
	const fail = (what: string): never => {
		throw new PermitFault('claims', what);
	};
	const map = readMap(decodeCbor(payload), Object.values(labels)) ?? fail('other claims');
	const id = map.get(labels.id);
	const own = map.get(labels.own);
	if (!isBytes(id, permitIdBytes)) return fail('an id has 10 bytes');
	if (!Array.isArray(own) || own.length !== names.length + 2) return fail('not nine parts');
	if (own[0] !== version) return fail('another version');
	const tag: unknown = own.at(-1);
	if (!isBytes(tag, tagBytes)) return fail('a person tag has 6 bytes');
	const claims = {
		id: permitIdOf(id),
		...Object.fromEntries(names.map((name, at) => [name, own[at + 1] as unknown])),
		personTag: toHex(tag),
		fromSeconds: map.get(labels.from),
		untilSeconds: map.get(labels.until)
	} as PermitClaims;
	const fault = findFault(claims);
	if (fault) return fail(fault);
	return sameBytes(write(claims), payload) ? claims : fail('written in another way');
}

function write(claims: PermitClaims): Uint8Array<ArrayBuffer> {
	return encodeCbor(
		new Map<number, unknown>([
			[labels.until, claims.untilSeconds],
			[labels.from, claims.fromSeconds],
			[labels.id, permitIdToBytes(claims.id)],
			[labels.own, [version, ...names.map((name) => claims[name]), fromHex(claims.personTag)]]
		])
	);
}

function findFault(claims: PermitClaims): string | null {
	for (const name of names) {
		const [min, max] = claimRanges[name];
		if (!isWhole(claims[name], min, max)) return `${name} is out of its range`;
	}
	const { fromSeconds, untilSeconds } = claims;
	if (!isWhole(fromSeconds, secondsMin, uint32Max) || !isWhole(untilSeconds, secondsMin, uint32Max))
		return 'times are epoch seconds';
	if (untilSeconds <= fromSeconds || untilSeconds - fromSeconds > windowSecondsMax)
		return 'the window is empty or too long';
	return /^[0-9a-f]{12}$/.test(claims.personTag) ? null : 'a person tag has 6 bytes';
}
