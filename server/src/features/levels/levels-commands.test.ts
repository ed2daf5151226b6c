import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { DrillsAnswer, LevelPreview } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import type { FedCondition } from '../alarms/index.ts';
import { createBench, createFigures, patience, to, type LevelsBench } from './levels.fixture.ts';

describe('switching as people do it at night', () => {
	let bench: LevelsBench;
	beforeAll(async () => {
		bench = await createBench();
	});
	beforeEach(async () => {
		await bench.clear();
		bench.clock.frozenAt = Date.now();
	});
	afterAll(() => bench?.close());

	const fed = new Map<string, FedCondition>();
	const start = async (name = 'one') => {
		const stand = createFigures(bench.clock);
		const alarms = {
			define: () => undefined,
			feed: (key: string, _subject: object, condition: FedCondition) => void fed.set(key, condition)
		};
		const instance = await bench.startInstance(name, { spike: stand.spike, alarms });
		await instance.leads();
		return { ...instance, figures: stand.figures, store: stand.store };
	};
	const lastLine = async () =>
		bench.test.database.db.selectFrom('record').selectAll().orderBy('id', 'desc').executeTakeFirstOrThrow();

	it('shows what a switch would change, who would notice, and the figures, and guesses nothing', async () => {
		const { call, post } = await start();
		await post('duty', to(1, 0));
		const up = (await call<LevelPreview>('oncall', 'GET', '/preview?level=3')).body;
		expect(up).toMatchObject({
			...{ from: 1, level: 3, expectedVersion: 1, needsSecondPerson: true, mayPress: false },
			...{ rateCapBefore: null, rateCapAfter: 100, people: 55, lastDrill: null },
			figures: { offered: 6_000, p95Ms: 300, depth: 40 }
		});
		expect(up.goesOff.map(({ flag }) => flag)).toEqual(
			expect.arrayContaining(['change-slot', 'joins', 'releases'])
		);
		expect(up.goesOff.map(({ flag }) => flag)).not.toContain('images');
		const down = (await call<LevelPreview>('duty', 'GET', '/preview?level=0')).body;
		expect(down).toMatchObject({ mayPress: true, needsSecondPerson: false, goesOff: [] });
		expect(down.comesBack.map(({ flag }) => flag)).toContain('images');
		expect(JSON.stringify(up)).not.toMatch(/expected(?!Version)/i);
		expect((await call('duty', 'GET', '/preview?level=9')).body.code).toBe('no_such_level');
	});

	it('takes chips, words or both for a reason, and puts them on record', async () => {
		const { post } = await start();
		const body = { level: 1, expectedVersion: 0, chips: ['losing-ground'] };
		expect((await post('duty', { ...body, reason: 'x' })).status).toBe(400);
		expect((await post('duty', { level: 1, expectedVersion: 0 })).status).toBe(400);
		expect((await post('duty', { ...body, chips: ['no such chip'] })).status).toBe(400);
		expect((await post('duty', body)).body.current).toMatchObject({
			chips: ['losing-ground'],
			source: 'hand',
			from: 0
		});
		expect(await lastLine()).toMatchObject({ action: 'level.switch', reason: 'losing-ground' });
	});

	it('a level belongs to the roles that the file names', async () => {
		const { post } = await start();
		expect(await post('oncall', to(1, 0))).toMatchObject({ status: 403, body: { code: 'not_your_level' } });
		const file = structuredClone(await bench.file());
		file.levels[1]!.mayPress = ['duty-manager', 'on-call-engineer'];
		const { post: other } = await bench.startInstance('two', { file });
		expect((await other('oncall', to(1, 0))).status).toBe(200);
		expect(await other('oncall', to(2, 1))).toMatchObject({ status: 403 });
		expect((await other('oncall', to(0, 1))).status).toBe(200);
	});

	it('breaks the glass where two are needed and nowhere else: in force, on record, everybody is paged', async () => {
		const { post, look } = await start();
		expect((await post('duty', { ...to(2, 0), breakGlass: true })).status).toBe(400);
		const done = await post('duty', { ...to(4, 0), breakGlass: true });
		expect(done).toMatchObject({ status: 200, body: { current: { level: 4, source: 'break-glass' } } });
		expect(await lastLine()).toMatchObject({ action: 'level.break-glass', actor: 'duty@example.org' });
		await look();
		expect(fed.get('level-break-glass')).toMatchObject({ state: 'on' });
		bench.clock.shiftMs += limits.levels.breakGlassRingsMs;
		await look();
		expect(fed.get('level-break-glass')).toMatchObject({ state: 'off' });
	});

	it('is taken back within a minute, once, to what it was', async () => {
		const { post } = await start();
		const until = bench.clock.now() + 3_600_000;
		await post('duty', { ...to(1, 0, 'an opening'), until });
		const high = await post('duty', to(2, 1, 'a mistake'));
		expect(high.body.undo).toMatchObject({ version: 2, level: 1 });
		expect((await post('second', { undo: 1 })).body.code).toBe('undo_gone');
		const back = await post('second', { undo: 2 });
		expect(back.body.current).toMatchObject({ level: 1, source: 'undo', reason: 'an opening', until });
		expect(back.body.undo).toBeNull();
		expect((await post('second', { undo: 3 })).body.code).toBe('undo_gone');
		await post('duty', to(2, 3));
		bench.clock.shiftMs += limits.levels.undoMs;
		expect(await post('duty', { undo: 4 })).toMatchObject({ status: 410, body: { code: 'undo_gone' } });
	});

	it('a way down pressed by mistake is taken back without a second person', async () => {
		const { post } = await start();
		const asked = await post('duty', to(4, 0));
		await post('second', { confirm: asked.body.proposal!.id });
		await post('duty', to(0, 1));
		expect((await post('duty', { undo: 2 })).body.current).toMatchObject({ level: 4, source: 'undo' });
	});

	it('proposes the return at the planned end, and rings for a switch that is forgotten', async () => {
		const { post, look, get, call } = await start();
		const now = bench.clock.now();
		for (const until of [now - 1, now + 2 * limits.levels.untilMaxMs])
			expect((await post('duty', { ...to(2, 0), until })).status).toBe(400);
		await post('duty', { ...to(2, 0), until: now + 600_000 });
		bench.clock.shiftMs += 599_000;
		await look();
		expect(fed.get('level-forgotten')!.state).toBe('off');
		bench.clock.shiftMs += 1_000;
		await look();
		expect(fed.get('level-forgotten')).toMatchObject({ state: 'on', value: 600, limit: 600 });
		await vi.waitFor(async () => expect((await get()).ruleProposal).not.toBeNull(), patience);
		expect((await get()).ruleProposal).toMatchObject({
			why: 'until',
			direction: 'down',
			level: 0,
			evidence: []
		});
		expect((await get()).current.level).toBe(2);
		const id = (await get()).ruleProposal!.id;
		await call('duty', 'POST', `/proposals/${id}/put-off`, { reason: 'not yet', minutes: 5 });
		await look();
		expect((await get()).ruleProposal).toBeNull();
		await post('duty', to(1, 1));
		bench.clock.shiftMs += 239 * 60_000;
		await look();
		expect(fed.get('level-forgotten')!.state).toBe('off');
		bench.clock.shiftMs += 60_000;
		await look();
		expect(fed.get('level-forgotten')!.state).toBe('on');
	});

	it('a question for a second person that nobody answers is closed on the record', async () => {
		const { post, look } = await start();
		await post('duty', to(3, 0));
		bench.clock.shiftMs += limits.levels.proposalMs;
		await vi.waitFor(async () => {
			await look();
			expect((await lastLine()).action).toBe('level.propose.expired');
		}, patience);
	});

	it('is not carried out when it was pressed long ago', async () => {
		const { post } = await start();
		const sentAt = bench.clock.now() - 60_000;
		expect(await post('duty', { ...to(1, 0), sentAt })).toMatchObject({
			status: 409,
			body: { code: 'too_old' }
		});
	});

	describe('drills', () => {
		const drill = { level: 2, minutes: 5, reason: 'the weekly drill', expectedVersion: 0 };
		const pass = async (instance: Awaited<ReturnType<typeof start>>, seconds: number) => {
			for (let second = 0; second < seconds; second += 5) {
				bench.clock.shiftMs += 5_000;
				instance.store();
				await instance.look();
			}
		};

		it('run a level as an exercise, marked, end by themselves, and leave what they did', async () => {
			const one = await start();
			Object.assign(one.figures, { p95Ms: 900 });
			await pass(one, 120);
			const begun = await one.call('duty', 'POST', '/drills', drill);
			expect(begun).toMatchObject({
				status: 200,
				body: {
					current: { level: 2, source: 'drill', exercise: true, from: 0 },
					drill: { level: 2, outcome: null }
				}
			});
			expect(begun.body.flags['images']).toBe(false);
			expect(await lastLine()).toMatchObject({
				action: 'level.drill.start',
				after: { mark: 'EXERCISE', minutes: 5 }
			});
			one.figures.p95Ms = 400;
			await pass(one, 295);
			expect((await one.get()).current.exercise).toBe(true);
			await pass(one, 15);
			await vi.waitFor(async () => expect((await one.get()).drill).toBeNull(), patience);
			expect((await one.get()).current).toMatchObject({ level: 0, source: 'drill-end', exercise: false });
			expect(fed.get('level-forgotten')!.state).toBe('off');
			await vi.waitFor(async () => {
				await pass(one, 5);
				expect((await one.get()).lastDrills[0]?.effect).toBeTruthy();
			}, patience);
			const [last] = (await one.get()).lastDrills;
			expect(last).toMatchObject({ level: 2, outcome: 'completed' });
			expect(last!.effect!.figures.find(({ name }) => name === 'p95Ms')).toEqual({
				...{ name: 'p95Ms', before: 900, during: 400 }
			});
			expect((await one.call<DrillsAnswer>('duty', 'GET', '/drills')).body.drills).toHaveLength(1);
		});

		it('need two people where the level does, do not begin beyond their guard, or blind', async () => {
			const one = await start();
			const asked = await one.call('duty', 'POST', '/drills', { ...drill, level: 3 });
			expect(asked).toMatchObject({ status: 202, body: { proposal: { drill: { minutes: 5 } } } });
			one.figures.p95Ms = 2_500;
			const { id } = asked.body.proposal!;
			expect((await one.post('second', { confirm: id })).body).toMatchObject({
				code: 'drill_not_now',
				why: 'p95'
			});
			one.figures.p95Ms = 300;
			expect((await one.post('second', { confirm: id })).body.current).toMatchObject({
				level: 3,
				exercise: true
			});
			await one.call('duty', 'POST', `/drills/${(await one.get()).drill!.id}/end`, { reason: 'enough' });
			expect((await one.get()).current).toMatchObject({ level: 0, exercise: false });
			one.figures.isOld = true;
			const blind = await one.call('duty', 'POST', '/drills', { ...drill, expectedVersion: 2 });
			expect(blind).toMatchObject({ status: 409, body: { code: 'drill_not_now', why: 'unknown' } });
		});

		it('are stopped by their guard, and when nobody can see', async () => {
			const one = await start();
			await one.call('duty', 'POST', '/drills', drill);
			one.figures.p95Ms = 2_200;
			await vi.waitFor(async () => {
				await pass(one, 5);
				expect((await one.get()).lastDrills).toMatchObject([{ outcome: 'guard', endedBy: 'p95' }]);
			}, patience);
			expect((await one.get()).current.level).toBe(0);
			one.figures.p95Ms = 300;
			await one.call('duty', 'POST', '/drills', { ...drill, expectedVersion: 2 });
			one.figures.isOld = true;
			await pass(one, 40);
			await vi.waitFor(async () => expect((await one.get()).lastDrills[0]?.outcome).toBe('blind'), patience);
		});

		it('lose against a real switch, also to the same level; then it stays', async () => {
			const one = await start();
			await one.post('duty', { ...to(1, 0, 'an opening') });
			await one.call('duty', 'POST', '/drills', { ...drill, expectedVersion: 1 });
			const real = await one.post('second', to(2, 2, 'it is real now'));
			expect(real.body).toMatchObject({
				current: { level: 2, exercise: false, from: 1, source: 'hand' },
				...{ drill: null, lastDrills: [{ outcome: 'overruled', endedBy: 'Second duty manager' }] }
			});
			await pass(one, 400);
			expect((await one.get()).current).toMatchObject({ level: 2, version: 3 });
			expect((await one.post('duty', to(2, 3))).body.code).toBe('already_at_level');
		});

		it('end after a restart that slept over their time', async () => {
			const one = await start();
			await one.call('duty', 'POST', '/drills', drill);
			await one.close();
			bench.clock.shiftMs += 3_600_000;
			const two = await start('two');
			await vi.waitFor(async () => {
				await two.look();
				expect((await two.get()).current).toMatchObject({ level: 0, exercise: false });
			}, patience);
		});
	});
});
