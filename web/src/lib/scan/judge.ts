import type {
	EntryCause,
	EntryFlag,
	EntryVerdict,
	LocalText,
	MovedPermit,
	ScannerSettings
} from '@marsad/server/contract';
import {
	isRevoked,
	verifyPermit,
	type KeyList,
	type ListedKey,
	type PermitClaims,
	type KnownRevocations,
	type VerifySignature
} from '@marsad/server/contract/permit';
import { joinUses, lineOf, type MovedLine } from './moved.ts';
import type { KnownTime } from './scan-clock.ts';
import { lastEntered, mayEnter, mayLeave, type UsedPermit } from './uses.ts';

/** A revocation list with its bits unpacked. */
export interface OpenRevocations {
	list: Omit<KnownRevocations, 'bits'>;
	bits: Uint8Array<ArrayBuffer>;
}

/** Everything that a scan is judged by. */
export interface JudgeContext {
	keys: KeyList | null;
	revocations: OpenRevocations | null;
	settings: ScannerSettings;
	time: KnownTime;
	direction: 'in' | 'out';
	verify: VerifySignature;
	findUse(id: string): Promise<UsedPermit | undefined>;
}

/** What the gate answers. */
export interface Judgement {
	verdict: EntryVerdict;
	cause?: EntryCause;
	flags: EntryFlag[];
	/** The id inside the signature: proven, or of an unknown key. */
	permit?: string;
	/** Under which name this scanner remembers its use. */
	useId?: string;
	used?: UsedPermit | undefined;
	untilSeconds: number;
	/** How many may pass with this scan; 0 when it is red. */
	most: number;
	/** Proven parties alone: of how many, and how many were in before. */
	party?: { of: number; entered: number };
	/** Gates where the permit is good, by name. */
	rightGates: LocalText[];
	/** The place that it is for. */
	rightPlace?: LocalText;
	/** For somebody who comes too early or too late: from when on and until when the gate lets them in; epoch seconds. */
	window?: { fromSeconds: number; untilSeconds: number };
	/** When it was used here, epoch ms. */
	usedAt?: number;
	/** It was moved with its slot: when and where its holder may enter instead. */
	moved?: MovedPermit;
}

/** Clocks may be apart by so much. */
export const clockToleranceSeconds = 120;
/** Nothing on a permit of an unknown key is proven: people are counted by hand, up to the most that any is for. */
const unprovenMost = 20;

/** Lists past their next update, or not there at all. */
export function listFlags({ keys, revocations, time }: Pick<JudgeContext, 'keys' | 'revocations' | 'time'>) {
	const now = time.at / 1_000;
	const flags: EntryFlag[] = [];
	if (!keys || now > keys.nextUpdateSeconds) flags.push('old-keys');
	if (!revocations || now > revocations.list.nextUpdateSeconds) flags.push('old-revocations');
	if (time.trust === 'untrusted') flags.push('clock-untrusted');
	return flags;
}

/**
 * Judges a scanned text: form, key, signature, then season, place and gate, window, revocation, use. What is out of order
 * on our side turns green to amber and refuses nobody.
 */
export async function judge(text: string, context: JudgeContext): Promise<Judgement> {
	const flags = listFlags(context);
	const findKey = (kid: string): ListedKey | undefined =>
		context.keys?.keys.find((key) => key.kid === kid && !isOver(key, context.time));
	const proof = await verifyPermit(text, findKey, context.verify);
	const isExit = context.direction === 'out';
	switch (proof.outcome) {
		case 'bad-format':
		case 'bad-signature':
		case 'compromised-key':
			// Whoever wants to leave leaves.
			if (isExit) return { ...amber(flags), most: 1 };
			return red(proof.outcome, flags);
		case 'unknown-key':
			return judgeUnproven(proof.kid, proof.unproven, [...flags, 'unknown-key'], context);
		case 'genuine':
			return isExit ? judgeExit(proof.claims, flags, context) : judgeGenuine(proof.claims, flags, context);
	}
}

/** The browser's own parts failed: nobody stands there for that. The text goes along, the server judges it by its keys. */
export function withoutProof(settings: ScannerSettings, direction: 'in' | 'out'): Judgement {
	if (direction === 'out') return { ...amber([]), most: 1 };
	if (isShut({ settings })) return red('gate-closed', []);
	return { ...amber(['unknown-key']), most: unprovenMost };
}

