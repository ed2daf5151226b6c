import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { limits } from '../../limits.ts';
import { createFlags } from '../../platform/flags/flags.ts';
import { createBench, duty, patience, to, type LevelsBench } from './levels.fixture.ts';

describe('levels', () => {
	let bench: LevelsBench;
	const startInstance: LevelsBench['startInstance'] = (instance, options) =>
		bench.startInstance(instance, options);
	beforeAll(async () => {
		bench = await createBench();
	});
	beforeEach(() => bench.clear());
	afterAll(() => bench?.close());

	it('is at normal on the first start and tells everything a screen needs', async () => {
		const { get, levels } = await startInstance('one');
		const state = await get();
		expect(state).toMatchObject({ current: { level: 0, version: 0, by: null }, proposal: null, history: [] });
		expect(state.levels).toHaveLength(5);
		expect(state.rules).toHaveLength(3);
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
		const line = await bench.test.database.db
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
			bench.clock.shiftMs += limits.levels.proposalMs;
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
});
