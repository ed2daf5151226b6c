import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createTestValkey, hasTestValkey, type TestValkey } from '../../../test/kit/test-valkey.ts';
import { createRules, holders, passMs, type TestRules } from './queue-suite.ts';
import type { PlacedTicket, Queue } from './queue.ts';
import { createValkeyStand, type ValkeyStand } from './valkey-stand.fixture.ts';

describe.skipIf(!hasTestValkey())('a room in Valkey that loses something', () => {
	let test: TestDatabase;
	let server: TestValkey;
	let stands = 0;
	let stand: ValkeyStand;
	let rules: TestRules;
	let queue: Queue;
	beforeAll(async () => {
		[test, server] = await Promise.all([createTestDatabase(), createTestValkey()]);
	});
	afterAll(async () => {
		await server.close();
		await test.close();
	});
	beforeEach(async () => {
		stand = createValkeyStand(test, server, `loss ${stands++}`);
		rules = createRules(stand.clock);
		rules.rate = 0;
		queue = await open();
	});
	afterEach(() => stand.close());

	const open = async () => {
		const opened = stand.open(rules);
		await opened.start();
		return opened;
	};
	const during = async <T>(work: Promise<T>): Promise<T> => {
		let settled = false;
		const noted = work.finally(() => (settled = true));
		noted.catch(() => undefined);
		while (!settled) await stand.pass(5);
		return noted;
	};
	const until = async (condition: () => boolean | Promise<boolean>) => {
		let so = await condition();
		for (let i = 0; i < 2_000 && !so; i++) {
			await stand.pass(50);
			so = await condition();
		}
		expect(so).toBe(true);
	};
	const join = (names: readonly string[], at = queue) =>
		during(Promise.all(names.map((holder) => at.join(holder, 1))));
	const proofOf = (ticket: PlacedTicket, holder: string) => ({ ...ticket, holder });
	const rate = async (perSecond: number) => {
		rules.rate = perSecond;
		await stand.pass(300);
	};
	const look = (names: readonly string[], at = queue) =>
		Promise.all(names.map(async (holder) => at.find(holder)));
	/** What must never change: place, state, and the pass. */
	const essence = (tickets: readonly (PlacedTicket | null)[]) =>
		tickets.map((t) => t && [t.number, t.state, t.party, t.late, t.claimedAt, t.dueAt, t.extendedMs]);

	/** Tickets in every state. */
	const fillRoom = async () => {
		const names = holders(20);
		await join(names);
		await rate(100);
		await until(async () => (await queue.get(12))!.state === 'called');
		await rate(1_000);
		await during(Promise.all([1, 2, 3, 4].map((number) => queue.claim(number))));
		await rate(0);
		await during(Promise.resolve(queue.done('holder 0')));
		await during(queue.leave(2));
		await during(queue.extend(3));
		await stand.pass(1_500);
		return names;
	};

	it('is rebuilt when it was emptied: every ticket and pass as it was, numbers never twice', async () => {
		const names = await fillRoom();
		const before = await look(names);
		const figures = queue.figures();
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		expect(essence(await look(names))).toEqual(essence(before));
		await until(() => JSON.stringify(queue.figures().counts) === JSON.stringify(figures.counts));
		expect((await join(['holder 7']))[0]!.number).toBe(8);
		const [newcomer] = await join(['newcomer']);
		expect(newcomer!.number).toBeGreaterThan(20);
		// The position counts what stands in between, a lost block at most.
		expect(newcomer!.position).toBeGreaterThanOrEqual(1);
		expect(newcomer!.position).toBeLessThanOrEqual(newcomer!.number);
		expect(await during(queue.claim(4))).toMatchObject({
			kind: 'pass',
			ticket: { claimedAt: before[3]!.claimedAt }
		});
	});

	it('is rebuilt when the server was killed, and says meanwhile that it is not ready', async () => {
		const names = await fillRoom();
		const before = await look(names);
		await server.kill();
		await until(() => !queue.figures().ready);
		await server.start();
		await until(() => queue.figures().ready);
		expect(essence(await look(names))).toEqual(essence(before));
	});

	it('takes in again who joined in the last moment, at the old number and ahead of newcomers', async () => {
		await join(['first']);
		await stand.pass(1_500);
		const tickets = await join(holders(5));
		// PostgreSQL has not heard of them.
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		expect(await queue.get(tickets[0]!.number)).toBeNull();
		const [newcomer] = await join(['newcomer']);
		expect(newcomer!.number).toBeGreaterThan(tickets.at(-1)!.number);
		for (const [index, ticket] of tickets.entries()) {
			const back = await queue.get(ticket.number, proofOf(ticket, `holder ${index}`));
			expect(back).toMatchObject({ number: ticket.number, state: 'waiting', joinedAt: ticket.joinedAt });
			expect(await queue.get(ticket.number, proofOf(ticket, 'somebody else'))).toBeNull();
		}
		expect((await join(['holder 2']))[0]!.number).toBe(tickets[2]!.number);
		// Numbers that were never given are nobody's, however well signed.
		expect(await queue.get(100_000, proofOf(tickets[0]!, 'holder 0'))).toBeNull();
		await rate(10);
		await until(async () => (await queue.get(newcomer!.number))!.state === 'called');
		for (const ticket of tickets) expect((await queue.get(ticket.number))!.state).not.toBe('waiting');
	});

	it('calls soon whoever is taken in again below the mark', async () => {
		const [, lost] = await join(['first', 'lost', 'third']);
		await stand.pass(1_500);
		await test.database.db
			.deleteFrom('tickets')
			.where('room', '=', stand.room)
			.where('number', '=', 2)
			.execute();
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		await join(holders(50));
		await rate(10);
		await until(() => queue.figures().released > 20);
		await rate(0);
		const { released } = queue.figures();
		const back = await queue.get(2, proofOf(lost!, 'lost'));
		expect(back).toMatchObject({ number: 2, state: 'waiting', position: 1 });
		await rate(10);
		await until(async () => (await queue.get(2))!.state === 'called');
		expect(queue.figures().released).toBeGreaterThanOrEqual(released);
	});

	it('issues no second pass when it forgets the first in the very moment', async () => {
		const [ticket] = await join(['amal']);
		await rate(10);
		await until(async () => (await queue.get(1))!.state === 'called');
		const first = await during(queue.claim(1));
		// Neither the turn nor the pass is copied: only the pass itself is written.
		await test.database.db.deleteFrom('tickets').where('room', '=', stand.room).execute();
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		expect(queue.figures().counts.admitted).toBe(1);
		expect(await queue.get(1, proofOf(ticket!, 'amal'))).toMatchObject({ state: 'admitted' });
		const again = await during(queue.claim(1));
		expect(again).toMatchObject({
			kind: 'pass',
			ticket: { claimedAt: (first as { ticket: PlacedTicket }).ticket.claimedAt }
		});
		expect(
			(await test.database.db.selectFrom('passes').selectAll().where('room', '=', stand.room).execute())
				.length
		).toBe(1);
	});

	it('gives people 503 while the server stands still, and nobody is lost or doubled', async () => {
		await join(holders(3));
		await stand.pass(1_000);
		await server.setReachable(false);
		await until(() => !queue.figures().ready);
		await expect(during(Promise.resolve(queue.get(1)))).rejects.toMatchObject({ code: 'busy' });
		await expect(during(queue.join('amal', 1))).rejects.toMatchObject({ code: 'busy', retryAfterSeconds: 3 });
		await expect(during(queue.claim(1))).rejects.toMatchObject({ code: 'busy' });
		await stand.pass(60_000);
		await server.setReachable(true);
		await until(() => queue.figures().ready);
		expect((await look(holders(3))).map((ticket) => ticket!.number)).toEqual([1, 2, 3]);
	});

	it('adds the time it was away to turns and passes', async () => {
		await join(['amal']);
		await rate(10);
		await until(async () => (await queue.get(1))!.state === 'called');
		const { dueAt } = (await queue.get(1))!;
		await server.setReachable(false);
		await until(() => !queue.figures().ready);
		await stand.pass(100_000);
		await server.setReachable(true);
		await until(() => queue.figures().ready);
		await until(async () => (await queue.get(1))!.dueAt > dueAt + 95_000);
		stand.clock.advance(60_000);
		await stand.pass(300);
		expect((await queue.get(1))!.state).toBe('called');
	});

	it('hands out no pass that PostgreSQL does not hold, and the same one once it does', async () => {
		await join(['amal']);
		await rate(10);
		await until(async () => (await queue.get(1))!.state === 'called');
		stand.setDatabaseReachable(false);
		await expect(during(queue.claim(1))).rejects.toMatchObject({ code: 'busy' });
		const { claimedAt } = (await queue.get(1))!;
		expect(claimedAt).toBeGreaterThan(0);
		// Numbers of the block in hand are still given out.
		expect((await join(['bilal']))[0]!.number).toBe(2);
		stand.setDatabaseReachable(true);
		expect(await during(queue.claim(1))).toMatchObject({ kind: 'pass', ticket: { claimedAt } });
	});

	it('counts the leases of an instance that was killed, and frees them when their time is up', async () => {
		rules.placesMax = 10;
		await join(holders(8));
		await rate(1_000);
		await until(() => queue.figures().counts.called === 8);
		await during(Promise.all(Array.from({ length: 8 }, (_, i) => queue.claim(i + 1))));
		stand.crash(queue);
		const second = await open();
		await until(() => second.figures().counts.admitted === 8);
		await join(holders(6, 8), second);
		await stand.pass(2_000);
		const inside = () => second.figures().counts.called + second.figures().counts.admitted;
		expect(inside()).toBe(10);
		// Its people go on through another instance.
		const outcome = await during(second.claim(3));
		expect(outcome).toMatchObject({ kind: 'pass', ticket: { number: 3 } });
		await during(Promise.resolve(second.done('holder 2')));
		await until(() => second.figures().counts.waiting === 3 && inside() === 10);
		stand.clock.advance(passMs);
		await until(() => second.figures().counts.expired >= 7);
		await until(() => second.figures().counts.called >= 1);
	});

	it('refuses a leader that was overtaken: frozen and woken, it changes nothing', async () => {
		await join(holders(5));
		const second = await open();
		// The first wakes up and still believes that it leads, with rules of its own.
		stand.leaders[0]!.term = 1;
		const frozen = rules.budget;
		rules.rates = () => ({ passesPerSecond: 1_000, turnsPerSecond: 1_000, placesMax: 1_000 });
		stand.leaders[1]!.term = null;
		await stand.pass(1_000);
		expect(second.figures().counts).toMatchObject({ waiting: 5, called: 0 });
		stand.lead(1);
		await until(() => second.figures().counts.called === 5);
		rules.budget = frozen;
	});

	it('keeps the clocks where they stood when it is emptied', async () => {
		await rate(1_000);
		await join(['amal']);
		await during(queue.claim(1));
		await during(queue.setFrozen(true));
		stand.clock.advance(passMs * 2);
		await stand.pass(1_500);
		await during(queue.setFrozen(false));
		const before = await queue.find('amal');
		const pass = { ...before!, epoch: 1, issuedAt: before!.claimedAt, expiresAt: before!.claimedAt + passMs };
		await stand.pass(1_500);
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		expect(essence([await queue.find('amal')])).toEqual(essence([before]));
		expect(queue.passLives(pass, 'amal')).toBe(true);
		stand.clock.advance(passMs);
		expect(queue.passLives(pass, 'amal')).toBe(false);
	});

	it('remembers that a drawn list was placed', async () => {
		const drawn = holders(6).map((holder) => ({ holder, party: 2 }));
		await during(queue.place(drawn, 'draw'));
		await during(queue.leave(3));
		await stand.pass(2_000);
		await server.admin.flushall();
		await until(() => !queue.figures().ready);
		await until(() => queue.figures().ready);
		await during(queue.place(drawn, 'draw'));
		expect((await look(holders(6))).map((ticket) => ticket!.number)).toEqual([1, 2, 3, 4, 5, 6]);
		expect(await queue.get(3)).toMatchObject({ state: 'left', party: 2 });
	});
});
