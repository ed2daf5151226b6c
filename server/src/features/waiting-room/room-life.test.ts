import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createStand } from './waiting-room.fixture.ts';

const minute = 60_000;
let test: TestDatabase;
let rooms = 0;
let stand: Awaited<ReturnType<typeof createStand>>;
beforeAll(async () => {
	test = await createTestDatabase();
});
afterAll(() => test.close());
beforeEach(async () => {
	stand = await createStand(test, { room: `life ${rooms++}` });
});
afterEach(() => stand.close());

/** The pre-queue opens in a minute, the draw takes place in ten, the room closes in an hour. */
async function plan(change: object = {}) {
	const now = stand.clock.now();
	const times = { preQueueOpensAt: now + minute, opensAt: now + 10 * minute, closesAt: now + 60 * minute };
	const body = { ...times, reason: 'the season opens', expectedVersion: 0, ...change };
	const { status, body: answer } = await stand.staff('PUT', '/api/v1/queue/schedule', body);
	expect(status).toBe(200);
	return { ...times, answer };
}
const wait = (ms: number) => stand.clock.advance(ms);
const status = (user: string, ticket: string) =>
	stand.call('GET', `/queue/status?user=${user}&ticket=${encodeURIComponent(ticket)}`);
const recorded = async (action: string) => {
	const answer = await sql<{ n: number }>`select count(*)::int as n from record where action = ${action}
		and subject = ${`life ${rooms - 1}`}`.execute(test.database.db);
	return answer.rows[0]!.n;
};

