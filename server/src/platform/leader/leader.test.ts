import { afterEach, describe, expect, it } from 'vitest';
import {
	createClock,
	createLog,
	createTestDatabase,
	onServer,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { createLeader, TermOver, type Leader } from './leader.ts';

describe('leader', () => {
	let test: TestDatabase;
	const leaders: Leader[] = [];
	const newLeader = (instance: string, events: string[]) => {
		const leader = createLeader({
			name: 'ingest',
			instance,
			database: test.database,
			clock: createClock(),
			log: createLog('silent'),
			onElected: (term) => events.push(`${instance} leads ${term}`),
			onLost: () => events.push(`${instance} lost`)
		});
		leaders.push(leader);
		leader.start();
		return leader;
	};
	afterEach(async () => {
		for (const leader of leaders.splice(0)) await leader.stop();
		await test.close();
	});

	it('is one of several; when its session dies another follows with the next term, and the old one is refused', async () => {
		test = await createTestDatabase();
		const events: string[] = [];
		const first = newLeader('a', events);
		await expect.poll(() => first.term(), { timeout: 20_000 }).toBe(1);
		const second = newLeader('b', events);
		await new Promise((resolve) => setTimeout(resolve, 1_500));
		expect(second.term()).toBeNull();
		const { db } = test.database;
		await db.transaction().execute((tx) => first.check(tx));

		// What a frozen or cut-off holder looks like: its session is gone, it does not know yet.
		await onServer(
			test.url,
			"select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'marsad leader ingest' and datname = current_database() and pid in (select pid from pg_locks where locktype = 'advisory' and granted)"
		);
		await expect
			.poll(() => events.filter((event) => event.endsWith('leads 2')).length, { timeout: 20_000 })
			.toBe(1);
		const [holder, other] = second.term() === 2 ? [second, first] : [first, second];
		await db.transaction().execute((tx) => holder.check(tx));
		await expect(db.transaction().execute((tx) => other.check(tx))).rejects.toThrow(TermOver);
	});
});
