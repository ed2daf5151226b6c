import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createIdentity } from '../booking/index.ts';
import { createStand } from './waiting-room.fixture.ts';

let test: TestDatabase;
let rooms = 0;
let stand: Awaited<ReturnType<typeof createStand>>;
beforeAll(async () => {
	test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
	stand = await createStand(test, { room: `visitors ${rooms++}` });
});
afterEach(() => stand.close());

const key = (name: string) => `browser-key-of-${name}`.padEnd(30, '_');
const join = (browserKey: string | undefined, user?: string) =>
	stand.call('POST', '/queue/join', { ...(browserKey ? { browserKey } : {}), ...(user ? { user } : {}) });
const claim = (ticket: string, browser: string | null, user?: string) =>
	stand.call(
		'POST',
		'/queue/claim',
		{ ticket, ...(user ? { user } : {}) },
		browser === null ? {} : { 'x-browser-key': browser }
	);
const status = (ticket: string, browser: string) =>
	stand.call('GET', `/queue/status?ticket=${encodeURIComponent(ticket)}`, undefined, {
		'x-browser-key': browser
	});
/** Nobody's turn comes from the next decision on. */
const hold = async () => {
	await stand.rate(0);
	await stand.pass(1_100);
};
const letIn = async () => {
	await stand.rate(100);
	await stand.until(() => stand.feature.figures().waiting === 0);
	stand.clock.advance(60_000);
};

describe('a place without an account', () => {
	it('is bound to the key in the browser, and shown to nobody else', async () => {
		await hold();
		const first = await join(key('amal'));
		expect(first).toMatchObject({ status: 200, body: { number: 1, admitted: false } });
		expect((await join(key('amal'))).body.ticket).toBe(first.body.ticket);
		expect((await join(key('bilal'))).body.number).toBe(2);
		stand.clock.advance(60_000);
		expect((await status(first.body.ticket, key('amal'))).body).toMatchObject({ position: 1 });
		expect(await status(first.body.ticket, key('bilal'))).toMatchObject({
			status: 403,
			body: { code: 'not_yours' }
		});
		expect(await stand.call('GET', `/queue/status?ticket=${first.body.ticket}`)).toMatchObject({
			status: 403
		});
		for (const short of ['short', 'x'.repeat(129), 'a key with spaces, long enough'])
			expect(await join(short)).toMatchObject({
				status: 400,
				body: { code: 'bad_request', field: 'browserKey' }
			});
		expect(stand.feature.figures().issued).toBe(2);
		expect(await join(undefined)).toMatchObject({ status: 401, body: { code: 'no_identity' } });
	});

	it('gives no pass before the person is known, and then joins the account for good', async () => {
		await hold();
		const { body } = await join(key('amal'));
		expect(await claim(body.ticket, key('amal'), 'amal')).toMatchObject({
			status: 403,
			body: { code: 'no_pass' }
		});
		await letIn();
		expect(await claim(body.ticket, key('amal'))).toMatchObject({
			status: 401,
			body: { code: 'account_needed' }
		});
		// The link alone, and the link with another browser's key, open nothing (W-22).
		expect(await claim(body.ticket, null, 'bilal')).toMatchObject({
			status: 403,
			body: { code: 'not_yours' }
		});
		expect(await claim(body.ticket, key('bilal'), 'bilal')).toMatchObject({ status: 403 });
		const pass = await claim(body.ticket, key('amal'), 'amal');
		expect(pass).toMatchObject({
			status: 200,
			body: { token: expect.any(String), ticket: expect.any(String) }
		});
		expect(stand.verifyPass(pass.body.token, 'amal')).toMatchObject({ expired: false });
		expect(stand.verifyPass(pass.body.token, 'bilal')).toBeNull();
		// Again with either ticket's account: the same pass. Link and key in another account's hands: nothing.
		expect((await claim(pass.body.ticket, null, 'amal')).body.token).toBe(pass.body.token);
		expect(await claim(body.ticket, key('amal'), 'bilal')).toMatchObject({
			status: 403,
			body: { code: 'not_yours' }
		});
		expect(stand.feature.figures().active).toBe(1);
	});

	it('below the limits waits for nothing but the account', async () => {
		await stand.rate(100);
		const { body } = await join(key('amal'));
		expect(body).toMatchObject({ admitted: false, position: 0, number: 1 });
		stand.clock.advance(60_000);
		expect((await status(body.ticket, key('amal'))).body).toMatchObject({ admitted: true });
		expect((await claim(body.ticket, key('amal'), 'amal')).status).toBe(200);
	});

	it('leaves one account with one place, the better one (W-19): five browsers and a phone', async () => {
		await hold();
		for (const name of ['a', 'b', 'c']) await join(key(name));
		const own = await join(undefined, 'amal');
		expect(own.body.number).toBe(4);
		const better = await join(key('b'), 'amal');
		expect(better.body.number).toBe(2);
		expect((await join(key('c'), 'amal')).body.number).toBe(2);
		expect((await join(undefined, 'amal')).body.number).toBe(2);
		expect(stand.feature.figures()).toMatchObject({ waiting: 2, issued: 4 });
	});

	it('is one entry in the draw with its account', async () => {
		const now = stand.clock.now();
		const times = { preQueueOpensAt: now + 1, opensAt: now + 60_000, closesAt: null };
		await stand.staff('PUT', '/api/v1/queue/schedule', { ...times, expectedVersion: 0, reason: 'a test' });
		stand.clock.advance(10);
		const { body } = await join(key('amal'));
		expect(body.registered).toBe(true);
		const known = await join(key('amal'), 'amal');
		expect(known.body.entry).not.toBe(body.entry);
		await join(key('bilal'));
		await stand.until(() => stand.feature.progress().registered === 2);
		await hold();
		stand.clock.advance(60_000);
		await stand.until(() => stand.feature.progress().draw?.state === 'placed');
		expect(stand.feature.figures().issued).toBe(2);
	});
});

