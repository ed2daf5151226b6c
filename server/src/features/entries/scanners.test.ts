// Answers are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { permitId, startEntries } from './entries.fixture.ts';
import { forgetTrails } from './trail-store.ts';

const patience = { timeout: 60_000, interval: 200 };
const hours = 3_600_000;
let on: Awaited<ReturnType<typeof startEntries>>;
let nextPermit = 1;
const newPermit = () => permitId(nextPermit++);
beforeAll(async () => void (on = await startEntries()), 120_000);
afterAll(() => on?.close());

describe('a scanner', () => {
	it('signs in with a token that is shown once and stands nowhere', async () => {
		const key = crypto.randomUUID();
		const make = () =>
			on.app.call('POST', '/api/v1/scanners', {
				...{ cookie: on.cookies.admin!, key },
				body: { name: 'north 1', gate: 'gate-1', reason: 'a test' }
			});
		const [first, again] = [await make(), await make()];
		expect([first.status, typeof first.body.token, again.status, again.body.token]).toEqual([
			...[200, 'string', 200, null]
		]);
		expect([first.body.pairingQr, again.body.pairingQr]).toEqual([expect.stringContaining('<svg'), null]);
		const secret = first.body.token.split('.')[1];
		for (const table of ['scanners', 'command_keys', 'record'])
			expect(JSON.stringify(await sql`select * from ${sql.table(table)}`.execute(on.db))).not.toContain(
				secret
			);
		expect((await on.get('scanners', 'steward')).status).toBe(200);
		const asSteward = await on.app.call('POST', '/api/v1/scanners', {
			...{ cookie: on.cookies.steward!, body: { name: 'mine', gate: 'gate-1', reason: 'a test' } }
		});
		expect(asSteward.status).toBe(403);
	});

	it('opens nothing else, speaks for itself alone, and harms one gate at most', async () => {
		const [mine, foreign] = [await on.scannerAt('gate-1'), await on.scannerAt('gate-2')];
		const headers = { authorization: `Bearer ${mine.token}` };
		for (const target of ['zones', 'scanners', 'record', 'entries/conflicts'])
			expect((await on.app.call('GET', `/api/v1/${target}`, { headers })).status).toBe(401);
		const posed = await on.app.call('POST', '/api/v1/entries', { headers, body: foreign.batch([]) });
		expect([posed.status, posed.body.code]).toEqual([403, 'forbidden']);
		const { body } = await mine.send([mine.scan(newPermit(), { gate: 'gate-2' })]);
		expect([body.stored, body.setAside[0]!.code]).toEqual([0, 'other_gate']);
		const guessed = `${mine.id}.${'x'.repeat(43)}`;
		const wrong = await on.app.call('POST', '/api/v1/entries', {
			...{ headers: { authorization: `Bearer ${guessed}` }, body: mine.batch([]) }
		});
		expect([wrong.status, wrong.body.code]).toEqual([401, 'scanner_unknown']);
	});

	it('that is revoked is refused on both instances at once, and it is on record', async () => {
		const scanner = await on.scannerAt('gate-1');
		const revoked = await on.app.call('POST', `/api/v1/scanners/${scanner.id}/revoke`, {
			...{ cookie: on.cookies.admin!, body: { reason: 'lost at the gate' } }
		});
		expect([revoked.status, revoked.body.state]).toEqual([200, 'revoked']);
		for (const instance of [on.app, on.other]) {
			const { status, body } = await instance.call('POST', '/api/v1/entries', {
				...{
					headers: { authorization: `Bearer ${scanner.token}` },
					body: scanner.batch([scanner.scan(newPermit())])
				}
			});
			expect([status, body.code]).toEqual([403, 'scanner_revoked']);
		}
		const lines = (await on.get('record?since=0', 'admin')).body.entries;
		expect(
			lines.find((line: any) => line.action === 'scanner.revoke' && line.subject === scanner.id)
		).toMatchObject({
			reason: 'lost at the gate'
		});
	});

	it('is told to slow down, and to send less', async () => {
		const scanner = await on.scannerAt('gate-1');
		const many = Array.from({ length: 501 }, () => scanner.scan(newPermit()));
		expect((await scanner.send(many)).status).toBe(400);
		const answers = await Promise.all(Array.from({ length: 90 }, () => scanner.send([])));
		const slowed = answers.filter(({ status }) => status === 429);
		expect(slowed.length).toBeGreaterThan(0);
		expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(40);
	}, 60_000);
});

