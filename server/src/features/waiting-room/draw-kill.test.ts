import { fork } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import type { DrawOrder, DrawSaid } from './draw-process.fixture.ts';
import { findDraw, insertDraw } from './draw/draw-store.ts';
import { listEntries, storedLine } from './draw/entries-store.ts';
import { commitmentOf, deriveDrawKeys } from './draw/entry.ts';
import { leafOf, rootOf } from './draw/merkle.ts';
import { orderOf, seedOf } from './draw/order.ts';
import { writeSchedule } from './schedule-store.ts';
import { noSchedule } from './schedule.ts';

const fixture = fileURLToPath(new URL('./draw-process.fixture.ts', import.meta.url));
const key = { season: 'demo', room: 'killed draw' };

/** A room in a process of its own, and all that it has said. */
function startProcess(url: string) {
	const child = fork(fixture, [url, key.room], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
	const said: DrawSaid[] = [];
	child.on('message', (message: DrawSaid) => void said.push(message));
	return {
		said,
		order: (order: DrawOrder) => void child.send(order),
		async until(condition: () => boolean | Promise<boolean>) {
			while (!(await condition())) {
				if (child.exitCode !== null) throw new Error(`the process ended with ${child.exitCode}`);
				await new Promise((resolve) => setTimeout(resolve, 10));
			}
		},
		async kill() {
			const gone = new Promise((resolve) => child.once('exit', resolve));
			child.kill('SIGKILL');
			await gone;
		}
	};
}

describe('kill -9 during registration, freeze, draw and placing', () => {
	let test: TestDatabase;
	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test.close());

	it('keeps every promise: who registered is drawn once, at the place that anybody computes', async () => {
		const { db } = test.database;
		const nonce = randomBytes(16);
		const keys = deriveDrawKeys('a master secret of the tests', nonce);
		const commitment = commitmentOf(keys.secret);
		const setOpening = (opensAt: number) =>
			db
				.transaction()
				.execute((tx) =>
					writeSchedule(tx, key, { ...noSchedule, version: 1, preQueueOpensAt: opensAt - 3_600_000, opensAt })
				);
		await setOpening(Date.now() + 3_600_000);
		const draw = await db.transaction().execute(async (tx) => {
			return insertDraw(tx, key, { epoch: 1, kind: 'opening', nonce, commitment, now: Date.now() });
		});
		const look = async () => (await findDraw(db, key, 'opening', draw))!;
		const people = Array.from({ length: 2_000 }, (_, i) => `holder ${i}`);
		const promised = new Set<string>();
		const keep = ({ said }: ReturnType<typeof startProcess>) => {
			for (const one of said)
				if (one.kind === 'registered' && one.how === 'registered') promised.add(one.holder);
		};
		const registered = ({ said }: ReturnType<typeof startProcess>) =>
			said.filter((one) => one.kind === 'registered').length;

		for (const enough of [300, 2_000]) {
			const process = startProcess(test.url);
			await process.until(() => process.said.length > 0);
			process.order({ register: people });
			await process.until(() => registered(process) >= enough);
			await process.kill();
			keep(process);
		}
		expect(promised.size).toBe(2_000);
		await setOpening(Date.now());
		const roots = new Set<string>();
		// Cut off when it is frozen, when it is drawn, and twice in the middle of the places.
		for (const enough of [
			async () => (await look()).state !== 'committed',
			async () => (await look()).state === 'drawn',
			async () => (await look()).placed >= 300,
			async () => (await look()).placed >= 900
		]) {
			const process = startProcess(test.url);
			await process.until(enough);
			await process.kill();
			const { root } = await look();
			if (root !== null) roots.add(root);
		}
		const last = startProcess(test.url);
		await last.until(async () => (await look()).state === 'placed');
		await last.kill();

		const done = await look();
		const list = await listEntries(db, draw, null, 3_000);
		const root = rootOf(list.map((entry) => leafOf(storedLine(entry)))).toString('hex');
		expect([...roots, done.root]).toEqual([...roots].map(() => root).concat(root));
		const seed = seedOf({ secret: keys.secret, root, randomness: done.randomness!.value });
		const holderOf = new Map(people.map((holder) => [keys.entryOf(holder), holder]));
		const order = orderOf(
			seed,
			list.map(({ entry }) => entry.toString('hex'))
		).map((entry) => holderOf.get(entry));
		const tickets = await sql<{ number: number; holder: string; state: string }>`select number, holder, state
			from tickets where season = ${key.season} and room = ${key.room} order by number`.execute(db);
		expect(tickets.rows.map(({ holder }) => holder)).toEqual(order);
		expect(tickets.rows.map(({ number }) => number)).toEqual(people.map((_, i) => i + 1));
		expect(new Set(tickets.rows.map(({ holder }) => holder))).toEqual(promised);
		expect(done).toMatchObject({ placed: 2_000, registered: 2_000, firstNumber: 1 });
	}, 240_000);
});