describe('prepared beforehand', () => {
	const prepare = (body: object) => stand.call('POST', '/queue/prepare', body);
	const joinReady = (ready: string, body: object = {}) =>
		stand.call('POST', '/queue/join', body, { authorization: `Bearer ${ready}` });

	it('gets a signed "ready" that stands for the person and the party, and is counted once', async () => {
		await hold();
		const { status: code, body } = await prepare({ user: 'amal', party: 4, language: 'ur' });
		expect(code).toBe(200);
		expect(body).toMatchObject({ party: 4, eligibilityChecked: true });
		expect(body.expiresAt - stand.clock.now()).toBeGreaterThan(20 * 86_400_000);
		await prepare({ user: 'amal', party: 4 });
		await prepare({ user: 'bilal' });
		await stand.until(() => stand.feature.figures().prepared === 2);
		const schedule = await stand.call('GET', '/api/v1/queue/schedule');
		expect(schedule.body).toMatchObject({ prepared: 2 });

		const joined = await joinReady(body.ready);
		expect(joined).toMatchObject({ status: 200, body: { number: 1 } });
		// The same person, whichever way it is said.
		expect((await stand.join('amal')).body.ticket).toBe(joined.body.ticket);
		expect(await joinReady(body.ready, { party: 6 })).toMatchObject({
			status: 400,
			body: { field: 'party' }
		});
		await letIn();
		const pass = await stand.call(
			'POST',
			'/queue/claim',
			{ ticket: joined.body.ticket },
			{ authorization: `Bearer ${body.ready}` }
		);
		expect(stand.verifyPass(pass.body.token, 'amal')).toMatchObject({ party: 4 });
	});

	it('is refused to who may not book, and by name of the reason', async () => {
		await stand.close();
		stand = await createStand(test, {
			room: `visitors ${rooms++}`,
			port: { checkEligibility: async () => ({ eligible: false, reason: 'vaccination' }) }
		});
		expect(await prepare({ user: 'amal' })).toMatchObject({
			status: 403,
			body: { code: 'not_eligible', reason: 'vaccination' }
		});
		expect(await prepare({ user: 'amal', party: 99 })).toMatchObject({ status: 400 });
		expect(await prepare({})).toMatchObject({ status: 401 });
	});

	it('lets the prepared through untouched while nine times as many come without: refused by signature alone (W-37)', async () => {
		await stand.close();
		const identity = createIdentity({ secret: 'a secret', believeUser: true });
		let asked = 0;
		const counted = new Proxy(test.database.db, {
			get(target, name) {
				if (name === 'getExecutor' || name === 'transaction') asked += 1;
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			}
		});
		stand = await createStand(test, { room: `visitors ${rooms++}`, identity, db: counted });
		const none = { preQueueOpensAt: null, opensAt: null, closesAt: null };
		await stand.staff('PUT', '/api/v1/queue/schedule', {
			...{ ...none, anonymousPlaces: false, expectedVersion: 0, reason: 'only who is prepared' }
		});
		await hold();
		const { body } = await prepare({ user: 'amal' });
		const forged = body.ready.slice(0, -2) + (body.ready.endsWith('AA') ? 'BB' : 'AA');
		const before = asked;
		const started = stand.clock.now();
		for (let i = 0; i < 90; i++) {
			const refused = i % 2 === 0 ? await joinReady(forged) : await join(key(`bot ${i}`.replace(' ', '_')));
			expect(refused).toMatchObject({ status: 401 });
		}
		// The room itself reads its schedule once a second; nobody's request has added to it.
		const seconds = (stand.clock.now() - started) / 1_000;
		expect(asked - before).toBeLessThanOrEqual(Math.ceil(seconds + 1) * 4);
		expect(stand.feature.figures().issued).toBe(0);
		expect((await joinReady(body.ready)).body.number).toBe(1);
		expect((await stand.progress()).anonymousPlaces).toBe(false);
	});
});
