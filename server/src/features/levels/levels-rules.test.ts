import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ProposalsAnswer } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { createBench, createFigures, patience, to, type LevelsBench } from './levels.fixture.ts';

describe('written rules on the real store', () => {
	let bench: LevelsBench;
	beforeAll(async () => {
		bench = await createBench();
	});
	let recordedTo = 0;
	beforeEach(async () => {
		await bench.clear();
		bench.clock.frozenAt = Date.now();
		const newest = await bench.test.database.db
			.selectFrom('record')
			.select((query) => query.fn.max('id').as('id'))
			.executeTakeFirstOrThrow();
		recordedTo = Number(newest.id ?? 0);
	});
	afterAll(() => bench?.close());

	/** An instance that leads, past the first minute, and its figures. */
	const start = async (name = 'one', stand = createFigures(bench.clock), options = {}) => {
		const instance = await bench.startInstance(name, { spike: stand.spike, ...options });
		/** Looks once a second, as the clock of the laboratory would. */
		const pass = async (seconds: number, each: () => void = () => undefined) => {
			for (let second = 0; second < seconds; second++) {
				bench.clock.shiftMs += 1_000;
				each();
				stand.store();
				await instance.look();
			}
		};
		await instance.leads();
		return { ...instance, stand, pass, figures: stand.figures };
	};
	const record = async (action: string) =>
		bench.test.database.db
			.selectFrom('record')
			.selectAll()
			.where('action', '=', action)
			.where('id', '>', recordedTo)
			.orderBy('id')
			.execute();
	const ruleOf = (rules: Awaited<ReturnType<typeof start>>['rules'], key: string) =>
		rules()!.rules.find(({ rule }) => rule === key)!;

	it('a planned opening trips nothing: 1,000 join, 250 are admitted, and booking keeps up', async () => {
		const { pass, get, figures } = await start();
		Object.assign(figures, { offered: 15_000, served: 15_000, p95Ms: 600, waiting: 40_000 });
		await pass(400);
		expect(await get()).toMatchObject({ current: { level: 0, version: 0 }, ruleProposal: null });
	}, 60_000);

	it('offered 600 against served 400 is seen at once, and proposed after its time, with its chart', async () => {
		const { pass, get, rules, figures } = await start();
		await pass(5);
		Object.assign(figures, { offered: 36_000, served: 24_000 });
		await pass(2);
		const pending = { state: 'pending', neededSeconds: 120 };
		await vi.waitFor(() => expect(ruleOf(rules, 'work-ratio:2')).toMatchObject(pending), patience);
		await pass(115);
		expect((await get()).ruleProposal).toBeNull();
		await pass(10);
		await vi.waitFor(async () => expect((await get()).ruleProposal).not.toBeNull(), patience);
		const proposal = (await get()).ruleProposal!;
		expect(proposal).toMatchObject({ direction: 'up', rule: 'work-ratio:2', from: 0, level: 2 });
		const [evidence] = proposal.evidence;
		expect(evidence).toMatchObject({ signal: 'work-ratio', threshold: 0.95, forSeconds: 120 });
		expect(evidence!.value).toBeCloseTo(2 / 3, 2);
		const seen = evidence!.series.values.filter((value) => value !== null);
		expect(seen.filter((value) => value < 0.95).length).toBeGreaterThan(50);
		expect(evidence!.series.at).toHaveLength(evidence!.series.values.length);
		expect(proposal.figures).toMatchObject({ offered: 36_000, served: 24_000 });
		expect(await record('level.rule.propose')).toHaveLength(1);
	}, 60_000);

	it('at 0.6 the kill line is proposed: two people take it', async () => {
		const { pass, get, post, figures } = await start();
		Object.assign(figures, { offered: 36_000, served: 20_000 });
		await pass(40);
		await vi.waitFor(async () => expect((await get()).ruleProposal?.level).toBe(3), patience);
		const { id } = (await get()).ruleProposal!;
		const asked = await post('duty', { ...to(3, 0), ruleProposal: id });
		expect(asked).toMatchObject({
			status: 202,
			body: { proposal: { ruleProposal: id }, ruleProposal: { id } }
		});
		const done = await post('second', { confirm: asked.body.proposal!.id });
		expect(done.body).toMatchObject({ current: { level: 3, version: 1 }, ruleProposal: null });
	}, 60_000);

	it('what is proposed can be put off, runs out, and is not said again before its time', async () => {
		const { pass, get, call, figures } = await start();
		figures.p95Ms = 2_500;
		await pass(305);
		await vi.waitFor(async () => expect((await get()).ruleProposal?.level).toBe(2), patience);
		const { id } = (await get()).ruleProposal!;
		const body = { reason: 'they are rebooting it', minutes: 5 };
		expect((await call('duty', 'POST', `/proposals/${id}/put-off`, { ...body, reason: ' ' })).status).toBe(
			400
		);
		const answer = await call('duty', 'POST', `/proposals/${id}/put-off`, body);
		expect(answer).toMatchObject({ status: 200, body: { ruleProposal: null } });
		expect((await call('duty', 'POST', `/proposals/${id}/put-off`, body)).body.code).toBe('proposal_gone');
		await pass(200);
		expect((await get()).ruleProposal).toBeNull();
		await pass(110);
		await vi.waitFor(async () => expect((await get()).ruleProposal).not.toBeNull(), patience);
		bench.clock.shiftMs += limits.levels.ruleProposalMs;
		await pass(3);
		const list = (await call<ProposalsAnswer>('duty', 'GET', '/proposals')).body;
		expect(list.settled.map(({ outcome, by }) => [outcome, by])).toEqual([
			['expired', null],
			['put-off', 'Duty manager']
		]);
		expect(await record('level.rule.put-off')).toMatchObject([{ reason: 'they are rebooting it' }]);
		expect(await record('level.rule.expired')).toHaveLength(1);
	}, 60_000);

	it('recovery is proposed only after the clear time, and never made by itself where a person set the level', async () => {
		const { pass, get, post, figures, rules } = await start();
		await post('duty', to(2, 0));
		await pass(61);
		await vi.waitFor(() => expect(rules()!.settlingUntil).toBeNull(), patience);
		await pass(595);
		expect((await get()).ruleProposal).toBeNull();
		figures.quality = 'stale';
		await pass(60);
		expect((await get()).ruleProposal).toBeNull();
		figures.quality = 'live';
		await pass(600);
		expect((await get()).ruleProposal).toBeNull();
		await pass(5);
		await vi.waitFor(async () => expect((await get()).ruleProposal).not.toBeNull(), patience);
		expect((await get()).ruleProposal).toMatchObject({ direction: 'down', from: 2, level: 0 });
		expect((await get()).current.level).toBe(2);
	}, 90_000);

	it('the cap of a level, closed doors and the minute after a switch are no reason for the next level', async () => {
		const { pass, get, post, rules, figures } = await start();
		const shows = (state: string) =>
			vi.waitFor(
				() => expect(rules()!.rules.map((rule) => rule.state)).toEqual([state, state, state]),
				patience
			);
		Object.assign(figures, { offered: 36_000, served: 18_000, p95Ms: 3_000 });
		await pass(25);
		await post('duty', to(2, 0));
		await pass(59);
		await shows('settling');
		Object.assign(figures, { offered: 6_000, served: 6_000, p95Ms: 900 });
		await pass(100);
		expect(await get()).toMatchObject({ current: { level: 2 }, ruleProposal: null });
		const asked = await post('duty', to(4, 1));
		await post('second', { confirm: asked.body.proposal!.id });
		Object.assign(figures, { offered: 3_000, served: 0, p95Ms: null });
		await pass(200);
		await shows('muted');
		expect(await get()).toMatchObject({ current: { level: 4 }, ruleProposal: null });
	}, 60_000);

	it('a restart goes on from what was stored, and counts nothing that nobody saw', async () => {
		const stand = createFigures(bench.clock);
		const first = await start('one', stand);
		stand.figures.p95Ms = 2_500;
		await first.pass(200);
		await first.close();
		bench.clock.shiftMs += 5_000;
		const second = await start('two', stand);
		await second.pass(2);
		// 199 seconds were seen before; the five in which nobody looked are none of them.
		await vi.waitFor(
			() =>
				expect(ruleOf(second.rules, 'booking-p95-ms:2')).toMatchObject({
					state: 'pending',
					heldSeconds: 200
				}),
			patience
		);
		await second.close();
		bench.clock.shiftMs += 60_000;
		const third = await start('three', stand);
		await third.pass(2);
		await vi.waitFor(
			() => expect(ruleOf(third.rules, 'booking-p95-ms:2').heldSeconds).toBeLessThan(10),
			patience
		);
	}, 60_000);

	it('of two instances one proposes, both show it; the other goes on when the first is gone', async () => {
		const stand = createFigures(bench.clock);
		const one = await start('one', stand);
		const two = await bench.startInstance('two', { spike: stand.spike });
		stand.figures.p95Ms = 2_500;
		await one.pass(290, () => undefined);
		for (let i = 0; i < 2; i++) await two.look();
		await one.close();
		await two.leads();
		for (let i = 0; i < 15; i++) {
			bench.clock.shiftMs += 1_000;
			await two.look();
		}
		expect((await two.get()).ruleProposal).toBeNull();
		for (let i = 0; i < 300; i++) {
			bench.clock.shiftMs += 1_000;
			await two.look();
		}
		await vi.waitFor(async () => expect((await two.get()).ruleProposal?.level).toBe(2), patience);
		expect(await record('level.rule.propose')).not.toHaveLength(0);
	}, 60_000);

	it('an armed rule acts, says so, and goes back by itself after the clear time', async () => {
		const file = structuredClone(await bench.file());
		file.rules = [{ ...file.rules[0]!, mode: 'armed', forSeconds: 20, clearForSeconds: 30 }];
		const { pass, get, figures } = await start('one', createFigures(bench.clock), { file });
		figures.p95Ms = 2_500;
		await pass(22);
		await vi.waitFor(async () => expect((await get()).current.level).toBe(2), patience);
		expect((await get()).current).toMatchObject({
			source: 'rule',
			rule: 'booking-p95-ms:2',
			by: 'Marsad',
			from: 0
		});
		figures.p95Ms = 800;
		await pass(80);
		expect((await get()).current.level).toBe(2);
		await pass(15);
		await vi.waitFor(async () => expect((await get()).current.level).toBe(0), patience);
		expect((await record('level.switch')).slice(-2)).toMatchObject([
			{ actor: 'marsad', after: { level: 2, rule: 'booking-p95-ms:2', direction: 'up' } },
			{ actor: 'marsad', after: { level: 0, direction: 'down' } }
		]);
	}, 60_000);
});
