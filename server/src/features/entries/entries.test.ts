// Answers are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	createTestApp,
	createTestDatabase,
	type TestApp,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { createTestScanner, permitId, type TestScanner } from './entries.fixture.ts';

const patience = { timeout: 60_000, interval: 200 };
const hours = 3_600_000;
let folder: string;
let database: TestDatabase;
let app: TestApp;
/** A second instance on the same database. */
let other: TestApp;
let cookies: Record<string, string>;
let nextPermit = 1;
const newPermit = () => permitId(nextPermit++);

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'marsad-entries-'));
	const siteFile = path.join(folder, 'site.geojson');
	await writeFile(siteFile, JSON.stringify(siteWithScans()));
	database = await createTestDatabase();
	app = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	other = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	cookies = {};
	for (const who of ['admin', 'duty', 'crowd', 'steward', 'viewer']) cookies[who] = await app.signIn(who);
}, 120_000);
afterAll(async () => {
	await other?.close();
	await app?.close();
	await database?.close();
	await rm(folder, { recursive: true, force: true });
});

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

const db = () => database.database.db;
const get = async (target: string, who = 'duty') =>
	app.call('GET', `/api/v1/${target}`, { cookie: cookies[who]! });
const scannerAt = (gate: string, on: TestApp = app) =>
	createTestScanner(on, { cookie: cookies.admin!, gate, now: Date.now });
const stored = (scanner: TestScanner) =>
	db().selectFrom('entries').selectAll().where('scanner', '=', scanner.id).orderBy('seq').execute();
const totals = async (gate: string) =>
	db().selectFrom('entry_totals').selectAll().where('gate', '=', gate).executeTakeFirst();

describe('a batch of entries', () => {
	it('500 people offline, sent three times: each is there once, in order of their own clock', async () => {
		const scanner = await scannerAt('gate-1');
		const before = (await totals('gate-1'))?.people_in ?? 0;
		const entries = Array.from({ length: 500 }, () => {
			scanner.uptimeMs += 1_000;
			return scanner.scan(newPermit(), { offline: true });
		});
		scanner.uptimeMs += 2 * hours;
		const answers = [];
		for (let time = 0; time < 3; time++) answers.push(await scanner.send(entries));
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		expect(answers.map(({ body }) => [body.stored, body.repeated])).toEqual([
			[500, 0],
			[0, 500],
			[0, 500]
		]);
		expect(answers.map(({ body }) => body.acknowledged)).toEqual(Array(3).fill([[1, 500]]));
		const rows = await stored(scanner);
		expect(rows).toHaveLength(500);
		for (let at = 1; at < rows.length; at++)
			expect(rows[at]!.at.getTime()).toBeGreaterThan(rows[at - 1]!.at.getTime());
		const agoMs = Date.now() - rows[499]!.at.getTime();
		expect(agoMs).toBeGreaterThan(2 * hours - 5_000);
		expect((await totals('gate-1'))!.people_in - before).toBe(500);
		expect(answers[2]!.body.nextSeq).toBe(501);
	});

	it('by a clock three hours wrong: noticed, corrected, both kept, nobody refused', async () => {
		const scanner = await scannerAt('gate-1');
		scanner.offByMs = -3 * hours;
		const startedAt = Date.now();
		const { status, body } = await scanner.send([scanner.scan(newPermit()), scanner.scan(newPermit())]);
		expect([status, body.stored, body.clock.state]).toEqual([200, 2, 'skewed']);
		expect(Math.abs(body.clock.offsetMs + 3 * hours)).toBeLessThan(60_000);
		for (const row of await stored(scanner)) {
			expect(Math.abs(row.at.getTime() - startedAt)).toBeLessThan(60_000);
			expect(row.device_at.getTime()).toBeLessThan(startedAt - 2 * hours);
			expect(row.received_at.getTime()).toBeGreaterThanOrEqual(row.at.getTime());
		}
		const { scanners } = (await get('scanners')).body;
		expect(scanners.find(({ id }: any) => id === scanner.id)).toMatchObject({
			...{ state: 'online', entries: 2, clock: { state: 'skewed' } }
		});
		await expect
			.poll(async () => {
				const { alarms } = (await get('alarms')).body;
				return alarms.some((one: any) => one.definition === 'scanner-clock' && one.subject.id === scanner.id);
			}, patience)
			.toBe(true);
	});

	it('sets a poison one aside, keeps it, and blocks nothing', async () => {
		const scanner = await scannerAt('gate-1');
		const good = [scanner.scan(newPermit()), scanner.scan(newPermit())];
		const bad = [
			scanner.scan(newPermit(), { people: 999 }),
			'no entry at all',
			scanner.scan(newPermit(), { gate: 'gate-2' }),
			scanner.scan(newPermit(), { boot: 'nul\u0000' })
		];
		const batch = [bad[0], good[0], bad[1], bad[2], good[1], bad[3]];
		for (const [storedNow, repeated] of [
			[2, 0],
			[0, 2]
		]) {
			const { status, body } = await scanner.send(batch);
			expect([status, body.stored, body.repeated]).toEqual([200, storedNow, repeated]);
			expect(body.setAside.map(({ index, seq, code }) => [index, seq, code])).toEqual([
				[0, 3, 'bad_shape'],
				[2, null, 'bad_shape'],
				[3, 4, 'other_gate'],
				[5, 5, 'bad_shape']
			]);
			expect(body.acknowledged).toEqual([[1, 2]]);
		}
		const kept = await db()
			.selectFrom('entries_set_aside')
			.selectAll()
			.where('scanner', '=', scanner.id)
			.execute();
		expect(kept).toHaveLength(4);
	});

	it('tells another entry under a used number from a repeat', async () => {
		const scanner = await scannerAt('gate-1');
		const first = scanner.scan(newPermit());
		await scanner.send([first]);
		scanner.seq = 0;
		const second = scanner.scan(newPermit());
		const { body } = await scanner.send([second, first]);
		expect(body.setAside).toMatchObject([{ seq: 1, code: 'seq_reused' }]);
		expect([body.stored, body.repeated, body.nextSeq]).toEqual([0, 1, 2]);
	});

	it('any order and any repetition of batches, on either instance, leads to the same store and counts', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.array(fc.array(fc.nat(11), { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 6 }),
				fc.array(fc.boolean(), { minLength: 7, maxLength: 7 }),
				async (batches, onOther) => {
					const scanner = await scannerAt('gate-2');
					const before = (await totals('gate-2'))?.people_in ?? 0;
					const entries = Array.from({ length: 12 }, (_, n) => {
						scanner.uptimeMs += 1_000;
						return scanner.scan(newPermit(), { people: 1 + (n % 3), party: { entered: 1, of: 6 } });
					});
					const all = [...batches, entries.map((_, n) => n)];
					await Promise.all(
						all.map(async (batch, at) => {
							const { status } = await (onOther[at] ? other : app).call('POST', '/api/v1/entries', {
								headers: { authorization: `Bearer ${scanner.token}` },
								body: scanner.batch(batch.map((n) => entries[n]))
							});
							expect(status).toBe(200);
						})
					);
					expect((await stored(scanner)).map(({ seq, people }) => [seq, people])).toEqual(
						entries.map((entry) => [entry.seq, entry.people])
					);
					expect((await totals('gate-2'))!.people_in - before).toBe(24);
					const [row] = await db()
						.selectFrom('scanners')
						.select('entries')
						.where('id', '=', scanner.id)
						.execute();
					expect(row!.entries).toBe(12);
				}
			),
			{ numRuns: 8 }
		);
	}, 120_000);
});

