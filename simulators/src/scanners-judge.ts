import { createPublicKey, verify } from 'node:crypto';
import { inflateSync } from 'node:zlib';
import type { EntryCause, EntryFlag, EntryVerdict, ScannerSettings } from '@marsad/server/contract';
import {
	isRevoked,
	verifyPermit,
	type KeyList,
	type PermitClaims,
	type RevocationList,
	type VerifySignature
} from '@marsad/server/contract/permit';

/** Signed lists that a scanner accepted. */
export interface AcceptedLists {
	keys: KeyList | null;
	revocations: (RevocationList & { bits: Uint8Array }) | null;
}

/** What a scanner knows when somebody holds a permit before it. */
export interface JudgeFacts {
	lists: AcceptedLists;
	settings: ScannerSettings;
	/** By the corrected clock, epoch ms; null: no clock here is to be trusted. */
	now: number | null;
	/** People that came in by a permit, as far as this scanner knows. */
	entered(permit: string): number;
	/** People who stand there; all that are left of the party without it. */
	people?: number | undefined;
}

/** The answer of the scanner; the fields are those of an entry. */
export interface Judgement {
	verdict: EntryVerdict;
	cause?: EntryCause;
	flags: EntryFlag[];
	permit?: string;
	/** Kept beside an unknown key alone. */
	text?: string;
	people: number;
	party?: { entered: number; of: number };
}

/** Allowed for clocks, seconds (docs/permit-format.md, 4). */
const clockSlackSeconds = 120;

export const verifyEd25519: VerifySignature = (publicKey, signature, message) => {
	const x = Buffer.from(publicKey).toString('base64url');
	const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
	return verify(null, message, key, signature);
};

export function expandBits({ size, deflated }: RevocationList): Uint8Array {
	return size === 0 ? new Uint8Array(0) : inflateSync(deflated, { maxOutputLength: size / 8 });
}

/** Judges one scan in the order of docs/permit-format.md, 4. What is the system's own fault lets people in. */
export async function judgeScan(text: string, facts: JudgeFacts): Promise<Judgement> {
	const { keys } = facts.lists;
	const verdict = await verifyPermit(text, (kid) => keys?.keys.find((key) => key.kid === kid), verifyEd25519);
	switch (verdict.outcome) {
		case 'bad-format':
		case 'bad-signature':
		case 'compromised-key':
			return { verdict: 'red', cause: verdict.outcome, flags: [], people: 0 };
		case 'unknown-key':
			return admitUnproven(text, verdict.unproven, facts);
		case 'genuine': {
			const { notAfterSeconds } = verdict.key;
			if (facts.now !== null && facts.now / 1_000 > notAfterSeconds + clockSlackSeconds)
				return admitUnproven(text, verdict.claims, facts);
			return judgeGenuine(verdict.claims, facts);
		}
	}
}

/** Nothing of what it says is proven: it is good for counting, and the server judges the text. */
function admitUnproven(text: string, { id, party }: PermitClaims, facts: JudgeFacts): Judgement {
	const people = Math.min(facts.people ?? party, party);
	return { verdict: 'amber', flags: ['unknown-key', ...staleness(facts)], permit: id, text, people };
}

function judgeGenuine(claims: PermitClaims, facts: JudgeFacts): Judgement {
	const { id, party } = claims;
	const entered = facts.entered(id);
	const policy = facts.settings.place?.policy ?? 'single';
	const isLeaving = facts.settings.gate.direction === 'out';
	const flags = staleness(facts);
	const refuse = (cause: EntryCause): Judgement => ({
		...{ verdict: 'red', cause, flags, permit: id, people: 0, party: { entered, of: party } }
	});
	const cause = findPlaceFault(claims, facts) ?? findTimeFault(claims, facts);
	if (cause) return refuse(cause);
	const { revocations } = facts.lists;
	const moved = facts.settings.moved?.find(({ permit }) => permit === id);
	const isOver = moved !== undefined && facts.now !== null && facts.now > moved.honouredUntil;
	if (isOver || (revocations?.season === claims.season && isRevoked(revocations.bits, claims.status)))
		return refuse('revoked');
	if (moved) flags.push('moved');
	const left = policy === 're-entry' || isLeaving ? party : party - entered;
	if (left <= 0) return refuse('used');
	if (isInGrace(claims, facts)) flags.push('grace');
	const people = Math.min(facts.people ?? left, left);
	const isClean = flags.every((flag) => flag === 'grace');
	return {
		...{ verdict: isClean ? 'green' : 'amber', flags, permit: id, people },
		party: { entered: Math.min(party, entered + people), of: party }
	};
}

function findPlaceFault(claims: PermitClaims, { lists, settings }: JudgeFacts): EntryCause | null {
	const { revocations } = lists;
	// Without the list nobody here knows what the numbers mean.
	if (!revocations) return null;
	if (claims.season !== revocations.season) return 'wrong-season';
	const place = revocations.places.find(({ number }) => number === claims.place);
	if (!place || !settings.place) return null;
	if (place.id !== settings.place.place) return 'wrong-place';
	const bit = place.gates.indexOf(settings.gate.id);
	if (claims.gates === 0) return null;
	return bit >= 0 && Math.floor(claims.gates / 2 ** bit) % 2 === 1 ? null : 'wrong-gate';
}

function graceOf({ settings }: JudgeFacts, slot: number): { earlySeconds: number; lateSeconds: number } {
	const { place } = settings;
	const none = { earlySeconds: 0, lateSeconds: 0 };
	return place?.slots.find((own) => own.slot === slot) ?? place ?? none;
}

function findTimeFault(claims: PermitClaims, facts: JudgeFacts): EntryCause | null {
	if (facts.now === null) return null;
	const seconds = facts.now / 1_000;
	const { earlySeconds, lateSeconds } = graceOf(facts, claims.slot);
	if (seconds < claims.fromSeconds - earlySeconds - clockSlackSeconds) return 'early';
	return seconds > claims.untilSeconds + lateSeconds + clockSlackSeconds ? 'late' : null;
}

function isInGrace(claims: PermitClaims, { now }: JudgeFacts): boolean {
	return now !== null && (now / 1_000 < claims.fromSeconds || now / 1_000 > claims.untilSeconds);
}

/** What is out of order with the scanner itself. */
function staleness({ lists: { keys, revocations }, now }: JudgeFacts): EntryFlag[] {
	const isPast = (list: { nextUpdateSeconds: number } | null) =>
		list === null || (now !== null && now / 1_000 > list.nextUpdateSeconds);
	return [
		...(isPast(keys) ? (['old-keys'] as const) : []),
		...(isPast(revocations) ? (['old-revocations'] as const) : []),
		...(now === null ? (['clock-untrusted'] as const) : [])
	];
}
