import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { sql } from 'kysely';
import { createClock, createLog, createTestDatabase, type TestDatabase } from '../../../test/kit/index.ts';
import type { Account, LevelsFile, LevelsState } from '../../../contract/index.ts';
import { createConductor } from '../../conductor/conductor.ts';
import { limits } from '../../limits.ts';
import type { Clock } from '../../platform/clock.ts';
import { openDatabase } from '../../platform/database/database.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { buildHttp, openStaffScope } from '../../platform/http/build.ts';
import { createMetrics } from '../../platform/metrics.ts';
import { createHub } from '../../platform/realtime/hub.ts';
import { createRecord } from '../record/index.ts';
import { createLevels, loadLevels, type LevelSwitch, type LevelsDeps } from './index.ts';

const log = createLog('silent');
const duty: Account = { id: 'a', email: 'duty@example.org', name: 'Duty manager', role: 'duty-manager' };
const second: Account = {
	id: 'b',
	email: 'second@example.org',
	name: 'Second duty manager',
	role: 'duty-manager'
};
const people = { duty, second };
const patience = { timeout: 30_000, interval: 20 };

/** The clock of the machine, moved forward by hand. */
function createShiftedClock(): Clock & { shiftMs: number } {
	const clock = createClock();
	const shifted = { ...clock, shiftMs: 0, now: () => clock.now() + shifted.shiftMs };
	return shifted;
}

