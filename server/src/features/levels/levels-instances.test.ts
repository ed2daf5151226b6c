import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { limits } from '../../limits.ts';
import { createBench, patience, to, type LevelsBench } from './levels.fixture.ts';

describe('levels with several instances', () => {
	let bench: LevelsBench;
	const startInstance: LevelsBench['startInstance'] = (instance, options) =>
		bench.startInstance(instance, options);
	beforeAll(async () => {
		bench = await createBench();
	});
	beforeEach(() => bench.clear());
	afterAll(() => bench?.close());

	it('each follows a switch made on another, and says which version it has seen', async () => {
		const one = await startInstance('one');
		const two = await startInstance('two');
		await one.post('duty', to(2, 0));
		await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
		expect(two.switches).toMatchObject([{ from: 0, to: 2, current: { by: 'Duty manager' } }]);
		const both = [
			{ id: 'one', version: 1, level: 2 },
			{ id: 'two', version: 1, level: 2 }
		];
		await vi.waitFor(async () => expect((await one.get()).instances).toMatchObject(both), patience);
		expect(await two.post('second', to(0, 0))).toMatchObject({
			status: 409,
			body: { code: 'somebody_faster' }
		});
		const proposal = (await one.post('duty', to(3, 1))).body.proposal!;
		await vi.waitFor(() => expect(two.shown()?.proposal?.id).toBe(proposal.id), patience);
		expect(await two.post('second', { confirm: proposal.id })).toMatchObject({ status: 200 });
		await vi.waitFor(() => expect(one.flags.isOn('joins')).toBe(false), patience);
	});

	it('hears of a switch by notice alone', async () => {
		const one = await startInstance('one');
		const two = await startInstance('two', { clock: { ...bench.clock, setInterval: () => () => undefined } });
		await one.post('duty', to(1, 0));
		await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
	});

	it('follows by asking when notices do not arrive', async () => {
		const one = await startInstance('one');
		const { database } = bench.test;
		const deaf = { ...database, connectDirect: () => Promise.reject(new Error('no direct connection')) };
		const two = await startInstance('two', { database: deaf });
		await one.post('duty', to(1, 0));
		await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
	});

	it('listens again after its connection for notices was cut', async () => {
		const one = await startInstance('one');
		const two = await startInstance('two');
		const cut = await sql<{ cut: boolean }>`select pg_terminate_backend(pid) as cut from pg_stat_activity
			where application_name = 'marsad levels' and datname = current_database()`.execute(bench.test.database.db);
		expect(cut.rows.length).toBe(2);
		await one.post('duty', to(1, 0));
		await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
		const listeners = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
			where application_name = 'marsad levels' and datname = current_database()`;
		await vi.waitFor(
			async () => expect((await listeners.execute(bench.test.database.db)).rows[0]!.n).toBe(2),
			patience
		);
		expect(one.switches).toHaveLength(1);
	});

	it('one that left drops out of the list at once, one that was killed when it was not heard for a while', async () => {
		const one = await startInstance('one');
		const two = await startInstance('two');
		await sql`insert into levels_seen (season, room, instance, version, level, seen_at, heard_at)
			values ('s', 'main', 'killed', 0, 0, now(), now())`.execute(bench.test.database.db);
		const ids = async () => (await one.get()).instances.map(({ id }) => id);
		await vi.waitFor(async () => expect(await ids()).toEqual(['killed', 'one', 'two']), patience);
		await two.close();
		await vi.waitFor(async () => expect(await ids()).toEqual(['killed', 'one']), patience);
		bench.clock.shiftMs += limits.levels.instanceGoneMs;
		await vi.waitFor(async () => expect(await ids()).toEqual(['one']), patience);
	});

	it('knows the level before it serves, also after a restart', async () => {
		const one = await startInstance('one');
		await one.post('duty', to(2, 0));
		const later = await startInstance('later');
		expect(later.levels.current().level).toBe(2);
		expect(later.flags.isOn('change-slot')).toBe(false);
		expect(later.switches).toEqual([]);
	});

	it('seasons and rooms do not hear of each other', async () => {
		const one = await startInstance('one');
		const other = await startInstance('other', { season: 'another season' });
		await one.post('duty', to(1, 0));
		const witness = await startInstance('witness');
		expect(witness.levels.current().level).toBe(1);
		expect(other.levels.current().level).toBe(0);
		expect((await other.get()).instances.map(({ id }) => id)).toEqual(['other']);
	});
});
