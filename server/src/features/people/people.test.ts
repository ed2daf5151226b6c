import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
	createLog,
	createTestClock,
	createTestDatabase,
	type TestDatabase
} from '../../../test/kit/index.ts';
import type { Account } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { buildHttp, openStaffScope } from '../../platform/http/build.ts';
import type { HotApp } from '../../platform/http/hot-app.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createRecord } from '../record/index.ts';
import { createPeople, demoAccounts, type People, type PeopleDeps } from './index.ts';

const password = 'a password for demos';
const log = createLog('silent');

describe('people', () => {
	let test: TestDatabase;
	let clock = createTestClock();
	const open: HotApp[] = [];

	beforeAll(async () => {
		test = await createTestDatabase();
	});
	beforeEach(async () => {
		clock = createTestClock();
		await sql`truncate accounts, sessions, device_tokens, first_links cascade`.execute(test.database.db);
	});
	afterAll(async () => {
		for (const app of open) await app.close();
		await test.close();
	});

	const start = async (options: Partial<PeopleDeps> = {}) => {
		const { db } = test.database;
		const links: string[] = [];
		const record = createRecord({ db, clock });
		const metrics = createMetrics();
		const people: People = createPeople({
			db,
			clock,
			log,
			metrics,
			record,
			demo: true,
			demoPassword: password,
			onFirstStart: (path) => links.push(path),
			...options
		});
		const app = buildHttp(log);
		open.push(app);
		await openStaffScope(app, {
			authenticate: (request) => people.authenticate(request.headers),
			register: (staff) => {
				record.staffRoutes?.(staff);
				people.staffRoutes?.(staff);
			}
		});
		await people.start?.();
		await people.stop?.();
		metrics.stop();
		const signIn = (email: string, given = password, headers: Record<string, string> = {}) =>
			app.inject({ method: 'POST', url: '/api/v1/session', payload: { email, password: given }, headers });
		const get = (cookie: string, headers: Record<string, string> = {}) =>
			app.inject({ method: 'GET', url: '/api/v1/session', headers: { cookie, ...headers } });
		return { app, people, links, signIn, get };
	};
	const cookieOf = (response: { headers: Record<string, unknown> }) =>
		String(response.headers['set-cookie']).split(';')[0]!;

	it('lets each demo account in, tells who it is, and lets it leave', async () => {
		const { app, signIn, get } = await start();
		for (const { email, name, role } of demoAccounts) {
			const entered = await signIn(` ${email.toUpperCase()} `);
			expect(entered.statusCode).toBe(200);
			expect(entered.json()).toMatchObject({ account: { email, name, role }, demo: true });
			const cookie = cookieOf(entered);
			expect((await get(cookie)).json()).toMatchObject({ account: { email } });
			const left = await app.inject({ method: 'DELETE', url: '/api/v1/session', headers: { cookie } });
			expect(left.statusCode).toBe(204);
			expect(String(left.headers['set-cookie'])).toContain('Max-Age=0');
			expect((await get(cookie)).statusCode).toBe(401);
		}
		const actions = await test.database.db.selectFrom('record').select(['actor', 'action']).execute();
		expect(actions).toContainEqual({ actor: 'duty@example.org', action: 'session.start' });
		expect(actions).toContainEqual({ actor: 'duty@example.org', action: 'session.end' });
	});

	it('answers an unknown e-mail and a wrong password alike', async () => {
		const { signIn } = await start();
		const unknown = await signIn('nobody@example.org');
		const wrong = await signIn('duty@example.org', 'something else');
		expect(unknown.statusCode).toBe(401);
		expect(unknown.json()).toMatchObject({ code: 'wrong_credentials' });
		expect(wrong.json()).toEqual(unknown.json());
		expect(unknown.headers['set-cookie']).toBeUndefined();
	});

	it('keeps the cookie from scripts and other sites, and by its name from sibling hosts where it is secure', async () => {
		const { signIn, get } = await start();
		const plain = String((await signIn('duty@example.org')).headers['set-cookie']);
		expect(plain).toMatch(/^marsad_session=[\w-]{43};/);
		for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/']) expect(plain).toContain(part);
		const behindTls = await signIn('duty@example.org', password, {
			host: 'marsad.example.org',
			origin: 'https://marsad.example.org'
		});
		expect(String(behindTls.headers['set-cookie'])).toMatch(/^__Host-marsad_session=.*Secure/);
		expect((await get(cookieOf(behindTls))).statusCode).toBe(200);
	});

	it('stores neither passwords nor tokens', async () => {
		const { signIn } = await start();
		const token = cookieOf(await signIn('duty@example.org')).split('=')[1]!;
		const stored = await sql<{ all: string }>`select coalesce(string_agg(t::text, ' '), '') as all from
			(select a::text from accounts a union all select s::text from sessions s union all select r::text from record r) t`.execute(
			test.database.db
		);
		expect(stored.rows[0]!.all).toContain('duty@example.org');
		expect(stored.rows[0]!.all).not.toContain(token);
		expect(stored.rows[0]!.all).not.toContain(password);
	});

	it('ends a session twelve hours after its last use, a used one after a week', async () => {
		const { signIn, get } = await start();
		const cookie = cookieOf(await signIn('duty@example.org'));
		for (let hours = 0; hours + 11 < 168; hours += 11) {
			expect((await get(cookie)).statusCode).toBe(200);
			clock.advance(11 * 3_600_000);
		}
		clock.advance(11 * 3_600_000);
		expect((await get(cookie)).statusCode).toBe(401);
		const unused = cookieOf(await signIn('duty@example.org'));
		clock.advance(limits.people.sessionMs);
		expect((await get(unused)).statusCode).toBe(401);
	});

	it('a disabled account and a changed role hold at once', async () => {
		const { app, signIn, get } = await start();
		const cookie = cookieOf(await signIn('duty@example.org'));
		const record = () => app.inject({ method: 'GET', url: '/api/v1/record', headers: { cookie } });
		expect((await record()).statusCode).toBe(200);
		await sql`update accounts set role = 'viewer' where email = 'duty@example.org'`.execute(test.database.db);
		expect((await record()).json()).toMatchObject({ code: 'forbidden' });
		await sql`update accounts set disabled_at = now() where email = 'duty@example.org'`.execute(
			test.database.db
		);
		expect((await get(cookie)).statusCode).toBe(401);
		expect((await signIn('duty@example.org')).json()).toMatchObject({ code: 'wrong_credentials' });
	});

	it('replaces the session that the browser still held', async () => {
		const { signIn, get } = await start();
		const first = cookieOf(await signIn('duty@example.org'));
		const second = cookieOf(await signIn('crowd@example.org', password, { cookie: first }));
		expect((await get(first)).statusCode).toBe(401);
		expect((await get(second)).json()).toMatchObject({ account: { role: 'crowd-controller' } });
	});

	it('believes no cookie or token that it did not hand out', async () => {
		const { people, signIn } = await start();
		const good = cookieOf(await signIn('duty@example.org'));
		const forged = [
			'',
			'marsad_session=',
			'marsad_session=x',
			`${good}x`,
			`marsad_session=${"' or '1'='1"}`,
			'marsad_session=%00'
		];
		for (const cookie of forged) expect(await people.authenticate({ cookie })).toBeNull();
		for (const authorization of [
			'',
			'Bearer',
			'Bearer ',
			'Bearer x',
			`Bearer ${good.split('=')[1]}`,
			'Basic eDp5'
		]) {
			expect(await people.authenticate({ authorization, cookie: good })).toBeNull();
		}
		expect(await people.authenticate({ cookie: good })).toMatchObject({ role: 'duty-manager' });
	});

	it('slows guessing down and says when to come back', async () => {
		const { signIn } = await start();
		let last = await signIn('duty@example.org', 'wrong 0');
		for (let i = 1; i <= limits.people.failuresPerAccount; i += 1)
			last = await signIn('duty@example.org', `wrong ${i}`);
		expect(last.statusCode).toBe(429);
		expect(last.json()).toMatchObject({ code: 'rate_limited' });
		expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
	}, 120_000);

	it('device tokens read as a viewer, or the figures alone', async () => {
		const { app, people } = await start();
		const wall = await people.createDeviceToken('admin@example.org', 'West wall', 'viewer');
		const scraper = await people.createDeviceToken('admin@example.org', 'Prometheus', 'metrics');
		expect(await people.authenticate({ authorization: `Bearer ${wall}` })).toMatchObject({
			name: 'West wall',
			role: 'viewer'
		});
		expect(await people.authenticate({ authorization: `Bearer ${scraper}` })).toBeNull();
		expect(await people.maySeeFigures({ authorization: `Bearer ${scraper}` })).toBe(true);
		expect(await people.maySeeFigures({ authorization: `Bearer ${wall}` })).toBe(false);
		const session = await app.inject({
			method: 'GET',
			url: '/api/v1/session',
			headers: { authorization: `Bearer ${wall}` }
		});
		expect(session.json()).toMatchObject({ account: { name: 'West wall' } });
	});

	it('demo accounts are worth nothing in a server that is no demo', async () => {
		const demo = await start();
		const cookie = cookieOf(await demo.signIn('admin@example.org'));
		const real = await start({ demo: false });
		expect((await real.signIn('admin@example.org')).statusCode).toBe(401);
		expect((await real.get(cookie)).statusCode).toBe(401);
		expect(real.links).toHaveLength(1);
	});

	it('another DEMO_PASSWORD replaces the old one and ends the old sessions', async () => {
		const before = await start();
		const cookie = cookieOf(await before.signIn('duty@example.org'));
		const same = await start();
		expect((await same.get(cookie)).statusCode).toBe(200);
		const after = await start({ demoPassword: 'another password' });
		expect((await after.get(cookie)).statusCode).toBe(401);
		expect((await after.signIn('duty@example.org')).statusCode).toBe(401);
		expect((await after.signIn('duty@example.org', 'another password')).statusCode).toBe(200);
	});

	describe('the first start', () => {
		const first = async (app: HotApp, token: string, email = 'chief@example.org') =>
			app.inject({
				method: 'POST',
				url: '/api/v1/session/first',
				payload: { token, email, password: 'a long enough password' }
			});
		const tokenOf = (path: string) => new URL(path, 'http://x').searchParams.get('token')!;

		it('prints a link that lets one administrator in, once', async () => {
			const { app, links, signIn, get } = await start({ demo: false, demoPassword: undefined });
			const token = tokenOf(links[0]!);
			expect((await first(app, 'guessed')).json()).toMatchObject({ code: 'link_gone' });
			const both = await Promise.all([first(app, token), first(app, token, 'twin@example.org')]);
			expect(both.map((answer) => answer.statusCode).sort()).toEqual([200, 410]);
			const entered = both.find((answer) => answer.statusCode === 200)!;
			const { account } = entered.json<{ account: Account }>();
			expect(account.role).toBe('administrator');
			expect((await get(cookieOf(entered))).statusCode).toBe(200);
			expect((await signIn(account.email, 'a long enough password')).statusCode).toBe(200);
			expect((await first(app, token, 'late@example.org')).statusCode).toBe(410);
			const again = await start({ demo: false, demoPassword: undefined });
			expect(again.links).toEqual([]);
		});

		it('the link runs out after a day, and a restart makes the older one worthless', async () => {
			const older = await start({ demo: false });
			const newer = await start({ demo: false });
			expect((await first(newer.app, tokenOf(older.links[0]!))).statusCode).toBe(410);
			clock.advance(limits.people.firstLinkMs);
			expect((await first(newer.app, tokenOf(newer.links[0]!))).statusCode).toBe(410);
		});

		it('refuses a short password and what is no e-mail', async () => {
			const { app, links } = await start({ demo: false });
			const payload = { token: tokenOf(links[0]!), email: 'chief@example.org', password: 'short' };
			const answer = await app.inject({ method: 'POST', url: '/api/v1/session/first', payload });
			expect(answer.statusCode).toBe(400);
			expect((await first(app, payload.token, 'no address')).statusCode).toBe(400);
			expect((await first(app, payload.token)).statusCode).toBe(200);
		});
	});

	it('SQL in every text field is text', async () => {
		const { signIn } = await start();
		for (const text of ["' or 1=1 --", `"; drop table accounts; --`, '\\', '%', randomUUID()]) {
			expect((await signIn(`${text}@x`, text)).statusCode).toBe(401);
		}
		expect((await signIn('duty@example.org')).statusCode).toBe(200);
	});
});