describe('the trail of a permit', () => {
	/** The place lets the administrator alone look, and then both again. */
	const hideFromDuty = async (target: string) => {
		const put = (trailViewers: string[]) =>
			on.app.call('PUT', '/api/v1/entries/places/whole', {
				...{ cookie: on.cookies.admin!, body: { trailViewers, reason: 'a test' } }
			});
		expect((await put(['administrator'])).body.trailViewers).toEqual(['administrator']);
		expect((await on.get(target)).status).toBe(403);
		const { status, body } = await on.get(target, 'admin');
		expect([status, body.looks.length]).toEqual([200, 2]);
		expect((await put([])).status).toBe(400);
		expect((await put(['steward'])).status).toBe(400);
		expect((await put(['duty-manager', 'administrator'])).status).toBe(200);
	};

	it('is seen by those who may, each look is on record, and it goes after the window', async () => {
		const scanner = await on.scannerAt('gate-1');
		const permit = newPermit();
		await scanner.send([scanner.scan(permit)]);
		const target = `entries/trail/${permit}?reason=${encodeURIComponent('asked by the police')}`;
		expect((await on.get(target, 'crowd')).status).toBe(403);
		const { status, body } = await on.get(target);
		expect([status, body.entries.length]).toEqual([200, 1]);
		expect(body.looks).toEqual([
			{ by: 'duty@example.org', at: expect.any(Number), reason: 'asked by the police' }
		]);
		expect((await on.get(`entries/trail/${permit}`)).status).toBe(400);
		const lines = (await on.get('record?since=0', 'admin')).body.entries;
		expect(lines.find((line: any) => line.action === 'entry.trail')).toMatchObject({
			...{ actor: 'duty@example.org', subject: permit, reason: 'asked by the police' }
		});
		await hideFromDuty(target);
		const before = await on.totals('gate-1');
		await sql`update entry_trails set forget_at = now() - interval '1 minute' where permit = ${permit}`.execute(
			on.db
		);
		expect(await on.db.transaction().execute((tx) => forgetTrails(tx, 'demo', Date.now()))).toBe(1);
		expect((await on.get(target)).body.entries).toEqual([]);
		const [row] = await on.stored(scanner);
		expect([row!.permit, row!.content_sha256, row!.people]).toEqual([null, null, 1]);
		expect(await on.totals('gate-1')).toEqual(before);
	});
});

describe('occupancy by scans', () => {
	const hall = async () => (await on.get('zones/hall', 'crowd')).body;
	it('takes what is scanned now as flow, and what comes hours late as level alone', async () => {
		const scanner = await on.scannerAt('gate-1');
		await scanner.send([]);
		await expect.poll(async () => (await hall()).quality, patience).not.toBe('unknown');
		const settled = async () => {
			await on.app.call('GET', '/api/v1/scanners', { cookie: on.cookies.duty! });
			return (await hall()).present as number;
		};
		const before = (await on.totals('gate-1'))!;
		await expect.poll(settled, patience).toBe(before.people_in - before.people_out);
		const late = Array.from({ length: 40 }, () => scanner.scan(newPermit(), { offline: true }));
		scanner.uptimeMs += 3 * hours;
		await scanner.send([...late, scanner.count(7)]);
		await expect.poll(settled, patience).toBe(before.people_in - before.people_out + 47);
		const after = (await on.totals('gate-1'))!;
		expect(after.late_in - before.late_in).toBe(40);
		const flows = await on.db
			.selectFrom('sensor_flows')
			.select((eb) => eb.fn.sum<number>('people_in').as('in'))
			.where('counter', '=', 'scans-1')
			.executeTakeFirst();
		expect(Number(flows?.in ?? 0)).toBeLessThan(after.people_in - after.late_in + 1);
		const minutes = await on.db
			.selectFrom('entry_minutes')
			.select((eb) => eb.fn.sum<number>('scanned_in').as('in'))
			.where('gate', '=', 'gate-1')
			.where('minute', '<', new Date(Date.now() - 2.5 * hours))
			.executeTakeFirst();
		expect(Number(minutes?.in)).toBeGreaterThanOrEqual(40);
	}, 120_000);
});
