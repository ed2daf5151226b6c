import type { Scanner } from '@marsad/server/contract';
import { expect, test } from 'vitest';
import {
	listAgeSeconds,
	mergeScanners,
	newestKeys,
	oldListSeconds,
	orderScanners,
	troublesOfScanner
} from './scanners.ts';

const now = 2_000_000_000_000;
const scanner = (more: Partial<Scanner> = {}): Scanner => ({
	...{ id: 's-1', name: 'lane 1', gate: 'gate-1', createdAt: now - 9e8, createdBy: 'admin@example.org' },
	...{ revokedAt: null, seenAt: now - 5_000, state: 'online', entries: 10, setAside: 0, newestSeq: 10 },
	clock: { offsetMs: 200, uncertaintyMs: 50, state: 'good' },
	report: {
		...{ queued: 0, build: 'x' },
		keys: { version: 4, ageSeconds: 3_600 },
		revocations: { version: 90, ageSeconds: 60 }
	},
	...more
});
const report = (keys: number, keysAge: number | null, revocationsAge: number | null = 60) => ({
	queued: 0,
	keys: { version: keys, ageSeconds: keysAge },
	revocations: { version: 90, ageSeconds: revocationsAge }
});
const kinds = (one: Scanner, newest: number | null = 4) =>
	troublesOfScanner(one, newest, now).map(({ kind }) => kind);

test('a scanner that is heard, right and up to date has no trouble', () => {
	expect(kinds(scanner())).toEqual([]);
	expect(kinds(scanner({ state: 'revoked', revokedAt: now, setAside: 4 }))).toEqual([]);
});

test('silence, old lists, a wrong clock and what was set aside are told, the gravest first', () => {
	const bad = scanner({
		...{ state: 'silent', seenAt: now - 600_000, setAside: 2 },
		clock: { offsetMs: -10_800_000, uncertaintyMs: 90, state: 'skewed' },
		report: report(4, 60, oldListSeconds.revocations)
	});
	// It was just in time when it last spoke: by now it is over.
	expect(kinds(bad)).toEqual(['silent', 'revocations', 'clock', 'set-aside']);
	expect(troublesOfScanner(bad, 4, now)[0]).toMatchObject({ since: now - 600_000, waiting: 0 });
	expect(kinds(scanner({ state: 'never', seenAt: null, clock: null, report: null }))).toEqual(['never']);
});

test('a key list that others have is missed only by a scanner that had the time to fetch it', () => {
	expect(kinds(scanner({ report: report(3, 60) }))).toEqual([]);
	expect(kinds(scanner({ report: report(3, 7_200) }))).toEqual(['keys']);
	expect(kinds(scanner({ report: report(3, null) }))).toEqual(['keys']);
	expect(kinds(scanner({ report: report(4, oldListSeconds.keys + 1) }))).toEqual(['keys']);
	const none = scanner({ report: { queued: 3 } });
	expect(troublesOfScanner(none, 4, now).map((each) => 'why' in each && each.why)).toEqual(['none', 'none']);
	// Nothing was said of lists at all: nothing is claimed.
	expect(kinds(scanner({ report: null }))).toEqual([]);
});

test('the age of a list goes on while the scanner is silent', () => {
	const silent = scanner({ seenAt: now - 60_000 });
	expect(listAgeSeconds(silent, 'revocations', now)).toBe(120);
	expect(listAgeSeconds(scanner({ report: null }), 'keys', now)).toBeNull();
	expect(listAgeSeconds(scanner({ report: report(4, null) }), 'keys', now)).toBeNull();
});

test('the live word wins, and a revocation is not taken back by an older one', () => {
	const read = [scanner(), scanner({ id: 's-2', state: 'revoked', revokedAt: now })];
	const live = [scanner({ entries: 99 }), scanner({ id: 's-2' }), scanner({ id: 's-3' })];
	const merged = mergeScanners(read, live);
	expect(merged.map(({ id, state, entries }) => [id, state, entries])).toEqual([
		['s-1', 'online', 99],
		['s-2', 'revoked', 10],
		['s-3', 'online', 10]
	]);
	expect(newestKeys([scanner({ report: report(7, 1) }), scanner()])).toBe(7);
	expect(newestKeys([scanner({ state: 'revoked', report: report(7, 1) })])).toBeNull();
});

test('those in trouble stand first, revoked ones last, the others by gate and name', () => {
	const all = [
		scanner({ id: 'gone', state: 'revoked', revokedAt: now }),
		scanner({ id: 'b10', gate: 'gate-10' }),
		scanner({ id: 'b2', gate: 'gate-2' }),
		scanner({ id: 'new', gate: 'gate-9', state: 'never', seenAt: null, report: null, clock: null }),
		scanner({ id: 'quiet', gate: 'gate-9', state: 'silent', seenAt: now - 900_000 })
	];
	expect(orderScanners(all, now).map(({ id }) => id)).toEqual(['quiet', 'new', 'b2', 'b10', 'gone']);
});
