import { randomBytes } from 'node:crypto';
import type {
	EntryBatch,
	EntryConflict,
	EntryFinding,
	PermitEntry,
	ScannerClock,
	SetAsideCode
} from '../../../contract/index.ts';
import { AppError } from '../../errors.ts';
import { limits } from '../../limits.ts';
import type { Tx } from '../../platform/database/database.ts';
import type { PermitFacts } from '../permits/index.ts';
import { saveConflicts } from './conflict-store.ts';
import { clockOf, contactOf, correctTime, withContact, type CorrectedTime } from './entry-clock.ts';
import {
	addMinutes,
	addTotals,
	insertEntries,
	insertSetAside,
	listHashes,
	listUses,
	lockTrails,
	type NewEntry
} from './entry-store.ts';
import { judgeUse, sumForged } from './judge-use.ts';
import { sumPeople } from './sum-people.ts';
import type { StoredPlace } from './place-store.ts';
import { asReused, readEntry, type ReadEntry, type SetAside } from './read-entry.ts';
import { lockScanner, noteBatch, type EntryScope, type StoredScanner } from './scanner-store.ts';

/** What the transaction of a batch stands on. */
export interface TakeDeps {
	scope: EntryScope;
	/** The place that a gate leads into; undefined where it leads into none. */
	placeOf(gate: string): string | undefined;
	/** Settings of a place, as they are stored. */
	settingsOf(place: string | undefined): StoredPlace;
	facts(tx: Tx, ids: readonly string[]): Promise<ReadonlyMap<string, PermitFacts>>;
	/** Whether a text is a permit of ours by the newest keys; null where nobody can say. */
	isGenuine(text: string, permit: string | undefined): Promise<boolean | null>;
	record: (
		tx: Tx,
		entry: { actor: string; action: string; subject: string; after: unknown }
	) => Promise<void>;
}

/** What came of a batch. */
export interface Taken {
	scanner: StoredScanner;
	stored: number[];
	repeated: number[];
	setAside: { index: number; seq: number | null; code: SetAsideCode }[];
	nextSeq: number;
	clock: ScannerClock;
	conflicts: EntryConflict[];
}

/**
 * Takes one batch, all of it or nothing. Locks in one order whoever asks: the scanner, the trails of its permits by id,
 * conflicts by permit, minutes, the gate's total. The same batch again adds nothing.
 */
export async function takeBatch(
	tx: Tx,
	deps: TakeDeps,
	id: string,
	batch: EntryBatch,
	receivedAt: number
): Promise<Taken> {
	const scanner = await lockScanner(tx, deps.scope, id);
	if (!scanner) throw new AppError('scanner_unknown');
	if (scanner.revoked) throw new AppError('scanner_revoked');
	const { good, asides } = readAll(batch.entries, scanner.gate);
	const facts = await deps.facts(tx, permitsOf(good.map(({ entry }) => entry)));
	const complete: NewEntry[] = [];
	for (const read of good)
		complete.push(await complement(read, { ...{ deps, scanner, batch, receivedAt, facts } }));
	const { season } = deps.scope;
	const fresh = await insertEntries(tx, { scanner: id, season, receivedAt }, complete);
	const repeats = await tellRepeats(tx, id, complete, fresh);
	asides.push(...repeats.reused.map(asReused));
	const { added } = repeats;
	const conflicts = [
		...(await followPermits(tx, deps, added, facts, receivedAt)),
		...(await raiseForged(tx, deps, added, receivedAt))
	];
	await count(tx, deps, scanner.gate, added, receivedAt);
	const clock = clockOf(batch, receivedAt);
	const contacts = withContact(scanner.contacts, contactOf(batch, receivedAt));
	const newestSeq = Math.max(scanner.newestSeq, ...added.map(({ entry }) => entry.seq), 0);
	await noteBatch(tx, id, {
		...{ at: receivedAt, boot: batch.clock.boot, offsetMs: clock.offsetMs, report: batch.report },
		...{ uncertaintyMs: clock.uncertaintyMs, contacts, newestSeq, entries: fresh.size },
		setAside: await insertSetAside(tx, id, asides, receivedAt)
	});
	return {
		...{ scanner, clock, conflicts },
		stored: [...fresh],
		repeated: repeats.same,
		setAside: asides.sort((a, b) => a.index - b.index).map(({ index, seq, code }) => ({ index, seq, code })),
		nextSeq: newestSeq + 1
	};
}