describe('a room with a schedule', () => {
	it('says when it opens, and takes nobody before (in both languages)', async () => {
		const { preQueueOpensAt, opensAt } = await plan();
		expect(await stand.progress()).toMatchObject({
			...{ state: 'countdown', preQueueOpensAt, opensAt, registered: 0, joinsOpen: false },
			draw: { state: 'committed', entries: 0, root: null, secret: null, seed: null }
		});
		const early = await stand.join('amal');
		expect(early).toMatchObject({ status: 409, body: { code: 'too_early_to_join' } });
		expect(early.body).toMatchObject({ joinFrom: preQueueOpensAt, preQueueOpensAt, opensAt });
		expect(Number(early.headers['retry-after'])).toBeGreaterThan(0);
		const arabic = await stand.call('POST', '/queue/join', { user: 'amal' }, { 'accept-language': 'ar' });
		expect(arabic.body.title).toMatch(/غرفة/);
		expect(stand.feature.figures().issued).toBe(0);
	});

	it('gives nobody a number before the draw: one entry each, whoever comes twice or goes', async () => {
		const { opensAt } = await plan();
		wait(minute);
		const first = await stand.join('amal');
		expect(first).toMatchObject({
			status: 200,
			body: { registered: true, number: null, position: null, opensAt }
		});
		expect(first.body.pollAfterMs).toBeGreaterThan(60_000);
		const again = await stand.join('amal');
		expect(again.body).toMatchObject({ ticket: first.body.ticket, entry: first.body.entry });
		const bilal = await stand.join('bilal');
		await stand.join('carim');
		await stand.until(() => stand.feature.progress().registered === 3);
		expect(await stand.progress()).toMatchObject({ registered: 3, issued: 0, joinsOpen: true });

		expect(await status('amal', first.body.ticket)).toMatchObject({
			body: { registered: true, position: null }
		});
		expect(await status('bilal', first.body.ticket)).toMatchObject({
			status: 403,
			body: { code: 'not_yours' }
		});
		const leave = { user: 'bilal', ticket: bilal.body.ticket };
		expect(await stand.call('POST', '/queue/leave', leave)).toMatchObject({ status: 200 });
		await stand.until(() => stand.feature.progress().registered === 2);
		expect(
			await stand.call('POST', '/queue/claim', { user: 'amal', ticket: first.body.ticket })
		).toMatchObject({
			status: 410
		});
	});

	it('draws at T0, gives the places drawn, and latecomers behind them in the order in which they came', async () => {
		await plan();
		wait(minute);
		const people = Array.from({ length: 30 }, (_, i) => `person ${i}`);
		const tickets = new Map<string, string>();
		const entries = new Map<string, string>();
		for (const person of people) {
			const { body } = await stand.join(person);
			tickets.set(person, body.ticket);
			entries.set(body.entry, person);
		}
		await stand.rate(0);
		await stand.pass(1_100);
		wait(9 * minute);
		await stand.until(() => stand.feature.progress().draw?.state === 'placed');
		const progress = await stand.progress();
		expect(progress).toMatchObject({
			state: 'open',
			issued: 30,
			draw: { entries: 30, firstNumber: 1, stuck: false }
		});
		expect(progress.draw?.randomness).toMatchObject({ simulated: true });

		const numbers = new Map<string, number>();
		for (const person of people) {
			const { body } = await status(person, tickets.get(person)!);
			expect(body).toMatchObject({ admitted: false, ticket: expect.any(String), position: body.number });
			numbers.set(person, body.number);
			// The same place for who joins again, and for the new ticket.
			expect((await stand.join(person)).body).toMatchObject({ number: body.number, ticket: body.ticket });
		}
		expect([...numbers.values()].sort((a, b) => a - b)).toEqual(people.map((_, i) => i + 1));
		const proof = await stand.call('GET', `/queue/draw/proof?user=${encodeURIComponent('person 7')}`);
		expect(proof.body).toMatchObject({ place: numbers.get('person 7') });
		const late = [await stand.join('late 1'), await stand.join('late 2')];
		expect(late.map(({ body }) => body.number)).toEqual([31, 32]);
	});

	it('draws nobody twice: without a pre-queue to come no draw is begun, and a draw that is over stays true', async () => {
		const again = () => stand.staff('POST', '/api/v1/queue/draw', { reason: 'pressed once more' });
		const refused = { status: 409, body: { code: 'nothing_to_draw' } };
		expect(await again()).toMatchObject(refused);
		expect((await stand.progress()).draw).toBeNull();
		const { closesAt } = await plan();
		expect(await again()).toMatchObject({ status: 409, body: { code: 'draw_running' } });
		wait(minute);
		const { body } = await stand.join('amal');
		await stand.rate(0);
		wait(9 * minute);
		await stand.until(() => stand.feature.progress().draw?.state === 'placed');
		const placed = (await stand.progress()).draw;
		expect(await again()).toMatchObject(refused);
		expect((await stand.progress()).draw).toEqual(placed);

		// The room opens once more in the same epoch, with a draw of its own: who was drawn before keeps the place.
		const now = stand.clock.now();
		const times = { preQueueOpensAt: now + minute, opensAt: now + 10 * minute, closesAt };
		const second = await stand.staff('PUT', '/api/v1/queue/schedule', {
			...{ ...times, reason: 'the room opens again', expectedVersion: 1 }
		});
		expect(second).toMatchObject({ status: 200, body: { draw: { state: 'committed' } } });
		expect(second.body.draw.id).not.toBe(placed?.id);
		expect(await status('amal', body.ticket)).toMatchObject({
			status: 200,
			body: { number: 1, position: 1 }
		});
		const leave = { user: 'amal', ticket: body.ticket };
		expect(await stand.call('POST', '/queue/leave', leave)).toMatchObject({ status: 200 });
	});

	it('waits for the outside randomness with everybody, says so, and takes it from an administrator with its source', async () => {
		await stand.close();
		stand = await createStand(test, { room: `life ${rooms++}`, mark: 'none' });
		await plan();
		const value = '0f'.repeat(32);
		const give = (source = 'stock exchange closing prices of 25 February, as published') =>
			stand.staff('POST', '/api/v1/queue/draw/randomness', { value, source, reason: 'the beacon is away' });
		wait(minute);
		const { body } = await stand.join('amal');
		await stand.join('bilal');
		expect(await give()).toMatchObject({ status: 409, body: { code: 'draw_not_frozen' } });
		wait(9 * minute);
		await stand.until(() => stand.feature.progress().draw?.root !== null);
		await stand.pass(2_000);
		wait(15_000);
		await stand.pass(1_000);
		expect(await stand.progress()).toMatchObject({
			...{ state: 'drawing', ratePerSecond: 0, issued: 0 },
			draw: { state: 'frozen', stuck: true, secret: null, seed: null, entries: 2 }
		});
		// Who comes now is not lost, and stands behind; who is in the frozen list cannot take himself out of it.
		const late = await stand.join('late');
		expect(late.body).toMatchObject({ registered: true, late: true });
		expect(await stand.call('POST', '/queue/leave', { user: 'amal', ticket: body.ticket })).toMatchObject({
			body: { code: 'draw_running' }
		});
		expect(await give('short')).toMatchObject({ status: 400 });
		expect(await give()).toMatchObject({ status: 200, body: { randomness: { value, simulated: false } } });
		expect(await recorded('queue.draw.randomness')).toBe(1);
		await stand.until(() => stand.feature.progress().draw?.state === 'placed');
		expect(await give()).toMatchObject({ status: 409, body: { code: 'draw_settled' } });
		expect((await status('late', late.body.ticket)).body.number).toBe(3);
		expect([1, 2]).toContain((await status('amal', body.ticket)).body.number);
	});

	it('gives no new places after it has closed, with words, and keeps those that were given', async () => {
		const now = stand.clock.now();
		await plan({ preQueueOpensAt: null, opensAt: null, closesAt: now + 5_000 });
		await stand.rate(0);
		await stand.pass(1_100);
		const { body } = await stand.join('amal');
		wait(5_000);
		expect(await stand.progress()).toMatchObject({ state: 'closed', joinsOpen: false });
		expect(await stand.join('bilal')).toMatchObject({
			status: 409,
			body: { code: 'room_closed', closesAt: now + 5_000 }
		});
		expect((await stand.join('amal')).body.number).toBe(body.number);
	});

	it('opens first come first served at T0 where there is no pre-queue', async () => {
		const now = stand.clock.now();
		await plan({ preQueueOpensAt: null, opensAt: now + minute, closesAt: null });
		expect(await stand.join('amal')).toMatchObject({
			status: 409,
			body: { code: 'too_early_to_join', joinFrom: now + minute }
		});
		wait(minute);
		expect((await stand.join('amal')).body).toMatchObject({ number: 1 });
	});
});

