import type { TestDatabase } from '../../../test/kit/test-database.ts';
import type { TestValkey } from '../../../test/kit/test-valkey.ts';
import { createTestClock, type TestClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/database.ts';
import { createLog } from '../../platform/log.ts';
import { openValkey, type Valkey } from '../../platform/valkey/valkey.ts';
import type { QueueStand } from './queue-suite.ts';
import type { Queue, QueueRules } from './queue.ts';
import { createValkeyQueue } from './valkey-queue.ts';

export interface ValkeyStand extends QueueStand {
	clock: TestClock;
	room: string;
	/** Opened queues, the last of which leads unless told otherwise. */
	leaders: { term: number | null }[];
	/** Hands the lead to the queue opened as this one; the others do not know it yet when `told` is false. */
	lead(index: number, told?: boolean): void;
	/** Ends a queue as `kill -9` would: its connection is cut, nothing is written any more. */
	crash(queue: Queue): void;
	setDatabaseReachable(reachable: boolean): void;
}

/** Queues on one Valkey and one PostgreSQL; each has a connection of its own, and one of them leads. */
export function createValkeyStand(test: TestDatabase, server: TestValkey, room: string): ValkeyStand {
	const clock = createTestClock();
	const leaders: { term: number | null }[] = [];
	const opened: { queue: Queue; valkey: Valkey; kill: () => void; killed: boolean }[] = [];
	let lastTerm = 0;
	let databaseReachable = true;
	const { db } = test.database;
	/** The same database, that can be told to be away, or dead for one process. */
	const shaky = (isDead: () => boolean) =>
		new Proxy(db, {
			get(target, name) {
				if ((!databaseReachable || isDead()) && (name === 'getExecutor' || name === 'transaction'))
					throw new Error('the database is away');
				const value: unknown = Reflect.get(target, name, target);
				return typeof value === 'function' ? value.bind(target) : value;
			}
		}) as Db;
	const stand: ValkeyStand = {
		clock,
		room,
		shared: true,
		leaders,
		lead(index, told = true) {
			if (told) for (const leader of leaders) leader.term = null;
			leaders[index]!.term = ++lastTerm;
		},
		open(rules: QueueRules) {
			const entry = { killed: false, kill: () => undefined as void };
			const valkey = openValkey({ url: server.url, log: createLog('silent'), random: () => 0 });
			const leader = { term: null as number | null };
			leaders.push(leader);
			const queue = createValkeyQueue({
				...{ clock, valkey, rules, log: createLog('silent') },
				db: shaky(() => entry.killed),
				leader: { term: () => (entry.killed ? null : leader.term) },
				key: { season: 'demo', room },
				first: { ratePerSecond: 10, rateSource: 'configured' }
			});
			const start = queue.start.bind(queue);
			queue.start = async () => {
				while (valkey.state() !== 'ready') await new Promise((resolve) => setTimeout(resolve, 2));
				stand.lead(leaders.indexOf(leader));
				return start();
			};
			opened.push(
				Object.assign(entry, {
					queue,
					valkey,
					kill() {
						entry.killed = true;
						valkey.client.disconnect();
					}
				})
			);
			return queue;
		},
		crash: (queue) => opened.find((entry) => entry.queue === queue)!.kill(),
		setReachable: server.setReachable,
		setDatabaseReachable(reachable) {
			databaseReachable = reachable;
		},
		async pass(ms) {
			// A long span is one leap and a second of small steps.
			if (ms > 2_000) clock.advance(ms - 1_000);
			if (ms > 2_000) ms = 1_000;
			for (let passed = 0; passed < ms; passed += 50) {
				clock.advance(Math.min(50, ms - passed));
				// What was sent until now is answered before virtual time goes on.
				if (server.admin.status === 'ready') await server.admin.ping().catch(() => undefined);
				await new Promise((resolve) => setTimeout(resolve, 2));
			}
		},
		async close() {
			databaseReachable = true;
			await server.setReachable(true);
			for (const { queue, valkey } of opened) {
				let stopped = false;
				const stopping = queue.stop().finally(() => (stopped = true));
				while (!stopped) await stand.pass(50);
				await stopping;
				await valkey.close();
			}
		}
	};
	return stand;
}
