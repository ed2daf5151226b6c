import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from '../../../test/kit/test-database.ts';
import { profileFacts, type Account, type RunRefusal, type RunRequest } from '../../../contract/index.ts';
import { createTestClock } from '../../platform/clock.ts';
import { createLog } from '../../platform/log.ts';
import { createRecord } from '../record/index.ts';
import { createRunCommands, type RunCommandDeps } from './run-commands.ts';
import { createRunWatch } from './run-watch.ts';
import {
	findRun,
	listRuns,
	moveRun,
	readReport,
	saveBeat,
	saveSeconds,
	type StoredRun
} from './runs-store.ts';

const scope = { season: 'test', room: 'main' };
const duty: Account = { id: 'a', email: 'duty@example.org', name: 'Duty', role: 'duty-manager' };
const second: Account = { ...duty, id: 'b', email: 'second@example.org', name: 'Second' };
const short: RunRequest = {
	...{ kind: 'load', profile: 'five-stages', seed: 7, reason: 'rehearsal' },
	parameters: {
		...{ basePerSecond: 1, peakPerSecond: 5, baselineSeconds: 2, rampSeconds: 1, holdSeconds: 4 },
		...{ dropSeconds: 1, recoverySeconds: 4 }
	}
};

describe('spike runs', () => {
	let test: TestDatabase;
	const clock = createTestClock();
	const evidence = { build: 'b1', config: 'c1', schema: 's1' };
	const state = { refusal: null as RunRefusal | null, holdsRole: true, launched: [] as string[], stops: 0 };
	const db = () => test.database.db;
	const deps = (simulated: boolean): RunCommandDeps => ({
		...{ clock, scope, mark: 'none', simulated, record: createRecord({ db: db(), clock }) },
		people: { holdsRole: async () => state.holdsRole },
		evidence: async () => ({ ...evidence }),
		standing: () => ({ ratePerSecond: 50, level: 0 }),
		refusal: () => state.refusal,
		launch: (id) => void state.launched.push(id),
		stopGenerator: () => void (state.stops += 1)
	});
	type Commands = ReturnType<typeof createRunCommands>;
	const as = async (account: Account, simulated: boolean, act: (commands: Commands) => Promise<unknown>) => {
		const answer = (await db()
			.transaction()
			.execute((tx) => act(createRunCommands(deps(simulated), tx, account)))) as {
			status: number;
			body: StoredRun;
			afterCommit?: () => void;
		};
		answer.afterCommit?.();
		return answer;
	};
	const watchOf = () =>
		createRunWatch({
			...{ db: db(), clock, scope, log: createLog('silent'), timeScale: 1, shared: false },
			record: createRecord({ db: db(), clock }),
			spike: { now: () => null, samples: async () => [] },
			booking: {
				...{ simulatedCheck: null, oversold: async () => 0 },
				figures: () => ({ outcomes: { booked: 0 } }) as never
			},
			evidence: async () => ({ ...evidence }),
			stopGenerator: () => void (state.stops += 1)
		});
	const begin = (id: string) => {
		const now = clock.now();
		return moveRun(db(), id, ['ready'], { state: 'running', startedAt: now, beatAt: now });
	};
	const recorded = async () => {
		const rows = await db().selectFrom('record').select('action').orderBy('id').execute();
		return rows.map(({ action }) => action);
	};

	beforeAll(async () => {
		test = await createTestDatabase();
	});
	afterAll(() => test?.close());
	beforeEach(async () => {
		await sql`delete from runs`.execute(db());
		Object.assign(state, { refusal: null, holdsRole: true, launched: [], stops: 0 });
		Object.assign(evidence, { build: 'b1' });
	});

	it('needs two different people in production, and starts nothing itself', async () => {
		const { status, body } = await as(duty, false, (commands) => commands.start(short));
		expect([status, body.state, state.launched]).toEqual([202, 'proposed', []]);
		await expect(as(duty, false, (commands) => commands.confirm(body.id))).rejects.toThrow(
			'second_person_needed'
		);
		state.holdsRole = false;
		await expect(as(second, false, (commands) => commands.confirm(body.id))).rejects.toThrow('proposal_gone');
		state.holdsRole = true;
		state.refusal = 'freeze';
		await expect(as(second, false, (commands) => commands.confirm(body.id))).rejects.toThrow('run_not_now');
		state.refusal = null;
		const confirmed = await as(second, false, (commands) => commands.confirm(body.id));
		expect(confirmed.body).toMatchObject({ state: 'ready', confirmedBy: 'Second' });
		expect(state.launched).toEqual([]);
		expect(await recorded()).toEqual(expect.arrayContaining(['run.propose', 'run.confirm']));
	});

	it('lets a proposal go after its time', async () => {
		const { body } = await as(duty, false, (commands) => commands.start(short));
		clock.advance(301_000);
		await expect(as(second, false, (commands) => commands.confirm(body.id))).rejects.toThrow('proposal_gone');
		await watchOf().look();
		expect((await findRun(db(), scope, body.id))?.state).toBe('expired');
		await as(duty, false, (commands) => commands.start(short));
	});

	it('is one at a time, never while something real is on, and bounded', async () => {
		state.refusal = 'spike';
		await expect(as(duty, true, (commands) => commands.start(short))).rejects.toThrow('run_not_now');
		state.refusal = null;
		const { body } = await as(duty, true, (commands) => commands.start(short));
		expect(state.launched).toEqual([body.id]);
		await expect(as(second, true, (commands) => commands.start(short))).rejects.toThrow('run_not_now');
		await as(duty, true, (commands) => commands.withdraw(body.id, undefined));
		expect(state.stops).toBe(1);
		const large = { ...short, parameters: { holdSeconds: 3_600, recoverySeconds: 3_600 } };
		await expect(as(duty, true, (commands) => commands.start(large))).rejects.toThrow('run_too_large');
		// Of two at once the database itself lets only one in.
		const both = await Promise.allSettled(
			[1, 2].map(() => as(duty, true, (commands) => commands.start(short)))
		);
		expect(both.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
	});

	it('is interrupted, and never green, when its generator falls silent', async () => {
		const { body } = await as(duty, true, (commands) => commands.start(short));
		await begin(body.id);
		const watch = watchOf();
		clock.advance(3_000);
		const beat = { second: 3, phase: 'hold', offered: 9, started: 9, dropped: 0, underWay: 2, booked: 5 };
		expect(await saveBeat(db(), body.id, beat, clock.now())).toEqual({ stoppedBy: null });
		clock.advance(14_000);
		await watch.look();
		expect((await findRun(db(), scope, body.id))?.state).toBe('running');
		clock.advance(2_000);
		await watch.look();
		const run = await findRun(db(), scope, body.id);
		expect(run).toMatchObject({ state: 'finished', verdict: 'interrupted', progress: { booked: 5 } });
		expect((await readReport(db(), body.id))?.validity.at(-1)).toMatchObject({
			check: 'uninterrupted',
			holds: false
		});
		expect(await saveBeat(db(), body.id, beat, clock.now())).toBe('gone');
		expect(await recorded()).toContain('run.interrupted');
	});

	it('is interrupted when the server was restarted in its middle, though the generator went on', async () => {
		const { body } = await as(duty, true, (commands) => commands.start(short));
		await begin(body.id);
		clock.advance(5_000);
		const afterRestart = watchOf();
		await moveRun(db(), body.id, ['running'], { state: 'settling', endedAt: clock.now() });
		clock.advance(9_000);
		await afterRestart.look();
		expect((await findRun(db(), scope, body.id))?.verdict).toBe('interrupted');
	});

	it('stops at any moment: the generator hears of it, and the verdict says so', async () => {
		const { body } = await as(duty, true, (commands) => commands.start(short));
		const watch = watchOf();
		await begin(body.id);
		await as(second, true, (commands) => commands.stop(body.id, 'enough'));
		const beat = { second: 1, phase: 'hold', offered: 1, started: 1, dropped: 0, underWay: 0, booked: 0 };
		expect(await saveBeat(db(), body.id, beat, clock.now())).toEqual({ stoppedBy: 'Second' });
		await watch.look();
		await watch.look();
		expect(state.stops).toBe(1);
		await moveRun(db(), body.id, ['running'], { state: 'settling', endedAt: clock.now() });
		clock.advance(9_000);
		await watch.look();
		expect(await findRun(db(), scope, body.id)).toMatchObject({ verdict: 'stopped', stoppedBy: 'Second' });
		await expect(as(duty, true, (commands) => commands.stop(body.id, undefined))).rejects.toThrow('run_over');
	});

	it('says so when another build runs at its end', async () => {
		const { body } = await as(duty, true, (commands) => commands.start(short));
		const watch = watchOf();
		await begin(body.id);
		await saveSeconds(db(), body.id, []);
		evidence.build = 'b2';
		await moveRun(db(), body.id, ['running'], { state: 'settling', endedAt: clock.now() });
		clock.advance(9_000);
		await watch.look();
		const report = await readReport(db(), body.id);
		expect(report?.validity.find(({ check }) => check === 'build')).toMatchObject({ holds: false });
		expect((await findRun(db(), scope, body.id))?.verdict).toBe('invalid');
	});

	it('reckons the flash sale in virtual time, at full scale', async () => {
		const { body } = await as(duty, false, (commands) =>
			commands.start({
				...{ kind: 'model', profile: 'five-stages', reason: 'what if' },
				model: { capacityPerSecond: 400, ratePerSecond: null },
				parameters: {
					...profileFacts['five-stages'].defaults,
					...{ basePerSecond: 100, peakPerSecond: 600, baselineSeconds: 60, holdSeconds: 60 },
					...{ recoverySeconds: 1_500, confirmationsPerSecond: 150 }
				}
			})
		);
		expect(body).toMatchObject({
			...{ state: 'finished', verdict: 'failed', mark: 'simulated', ratePerSecond: null },
			narrowest: { part: 'queue', id: 'confirmations', suggestedPerSecond: 120 }
		});
		expect((await readReport(db(), body.id))?.backlog.growthPerSecond).toBeCloseTo(200, 0);
		expect((await listRuns(db(), scope, 10)).map(({ id }) => id)).toEqual([body.id]);
	});
});