async function judgeUnproven(
	kid: string,
	claims: PermitClaims,
	flags: EntryFlag[],
	context: JudgeContext
): Promise<Judgement> {
	const useId = `${kid} ${claims.id}`;
	const used = await context.findUse(useId);
	const known = { useId, used, permit: claims.id, untilSeconds: claims.untilSeconds };
	if (context.direction === 'in') {
		if (isShut(context)) return { ...red('gate-closed', flags), permit: claims.id };
		const policy = context.settings.place?.policy ?? 'single';
		if (mayEnter(used, policy, claims.party, context.time.at).most === 0)
			return { ...red('used', flags), ...known, ...usedAt(used) };
	}
	return { ...amber(flags), ...known, most: unprovenMost };
}

async function judgeExit(
	claims: PermitClaims,
	flags: EntryFlag[],
	context: JudgeContext
): Promise<Judgement> {
	const line = lineOf(claims.id, context.settings.moved);
	const { used, all } = await usesOf(claims, line, context);
	const most = mayLeave(all, claims.party);
	return { ...admit(flags), ...named(claims, line, used), most, party: { of: claims.party, entered: 0 } };
}

async function judgeGenuine(
	claims: PermitClaims,
	flags: EntryFlag[],
	context: JudgeContext
): Promise<Judgement> {
	const { place, moved } = context.settings;
	const { time, revocations } = context;
	const line = lineOf(claims.id, moved);
	const refuse = (cause: EntryCause, more: Partial<Judgement> = {}): Judgement => ({
		...red(cause, flags),
		...named(claims, line),
		...more
	});
	if (isShut(context)) return refuse('gate-closed');
	// A time that nobody confirmed turns nobody away.
	const isSure = time.trust === 'server';
	const kin = kinWindows(line, context);
	const elsewhere = findElsewhere(claims, context);
	if (elsewhere && !(kin.length > 0 && elsewhere.cause === 'wrong-place'))
		return refuse(elsewhere.cause, elsewhere);
	// Its grace is over: the new one opens the gate, also while the list does not say so yet.
	if (line.own && isSure && time.at > line.own.honouredUntil) return refuse('revoked');
	const windows = [...(elsewhere ? [] : [claims]), ...kin];
	const window = kindest(windows, context);
	if (window.answer === 'early' || window.answer === 'late') {
		if (isSure) return refuse(window.answer, { window });
		if (!flags.includes('clock-untrusted')) flags.push('clock-untrusted');
	} else if (window.answer === 'grace' || (!line.own && window.slot !== claims.slot)) flags.push('grace');
	if (revocations && isRevoked(revocations.bits, claims.status)) return refuse('revoked');
	const { used, all } = await usesOf(claims, line, context);
	const { entered, most } = mayEnter(all, place?.policy ?? 'single', claims.party, time.at);
	const party = { of: claims.party, entered };
	if (most === 0) return refuse('used', { used, party, ...usedAt(all) });
	if (line.own) flags.push('moved');
	return { ...admit(flags), ...named(claims, line, used), most, party };
}

/** What this scanner remembers of a permit, and of its whole line. */
async function usesOf({ id }: PermitClaims, line: MovedLine, { findUse }: JudgeContext) {
	const used = await findUse(id);
	const others = await Promise.all(line.others.map(findUse));
	return {
		used,
		all: joinUses(
			used,
			others.filter((one) => one !== undefined)
		)
	};
}

/** Another season, place or gate than this one, with the way to the right one. */
function findElsewhere(
	claims: PermitClaims,
	{ revocations, settings }: JudgeContext
): { cause: EntryCause; rightGates?: LocalText[]; rightPlace?: LocalText } | null {
	if (!revocations) return null;
	const { season, places } = revocations.list;
	if (claims.season !== season) return { cause: 'wrong-season' };
	if (!settings.place) return null;
	const here = places.find(({ id }) => id === settings.place!.place);
	if (here && claims.place !== here.number) {
		const right = places.find(({ number }) => number === claims.place)?.id;
		const rightPlace = settings.places?.find(({ id }) => id === right)?.names;
		return { cause: 'wrong-place', ...(rightPlace ? { rightPlace } : {}) };
	}
	if (claims.gates === 0 || !here) return null;
	const right = here.gates.filter((_, bit) => (claims.gates & (1 << bit)) !== 0);
	if (right.includes(settings.gate.id)) return null;
	const rightGates = settings.gates.filter(({ id }) => right.includes(id)).map(({ names }) => names);
	return { cause: 'wrong-gate', rightGates };
}

