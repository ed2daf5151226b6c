import { sql } from 'kysely';
import type { EntryFinding } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { CorrectedTime } from './entry-clock.ts';
import type { Use } from './judge-use.ts';
import type { ReadEntry, SetAside } from './read-entry.ts';

/** An entry with all that the server adds to it. */
export interface NewEntry extends ReadEntry, CorrectedTime {
	findings: EntryFinding[];
	party: number | null;
}

/** Stores entries; a number that the scanner used before changes nothing. @returns the numbers that are new */
export async function insertEntries(
	tx: Tx,
	to: { scanner: string; season: string; receivedAt: number },
	entries: readonly NewEntry[]
): Promise<Set<number>> {
	if (entries.length === 0) return new Set();
	const rows = await tx
		.insertInto('entries')
		.values(entries.map((one) => toRow(one, to)))
		.onConflict((conflict) => conflict.columns(['scanner', 'seq']).doNothing())
		.returning('seq')
		.execute();
	return new Set(rows.map(({ seq }) => seq));
}

function toRow({ entry, at, uncertaintyMs, ...rest }: NewEntry, to: Parameters<typeof insertEntries>[1]) {
	const permit = entry.kind === 'permit' ? entry : null;
	return {
		...{ scanner: to.scanner, season: to.season, seq: entry.seq, gate: entry.gate, lane: entry.lane ?? null },
		...{ kind: entry.kind, direction: entry.direction, people: entry.people },
		...{ verdict: permit?.verdict ?? null, cause: permit?.cause ?? null, flags: permit?.flags ?? [] },
		...{ findings: rest.findings, permit: permit?.permit ?? null, party: rest.party },
		reason: entry.kind === 'count' ? entry.reason : null,
		keys_version: permit?.keysVersion ?? null,
		revocations_version: permit?.revocationsVersion ?? null,
		...{ boot: entry.boot, device_at: new Date(entry.deviceAt), uptime_ms: entry.uptimeMs },
		...{ offline: entry.offline, received_at: new Date(to.receivedAt), at: new Date(at) },
		...{ uncertainty_ms: uncertaintyMs, content_sha256: rest.contentSha256 }
	};
}

/** Hashes of what is stored under these numbers; null where the trail was deleted. */
export async function listHashes(
	tx: Tx,
	scanner: string,
	seqs: readonly number[]
): Promise<Map<number, Buffer | null>> {
	if (seqs.length === 0) return new Map();
	const rows = await tx
		.selectFrom('entries')
		.select(['seq', 'content_sha256'])
		.where('scanner', '=', scanner)
		.where('seq', 'in', [...seqs])
		.execute();
	return new Map(rows.map((row) => [row.seq, row.content_sha256]));
}

/** Keeps what was set aside, once each. Past the cap of a scanner it is counted and its content is not kept. */
export async function insertSetAside(
	tx: Tx,
	scanner: string,
	asides: readonly SetAside[],
	receivedAt: number
): Promise<number> {
	if (asides.length === 0) return 0;
	const { count } = await tx
		.selectFrom('entries_set_aside')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('scanner', '=', scanner)
		.executeTakeFirstOrThrow();
	const room = Math.max(0, limits.entries.setAsidePerScannerMax - count);
	const kept = asides.slice(0, room);
	if (kept.length === 0) return 0;
	const rows = await tx
		.insertInto('entries_set_aside')
		.values(
			kept.map(({ key, seq, code, content }) => ({
				...{ scanner, key, seq, code, content, received_at: new Date(receivedAt) }
			}))
		)
		.onConflict((conflict) => conflict.columns(['scanner', 'key']).doNothing())
		.returning('key')
		.execute();
	return rows.length;
}

/**
 * Locks the trails of permits, in order of their id whoever asks, and puts off their end where a later one is due. After
 * this everything that another scanner committed about them is seen.
 */
export async function lockTrails(
	tx: Tx,
	season: string,
	trails: readonly { permit: string; forgetAt: number }[]
): Promise<void> {
	if (trails.length === 0) return;
	const sorted = [...trails].sort((a, b) => (a.permit < b.permit ? -1 : 1));
	await sql`
		insert into entry_trails (season, permit, forget_at)
		select ${season}, * from unnest(${sorted.map(({ permit }) => permit)}::text[],
			${sorted.map(({ forgetAt }) => new Date(forgetAt))}::timestamptz[])
		on conflict (season, permit) do update
			set forget_at = greatest(entry_trails.forget_at, excluded.forget_at)`.execute(tx);
}

