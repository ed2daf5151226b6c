// Features of a site file are put together freely here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { EntryBatch, EntryBatchAnswer } from '../../../contract/index.ts';
import { createTestApp, createTestDatabase, type TestApp } from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';

const reason = 'a test';

/** A scanner with two clocks of its own: one that may be wrong, one that never jumps. */
export interface TestScanner {
	id: string;
	token: string;
	gate: string;
	/** The clock that never jumps, and what the other one is off by; tests turn them. */
	uptimeMs: number;
	offByMs: number;
	boot: string;
	seq: number;
	/** An entry of this moment with the next number. */
	scan(permit: string, more?: object): Record<string, unknown>;
	count(people: number, more?: object): Record<string, unknown>;
	batch(entries: readonly unknown[], more?: object): EntryBatch;
	send(
		entries: readonly unknown[],
		more?: object
	): Promise<{ status: number; body: EntryBatchAnswer & { code?: string } }>;
}

/** Makes a scanner as the administrator does. Its `now` is that of the server, on one machine. */
export async function createTestScanner(
	app: TestApp,
	options: { cookie: string; gate: string; now: () => number }
): Promise<TestScanner> {
	const { gate, now } = options;
	const made = await app.call('POST', '/api/v1/scanners', {
		cookie: options.cookie,
		body: { name: `Scanner at ${gate}`, gate, reason }
	});
	if (made.status !== 200) throw new Error(`a scanner was refused: ${JSON.stringify(made.body)}`);
	const startedAt = now();
	const upMs = () => scanner.uptimeMs + (now() - startedAt);
	const common = (more: object) => ({
		...{ seq: ++scanner.seq, boot: scanner.boot, gate, direction: 'in', offline: false },
		...{ deviceAt: now() + scanner.offByMs, uptimeMs: upMs(), ...more }
	});
	const scanner: TestScanner = {
		...{ id: made.body.scanner.id, token: made.body.token, gate },
		...{ uptimeMs: 60_000, offByMs: 0, boot: 'boot-1', seq: 0 },
		scan: (permit, more = {}) => common({ kind: 'permit', verdict: 'green', permit, people: 1, ...more }),
		count: (people, more = {}) => common({ kind: 'count', reason: 'pressure', people, ...more }),
		batch: (entries, more = {}) => ({
			device: scanner.id,
			entries: [...entries],
			clock: { deviceAt: now() + scanner.offByMs, uptimeMs: upMs(), boot: scanner.boot, roundTripMs: 0 },
			...more
		}),
		send: (entries, more = {}) =>
			app.call('POST', '/api/v1/entries', {
				headers: { authorization: `Bearer ${scanner.token}` },
				body: scanner.batch(entries, more)
			})
	};
	return scanner;
}

/** The n-th made-up permit id. */
export function permitId(n: number): string {
	const digits = n.toString(10).padStart(16, '0');
	return digits.replace(/(.{4})(?=.)/g, '$1-');
}

/** Two gates into the hall: at the first the scans decide, at the second the door does. */
function siteWithScans() {
	const site = smallSite();
	const part = (id: string) => site.features.find(({ properties }) => properties.id === id)!;
	const door = part('door-1');
	const gate = part('gate-1');
	Object.assign(gate.properties, { scans: 'scans-1' });
	Object.assign(part('tally').properties, { authority: false });
	site.features.push(
		{
			...door,
			properties: { ...door.properties, id: 'scans-1', device: 'scans-1', periodSeconds: 30 }
		} as any,
		{
			...gate,
			properties: { ...gate.properties, id: 'gate-2', scans: undefined, counters: ['door-1'] }
		} as any
	);
	return JSON.parse(JSON.stringify(site));
}

/** Two instances on one database, and everybody who asks them something. */
export async function startEntries() {
	const folder = await mkdtemp(path.join(tmpdir(), 'marsad-entries-'));
	const siteFile = path.join(folder, 'site.geojson');
	await writeFile(siteFile, JSON.stringify(siteWithScans()));
	const database = await createTestDatabase();
	const app = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	const other = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	const cookies: Record<string, string> = {};
	for (const who of ['admin', 'duty', 'crowd', 'steward']) cookies[who] = await app.signIn(who);
	const { db } = database.database;
	return {
		...{ app, other, db, cookies },
		get: (target: string, who = 'duty') => app.call('GET', `/api/v1/${target}`, { cookie: cookies[who]! }),
		scannerAt: (gate: string, on: TestApp = app) =>
			createTestScanner(on, { cookie: cookies.admin!, gate, now: Date.now }),
		stored: (scanner: TestScanner) =>
			db.selectFrom('entries').selectAll().where('scanner', '=', scanner.id).orderBy('seq').execute(),
		totals: (gate: string) =>
			db.selectFrom('entry_totals').selectAll().where('gate', '=', gate).executeTakeFirst(),
		async close() {
			await other.close();
			await app.close();
			await database.close();
			await rm(folder, { recursive: true, force: true });
		}
	};
}
