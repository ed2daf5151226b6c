import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { calls, liveTopics, roles, topicRoles, type Call, type Role } from '../contract/index.ts';
import { io } from 'socket.io-client';
import { createTestApp, type TestApp } from './kit/index.ts';

const all = Object.keys(calls) as Call[];
const split = (call: Call) => {
	const [method = '', path = ''] = call.split(' ');
	return { method, path: path.replaceAll(/:(\w+)/g, 'x') };
};

describe('the table of roles and calls', () => {
	let test: TestApp;
	let cookie = '';
	beforeAll(async () => {
		test = await createTestApp();
		cookie = await test.signIn('viewer');
	});
	afterAll(() => test?.close());

	/** The one account of this test takes on a role; nobody signs in again: it must hold at once. */
	const become = (role: Role) =>
		sql`update accounts set role = ${role} where email = 'viewer@example.org'`.execute(
			test.database.database.db
		);
	const ask = async (call: Call, headers: Record<string, string> = {}) => {
		const { method, path } = split(call);
		// No valid body: what passes the guard is refused by the schema and changes nothing.
		return test.call(method, path, { headers, ...(method === 'GET' ? {} : { body: {} }) });
	};

	it.each(all.filter((call) => calls[call] === 'anyone'))('%s is open to anyone', async (call) => {
		const { status } = await ask(call);
		expect([401, 403, 404]).not.toContain(status);
	});

	it.each(all.filter((call) => calls[call] !== 'anyone'))('%s is closed to strangers', async (call) => {
		for (const headers of [
			{},
			{ cookie: 'marsad_session=guessed' },
			{ authorization: 'Bearer guessed' }
		] as Record<string, string>[]) {
			expect((await ask(call, headers)).status).toBe(401);
		}
	});

	describe.each([...roles])('%s', (role) => {
		beforeAll(() => become(role));

		it('may do what the table says and nothing else', async () => {
			for (const call of all) {
				const allowed: readonly Role[] | 'anyone' | 'device' = calls[call];
				if (typeof allowed === 'string' || call === 'DELETE /api/v1/session') continue;
				const { status, body } = await ask(call, { cookie });
				if (allowed.includes(role)) expect([401, 403], `${call} for ${role}`).not.toContain(status);
				else expect([status, body.code], `${call} for ${role}`).toEqual([403, 'forbidden']);
			}
		});

		it('may leave', async () => {
			const own = await test.signIn('viewer');
			expect((await ask('DELETE /api/v1/session', { cookie: own })).status).toBe(204);
			expect((await ask('GET /api/v1/session', { cookie: own })).status).toBe(401);
		});

		it('may watch the topics that the table gives it and no other', async () => {
			const socket = io(`${test.url}/live`, {
				transports: ['websocket'],
				reconnection: false,
				forceNew: true,
				extraHeaders: { cookie }
			});
			for (const topic of liveTopics) {
				const ack = await socket.timeout(30_000).emitWithAck('subscribe', topic);
				expect(ack).toEqual(
					topicRoles[topic].includes(role) ? { ok: true } : { ok: false, code: 'forbidden' }
				);
			}
			socket.close();
		});
	});

	it.each(all.filter((call) => calls[call] !== 'device'))(
		'%s cannot be called from another site',
		async (call) => {
			await become('duty-manager');
			const { host } = new URL(test.url);
			const foreign: Record<string, string>[] = [
				{ origin: 'https://elsewhere.example' },
				{ origin: 'null' },
				{ origin: `http://${host}.elsewhere.example` },
				{ origin: `http://${host}@elsewhere.example` },
				{ 'sec-fetch-site': 'cross-site' },
				{ 'sec-fetch-site': 'same-site' },
				{ origin: `http://${host}`, 'sec-fetch-site': 'cross-site' }
			];
			for (const headers of foreign) {
				const { status, body } = await ask(call, { cookie, ...headers });
				expect([status, body.code], JSON.stringify(headers)).toEqual([403, 'cross_site']);
			}
		}
	);

	it('a page of our own passes', async () => {
		await become('duty-manager');
		const own = { cookie, origin: test.url, 'sec-fetch-site': 'same-origin' };
		expect((await ask('GET /api/v1/session', own)).status).toBe(200);
	});

	it('a disabled account is out at once', async () => {
		await sql`update accounts set disabled_at = now() where email = 'viewer@example.org'`.execute(
			test.database.database.db
		);
		expect((await ask('GET /api/v1/session', { cookie })).status).toBe(401);
	});
});

describe('calls that believe ?user=', () => {
	let test: TestApp;
	beforeAll(async () => {
		test = await createTestApp({ env: { LAB: '1' } });
	});
	afterAll(() => test?.close());

	it.each([
		'/reset',
		'/queue/join?user=a',
		'/queue/claim?user=a',
		'/queue/leave?user=a',
		'/book?user=a&slot=1',
		'/permits/x/cancel?user=a'
	])('POST %s cannot be called from another site', async (path) => {
		for (const headers of [
			{ origin: 'https://elsewhere.example' },
			{ 'sec-fetch-site': 'cross-site' }
		] as Record<string, string>[]) {
			const { status, body } = await test.call('POST', path, { headers });
			expect([status, body.code]).toEqual([403, 'cross_site']);
		}
		expect((await test.call('POST', path)).body.code).not.toBe('cross_site');
	});
});