function readAll(entries: readonly unknown[], gate: string) {
	const good: ReadEntry[] = [];
	const asides: SetAside[] = [];
	entries.forEach((raw, index) => {
		const read = readEntry(raw, index, gate);
		if ('good' in read) good.push(read.good);
		else asides.push(read.aside);
	});
	return { good, asides };
}

function permitsOf(entries: readonly ReadEntry['entry'][]): string[] {
	const ids = entries.flatMap((entry) => (entry.kind === 'permit' ? (entry.permit ?? []) : []));
	return [...new Set(ids)].sort();
}

/** Adds what the server knows: the time by our clock, the size of the party, and what is to be looked at. */
async function complement(
	read: ReadEntry,
	{
		deps,
		scanner,
		batch,
		receivedAt,
		facts
	}: {
		deps: TakeDeps;
		scanner: StoredScanner;
		batch: EntryBatch;
		receivedAt: number;
		facts: ReadonlyMap<string, PermitFacts>;
	}
): Promise<NewEntry> {
	const { entry } = read;
	const time = correctTime(entry, batch, scanner, receivedAt);
	if (entry.kind === 'count') return { ...read, ...time, findings: [], party: null };
	const fault = await findForgery(entry, deps);
	if (fault) {
		// The number on it proves nothing: whoever holds the permit of that number has not been here.
		const { permit: _, ...rest } = entry;
		return { ...read, ...time, entry: rest, findings: entry.people > 0 ? [fault] : [], party: null };
	}
	const permit = entry.permit === undefined ? undefined : facts.get(entry.permit);
	const findings = findFaults(entry, permit, deps.placeOf(entry.gate), time);
	return { ...read, ...time, findings, party: permit?.party ?? entry.party?.of ?? null };
}

/** What the scanner could not prove is judged by the text; null when it is ours. */
async function findForgery(
	{ text, permit, flags }: PermitEntry,
	{ isGenuine }: Pick<TakeDeps, 'isGenuine'>
): Promise<'not-genuine' | 'unproven' | null> {
	if (text === undefined && !flags?.includes('unknown-key')) return null;
	const verdict = text === undefined ? null : await isGenuine(text, permit);
	return verdict === true ? null : verdict === false ? 'not-genuine' : 'unproven';
}

/** Only of people who were let in: a refusal is over. */
function findFaults(
	{ permit: id, people, direction }: PermitEntry,
	permit: PermitFacts | undefined,
	place: string | undefined,
	{ at, uncertaintyMs }: CorrectedTime
): EntryFinding[] {
	if (id === undefined || people === 0 || direction === 'out') return [];
	if (!permit) return ['unknown-permit'];
	const findings: EntryFinding[] = [];
	if (permit.cancelledAt !== null && permit.cancelledAt < at - uncertaintyMs)
		findings.push('revoked-at-scan');
	if (place !== undefined && permit.place !== place) findings.push('other-place');
	if (people > permit.party) findings.push('party-exceeded');
	return findings;
}

/** Of numbers that were there already: the same entry again, or another one under its number. */
async function tellRepeats(
	tx: Tx,
	scanner: string,
	complete: readonly NewEntry[],
	fresh: ReadonlySet<number>
): Promise<{ added: NewEntry[]; same: number[]; reused: NewEntry[] }> {
	const added = new Map<number, NewEntry>();
	const again: NewEntry[] = [];
	for (const one of complete) {
		const { seq } = one.entry;
		// Within a batch the first is the one that was stored.
		if (fresh.has(seq) && !added.has(seq)) added.set(seq, one);
		else again.push(one);
	}
	const hashes = await listHashes(tx, scanner, [...new Set(again.map(({ entry }) => entry.seq))]);
	const isSame = ({ entry, contentSha256 }: NewEntry) => hashes.get(entry.seq)?.equals(contentSha256) ?? true;
	return {
		added: [...added.values()],
		same: again.filter(isSame).map(({ entry }) => entry.seq),
		reused: again.filter((one) => !isSame(one))
	};
}