describe('the schedule in the duty manager’s hand', () => {
	const put = (body: object, headers: Record<string, string> = {}) =>
		stand.staff('PUT', '/api/v1/queue/schedule', { reason: 'the season opens', ...body }, headers);
	const none = { preQueueOpensAt: null, opensAt: null, closesAt: null };

	it('is refused to the second of two who edit at once, and changes nothing when nothing is changed (W-33)', async () => {
		const before = await stand.call('GET', '/api/v1/queue/schedule');
		expect(before).toMatchObject({
			body: { version: 0, state: 'open', draw: null },
			headers: { etag: '"0"' }
		});
		const closesAt = stand.clock.now() + minute;
		expect(await put({ ...none, closesAt })).toMatchObject({
			status: 428,
			body: { code: 'version_missing' }
		});
		const edits = await Promise.all([
			put({ ...none, closesAt }, { 'if-match': '"0"' }),
			put({ ...none, closesAt: closesAt + 1 }, { 'if-match': '"0"' })
		]);
		expect(edits.map(({ status }) => status).sort()).toEqual([200, 412]);
		expect(await put({ ...none, expectedVersion: 0 })).toMatchObject({
			status: 409,
			body: { code: 'somebody_faster' }
		});
		const { body } = await stand.call('GET', '/api/v1/queue/schedule');
		const { preQueueOpensAt, opensAt, closesAt: at, anonymousPlaces, noticeSeconds, expectedTotal } = body;
		const same = { preQueueOpensAt, opensAt, closesAt: at, anonymousPlaces, noticeSeconds, expectedTotal };
		expect(await put(same, { 'if-match': '"1"' })).toMatchObject({ status: 200, body: { version: 1 } });
		expect(await recorded('queue.schedule')).toBe(1);
	});

	it('must fit together, and may not break what was promised to people who registered', async () => {
		const now = stand.clock.now();
		const wrong = { preQueueOpensAt: now + 2, opensAt: now + 1, closesAt: null, expectedVersion: 0 };
		expect(await put(wrong)).toMatchObject({
			status: 422,
			body: { code: 'bad_schedule', field: 'preQueueOpensAt' }
		});
		const { answer, ...times } = await plan();
		expect(answer.draw).toMatchObject({ state: 'committed' });
		wait(minute);
		await stand.join('amal');
		expect(await put({ ...none, expectedVersion: 1 })).toMatchObject({
			status: 409,
			body: { code: 'draw_running' }
		});
		const later = { ...times, opensAt: times.opensAt + minute, expectedVersion: 1 };
		expect(await put(later)).toMatchObject({
			status: 200,
			body: { version: 2, draw: { commitment: answer.draw.commitment } }
		});
	});

	it('begins a new epoch with a typed name and a reason: every old ticket is void at once (W-23)', async () => {
		await stand.rate(0);
		await stand.pass(1_100);
		const { body } = await stand.join('amal');
		const begin = (change: object = {}) =>
			stand.staff('POST', '/api/v1/queue/epoch', {
				...{ expectedEpoch: 1, confirm: `life ${rooms - 1}`, reason: 'the wave was all bots' },
				...change
			});
		expect(await begin({ confirm: 'yes' })).toMatchObject({ status: 400 });
		expect(await begin({ reason: 'short' })).toMatchObject({ status: 400 });
		expect(await begin({ expectedEpoch: 7 })).toMatchObject({
			status: 409,
			body: { code: 'somebody_faster' }
		});
		wait(minute);
		expect((await status('amal', body.ticket)).status).toBe(200);
		expect(await begin()).toMatchObject({ status: 200, body: { epoch: 2 } });
		expect(await recorded('queue.epoch')).toBe(1);
		expect(await status('amal', body.ticket)).toMatchObject({
			status: 410,
			body: { code: 'old_epoch', rejoin: true }
		});
		expect((await stand.progress()).epoch).toBe(2);
	});

	it('voids the entries of a wave that is given up, and draws anew for those who come again', async () => {
		const { answer } = await plan();
		wait(minute);
		const { body } = await stand.join('amal');
		const epoch = { expectedEpoch: 1, confirm: `life ${rooms - 1}`, reason: 'the wave was all bots' };
		await stand.staff('POST', '/api/v1/queue/epoch', epoch);
		await stand.pass(1_200);
		expect(await status('amal', body.ticket)).toMatchObject({ status: 410, body: { rejoin: true } });
		expect((await stand.progress()).draw).toMatchObject({ state: 'committed', entries: 0 });
		const again = await stand.join('amal');
		expect(again.body.entry).not.toBe(body.entry);
		const old = await stand.call('GET', `/queue/draw?draw=${answer.draw.id}`);
		expect(old.body).toMatchObject({ state: 'void', commitment: answer.draw.commitment });
	});
});
