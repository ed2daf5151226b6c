import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createStand } from './waiting-room.fixture.ts';

describe('the waiting room over HTTP', () => {
	let test: TestDatabase;
	let rooms = 0;
	let stand: Awaited<ReturnType<typeof createStand>>;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());
	beforeEach(async () => {
		stand = await createStand(test, { room: `http ${rooms++}` });
	});
	afterEach(() => stand.close());

	it('is invisible below the limits, and gives the same place for the same person above them', async () => {
		const first = await stand.join('amal');
		expect(first).toMatchObject({ status: 200, body: { admitted: true, number: 1, position: 0 } });
		expect(stand.verifyPass(first.body.token, 'amal')).toMatchObject({ expired: false, party: 1 });
		const second = await stand.call('POST', '/queue/join?user=bilal&party=4');
		expect(second.body).toMatchObject({ admitted: false, number: 2, position: 1, etaSeconds: 2, eta_s: 2 });
		expect(second.headers['cache-control']).toBe('no-store, private');
		const [third, again, back] = await Promise.all([
			stand.join('carim'),
			stand.join('bilal'),
			stand.join('amal')
		]);
		expect(third.body).toMatchObject({ number: 3, position: 2 });
		expect(again.body).toMatchObject({ number: 2, ticket: second.body.ticket });
		expect(back.body.token).toBe(first.body.token);
	});

	it('refuses a foreign, guessed, zero, negative, malformed, repeated or missing ticket alike (S-1, W-22)', async () => {
		await stand.join('amal');
		const { ticket } = (await stand.join('bilal')).body;
		const { ticket: another } = (await stand.join('carim')).body;
		const tries = [
			`ticket=${ticket}&user=carim`,
			`ticket=${another}&user=bilal`,
			'ticket=1&user=bilal',
			'ticket=2&user=bilal',
			'ticket=0&user=bilal',
			'ticket=-1&user=bilal',
			'ticket=&user=bilal',
			'user=bilal',
			`ticket=${ticket}&ticket=${ticket}&user=bilal`,
			`ticket[]=${ticket}&user=bilal`,
			`ticket=${ticket}`,
			`ticket=${ticket}&user=bilal&user=carim`,
			`ticket=${ticket}x&user=bilal`,
			`ticket=${'9'.repeat(2_000)}&user=bilal`,
			'ticket=%00&user=bilal',
			''
		];
		const bodies = new Set<string>();
		for (const query of tries) {
			const answer = await stand.call('GET', `/queue/status?${query}`);
			expect([query, answer.status]).toEqual([query, 403]);
			bodies.add(JSON.stringify(answer.body));
			const claim = await stand.call('POST', `/queue/claim?${query}`);
			expect([query, claim.status]).toEqual([query, 403]);
			expect(JSON.stringify(claim.body)).not.toContain('token');
		}
		expect(bodies.size).toBe(1);
		expect(JSON.parse([...bodies][0]!)).toMatchObject({ code: 'not_yours', error: 'not_yours' });
		expect((await stand.call('GET', `/queue/status?ticket=${ticket}&user=bilal`)).status).toBe(429);
	});

	it('tells the early how long to wait and changes nothing (W-31)', async () => {
		await stand.join('amal');
		const { ticket, pollAfterMs } = (await stand.join('bilal')).body;
		const ask = () => stand.call('GET', `/queue/status?ticket=${ticket}&user=bilal`);
		const early = await ask();
		expect(early).toMatchObject({ status: 429, body: { code: 'too_early' } });
		expect(early.body.retryAfterMs).toBeGreaterThan(0);
		expect(early.body.retryAfterMs).toBeLessThanOrEqual(pollAfterMs / 2);
		expect(Number(early.headers['retry-after'])).toBe(Math.ceil(early.body.retryAfterMs / 1_000));
		stand.clock.advance(early.body.retryAfterMs);
		expect((await ask()).status).toBe(200);
	});

	it('calls, hands out the pass once and the same again, and ends it with the booking', async () => {
		await stand.join('amal');
		const { ticket } = (await stand.join('bilal')).body;
		const early = await stand.call('POST', '/queue/claim', { user: 'bilal', ticket });
		expect(early).toMatchObject({ status: 403, body: { code: 'no_pass', position: 1 } });
		await stand.until(() => stand.feature.figures().called === 1);
		stand.clock.advance(5_000);
		const called = await stand.call('GET', `/queue/status?ticket=${ticket}&user=bilal`);
		expect(called.body).toMatchObject({ admitted: true, claimBefore: expect.any(Number) });
		expect(called.body.token).toBeUndefined();
		const claimed = await stand.call('POST', '/queue/claim', { user: 'bilal', ticket });
		expect(claimed).toMatchObject({
			status: 200,
			body: { token: expect.any(String), expiresAt: expect.any(Number) }
		});
		expect((await stand.call('POST', '/queue/claim', { user: 'bilal', ticket })).body).toEqual(claimed.body);
		const { token } = claimed.body;
		expect(stand.verifyPass(token, 'bilal')).toMatchObject({ expired: false });
		expect(stand.verifyPass(token, 'carim')).toBeNull();
		stand.booked.emit({ holder: stand.identity.holderOf('bilal') } as never);
		await stand.until(() => stand.feature.figures().done === 1);
		expect(stand.verifyPass(token, 'bilal')).toMatchObject({ expired: true });
		// Another tab of the same person sees no error, and no new pass.
		expect((await stand.call('POST', '/queue/claim', { user: 'bilal', ticket })).body).toEqual(claimed.body);
	});

	it('tells who has a permit of it instead of giving another turn, until the permit is given back', async () => {
		const permits = new Map<string, { id: string }>();
		await stand.close();
		stand = await createStand(test, {
			room: 'booked',
			port: { findPermitOf: async (holder) => permits.get(holder) as never }
		});
		await stand.rate(10);
		await stand.pass(2_000);
		expect((await stand.join('bilal')).body).toMatchObject({ admitted: true, number: 1 });
		const holder = stand.identity.holderOf('bilal');
		permits.set(holder, { id: 'P' });
		stand.booked.emit({ holder } as never);
		await stand.until(() => stand.feature.figures().done === 1);
		const told = { status: 409, body: { code: 'already_booked', permit: 'P' } };
		expect(await stand.join('bilal')).toMatchObject(told);
		// Nor does a place that the same person took in a browser without signing in become a second turn.
		const key = { 'x-browser-key': 'a-browser-key-of-22-or-more-letters' };
		const anonymous = await stand.call('POST', '/queue/join', {}, key);
		expect(anonymous.status).toBe(200);
		await stand.until(() => stand.feature.figures().called === 1);
		const claim = { user: 'bilal', ticket: anonymous.body.ticket };
		expect(await stand.call('POST', '/queue/claim', claim, key)).toMatchObject(told);
		expect(stand.feature.figures()).toMatchObject({ called: 1, active: 0 });
		permits.delete(holder);
		expect(await stand.join('bilal')).toMatchObject({ status: 200, body: { number: 3 } });
	});

	it('ends an unclaimed turn with a way back, ahead of new arrivals (W-02)', async () => {
		await stand.join('amal');
		const { ticket } = (await stand.join('bilal')).body;
		await stand.until(() => stand.feature.figures().called === 1);
		await stand.rate(0);
		stand.clock.advance(700_000);
		expect(stand.feature.figures()).toMatchObject({ called: 1 });
		await stand.until(() => stand.feature.figures().expired === 1);
		const over = await stand.call('GET', `/queue/status?ticket=${ticket}&user=bilal`);
		expect(over).toMatchObject({ status: 410, body: { code: 'turn_expired', rejoin: true } });
		await stand.join('carim');
		expect((await stand.join('bilal')).body).toMatchObject({ admitted: false, position: 1, late: true });
	});

	it('keeps the place when the person asks again after long silence (W-14)', async () => {
		await stand.rate(0);
		for (const user of ['amal', 'bilal', 'carim']) await stand.join(user);
		const before = (await stand.join('carim')).body;
		stand.clock.advance(7_200_000);
		await stand.pass(200);
		const after = await stand.call('GET', `/queue/status?ticket=${before.ticket}&user=carim`);
		expect(after.body).toMatchObject({ admitted: false, position: before.position, etaSeconds: null });
	});

	it('uses no number for malformed joins (W-08, W-21)', async () => {
		await stand.join('amal');
		for (const [body, status] of [
			[{}, 401],
			[{ user: '' }, 401],
			[{ user: ['a', 'b'] }, 401],
			[{ user: 'x'.repeat(300) }, 401],
			[{ user: 'dalia', party: 0 }, 400],
			[{ user: 'dalia', party: 21 }, 400],
			[{ user: 'dalia', party: 'two' }, 400],
			[{ user: 'dalia', party: 1.5 }, 400],
			[{ user: 'dalia', party: null }, 200]
		] as const) {
			expect([body, (await stand.call('POST', '/queue/join', body)).status]).toEqual([body, status]);
		}
		const progress = await stand.call('GET', '/queue/progress');
		expect(progress.body.issued).toBe(2);
	});

	it('closes the door for newcomers only, when a level says so', async () => {
		await stand.join('amal');
		const { number } = (await stand.join('bilal')).body;
		stand.flags.setOverride(new Set(['joins']));
		const refused = await stand.join('carim');
		expect(refused).toMatchObject({ status: 503, body: { code: 'joins_closed' } });
		expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(60);
		expect((await stand.join('bilal')).body.number).toBe(number);
		expect((await stand.call('GET', '/queue/progress')).body).toMatchObject({ joinsOpen: false, issued: 2 });
	});

	it('lets nobody through while releases are off, and freezes turns and passes at level 4', async () => {
		const { token } = (await stand.join('amal')).body;
		await stand.join('bilal');
		stand.flags.setOverride(new Set(['joins', 'releases', 'booking', 'queue-clocks', 'fast-polls']));
		await stand.pass(5_000);
		expect(stand.feature.figures()).toMatchObject({ waiting: 1, called: 0, active: 1, boundBy: 'level' });
		stand.clock.advance(10_000_000);
		await stand.pass(1_100);
		expect(stand.verifyPass(token, 'amal')).toMatchObject({ expired: false });
		expect((await stand.call('GET', '/queue/progress')).body).toMatchObject({
			ratePerSecond: 0,
			pollFactor: 2,
			bookingOpen: false
		});
		stand.flags.setOverride(new Set());
		await stand.until(() => stand.feature.figures().called === 1);
		expect(stand.verifyPass(token, 'amal')).toMatchObject({ expired: false });
		expect(stand.feature.figures()).toMatchObject({ waiting: 0, active: 1 });
	});

	it('shows one public document: cacheable, the same for everybody, with what a page needs', async () => {
		await stand.join('amal');
		const { number, position } = (await stand.join('bilal')).body;
		const [answer, other] = await Promise.all([
			stand.call('GET', '/queue/progress'),
			stand.call('GET', '/queue/progress?user=x')
		]);
		expect(answer.headers['cache-control']).toBe('public, max-age=1');
		expect(answer.body).toMatchObject({
			mode: 'open',
			issued: 2,
			released: 1,
			waiting: 1,
			draw: null,
			ratePerSecond: 0.5,
			mark: 'simulated',
			slowedBy: null
		});
		expect(number - answer.body.released).toBe(position);
		expect(other.body).toEqual(answer.body);
	});

	it('takes the rate and the mode from the duty manager, once for each key, and writes them down', async () => {
		await stand.join('amal');
		await stand.join('bilal');
		const send = (key: string, perSecond: number) =>
			stand.call(
				'PUT',
				'/api/v1/queue/rate',
				{ perSecond, reason: 'more checks than expected' },
				{ 'idempotency-key': key }
			);
		expect(stand.feature.figures().rateByHand).toBe(false);
		expect(await send('one', 0)).toMatchObject({ status: 200, body: { perSecond: 0, mode: 'open' } });
		expect(stand.feature.figures().rateByHand).toBe(true);
		await stand.pass(1_100);
		expect((await stand.call('GET', '/queue/progress')).body).toMatchObject({
			ratePerSecond: 0,
			slowedBy: 'manager'
		});
		expect((await send('one', 0)).status).toBe(200);
		expect((await send('one', 5)).status).toBe(422);
		for (const mode of ['queue-all', 'reject', 'open'] as const) {
			const answer = await stand.call(
				'PUT',
				'/api/v1/queue/mode',
				{ mode, reason: 'a drill' },
				{ 'idempotency-key': mode }
			);
			expect(answer.body).toEqual({ perSecond: 0, mode });
			if (mode === 'reject') expect((await stand.join('late')).status).toBe(503);
		}
		for (const body of [
			{ perSecond: -1, reason: 'abc' },
			{ perSecond: 5 },
			{ perSecond: 5, reason: 'abc', more: 1 }
		]) {
			expect((await stand.call('PUT', '/api/v1/queue/rate', body, { 'idempotency-key': 'x' })).status).toBe(
				400
			);
		}
		const lines = await test.database.db
			.selectFrom('record')
			.selectAll()
			.where('action', 'like', 'queue.%')
			.execute();
		expect(lines.filter((line) => line.action === 'queue.rate').at(-1)).toMatchObject({
			actor: 'duty@example.org',
			reason: 'more checks than expected',
			after: { perSecond: 0 }
		});
	});

	it('lets everybody pass in passthrough and still counts them', async () => {
		await stand.call(
			'PUT',
			'/api/v1/queue/mode',
			{ mode: 'passthrough', reason: 'a quiet hour' },
			{ 'idempotency-key': 'p' }
		);
		for (const user of ['amal', 'bilal', 'carim', 'dalia'])
			expect((await stand.join(user)).body.admitted).toBe(true);
		expect(stand.feature.figures()).toMatchObject({ joinedTotal: 4, admittedTotal: 4, active: 4 });
	});

	it('leaves on request', async () => {
		await stand.join('amal');
		const { ticket } = (await stand.join('bilal')).body;
		expect((await stand.call('POST', '/queue/leave', { user: 'carim', ticket })).status).toBe(403);
		expect((await stand.call('POST', '/queue/leave', { user: 'bilal', ticket })).body).toEqual({
			left: true
		});
		expect((await stand.call('POST', '/queue/leave', { user: 'bilal', ticket })).body).toEqual({
			left: true
		});
		expect(stand.feature.figures()).toMatchObject({ waiting: 0 });
	});
});