/** Locks the trails of the permits that were scanned, and judges their use by all that is known now. */
async function followPermits(
	tx: Tx,
	deps: TakeDeps,
	added: readonly NewEntry[],
	facts: ReadonlyMap<string, PermitFacts>,
	receivedAt: number
): Promise<EntryConflict[]> {
	const permits = permitsOf(added.map(({ entry }) => entry));
	if (permits.length === 0) return [];
	const { season } = deps.scope;
	const placeOf = (permit: string) => facts.get(permit)?.place ?? deps.placeOf(added[0]!.entry.gate);
	// A permit that was moved and the one that came of it are one: what both let in is judged together.
	const kinOf = (permit: string) => facts.get(permit)?.kin ?? [];
	const family = [...new Set(permits.flatMap((permit) => [permit, ...kinOf(permit)]))];
	await lockTrails(
		tx,
		season,
		family.map((permit) => {
			const own = added.filter(({ entry }) => entry.kind === 'permit' && entry.permit === permit);
			const endsAt = Math.max(
				facts.get(permit)?.endsAt ?? (own.length > 0 ? 0 : receivedAt),
				...own.map(({ at }) => at)
			);
			return { permit, forgetAt: endsAt + deps.settingsOf(placeOf(permit)).trailHours * 3_600_000 };
		})
	);
	const uses = await listUses(tx, season, family);
	// Whichever of them was scanned, it is the same conflict.
	const lines = new Map(permits.map((permit) => [[permit, ...kinOf(permit)].sort()[0] ?? permit, permit]));
	const found = [...lines].flatMap(([first, permit]) => {
		const list = [permit, ...kinOf(permit)].flatMap((one) => uses.get(one) ?? []);
		const party = facts.get(permit)?.party ?? Math.max(1, ...list.map((one) => one.party ?? 1));
		const { policy } = deps.settingsOf(placeOf(permit));
		const conflict = judgeUse(
			list.map(({ use }) => use),
			policy,
			party
		);
		return conflict ? [{ ...conflict, permit: first, id: newConflictId() }] : [];
	});
	return raise(tx, deps, found, receivedAt);
}

/** What was let in and is no permit of ours: one finding for a batch, by its own name and that of nobody's permit. */
async function raiseForged(
	tx: Tx,
	deps: TakeDeps,
	added: readonly NewEntry[],
	receivedAt: number
): Promise<EntryConflict[]> {
	const forged = added.filter(
		({ entry, findings }) => entry.direction === 'in' && findings.includes('not-genuine')
	);
	const conflict = sumForged(forged);
	return conflict ? raise(tx, deps, [{ ...conflict, permit: null, id: newConflictId() }], receivedAt) : [];
}

const newConflictId = () => `c-${randomBytes(8).toString('hex')}`;

async function raise(
	tx: Tx,
	{ scope, record }: Pick<TakeDeps, 'scope' | 'record'>,
	found: Parameters<typeof saveConflicts>[2],
	receivedAt: number
): Promise<EntryConflict[]> {
	const written = await saveConflicts(tx, scope.season, found, receivedAt);
	for (const { id: subject, kind, gates, people, party, offline } of written) {
		const after = { kind, gates, people, party, offline };
		await record(tx, { actor: 'marsad', action: 'entry.conflict', subject, after });
	}
	return written;
}

async function count(
	tx: Tx,
	deps: TakeDeps,
	gate: string,
	added: readonly NewEntry[],
	receivedAt: number
): Promise<void> {
	const { minutes, totals } = sumPeople(gate, added, receivedAt, limits.entries.lateMs);
	await addMinutes(tx, deps.scope.season, minutes);
	if (totals.peopleIn + totals.peopleOut > 0) await addTotals(tx, deps.scope.season, gate, totals);
}
