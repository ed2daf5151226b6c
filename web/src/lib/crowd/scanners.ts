import type { Scanner } from '@marsad/server/contract';
import type { Priority } from '../priority.ts';

/**
 * A list that its scanner has not had confirmed for so long is old: within six hours a list of revoked permits is signed
 * anew, and a day without an answer is no weak network any more. Seconds.
 */
export const oldListSeconds = { keys: 86_400, revocations: 6 * 3_600 } as const;
/** A scanner that lives asks within this for a key list that others have already; seconds. */
const fetchWithinSeconds = 600;

export type ListName = keyof typeof oldListSeconds;
/** What about one scanner needs a person. */
export type ScannerTrouble =
	| { kind: 'silent'; priority: Priority; since: number; waiting: number | null }
	| { kind: 'never'; priority: Priority }
	| { kind: 'clock'; priority: Priority; offsetMs: number }
	| { kind: ListName; priority: Priority; why: 'none' | 'old' | 'behind' }
	| { kind: 'set-aside'; priority: Priority; entries: number };

/** How old a list of a scanner is by now, in seconds; null while that is not known. */
export function listAgeSeconds(scanner: Scanner, list: ListName, now: number): number | null {
	const said = scanner.report?.[list]?.ageSeconds ?? null;
	if (said === null || scanner.seenAt === null) return null;
	return said + Math.max(0, now - scanner.seenAt) / 1_000;
}

/** The newest key list that any scanner has; null where none has one. */
export function newestKeys(scanners: readonly Scanner[]): number | null {
	const versions = scanners.flatMap(({ state, report }) =>
		state === 'revoked' || !report?.keys ? [] : [report.keys.version]
	);
	return versions.length === 0 ? null : Math.max(...versions);
}

function listTrouble(
	scanner: Scanner,
	list: ListName,
	newest: number | null,
	now: number
): ScannerTrouble | null {
	const { report } = scanner;
	// A scanner that says nothing of its lists is no scanner without lists.
	if (!report) return null;
	const found = report[list];
	if (!found) return { kind: list, priority: 'medium', why: 'none' };
	const age = listAgeSeconds(scanner, list, now);
	if (age !== null && age > oldListSeconds[list]) return { kind: list, priority: 'medium', why: 'old' };
	const isBehind = list === 'keys' && newest !== null && found.version < newest;
	if (isBehind && (age === null || age > fetchWithinSeconds))
		return { kind: list, priority: 'medium', why: 'behind' };
	return null;
}

/**
 * What is wrong with a scanner, the gravest first. A revoked one has no troubles left.
 * @param newest version of the newest key list that is known, see {@link newestKeys}
 */
export function troublesOfScanner(scanner: Scanner, newest: number | null, now: number): ScannerTrouble[] {
	if (scanner.state === 'revoked') return [];
	if (scanner.state === 'never' || scanner.seenAt === null) return [{ kind: 'never', priority: 'low' }];
	const found: ScannerTrouble[] = [];
	if (scanner.state === 'silent') {
		const waiting = scanner.report?.queued ?? null;
		found.push({ kind: 'silent', priority: 'medium', since: scanner.seenAt, waiting });
	}
	for (const list of ['keys', 'revocations'] as const) {
		const trouble = listTrouble(scanner, list, newest, now);
		if (trouble) found.push(trouble);
	}
	if (scanner.clock?.state === 'skewed')
		found.push({ kind: 'clock', priority: 'low', offsetMs: scanner.clock.offsetMs });
	if (scanner.setAside > 0) found.push({ kind: 'set-aside', priority: 'low', entries: scanner.setAside });
	return found;
}

/** The list that was read, with what the live feed has said since: a revoked one is in the list alone. */
export function mergeScanners(read: readonly Scanner[], live: readonly Scanner[]): Scanner[] {
	const merged = new Map(read.map((scanner) => [scanner.id, scanner]));
	for (const scanner of live) {
		// Revocation is for ever: an older word of the feed does not take it back.
		if (merged.get(scanner.id)?.state !== 'revoked') merged.set(scanner.id, scanner);
	}
	return [...merged.values()];
}

/** Those in trouble first, then by gate and name; revoked ones last. */
export function orderScanners(scanners: readonly Scanner[], now: number): Scanner[] {
	const newest = newestKeys(scanners);
	const rank = new Map(
		scanners.map((scanner) => {
			const worst = troublesOfScanner(scanner, newest, now)[0]?.priority;
			const order = worst === undefined ? 2 : worst === 'low' ? 1 : 0;
			return [scanner.id, scanner.state === 'revoked' ? 3 : order];
		})
	);
	const byText = (a: string, b: string) => a.localeCompare(b, 'en', { numeric: true });
	return [...scanners].sort(
		(a, b) =>
			(rank.get(a.id) ?? 0) - (rank.get(b.id) ?? 0) || byText(a.gate, b.gate) || byText(a.name, b.name)
	);
}
