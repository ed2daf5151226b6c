import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../../test/kit/test-database.ts';
import { createTestClock } from '../../../platform/clock.ts';
import { createLog } from '../../../platform/log.ts';
import type { PlacedTicket } from '../queue.ts';
import { createBeacon, type Beacon } from './beacon.ts';
import { createDrawLife } from './draw-life.ts';
import { findDraw, freezeDraw, insertDraw, takeWork, type StoredDraw } from './draw-store.ts';
import { listEntries, registerEntries, removeEntry, storedLine } from './entries-store.ts';
import { commitmentOf, deriveDrawKeys } from './entry.ts';
import { leafOf, rootFrom, rootOf } from './merkle.ts';
import { orderOf, seedOf } from './order.ts';
import { createProver } from './proof.ts';

const secret = 'a master secret of the tests';
let test: TestDatabase;
let rooms = 0;
beforeAll(async () => {
	test = await createTestDatabase();
});
afterAll(() => test.close());

/** A line of places that keeps the promise of the queue's port: one place a holder, a list once a name. */
function createLine() {
	const numbers = new Map<string, number>();
	const origins: string[] = [];
	return {
		numbers,
		origins,
		fail: null as 'before' | 'after' | null,
		async place(drawn: readonly { holder: string }[], origin: string) {
			if (this.fail === 'before') throw new Error('cut off before');
			origins.push(origin);
			for (const { holder } of drawn) if (!numbers.has(holder)) numbers.set(holder, numbers.size + 1);
			if (this.fail === 'after') throw new Error('cut off after');
		},
		find: (holder: string) =>
			numbers.has(holder) ? ({ number: numbers.get(holder)! } as PlacedTicket) : null
	};
}

async function createDraw(people: number, options: { beacon?: Beacon; simulated?: boolean } = {}) {
	const { db } = test.database;
	const key = { season: 'demo', room: `draw ${rooms++}` };
	const clock = createTestClock();
	const nonce = Buffer.alloc(16, rooms);
	const keys = deriveDrawKeys(secret, nonce);
	const id = await db.transaction().execute((tx) =>
		insertDraw(tx, key, {
			...{ epoch: 1, kind: 'opening', nonce, commitment: commitmentOf(keys.secret), now: clock.now() }
		})
	);
	const holders = Array.from({ length: people }, (_, i) => `holder ${i}`);
	const registration = (holder: string, party = 1, late = false) => ({
		...{ entry: keys.entryOf(holder), holder, party, wishes: '', late }
	});
	if (people > 0)
		await registerEntries(
			db,
			id,
			holders.map((holder, i) => registration(holder, 1 + (i % 3)))
		);
	const line = createLine();
	const worker = (name: string) =>
		createDrawLife({
			...{ db, clock, log: createLog('silent'), worker: name, queue: line },
			keysOf: () => keys,
			beacon: options.beacon ?? null,
			simulated: options.simulated ?? true,
			pageSize: 7
		});
	const look = async () => (await findDraw(db, key, 'opening', id))!;
	/** Takes the draw on as far as it goes; what is cut off is taken up again. */
	const run = async (step: ReturnType<typeof worker>, until: (draw: StoredDraw) => boolean = () => false) => {
		for (let i = 0; i < 200; i++) {
			const draw = await look();
			if (until(draw) || !(await step(draw, clock.now()))) return look();
		}
		throw new Error('the draw does not end');
	};
	return { db, id, key, keys, clock, holders, registration, line, worker, look, run };
}