describe('one permit at two gates', () => {
	it('is raised when both scanners come back, also at the same moment on two instances', async () => {
		const [one, two] = [await scannerAt('gate-1'), await scannerAt('gate-2', other)];
		const permits = Array.from({ length: 20 }, newPermit);
		const offline = { offline: true };
		const batches = [one, two].map((scanner) => {
			const entries = permits.map((permit) => scanner.scan(permit, offline));
			scanner.uptimeMs += hours;
			return entries;
		});
		// In opposite orders, so that a wrong order of locks would show.
		const answers = await Promise.all([one.send(batches[0]!), two.send(batches[1]!.toReversed())]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		const { conflicts } = (await get('entries/conflicts')).body;
		const found = conflicts.filter(({ permit }: any) => permits.includes(permit));
		expect(found).toHaveLength(20);
		expect(found[0]).toMatchObject({
			...{ kind: 'two-gates', gates: ['gate-1', 'gate-2'], people: 2, party: 1, offline: true, seen: null }
		});
		const lines = (await get('record?since=0', 'admin')).body.entries;
		expect(lines.some((line: any) => line.action === 'entry.conflict' && line.subject === found[0].id)).toBe(
			true
		);
		expect(JSON.stringify(lines.filter((line: any) => line.action === 'entry.conflict'))).not.toContain(
			permits[0]!
		);
		await expect
			.poll(async () => {
				const { alarms } = (await get('alarms')).body;
				return alarms.filter((alarm: any) => alarm.definition === 'entry-conflict').length;
			}, patience)
			.toBe(2);
		// Nothing of history was rewritten, and sending again raises nothing new.
		await Promise.all([one.send(batches[0]!), two.send(batches[1]!)]);
		expect((await get('entries/conflicts')).body.conflicts).toEqual(conflicts);
		const seen = await app.call('POST', `/api/v1/entries/conflicts/${found[0].id}/seen`, {
			cookie: cookies.crowd!,
			body: { reason: 'spoke with the supervisor' }
		});
		expect([seen.status, seen.body.seen.reason]).toEqual([200, 'spoke with the supervisor']);
	}, 90_000);

	it('is none where the place lets people in and out', async () => {
		const put = (policy: string) =>
			app.call('PUT', '/api/v1/entries/places/whole', {
				cookie: cookies.duty!,
				body: {
					policy,
					lateSeconds: 3_600,
					slots: [{ slot: 4, earlySeconds: 0, lateSeconds: 60 }],
					reason: 'a test'
				}
			});
		expect((await put('in-and-out')).body).toMatchObject({ policy: 'in-and-out', version: 1 });
		const [one, two] = [await scannerAt('gate-1'), await scannerAt('gate-2')];
		const permit = newPermit();
		await one.send([one.scan(permit)]);
		one.uptimeMs += 60_000;
		two.uptimeMs += 60_000;
		await one.send([one.scan(permit, { direction: 'out' })]);
		await two.send([two.scan(permit)]);
		const { conflicts } = (await get('entries/conflicts')).body;
		expect(conflicts.filter((conflict: any) => conflict.permit === permit)).toEqual([]);
		const settings = await app.call('GET', '/api/v1/entries/settings', {
			headers: { authorization: `Bearer ${two.token}` }
		});
		expect(settings.body).toMatchObject({
			...{ device: two.id, mode: 'check', nextSeq: 2, gate: { id: 'gate-2', state: 'open' } },
			place: { policy: 'in-and-out', slots: [{ slot: 4, lateSeconds: 60 }] }
		});
		await put('single');
	});
});

describe('a permit that was cancelled', () => {
	it('and let in afterwards is flagged; before, and not known at the gate, it is not', async () => {
		const [early, late, lost] = [newPermit(), newPermit(), newPermit()];
		const at = (ms: number) => new Date(Date.now() + ms);
		for (const [id, cancelledMs] of [
			[early, 60_000],
			[late, -hours]
		] as const)
			await sql`insert into permits (season, id, holder, room, slot, place, starts_at, ends_at, party, state, issued_at,
				cancelled_at) values ('demo', ${id}, ${id}, 'main', 1, 'whole', ${at(-hours)}, ${at(hours)}, 1, 'cancelled',
				${at(-2 * hours)}, ${at(cancelledMs)})`.execute(db());
		const scanner = await scannerAt('gate-1');
		await scanner.send([early, late, lost].map((permit) => scanner.scan(permit)));
		expect((await stored(scanner)).map(({ findings }) => findings)).toEqual([
			[],
			['revoked-at-scan'],
			['unknown-permit']
		]);
	});
});

describe('a scanner', () => {
	it('signs in with a token that is shown once and stands nowhere', async () => {
		const key = crypto.randomUUID();
		const make = () =>
			app.call('POST', '/api/v1/scanners', {
				...{ cookie: cookies.admin!, key },
				body: { name: 'north 1', gate: 'gate-1', reason: 'a test' }
			});
		const [first, again] = [await make(), await make()];
		expect([first.status, typeof first.body.token, again.status, again.body.token]).toEqual([
			...[200, 'string', 200, null]
		]);
		const secret = first.body.token.split('.')[1];
		for (const table of ['scanners', 'command_keys', 'record'])
			expect(JSON.stringify(await sql`select * from ${sql.table(table)}`.execute(db()))).not.toContain(
				secret
			);
		expect((await get('scanners', 'steward')).status).toBe(200);
		const asSteward = await app.call('POST', '/api/v1/scanners', {
			...{ cookie: cookies.steward!, body: { name: 'mine', gate: 'gate-1', reason: 'a test' } }
		});
		expect(asSteward.status).toBe(403);
	});

	it('opens nothing else, speaks for itself alone, and harms one gate at most', async () => {
		const [mine, foreign] = [await scannerAt('gate-1'), await scannerAt('gate-2')];
		const headers = { authorization: `Bearer ${mine.token}` };
		for (const target of ['zones', 'scanners', 'record', 'entries/conflicts'])
			expect((await app.call('GET', `/api/v1/${target}`, { headers })).status).toBe(401);
		const posed = await app.call('POST', '/api/v1/entries', { headers, body: foreign.batch([]) });
		expect([posed.status, posed.body.code]).toEqual([403, 'forbidden']);
		const { body } = await mine.send([mine.scan(newPermit(), { gate: 'gate-2' })]);
		expect([body.stored, body.setAside[0]!.code]).toEqual([0, 'other_gate']);
		const guessed = `${mine.id}.${'x'.repeat(43)}`;
		const wrong = await app.call('POST', '/api/v1/entries', {
			...{ headers: { authorization: `Bearer ${guessed}` }, body: mine.batch([]) }
		});
		expect([wrong.status, wrong.body.code]).toEqual([401, 'scanner_unknown']);
	});

	it('that is revoked is refused on both instances at once, and it is on record', async () => {
		const scanner = await scannerAt('gate-1');
		const revoked = await app.call('POST', `/api/v1/scanners/${scanner.id}/revoke`, {
			...{ cookie: cookies.admin!, body: { reason: 'lost at the gate' } }
		});
		expect([revoked.status, revoked.body.state]).toEqual([200, 'revoked']);
		for (const on of [app, other]) {
			const { status, body } = await on.call('POST', '/api/v1/entries', {
				...{
					headers: { authorization: `Bearer ${scanner.token}` },
					body: scanner.batch([scanner.scan(newPermit())])
				}
			});
			expect([status, body.code]).toEqual([403, 'scanner_revoked']);
		}
		const lines = (await get('record?since=0', 'admin')).body.entries;
		expect(
			lines.find((line: any) => line.action === 'scanner.revoke' && line.subject === scanner.id)
		).toMatchObject({
			reason: 'lost at the gate'
		});
	});

	it('is told to slow down, and to send less', async () => {
		const scanner = await scannerAt('gate-1');
		const many = Array.from({ length: 501 }, () => scanner.scan(newPermit()));
		expect((await scanner.send(many)).status).toBe(400);
		const answers = await Promise.all(Array.from({ length: 90 }, () => scanner.send([])));
		const slowed = answers.filter(({ status }) => status === 429);
		expect(slowed.length).toBeGreaterThan(0);
		expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
	}, 60_000);
});

describe('the trail of a permit', () => {
	it('is seen by those who may, each look is on record, and it goes after the window', async () => {
		const scanner = await scannerAt('gate-1');
		const permit = newPermit();
		await scanner.send([scanner.scan(permit)]);
		const target = `entries/trail/${permit}?reason=${encodeURIComponent('asked by the police')}`;
		expect((await get(target, 'crowd')).status).toBe(403);
		const { status, body } = await get(target);
		expect([status, body.entries.length]).toEqual([200, 1]);
		expect((await get(`entries/trail/${permit}`)).status).toBe(400);
		const lines = (await get('record?since=0', 'admin')).body.entries;
		expect(lines.find((line: any) => line.action === 'entry.trail')).toMatchObject({
			...{ actor: 'duty@example.org', subject: permit, reason: 'asked by the police' }
		});
		const before = await totals('gate-1');
		await sql`update entry_trails set forget_at = now() - interval '1 minute' where permit = ${permit}`.execute(
			db()
		);
		const { forgetTrails } = await import('./trail-store.ts');
		expect(
			await db()
				.transaction()
				.execute((tx) => forgetTrails(tx, 'demo', Date.now()))
		).toBe(1);
		expect((await get(target)).body.entries).toEqual([]);
		const [row] = await stored(scanner);
		expect([row!.permit, row!.content_sha256, row!.people]).toEqual([null, null, 1]);
		expect(await totals('gate-1')).toEqual(before);
	});
});

describe('occupancy by scans', () => {
	const hall = async () => (await get('zones/hall', 'crowd')).body;
	it('takes what is scanned now as flow, and what comes hours late as level alone', async () => {
		const scanner = await scannerAt('gate-1');
		await scanner.send([]);
		await expect.poll(async () => (await hall()).quality, patience).not.toBe('unknown');
		const settled = async () => {
			await app.call('GET', '/api/v1/scanners', { cookie: cookies.duty! });
			return (await hall()).present as number;
		};
		const before = (await totals('gate-1'))!;
		await expect.poll(settled, patience).toBe(before.people_in - before.people_out);
		const late = Array.from({ length: 40 }, () => scanner.scan(newPermit(), { offline: true }));
		scanner.uptimeMs += 3 * hours;
		await scanner.send([...late, scanner.count(7)]);
		await expect.poll(settled, patience).toBe(before.people_in - before.people_out + 47);
		const after = (await totals('gate-1'))!;
		expect(after.late_in - before.late_in).toBe(40);
		const flows = await db()
			.selectFrom('sensor_flows')
			.select((eb) => eb.fn.sum<number>('people_in').as('in'))
			.where('counter', '=', 'scans-1')
			.executeTakeFirst();
		expect(Number(flows?.in ?? 0)).toBeLessThan(after.people_in - after.late_in + 1);
		const minutes = await db()
			.selectFrom('entry_minutes')
			.select((eb) => eb.fn.sum<number>('scanned_in').as('in'))
			.where('gate', '=', 'gate-1')
			.where('minute', '<', new Date(Date.now() - 2.5 * hours))
			.executeTakeFirst();
		expect(Number(minutes?.in)).toBeGreaterThanOrEqual(40);
	}, 120_000);
});