describe('the waiting room in the laboratory', () => {
	let test: TestDatabase;
	let stand: Awaited<ReturnType<typeof createStand>>;
	beforeAll(async () => {
		test = await createTestDatabase();
		stand = await createStand(test, {
			room: 'lab',
			laboratory: true,
			admitPerSecond: { value: 2, measured: true }
		});
	});
	afterAll(async () => {
		await stand.close();
		await test.close();
	});

	it('may be asked at any pace, and hands out the pass with the status', async () => {
		await stand.join('amal');
		const { ticket } = (await stand.join('bilal')).body;
		const ask = () => stand.call('GET', `/queue/status?ticket=${ticket}&user=bilal`);
		let answer = await ask();
		for (let i = 0; i < 60 && !answer.body.admitted; i++) {
			expect(answer.status).toBe(200);
			await stand.pass(100);
			answer = await ask();
		}
		expect(answer.body).toMatchObject({ admitted: true, token: expect.any(String) });
		expect(stand.verifyPass(answer.body.token, 'bilal')).toMatchObject({ expired: false });
		expect((await ask()).body.token).toBe(answer.body.token);
	});

	it('is empty after a reset; tickets of before are gone at once (W-23)', async () => {
		const { ticket } = (await stand.join('carim')).body;
		const { token } = (await stand.join('amal')).body;
		await stand.reset();
		const answer = await stand.call('GET', `/queue/status?ticket=${ticket}&user=carim`);
		expect(answer).toMatchObject({ status: 410, body: { code: 'old_epoch', rejoin: true } });
		expect(answer.headers['cache-control']).toMatch(/no-store/);
		expect(stand.verifyPass(token, 'amal')).toMatchObject({ expired: true });
		expect((await stand.call('GET', '/queue/progress')).body).toMatchObject({ issued: 0, epoch: 2 });
		expect((await stand.join('carim')).body.number).toBe(1);
	});
});
