// Answers are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	applySyncAnswer,
	emptySyncCopy,
	nextSyncRequest,
	type SyncCopy,
	type SyncPullAnswer
} from '../../../contract/index.ts';
import type { TestApp } from '../../../test/kit/index.ts';
import { startEntries, type TestScanner } from './entries.fixture.ts';

const patience = { timeout: 60_000, interval: 200 };
let on: Awaited<ReturnType<typeof startEntries>>;
let scanner: TestScanner;
beforeAll(async () => {
	on = await startEntries();
	scanner = await on.scannerAt('gate-1');
}, 120_000);
afterAll(() => on?.close());

type Headers = Record<string, string>;
const pull = async (headers: Headers, body: unknown = {}, app: TestApp = on.app) => {
	const answer = await app.call('POST', '/api/v1/sync/pull', { headers, body });
	return { ...answer, body: answer.body as SyncPullAnswer & { code?: string; reason?: string } };
};
const as = (who: string): Headers => ({ cookie: on.cookies[who]! });
const asScanner = (one = scanner): Headers => ({ authorization: `Bearer ${one.token}` });
const kindsOf = ({ parts, unchanged }: SyncPullAnswer) => [...parts.map(({ kind }) => kind), ...unchanged];
/** Pulls until nothing is missing. */
const catchUp = async (headers: Headers, copy: SyncCopy = emptySyncCopy, app: TestApp = on.app) => {
	for (;;) {
		const { status, body } = await pull(headers, nextSyncRequest(copy), app);
		if (status !== 200) throw new Error(`a pull answered ${status}: ${JSON.stringify(body)}`);
		copy = applySyncAnswer(copy, body);
		if (!body.hasMore) return copy;
	}
};

