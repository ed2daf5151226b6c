import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApp, type TestApp } from '../../../../test/kit/index.ts';
import type { Ballot, BallotMine } from '../../../../contract/index.ts';
import { orderOf } from '../draw/order.ts';
import { giveBallot } from './give.ts';
import { walkBallot } from './walk.ts';
import { readWishes } from './wishes.ts';

describe('a ballot on a running server', () => {
	let app: TestApp;
	let cookie: string;
	let ballot: Ballot;
	const people = Array.from({ length: 60 }, (_, i) => ({
		user: `person ${i}`,
		party: i % 3 === 0 ? 6 : 1 + (i % 5),
		choices: i % 2 === 0 ? [1, 2] : [2, 1]
	}));
	beforeAll(async () => {
		app = await createTestApp({ env: { LAB: '1', LAB_CHECK_MS: '0' } });
		cookie = await app.signIn('duty');
	});
	afterAll(() => app.close());
	const command = (path: string, body: object) =>
		app.call('POST', `/api/v1/queue/ballot${path}`, {
			cookie,
			body: { reason: 'the last ten nights', ...body }
		});
	const wish = (body: object) => app.call('POST', '/queue/ballot', { body });
	const mine = async (user: string) =>
		(await app.call('GET', `/queue/ballot/mine?user=${encodeURIComponent(user)}`)).body as BallotMine;

	it('is opened by the duty manager for slots that exist, one at a time, on record', async () => {
		expect((await app.call('GET', '/queue/ballot')).status).toBe(404);
		const closesAt = Date.now() + 3_600_000;
		expect(await command('', { slots: [1, 9_999], closesAt })).toMatchObject({ status: 422 });
		expect(await command('', { slots: [1, 2], closesAt: 5 })).toMatchObject({ status: 422 });
		expect(await command('', { slots: [1, 2], closesAt })).toMatchObject({
			status: 200,
			body: {
				slots: [1, 2],
				rules: null,
				given: null,
				draw: { kind: 'ballot', state: 'committed', secret: null }
			}
		});
		expect(await command('', { slots: [1], closesAt })).toMatchObject({
			status: 409,
			body: { code: 'draw_running' }
		});
		await expect
			.poll(async () => (await app.call('GET', '/queue/ballot')).status, { timeout: 30_000 })
			.toBe(200);
	});

	it('takes one party of wishes a person: changed as often as they like, taken back, and nothing that is not offered', async () => {
		for (const person of people) {
			const { status, body } = await wish({ ...person, choices: [2] });
			expect([status, body.outcome]).toEqual([200, 'waiting']);
			expect((await wish(person)).body).toMatchObject({ choices: person.choices, party: person.party });
		}
		expect(await wish({ user: 'odd', choices: [3] })).toMatchObject({
			status: 422,
			body: { code: 'no_such_slot' }
		});
		expect((await wish({ user: 'odd', choices: [1, 1] })).status).toBe(400);
		expect((await wish({ user: 'odd', choices: [] })).status).toBe(400);
		expect((await wish({ choices: [1] })).status).toBe(401);
		await wish({ user: 'regret', choices: [1] });
		expect((await app.call('POST', '/queue/ballot/leave', { body: { user: 'regret' } })).status).toBe(200);
		expect((await app.call('GET', '/queue/ballot/mine?user=regret')).status).toBe(404);
	});

	it('is run by a staff call, books the parties whole, and tells the others', async () => {
		expect(await command('/run', {})).toMatchObject({ status: 200 });
		const look = async () => (ballot = (await app.call('GET', '/queue/ballot')).body as Ballot);
		await expect.poll(async () => (await look()).draw.state, { timeout: 60_000 }).toBe('placed');
		expect(await wish({ user: 'late', choices: [1] })).toMatchObject({
			status: 409,
			body: { code: 'ballot_closed' }
		});
		expect(ballot.rules).toMatchObject({
			slots: [
				{ id: 1, left: 100 },
				{ id: 2, left: 100 }
			]
		});

		const outcomes = new Map<string, BallotMine>();
		for (const { user } of people) outcomes.set(user, await mine(user));
		const taken = new Map([
			[1, 0],
			[2, 0]
		]);
		for (const { user, party } of people) {
			const { outcome, slot } = outcomes.get(user)!;
			const permit = await app.call('GET', `/permits/mine?user=${encodeURIComponent(user)}`);
			if (outcome === 'unplaced') expect([slot, permit.status]).toEqual([null, 204]);
			else expect(permit.body).toMatchObject({ slot, party, state: 'valid' });
			if (slot !== null) taken.set(slot, taken.get(slot)! + party);
		}
		const unplaced = [...outcomes.values()].filter(({ outcome }) => outcome === 'unplaced');
		expect(ballot.given).toEqual({ placed: people.length - unplaced.length, unplaced: unplaced.length });
		// More people than places, small parties among them: what is left fits none of those who went without.
		const smallest = Math.min(...unplaced.map(({ party }) => party));
		for (const people of taken.values()) expect(100 - people).toBeLessThan(Math.min(smallest, 101));
		expect((await app.call('GET', '/stats')).body.bookings).toBe(ballot.given!.placed);
	});

	it('comes out as anybody computes it from list, rules and seed', async () => {
		const list = (await app.call('GET', `/queue/draw/entries?draw=${ballot.draw.id}`)).body as string;
		const entries = new Map(
			list
				.trimEnd()
				.split('\n')
				.map((line) => line.split(','))
				.map(([id = '', party, wishes = '']) => [id, { id, party: Number(party), ...readWishes(wishes) }])
		);
		const order = orderOf(Buffer.from(ballot.draw.seed!, 'hex'), [...entries.keys()]);
		const given = walkBallot(
			ballot.rules!,
			order.map((id) => entries.get(id)!)
		);
		const slotOf = new Map(given.map(({ id, slot }) => [id, slot]));
		for (const { user } of people) {
			const own = await mine(user);
			expect(own.slot).toBe(slotOf.get(own.entry));
			expect(own.place).toBe(order.indexOf(own.entry) + 1);
		}
	});

	it('books nothing twice when the giving is cut off and done again', async () => {
		const { db } = app.database.database;
		const before = await sql<{ n: number }>`select count(*)::int as n from permits`.execute(db);
		const asked: number[] = [];
		const held = await sql<{ holder: string; slot: number }>`select holder, slot from permits`.execute(db);
		const permitOf = new Map(held.rows.map(({ holder, slot }) => [holder, slot]));
		await giveBallot({
			...{ db, draw: ballot.draw.id, rules: ballot.rules!, alive: async () => undefined },
			booking: {
				listLevels: async () => ballot.rules!,
				async bookDrawn(wishes) {
					asked.push(wishes.length);
					return wishes.map(({ holder, slot }) => (permitOf.get(holder) === slot ? slot : null));
				}
			}
		});
		expect(asked[0]).toBe(ballot.given!.placed);
		expect(asked).toHaveLength(1);
		expect((await sql<{ n: number }>`select count(*)::int as n from permits`.execute(db)).rows).toEqual(
			before.rows
		);
	});

	it('tries the next choices, in the order drawn, where a place has gone meanwhile', async () => {
		const { db } = app.database.database;
		const tried: string[] = [];
		await giveBallot({
			...{ db, draw: ballot.draw.id, rules: ballot.rules!, alive: async () => undefined },
			booking: {
				listLevels: async () => ballot.rules!,
				async bookDrawn(wishes) {
					if (wishes.length === 1) tried.push(wishes[0]!.holder);
					return wishes.map(({ slot }) => (wishes.length === 1 || slot === 2 ? slot : null));
				}
			}
		});
		const order = await sql<{ holder: string; wishes: string }>`select holder, wishes from draw_entries
			where draw = ${ballot.draw.id} order by place`.execute(db);
		const rank = new Map(order.rows.map(({ holder }, i) => [holder, i]));
		expect(tried.length).toBeGreaterThan(0);
		expect(tried.map((holder) => rank.get(holder)!)).toEqual(
			[...tried].map((holder) => rank.get(holder)!).sort((a, b) => a - b)
		);
	});
});