describe('levels', () => {
	let test: TestDatabase;
	let file: LevelsFile;
	let clock = createShiftedClock();
	let keys = 0;
	const instances: { close: () => Promise<void> }[] = [];

	beforeAll(async () => {
		test = await createTestDatabase();
		file = await loadLevels();
	});
	beforeEach(async () => {
		clock = createShiftedClock();
		for (const instance of instances.splice(0)) await instance.close();
		await sql`truncate levels_current, levels_history, levels_proposals, levels_seen, command_keys`.execute(
			test.database.db
		);
	});
	afterAll(async () => {
		for (const instance of instances.splice(0)) await instance.close();
		await test.close();
	});

	const startInstance = async (instance: string, options: Partial<LevelsDeps> = {}) => {
		const database = openDatabase({ url: test.url, directUrl: test.url, poolMax: 4, clock, log });
		const record = createRecord({ db: database.db, clock });
		const hub = createHub(clock);
		const metrics = createMetrics();
		const flags = createFlags(null);
		const conductor = createConductor({ clock, log });
		conductor.register({ name: 'test', limits: () => [{ source: 'manager', perSecond: 250 }] });
		const deps = {
			database,
			clock,
			log,
			hub,
			metrics,
			flags,
			record,
			conductor,
			file,
			instance,
			season: 's',
			room: 'main'
		};
		const levels = createLevels({ ...deps, people: { holdsRole: async () => true }, ...options });
		const switches: LevelSwitch[] = [];
		levels.onSwitch.on((event) => switches.push(event));
		const app = buildHttp(log);
		await openStaffScope(app, {
			authenticate: async (request) => people[request.headers['x-who'] as keyof typeof people] ?? null,
			isDatabaseUp: async () => true,
			register: (staff) => levels.staffRoutes?.(staff)
		});
		await levels.start?.();
		const close = async () => {
			await levels.stop?.();
			await app.close();
			hub.stop();
			metrics.stop();
			await database.close();
		};
		instances.push({ close });
		const post = async (who: keyof typeof people, body: object, key = `k${(keys += 1)}`) => {
			const headers = { 'x-who': who, 'idempotency-key': key };
			const answer = await app.inject({
				method: 'POST',
				url: '/api/v1/levels/current',
				payload: body,
				headers
			});
			return { status: answer.statusCode, body: answer.json<LevelsState & { code?: string }>() };
		};
		const get = async () =>
			(
				await app.inject({ method: 'GET', url: '/api/v1/levels', headers: { 'x-who': 'duty' } })
			).json<LevelsState>();
		const shown = () => hub.snapshot('levels').state['state'] as LevelsState | undefined;
		return { levels, flags, conductor, post, get, shown, switches, close, database };
	};
	const to = (level: number, expectedVersion: number, reason = 'booking p95 above 2 s') => ({
		level,
		reason,
		expectedVersion
	});

	it('is at normal on the first start and tells everything a screen needs', async () => {
		const { get, levels } = await startInstance('one');
		const state = await get();
		expect(state).toMatchObject({ current: { level: 0, version: 0, by: null }, proposal: null, history: [] });
		expect(state.levels).toHaveLength(5);
		expect(state.rules).toHaveLength(2);
		expect(state.instances).toMatchObject([{ id: 'one', version: 0, level: 0 }]);
		expect(state.unleash).toEqual({ state: 'not-configured', at: null });
		expect(levels.current().name.ar).toBe('طبيعي');
	});

	it('a switch is in force here before it is answered: flags, rate cap, signal, record', async () => {
		const { post, flags, conductor, switches, levels, shown } = await startInstance('one');
		const answer = await post('duty', to(2, 0));
		expect(answer.status).toBe(200);
		expect(answer.body).toMatchObject({
			current: { level: 2, version: 1, by: 'Duty manager', reason: 'booking p95 above 2 s' }
		});
		expect(answer.body.flags).toMatchObject({ images: false, 'change-slot': false, booking: true });
		expect(answer.body.instances).toMatchObject([{ id: 'one', version: 1, level: 2 }]);
		expect(flags.isOn('images')).toBe(false);
		expect(levels.current()).toMatchObject({ level: 2, name: { en: 'Protect' } });
		expect(switches).toMatchObject([{ from: 0, to: 2 }]);
		await conductor.turn();
		expect(conductor.decision()).toMatchObject({ levelCapPerSecond: 100, ratePerSecond: 100 });
		await vi.waitFor(() => expect(shown()?.current.level).toBe(2), patience);
		const line = await test.database.db
			.selectFrom('record')
			.selectAll()
			.orderBy('id', 'desc')
			.executeTakeFirstOrThrow();
		expect(line).toMatchObject({
			actor: 'duty@example.org',
			action: 'level.switch',
			reason: 'booking p95 above 2 s',
			before: { level: 0, version: 0 },
			after: { level: 2, version: 1 }
		});
		const back = await post('second', to(0, 1, 'recovered'));
		expect(back.body.history.map(({ level }) => level)).toEqual([0, 2]);
		expect(flags.all()).toEqual(createFlags(null).all());
	});

	it('of two managers at once one wins, the other is told what is in force now', async () => {
		const { post } = await startInstance('one');
		const answers = await Promise.all([post('duty', to(1, 0)), post('second', to(2, 0))]);
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
		const winner = answers.find(({ status }) => status === 200)!;
		const loser = answers.find(({ status }) => status === 409)!;
		expect(loser.body).toMatchObject({ code: 'somebody_faster', current: winner.body.current });
		expect(await post('duty', to(winner.body.current.level, 1))).toMatchObject({
			status: 409,
			body: { code: 'already_at_level' }
		});
	});

	it('a repeat gets the first answer and switches nothing again', async () => {
		const { post, switches } = await startInstance('one');
		const first = await post('duty', to(1, 0), 'same key');
		expect(await post('duty', to(1, 0), 'same key')).toEqual(first);
		expect(await post('duty', to(2, 1), 'same key')).toMatchObject({
			status: 422,
			body: { code: 'key_reused' }
		});
		expect(switches).toHaveLength(1);
	});

	it('refuses a level that is none, a missing reason, an unknown member', async () => {
		const { post } = await startInstance('one');
		expect(await post('duty', to(5, 0))).toMatchObject({ status: 422, body: { code: 'no_such_level' } });
		for (const body of [
			to(1, 0, '   '),
			to(1, 0, ''),
			{ level: 1, expectedVersion: 0 },
			{ ...to(1, 0), confirm: 'x' },
			{}
		]) {
			expect(await post('duty', body)).toMatchObject({ status: 400, body: { code: 'bad_request' } });
		}
	});

	describe('levels that need two people', () => {
		const propose = async (level = 3) => {
			const instance = await startInstance('one');
			const answer = await instance.post('duty', to(level, 0, 'losing ground'));
			expect(answer.status).toBe(202);
			return { ...instance, proposal: answer.body.proposal! };
		};

		it.each([3, 4])('level %i waits for another person and then is in force', async (level) => {
			const { post, proposal, flags, get } = await propose(level);
			expect(proposal).toMatchObject({ level, reason: 'losing ground', by: 'Duty manager' });
			expect(await get()).toMatchObject({ current: { level: 0 }, proposal: { id: proposal.id } });
			expect(flags.isOn('joins')).toBe(true);
			expect(await post('duty', { confirm: proposal.id })).toMatchObject({
				status: 403,
				body: { code: 'second_person_needed' }
			});
			const confirmed = await post('second', { confirm: proposal.id });
			expect(confirmed).toMatchObject({
				status: 200,
				body: {
					current: { level, version: 1, by: 'Duty manager, Second duty manager', reason: 'losing ground' },
					proposal: null
				}
			});
			expect(flags.isOn('joins')).toBe(false);
			expect(flags.isOn('releases')).toBe(false);
			expect(flags.isOn('booking')).toBe(level < 4);
			expect(await post('second', { confirm: proposal.id })).toMatchObject({
				status: 410,
				body: { code: 'proposal_gone' }
			});
			expect(await post('second', to(level === 4 ? 3 : 2, 1))).toMatchObject({ status: 200 });
		});

		it('a proposal is gone when it ran out, was withdrawn, or anything was switched since', async () => {
			const { post, proposal, get } = await propose();
			clock.shiftMs += limits.levels.proposalMs;
			expect(await post('second', { confirm: proposal.id })).toMatchObject({
				status: 410,
				body: { code: 'proposal_gone' }
			});
			await vi.waitFor(async () => expect((await get()).proposal).toBeNull(), patience);
			const again = (await post('duty', to(3, 0))).body.proposal!;
			expect((await post('second', { withdraw: again.id })).body.proposal).toBeNull();
			expect(await post('second', { confirm: again.id })).toMatchObject({ status: 410 });
			const third = (await post('duty', to(3, 0))).body.proposal!;
			expect((await post('second', to(1, 0))).body).toMatchObject({
				current: { version: 1 },
				proposal: null
			});
			expect(await post('second', { confirm: third.id })).toMatchObject({ status: 410 });
			expect(await post('second', { confirm: 'no such proposal' })).toMatchObject({ status: 410 });
		});

		it('one proposal at a time: another person is told, the same one replaces their own', async () => {
			const { post, proposal } = await propose();
			expect(await post('second', to(4, 0))).toMatchObject({
				status: 409,
				body: { code: 'somebody_faster', proposal: { id: proposal.id } }
			});
			const next = (await post('duty', to(4, 0))).body.proposal!;
			expect(next).toMatchObject({ level: 4 });
			expect(await post('second', { confirm: proposal.id })).toMatchObject({ status: 410 });
			expect(await post('second', { confirm: next.id })).toMatchObject({ status: 200 });
		});

		it('two confirmations at once switch once', async () => {
			const { post, proposal, switches } = await propose();
			const answers = await Promise.all([
				post('second', { confirm: proposal.id }),
				post('second', { confirm: proposal.id })
			]);
			expect(answers.map(({ status }) => status).sort()).toEqual([200, 410]);
			expect(switches).toHaveLength(1);
		});

		it('is worth nothing once the proposer has lost the role', async () => {
			const { post } = await startInstance('one', {
				people: { holdsRole: async (_tx, id) => id !== duty.id }
			});
			const proposal = (await post('duty', to(3, 0))).body.proposal!;
			expect(await post('second', { confirm: proposal.id })).toMatchObject({ status: 410 });
		});
	});

	describe('with several instances', () => {
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
			const two = await startInstance('two', { clock: { ...clock, setInterval: () => () => undefined } });
			await one.post('duty', to(1, 0));
			await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
		});

		it('follows by asking when notices do not arrive', async () => {
			const one = await startInstance('one');
			const database = openDatabase({ url: test.url, directUrl: test.url, poolMax: 2, clock, log });
			const deaf = { ...database, connectDirect: () => Promise.reject(new Error('no direct connection')) };
			const two = await startInstance('two', { database: deaf });
			await one.post('duty', to(1, 0));
			await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
			await database.db.destroy();
			instances.push({ close: async () => undefined });
		});

		it('listens again after its connection for notices was cut', async () => {
			const one = await startInstance('one');
			const two = await startInstance('two');
			const cut = await sql<{ cut: boolean }>`select pg_terminate_backend(pid) as cut from pg_stat_activity
				where application_name = 'marsad levels' and datname = current_database()`.execute(test.database.db);
			expect(cut.rows.length).toBe(2);
			await one.post('duty', to(1, 0));
			await vi.waitFor(() => expect(two.flags.isOn('images')).toBe(false), patience);
			const listeners = sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
				where application_name = 'marsad levels' and datname = current_database()`;
			await vi.waitFor(
				async () => expect((await listeners.execute(test.database.db)).rows[0]!.n).toBe(2),
				patience
			);
			expect(one.switches).toHaveLength(1);
		});

		it('one that left drops out of the list at once, one that was killed when it was not heard for a while', async () => {
			const one = await startInstance('one');
			const two = await startInstance('two');
			await sql`insert into levels_seen (season, room, instance, version, level, seen_at, heard_at)
				values ('s', 'main', 'killed', 0, 0, now(), now())`.execute(test.database.db);
			const ids = async () => (await one.get()).instances.map(({ id }) => id);
			await vi.waitFor(async () => expect(await ids()).toEqual(['killed', 'one', 'two']), patience);
			await two.close();
			instances.splice(1, 1);
			await vi.waitFor(async () => expect(await ids()).toEqual(['killed', 'one']), patience);
			clock.shiftMs += limits.levels.instanceGoneMs;
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
});