describe('the life of a draw', () => {
	it('places everybody in the order that anybody computes, in an unbroken row', async () => {
		const { db, id, keys, holders, line, worker, run, look } = await createDraw(50);
		const draw = await run(worker('one'));
		expect(draw).toMatchObject({ state: 'placed', placed: 50, firstNumber: 1, registered: 50 });
		const list = await listEntries(db, id, null, 100);
		const root = rootOf(list.map((entry) => leafOf(storedLine(entry)))).toString('hex');
		expect(draw.root).toBe(root);
		const seed = seedOf({ secret: keys.secret, root, randomness: draw.randomness!.value });
		const order = orderOf(
			seed,
			list.map(({ entry }) => entry.toString('hex'))
		);
		const entryOf = new Map(holders.map((holder) => [keys.entryOf(holder), holder]));
		expect([...line.numbers.keys()]).toEqual(order.map((entry) => entryOf.get(entry)));
		expect((await look()).secret).toBe(keys.secret.toString('hex'));
	});

	it('is the same when two instances work on it at once, whoever falls asleep', async () => {
		const { clock, line, worker, look } = await createDraw(60);
		const [one, two] = [worker('one'), worker('two')];
		let turns = 0;
		for (; turns < 400 && (await look()).state !== 'placed'; turns++) {
			const draw = await look();
			const now = clock.now();
			await Promise.allSettled([one(draw, now), two(draw, now)]);
			// The one that works falls silent again and again: the other takes over.
			if (turns % 3 === 0) clock.advance(20_000);
		}
		expect(await look()).toMatchObject({ state: 'placed', placed: 60, firstNumber: 1 });
		expect(line.numbers.size).toBe(60);
	});

	it('goes on where it was cut off, before and after a page was placed', async () => {
		const { line, worker, run, look } = await createDraw(30);
		const step = worker('one');
		await run(step, (draw) => draw.state === 'drawn');
		for (const fail of ['before', 'after', 'before', 'after'] as const) {
			line.fail = fail;
			await expect(run(step)).rejects.toThrow('cut off');
		}
		line.fail = null;
		const { root } = await look();
		expect(await run(step)).toMatchObject({ state: 'placed', placed: 30, firstNumber: 1, root });
		expect(line.numbers.size).toBe(30);
	});

	it('takes nobody into a frozen list, lets nobody out of it, and keeps latecomers behind it in their order', async () => {
		const { db, id, clock, registration, keys, line, worker, run, look } = await createDraw(10);
		const register = async (...holders: string[]) =>
			registerEntries(
				db,
				id,
				holders.map((holder) => registration(holder))
			);
		expect(await register('holder 3')).toEqual(['registered']);
		expect(await removeEntry(db, id, keys.entryOf('holder 9'))).toBe(true);
		expect(await removeEntry(db, id, keys.entryOf('holder 9'))).toBe(false);
		expect((await look()).registered).toBe(9);
		// At T0 by the clock, before the list is closed in the storage: late all the same.
		expect(await registerEntries(db, id, [registration('late 0', 1, true)])).toEqual(['late']);
		expect(await freezeDraw(db, id, clock.now())).toBe(true);
		expect(await freezeDraw(db, id, clock.now())).toBe(false);
		expect(await register('late 2', 'holder 4', 'late 1')).toEqual(['late', 'registered', 'late']);
		expect(await removeEntry(db, id, keys.entryOf('holder 4'))).toBe(false);
		const draw = await run(worker('one'));
		expect(draw).toMatchObject({ state: 'placed', registered: 9, placed: 9 });
		expect([...line.numbers.keys()].slice(9)).toEqual(['late 0', 'late 2', 'late 1']);
		expect(await register('after')).toEqual(['over']);
	});

	it('holds registrations and freeze apart: who was told "registered" is in the list, whenever it is frozen', async () => {
		const { db, id, clock, registration, look } = await createDraw(0);
		const join = (from: number) =>
			Array.from({ length: 20 }, async (_, i) => {
				const [answer] = await registerEntries(db, id, [registration(`holder ${from + i}`)]);
				return answer;
			});
		// All of it at once: the freeze falls between those who came before it and those who came after.
		const before = join(0);
		const frozen = freezeDraw(db, id, clock.now());
		const answers = await Promise.all([...before, ...join(20)]);
		expect(await frozen).toBe(true);
		const list = await listEntries(db, id, null, 100);
		expect(list).toHaveLength(answers.filter((answer) => answer === 'registered').length);
		expect(answers.filter((answer) => answer === 'late').length).toBeGreaterThan(0);
		expect((await look()).registered).toBe(list.length);
	});

	it('draws nothing when nobody has come, and refuses to draw under another master secret', async () => {
		const nobody = await createDraw(0);
		expect(await nobody.run(nobody.worker('one'))).toMatchObject({
			state: 'placed',
			placed: 0,
			firstNumber: null
		});
		const some = await createDraw(3);
		const stranger = createDrawLife({
			...{ db: some.db, clock: some.clock, log: createLog('silent'), worker: 'x', queue: some.line },
			keysOf: () => deriveDrawKeys('another secret', Buffer.alloc(16)),
			...{ beacon: null, simulated: true }
		});
		expect(await some.run(stranger)).toMatchObject({ state: 'frozen', secret: null });
		expect(some.line.numbers.size).toBe(0);
	});

	it('leaves a draw to the instance that works on it, until that falls silent', async () => {
		const { db, id, clock } = await createDraw(1);
		const take = (who: string) => takeWork(db, id, who, clock.now(), 15_000);
		expect([await take('one'), await take('two'), await take('one')]).toEqual([true, false, true]);
		clock.advance(15_001);
		expect([await take('two'), await take('one')]).toEqual([true, false]);
	});

	it('proves of every entry that it is in the list, with its place, over several blocks', async () => {
		const { db, id, keys, holders, registration, worker, run } = await createDraw(0);
		const many = Array.from({ length: 2_100 }, (_, i) => registration(`holder ${i}`, 1 + (i % 5)));
		await registerEntries(db, id, many);
		const draw = await run(worker('one'), ({ randomness }) => randomness !== null);
		const prover = createProver(db);
		const frozen = { ...draw, root: draw.root! };
		for (const at of [0, 1, 1_023, 1_024, 2_047, 2_099]) {
			const proof = (await prover.prove(frozen, many[at]!.entry))!;
			expect(rootFrom(proof.line, proof.path)).toBe(draw.root);
			expect(proof).toMatchObject({ place: null, line: `${many[at]!.entry},${many[at]!.party}` });
		}
		expect(holders).toEqual([]);
		expect(await prover.prove(frozen, keys.entryOf('nobody'))).toBeNull();
	});
});

