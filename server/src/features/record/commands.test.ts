import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClock, createLog, createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import { AppError } from '../../errors.ts';
import { buildHttp } from '../../platform/http/build.ts';
import { createRunCommand } from './commands.ts';
import { insertEntry, listEntries } from './record-store.ts';

describe('a staff command', () => {
	let test: TestDatabase;
	const http = buildHttp(createLog('silent'));
	let runs = 0;
	let told = 0;
	let hold: Promise<void> | null = null;
	beforeAll(async () => {
		test = await createTestDatabase();
		const { db } = test.database;
		const run = createRunCommand({ db, clock: createClock() });
		http.post('/press', async (request, reply) =>
			run(request, reply, 'account-1', async (tx) => {
				const { refuse } = request.body as { refuse?: boolean };
				await insertEntry(tx, { at: 1, actor: 'account-1', action: 'press' });
				if (refuse) throw new AppError('slot_full');
				await hold;
				runs += 1;
				return { status: 201, body: { run: runs }, afterCommit: () => told++ };
			})
		);
		await http.ready();
	});
	afterAll(async () => {
		await http.close();
		await test.close();
	});
	// Async, so that a request starts at once: the injector's own promise waits until somebody awaits it.
	const press = async (key: string | undefined, payload: object = { a: 1 }) =>
		http.inject({
			method: 'POST',
			url: '/press',
			payload,
			headers: key === undefined ? {} : { 'idempotency-key': key }
		});

	it('runs once, however often it is sent, and gives the first answer again', async () => {
		const answers = [await press('k1'), await press('k1'), await press('k1')];
		expect(answers.map((answer) => [answer.statusCode, answer.json()])).toEqual(
			Array(3).fill([201, { run: 1 }])
		);
		expect([runs, told]).toEqual([1, 1]);
		expect(await listEntries(test.database.db, 0, 10)).toHaveLength(1);
	});

	it('refuses another body under the same key, a missing key and an endless one', async () => {
		expect((await press('k1', { a: 2 })).json()).toMatchObject({ status: 422, code: 'key_reused' });
		expect((await press(undefined)).json()).toMatchObject({ status: 400, code: 'key_missing' });
		expect((await press('x'.repeat(300))).json()).toMatchObject({ status: 400, code: 'bad_request' });
	});

	it('tells a twin that the first is still running', async () => {
		let release = () => {};
		hold = new Promise((resolve) => (release = resolve));
		const first = press('k2');
		await expect.poll(async () => (await press('k2')).statusCode, { timeout: 20_000 }).toBe(409);
		release();
		hold = null;
		expect((await first).statusCode).toBe(201);
		expect((await press('k2')).json()).toEqual((await first).json());
	});

	it('leaves nothing behind when it is refused: the same key may be tried again', async () => {
		const before = await listEntries(test.database.db, 0, 100);
		expect((await press('k3', { refuse: true })).statusCode).toBe(409);
		expect(await listEntries(test.database.db, 0, 100)).toEqual(before);
		expect((await press('k3', { a: 1 })).statusCode).toBe(201);
	});
});