/** A slot's own grace, else its place's. */
function graceOf(slot: number, { settings: { place } }: JudgeContext) {
	return place?.slots.find((own) => own.slot === slot) ?? place ?? { earlySeconds: 0, lateSeconds: 0 };
}

type Window = Pick<PermitClaims, 'fromSeconds' | 'untilSeconds' | 'slot'>;
const windowAnswers = ['inside', 'grace', 'early', 'late'] as const;

/**
 * Windows in which a permit is good here for what it was moved to or came of: also the new one opens the gate when the old
 * one did, for as long as that is honoured. Whoever was moved and did not see it comes then, with the one or the other.
 */
function kinWindows({ next, came }: MovedLine, { settings: { place }, time }: JudgeContext): Window[] {
	const isHonoured = ({ honouredUntil }: MovedPermit) => time.trust !== 'server' || time.at <= honouredUntil;
	const before = came.filter(isHonoured).flatMap((one) => one.before ?? []);
	return [...(next ? [next] : []), ...before].filter((one) => one.place === place?.place).map(windowOf);
}

const windowOf = ({ slot, startsAt, endsAt }: Pick<MovedPermit, 'slot' | 'startsAt' | 'endsAt'>): Window => ({
	...{ slot, fromSeconds: startsAt / 1_000, untilSeconds: endsAt / 1_000 }
});

/** Of the windows in which somebody may come, the one that lets them in now, else the one that comes next. */
function kindest(windows: readonly Window[], context: JudgeContext) {
	const rank = ({ answer }: { answer: (typeof windowAnswers)[number] }) => windowAnswers.indexOf(answer);
	return windows
		.map((window) => judgeWindow(window, context))
		.sort((a, b) => rank(a) - rank(b) || a.fromSeconds - b.fromSeconds)[0]!;
}

/** Whether it is time, and from when on and until when the gate lets in for this window. */
function judgeWindow({ fromSeconds, untilSeconds, slot }: Window, context: JudgeContext) {
	const grace = graceOf(slot, context);
	const now = context.time.at / 1_000;
	const early = fromSeconds - clockToleranceSeconds - now;
	const late = now - untilSeconds - clockToleranceSeconds;
	const answer: (typeof windowAnswers)[number] =
		early > grace.earlySeconds
			? 'early'
			: late > grace.lateSeconds
				? 'late'
				: early > 0 || late > 0
					? 'grace'
					: 'inside';
	return {
		...{ answer, slot },
		fromSeconds: fromSeconds - grace.earlySeconds,
		untilSeconds: untilSeconds + grace.lateSeconds
	};
}

/** After its last day a key counts as one that is not listed; an unsure clock takes no key away. */
function isOver({ notAfterSeconds }: ListedKey, { at, trust }: KnownTime): boolean {
	return trust === 'server' && at / 1_000 > notAfterSeconds + clockToleranceSeconds;
}

const isShut = ({ settings }: Pick<JudgeContext, 'settings'>) =>
	settings.mode === 'held' || settings.mode === 'closed';
const none = { untilSeconds: 0, most: 0, rightGates: [] };

function red(cause: EntryCause, flags: EntryFlag[]): Judgement {
	return { ...none, verdict: 'red', cause, flags };
}
function amber(flags: EntryFlag[]): Judgement {
	return { ...none, verdict: 'amber', flags };
}
/** Green, or amber when something of ours is out of order; grace is part of the rule. */
function admit(flags: EntryFlag[]): Judgement {
	return flags.some((flag) => flag !== 'grace') ? amber(flags) : { ...none, verdict: 'green', flags };
}
function named({ id, untilSeconds }: PermitClaims, { next }: MovedLine, used?: UsedPermit) {
	// What was used by the old one is remembered for as long as the new one is good.
	const until = Math.max(untilSeconds, (next?.endsAt ?? 0) / 1_000);
	return { permit: id, useId: id, used, untilSeconds: until, ...(next ? { moved: next } : {}) };
}
function usedAt(used: UsedPermit | undefined): { usedAt?: number } {
	const at = lastEntered(used);
	return at === null ? {} : { usedAt: at };
}