/** Uses of permits that let people through; what a supervisor let in knowingly is none. */
export async function listUses(
	tx: Tx,
	season: string,
	permits: readonly string[]
): Promise<Map<string, { use: Use; party: number | null }[]>> {
	const uses = new Map<string, { use: Use; party: number | null }[]>();
	if (permits.length === 0) return uses;
	const rows = await tx
		.selectFrom('entries')
		.select(['permit', 'scanner', 'seq', 'gate', 'direction', 'people', 'at', 'offline', 'party'])
		.where('season', '=', season)
		.where('permit', 'in', [...permits])
		.where('people', '>', 0)
		.where('verdict', 'in', ['green', 'amber'])
		.execute();
	for (const { permit, at, party, ...rest } of rows) {
		if (permit === null) continue;
		const known = uses.get(permit) ?? [];
		known.push({ use: { ...rest, at: at.getTime() }, party });
		uses.set(permit, known);
	}
	return uses;
}

/** People of one gate in one minute. */
export interface MinutePeople {
	gate: string;
	minute: number;
	scannedIn: number;
	scannedOut: number;
	countedIn: number;
	countedOut: number;
	/** Of `scannedIn`: people of whose permits nobody can say whether they are ours. */
	unprovenIn: number;
}

/** Adds people to the minutes in which they passed, in one order whoever asks. */
export async function addMinutes(tx: Tx, season: string, minutes: readonly MinutePeople[]): Promise<void> {
	if (minutes.length === 0) return;
	const sorted = [...minutes].sort((a, b) =>
		a.gate < b.gate ? -1 : a.gate > b.gate ? 1 : a.minute - b.minute
	);
	const column = (pick: (one: MinutePeople) => number) => sorted.map(pick);
	await sql`
		insert into entry_minutes as known (season, gate, minute, scanned_in, scanned_out, counted_in, counted_out, unproven_in)
		select ${season}, * from unnest(${sorted.map(({ gate }) => gate)}::text[],
			${sorted.map(({ minute }) => new Date(minute))}::timestamptz[],
			${column((one) => one.scannedIn)}::bigint[], ${column((one) => one.scannedOut)}::bigint[],
			${column((one) => one.countedIn)}::bigint[], ${column((one) => one.countedOut)}::bigint[],
			${column((one) => one.unprovenIn)}::bigint[])
		on conflict (season, gate, minute) do update set scanned_in = known.scanned_in + excluded.scanned_in,
			scanned_out = known.scanned_out + excluded.scanned_out,
			counted_in = known.counted_in + excluded.counted_in,
			counted_out = known.counted_out + excluded.counted_out,
			unproven_in = known.unproven_in + excluded.unproven_in`.execute(tx);
}

/** People of a gate since ever; those that came to be known late are in both. */
export interface GateTotals {
	peopleIn: number;
	peopleOut: number;
	lateIn: number;
	lateOut: number;
}

export async function addTotals(tx: Tx, season: string, gate: string, more: GateTotals): Promise<void> {
	await sql`
		insert into entry_totals as known (season, gate, people_in, people_out, late_in, late_out)
		values (${season}, ${gate}, ${more.peopleIn}, ${more.peopleOut}, ${more.lateIn}, ${more.lateOut})
		on conflict (season, gate) do update set people_in = known.people_in + excluded.people_in,
			people_out = known.people_out + excluded.people_out, late_in = known.late_in + excluded.late_in,
			late_out = known.late_out + excluded.late_out`.execute(tx);
}

export async function listTotals(db: Db | Tx, season: string): Promise<Map<string, GateTotals>> {
	const rows = await db.selectFrom('entry_totals').selectAll().where('season', '=', season).execute();
	return new Map(
		rows.map((row) => [
			row.gate,
			{ peopleIn: row.people_in, peopleOut: row.people_out, lateIn: row.late_in, lateOut: row.late_out }
		])
	);
}

/** People in by gate, scanned and counted without a scan, of whole minutes in a period. */
export async function sumMinutes(
	db: Db | Tx,
	season: string,
	period: { from: number; to: number }
): Promise<Map<string, Omit<MinutePeople, 'gate' | 'minute'>>> {
	const rows = await db
		.selectFrom('entry_minutes')
		.select((eb) => [
			'gate',
			eb.fn.sum<number>('scanned_in').as('scannedIn'),
			eb.fn.sum<number>('counted_in').as('countedIn'),
			eb.fn.sum<number>('scanned_out').as('scannedOut'),
			eb.fn.sum<number>('counted_out').as('countedOut'),
			eb.fn.sum<number>('unproven_in').as('unprovenIn')
		])
		.where('season', '=', season)
		.where('minute', '>=', new Date(period.from))
		.where('minute', '<', new Date(period.to))
		.groupBy('gate')
		.execute();
	return new Map(rows.map(({ gate, ...sums }) => [gate, sums]));
}
