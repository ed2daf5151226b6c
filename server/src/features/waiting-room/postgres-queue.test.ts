import { afterAll, beforeAll } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { createTestClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { createPostgresQueue } from './postgres-queue.ts';
import { describeQueue } from './queue-suite.ts';

let test: TestDatabase;
let stands = 0;
beforeAll(async () => {
	test = await createTestDatabase();
});
afterAll(() => test.close());

describeQueue('the queue in the process and in PostgreSQL', async () => {
	const clock = createTestClock();
	const room = `room ${stands++}`;
	let reachable = true;
	const { db } = test.database;
	/** The same database, that can be told to be away. */
	const shaky = new Proxy(db, {
		get(target, name) {
			if (!reachable && (name === 'getExecutor' || name === 'transaction'))
				throw new Error('the database is away');
			const value: unknown = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		}
	}) as Db;
	const opened: { stop(): Promise<void> }[] = [];
	return {
		clock,
		shared: false,
		open(rules) {
			const queue = createPostgresQueue({
				db: shaky,
				clock,
				log: createLog('silent'),
				key: { season: 'demo', room },
				rules,
				first: { ratePerSecond: 10, rateSource: 'configured' }
			});
			opened.push(queue);
			return queue;
		},
		async setReachable(next) {
			reachable = next;
		},
		async pass(ms) {
			// A long span is one leap and a second of small steps.
			if (ms > 2_000) clock.advance(ms - 1_000);
			if (ms > 2_000) ms = 1_000;
			for (let passed = 0; passed < ms; passed += 50) {
				clock.advance(Math.min(50, ms - passed));
				await new Promise((resolve) => setTimeout(resolve, 3));
			}
		},
		async close() {
			reachable = true;
			clock.advance(1_000);
			for (const queue of opened) await queue.stop();
		}
	};
});
