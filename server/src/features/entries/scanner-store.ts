import type { Scanner, ScannerReport } from '../../../contract/index.ts';
import { scannerClockSkewedMs } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { Db, Tx } from '../../platform/database/database.ts';
import type { Row } from '../../platform/database/schema.ts';
import type { Contact, KnownClock } from './entry-clock.ts';

/** Where scanners and entries belong. */
export interface EntryScope {
	site: string;
	season: string;
}

/** A scanner as it signs in. */
export interface StoredScanner extends KnownClock {
	id: string;
	name: string;
	gate: string;
	secretSha256: Buffer;
	revoked: boolean;
	newestSeq: number;
}

export async function insertScanner(
	tx: Tx,
	scope: EntryScope,
	scanner: { id: string; name: string; gate: string; secretSha256: Buffer; at: number; by: string }
): Promise<void> {
	await tx
		.insertInto('scanners')
		.values({
			...{ id: scanner.id, ...scope, name: scanner.name, gate: scanner.gate },
			...{ secret_sha256: scanner.secretSha256, created_at: new Date(scanner.at), created_by: scanner.by },
			...{ revoked_at: null, seen_at: null, boot: null, clock_offset_ms: null },
			...{ clock_uncertainty_ms: null, report: null }
		})
		.execute();
}

export async function countScanners(tx: Tx, scope: EntryScope): Promise<number> {
	const { count } = await tx
		.selectFrom('scanners')
		.select((eb) => eb.fn.countAll<number>().as('count'))
		.where('site', '=', scope.site)
		.where('season', '=', scope.season)
		.where('revoked_at', 'is', null)
		.executeTakeFirstOrThrow();
	return count;
}

/** @returns false when there is none, or it was revoked before */
export async function markRevoked(tx: Tx, scope: EntryScope, id: string, at: number): Promise<boolean> {
	const result = await tx
		.updateTable('scanners')
		.set({ revoked_at: new Date(at) })
		.where('id', '=', id)
		.where('site', '=', scope.site)
		.where('season', '=', scope.season)
		.where('revoked_at', 'is', null)
		.executeTakeFirst();
	return result.numUpdatedRows === 1n;
}

export async function findScanner(
	db: Db | Tx,
	scope: EntryScope,
	id: string
): Promise<StoredScanner | undefined> {
	const row = await selectScanner(db, scope, id).executeTakeFirst();
	return row && toStored(row);
}

/** The same, locked until the transaction ends: batches of one scanner go one after the other. */
export async function lockScanner(tx: Tx, scope: EntryScope, id: string): Promise<StoredScanner | undefined> {
	const row = await selectScanner(tx, scope, id).forUpdate().executeTakeFirst();
	return row && toStored(row);
}

function selectScanner(db: Db | Tx, scope: EntryScope, id: string) {
	return db
		.selectFrom('scanners')
		.selectAll()
		.where('id', '=', id)
		.where('site', '=', scope.site)
		.where('season', '=', scope.season);
}

/** What a batch said of the scanner itself, and what it added. */
export async function noteBatch(
	tx: Tx,
	id: string,
	news: {
		at: number;
		boot: string;
		offsetMs: number;
		uncertaintyMs: number;
		contacts: readonly Contact[];
		report: ScannerReport | undefined;
		newestSeq: number;
		entries: number;
		setAside: number;
	}
): Promise<void> {
	await tx
		.updateTable('scanners')
		.set((eb) => ({
			seen_at: new Date(news.at),
			boot: news.boot,
			clock_offset_ms: news.offsetMs,
			clock_uncertainty_ms: news.uncertaintyMs,
			contacts: JSON.stringify(news.contacts),
			newest_seq: eb.fn<number>('greatest', ['newest_seq', eb.val(news.newestSeq)]),
			entries: eb('entries', '+', news.entries),
			set_aside: eb('set_aside', '+', news.setAside),
			...(news.report ? { report: JSON.stringify(news.report) } : {})
		}))
		.where('id', '=', id)
		.execute();
}

export async function listScanners(db: Db | Tx, scope: EntryScope, now: number): Promise<Scanner[]> {
	const rows = await db
		.selectFrom('scanners')
		.selectAll()
		.where('site', '=', scope.site)
		.where('season', '=', scope.season)
		.orderBy('gate')
		.orderBy('name')
		.orderBy('id')
		.limit(2 * limits.entries.scannersMax)
		.execute();
	return rows.map((row) => toScanner(row, now));
}

function toStored(row: Row<'scanners'>): StoredScanner {
	return {
		...{ id: row.id, name: row.name, gate: row.gate, secretSha256: row.secret_sha256 },
		revoked: row.revoked_at !== null,
		...{ contacts: row.contacts as Contact[], since: row.created_at.getTime() },
		newestSeq: row.newest_seq
	};
}

function toScanner(row: Row<'scanners'>, now: number): Scanner {
	const seenAt = row.seen_at?.getTime() ?? null;
	const offsetMs = row.clock_offset_ms;
	return {
		...{ id: row.id, name: row.name, gate: row.gate },
		...{ createdAt: row.created_at.getTime(), createdBy: row.created_by },
		revokedAt: row.revoked_at?.getTime() ?? null,
		seenAt,
		state: row.revoked_at
			? 'revoked'
			: seenAt === null
				? 'never'
				: now - seenAt > limits.entries.silentMs
					? 'silent'
					: 'online',
		clock:
			offsetMs === null
				? null
				: {
						offsetMs,
						uncertaintyMs: row.clock_uncertainty_ms ?? 0,
						state: Math.abs(offsetMs) > scannerClockSkewedMs ? 'skewed' : 'good'
					},
		report: row.report as ScannerReport | null,
		...{ entries: row.entries, setAside: row.set_aside, newestSeq: row.newest_seq }
	};
}