describe('the outside randomness', () => {
	let server: Server;
	let url: string;
	let answer: (path: string) => { status: number; body: string };
	beforeAll(async () => {
		server = createServer((request, response) => {
			const { status, body } = answer(request.url ?? '');
			response.writeHead(status, { 'content-type': 'application/json' }).end(body);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/public/latest`;
	});
	afterAll(() => new Promise((resolve) => server.close(resolve)));
	const round = (number: number) =>
		JSON.stringify({ round: number, randomness: number.toString(16).padStart(64, '0'), signature: 'aa' });

	it('is that of a round named after the freeze and before it existed, even if the beacon is away meanwhile', async () => {
		let newest = 41;
		answer = (path) => {
			const asked = path.endsWith('/latest') ? newest : Number(path.split('/').at(-1));
			return asked > newest ? { status: 404, body: '{}' } : { status: 200, body: round(asked) };
		};
		const { clock, worker, run, look } = await createDraw(5, { beacon: createBeacon(url), simulated: false });
		const step = worker('one');
		expect(await run(step)).toMatchObject({ state: 'frozen', waitsForRound: 42, randomness: null });
		const good = answer;
		for (const bad of [
			{ status: 500, body: '' },
			{ status: 200, body: 'no JSON' },
			{ status: 200, body: '{"round":42,"randomness":"xyz"}' },
			{ status: 200, body: `{"round":42,"randomness":"${'0'.repeat(20_000)}"}` }
		]) {
			answer = () => bad;
			clock.advance(3_000);
			expect(await run(step)).toMatchObject({ state: 'frozen', randomness: null });
		}
		// The beacon comes back three rounds later: the round that was named still decides.
		answer = good;
		newest = 45;
		clock.advance(3_000);
		expect(await run(step)).toMatchObject({ state: 'placed', randomness: { round: 42, simulated: false } });
		expect((await look()).randomness?.source).toBe(url.replace('latest', '42'));
		expect((await look()).randomness?.value).toBe((42).toString(16).padStart(64, '0'));
	});

	it('does not come where no beacon is named and nothing is simulated: the draw stands still', async () => {
		const { worker, run, line } = await createDraw(5, { simulated: false });
		expect(await run(worker('one'))).toMatchObject({
			state: 'frozen',
			randomness: null,
			root: expect.any(String)
		});
		expect(line.numbers.size).toBe(0);
	});
});