describe('one pull', () => {
	it('brings the control room all kinds it may see, in the order in which they stand on each other', async () => {
		const { status, body } = await pull(as('duty'));
		expect(status).toBe(200);
		expect(kindsOf(body)).toEqual([
			...['site', 'zones', 'gates', 'evacuation', 'scanners', 'levels', 'alarms', 'teams'],
			...['incidents', 'dispatches', 'record']
		]);
		expect(body.errors).toEqual([]);
		expect(body.pullAfterMs).toBeGreaterThan(1_000);
		const { body: gates } = await on.get('gates');
		const copy = await catchUp(as('duty'));
		expect([...copy.things.get('gates')!.keys()]).toEqual(gates.gates.map((gate: any) => gate.id));
		expect(copy.things.get('site')!.size).toBe(1);
		const actions = [...copy.things.get('record')!.values()].map((line: any) => line.action);
		expect(actions).toContain('scanner.create');
	});

	it('brings a steward less, and says so of what is asked by name', async () => {
		const { body } = await pull(as('steward'), { kinds: ['zones', 'gates', 'keys', 'record', 'moons'] });
		expect(kindsOf(body)).toEqual(['gates']);
		expect(body.errors.map(({ kind, code }) => `${kind} ${code}`)).toEqual([
			...['zones forbidden', 'keys forbidden', 'record forbidden', 'moons unknown_kind']
		]);
	});

	it('brings a scanner what it judges by, and nothing of the control room', async () => {
		const { status, body } = await pull(asScanner());
		expect(status).toBe(200);
		expect(kindsOf(body)).toEqual(['evacuation', 'keys', 'revocations', 'entry-settings']);
		const copy = await catchUp(asScanner());
		const settings = copy.things.get('entry-settings')!.get(scanner.id) as any;
		expect(settings).toMatchObject({ device: scanner.id, mode: 'check', gate: { id: 'gate-1' } });
		expect(settings.place).toMatchObject({ policy: 'single', earlySeconds: 900 });
		expect(copy.things.get('evacuation')!.get('evacuation')).toEqual({ evacuation: null });
		for (const kind of ['keys', 'revocations'] as const) {
			const own = await fetch(`${on.app.url}/permits/${kind}`);
			const bytes = Buffer.from(await own.arrayBuffer());
			const list = copy.things.get(kind)!.get(kind) as any;
			expect(Buffer.from(list.signed, 'base64').equals(bytes)).toBe(true);
			expect(list.version).toBe(Number(own.headers.get('x-list-version')));
		}
	});

	it('says that nothing changed, also on the other instance, in a few bytes', async () => {
		for (const headers of [asScanner(), as('steward')]) {
			let copy = await catchUp(headers);
			// Each instance reads what others wrote some seconds later.
			await expect
				.poll(async () => {
					const { body } = await pull(headers, nextSyncRequest(copy), on.other);
					copy = applySyncAnswer(copy, body);
					return [body.parts.length, body.errors.length, JSON.stringify(body).length < 400];
				}, patience)
				.toEqual([0, 0, true]);
		}
	});

	it('tells a scanner that its gate is held, its place has another policy, and that it is evacuated', async () => {
		let copy = await catchUp(asScanner());
		const settings = () => copy.things.get('entry-settings')!.get(scanner.id) as any;
		const command = async (method: string, target: string, body: object) => {
			const answer = await on.app.call(method, `/api/v1/${target}`, { cookie: on.cookies.duty!, body });
			expect(answer.status, JSON.stringify(answer.body)).toBe(200);
			return answer.body;
		};
		const { place } = settings();
		await command('PUT', `entries/places/${place.place}`, { policy: 're-entry', reason: 'a test' });
		await command('POST', 'gates/gate-1/state', { state: 'held', holdSeconds: 120, reason: 'a test' });
		await expect
			.poll(async () => {
				copy = await catchUp(asScanner(), copy, on.other);
				return [settings().mode, settings().place.policy];
			}, patience)
			.toEqual(['held', 're-entry']);
		const evacuation = await command('POST', 'evacuation', { scope: 'site', reason: 'a test' });
		await expect
			.poll(async () => {
				copy = await catchUp(asScanner(), copy, on.other);
				return [settings().mode, copy.things.get('evacuation')!.get('evacuation')];
			}, patience)
			.toEqual(['count-out', { evacuation: { startedAt: evacuation.active.startedAt } }]);
		await command('POST', 'evacuation/stand-down', {
			...{ reason: 'a test', expectedVersion: evacuation.version }
		});
	});

	it('tells what is gone: a scanner that was revoked', async () => {
		const lost = await on.scannerAt('gate-2');
		let copy = emptySyncCopy;
		const there = async () => {
			copy = await catchUp(as('duty'), copy);
			return copy.things.get('scanners')!.has(lost.id);
		};
		await expect.poll(there, patience).toBe(true);
		await on.app.call('POST', `/api/v1/scanners/${lost.id}/revoke`, {
			...{ cookie: on.cookies.admin!, body: { reason: 'lost at the gate' } }
		});
		await expect.poll(there, patience).toBe(false);
		const { status, body } = await pull(asScanner(lost));
		expect([status, body.code]).toEqual([403, 'scanner_revoked']);
	});

	it('tells lines of the record once each, and waits for one that is still being written', async () => {
		const { db } = on;
		const write = (tx: typeof db, words: string) =>
			sql`insert into record (at, actor, action) values (now(), 'a test', ${words})`.execute(tx);
		let copy = await catchUp(as('admin'));
		const before = copy.things.get('record')!.size;
		const news = async () => {
			copy = await catchUp(as('admin'), copy);
			const lines = [...copy.things.get('record')!.values()].slice(before) as any[];
			// The server itself writes lines of its own meanwhile.
			return lines.filter(({ actor }) => actor === 'a test').map(({ action }) => action);
		};
		await db.transaction().execute(async (tx) => {
			await write(tx as never, 'slow');
			await write(db, 'fast');
			// "fast" has the later number and is committed: told now, "slow" would be missed for ever.
			expect(await news()).toEqual([]);
		});
		expect(await news()).toEqual(['slow', 'fast']);
		// A number that never comes is waited for no longer than any statement runs.
		await db
			.transaction()
			.execute(async (tx) => {
				await write(tx as never, 'never');
				throw new Error('taken back');
			})
			.catch(() => undefined);
		await sql`insert into record (at, actor, action) values (now() - interval '1 minute', 'a test', 'old')`.execute(
			db
		);
		expect(await news()).toEqual(['slow', 'fast', 'old']);
	});

	it('refuses strangers, wrong bodies and pages of other sites', async () => {
		expect((await pull({})).status).toBe(401);
		expect((await pull({ authorization: `Bearer ${scanner.id}.${'x'.repeat(43)}` })).body.code).toBe(
			'scanner_unknown'
		);
		for (const body of [
			{ cursors: { zones: 7 } },
			{ limits: { zones: 0 } },
			{ kinds: 'zones' },
			{ since: 1 }
		])
			expect((await pull(as('duty'), body)).status, JSON.stringify(body)).toBe(400);
		const many = { cursors: { zones: 'x'.repeat(40_001) } };
		expect((await pull(as('duty'), many)).status).toBe(400);
		expect((await pull({ ...as('duty'), origin: 'https://elsewhere.example' })).status).toBe(403);
	});

	it('bounds the pace of one client, and says when to come back', async () => {
		const eager = await on.scannerAt('gate-2');
		const answers = await Promise.all(
			Array.from({ length: 80 }, () => pull(asScanner(eager), { kinds: ['keys'] }))
		);
		const refused = answers.filter(({ status }) => status === 429);
		expect(refused.length).toBeGreaterThan(0);
		expect(Number(refused[0]!.headers.get('retry-after'))).toBeGreaterThan(0);
		expect((await pull(asScanner(), { kinds: ['keys'] })).status).toBe(200);
	});
});
