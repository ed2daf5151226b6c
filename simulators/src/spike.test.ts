import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp, type TestApp } from '../../server/test/kit/index.ts';
import { profileFacts, sizeOf, type RunDetail, type RunParameters } from '@marsad/server/contract';
import { addSeconds, createTally } from './spike-tally.ts';
import { botSchedule, scheduleOf, temperOf } from './spike-schedule.ts';

const plain = profileFacts['five-stages'].defaults;

describe('the plan of a run', () => {
	it('is the same for the same seed, and lets as many come as it says', () => {
		const drawn = scheduleOf(plain, 5);
		expect(scheduleOf(plain, 5)).toEqual(drawn);
		expect(scheduleOf(plain, 6)).not.toEqual(drawn);
		expect(drawn).toHaveLength(sizeOf(plain).people);
		const inHold = drawn.filter((moment) => moment >= 330_000 && moment < 450_000).length;
		expect(inHold / 120).toBeGreaterThan(27);
		expect(inHold / 120).toBeLessThan(33);
	});

	it('spaces people evenly where it is told to', () => {
		const even = scheduleOf({ ...plain, spacing: 'even' }, 5);
		const gaps = [...even.slice(0, 100)].map((moment, i) => even[i + 1]! - moment);
		expect(Math.max(...gaps) - Math.min(...gaps)).toBeLessThan(0.01);
	});

	it('sends bots with the surge only, and makes returners of a share', () => {
		const bots = botSchedule({ ...plain, botsPerPerson: 2 }, 5);
		expect(bots.length).toBeGreaterThan(7_000);
		expect(bots[0]).toBeGreaterThanOrEqual(300_000);
		expect(bots.at(-1)).toBeLessThan(480_000);
		const returners: RunParameters = { ...plain, returnShare: 0.5, withoutBackOff: 0.5 };
		const tempers = Array.from({ length: 400 }, (_, index) =>
			temperOf({ parameters: returners, seed: 5, namesPeople: true }, index)
		);
		const away = tempers.filter(({ traits }) => traits?.losesNetworkAt != null);
		expect(away.length).toBeGreaterThan(150);
		expect(tempers.filter(({ traits }) => !traits?.obeys).every(({ traits }) => traits?.losesNetworkAt)).toBe(
			true
		);
	});

	it('tells each second once, late answers in the next one that was not told', () => {
		const tally = createTally();
		tally.add('started', 1);
		tally.add('started', 3);
		expect(tally.take(3).map(({ second, started }) => [second, started])).toEqual([
			[1, 1],
			[2, 0]
		]);
		tally.answer({ name: 'book', ms: 1, waitedMs: 0, answer: { ok: true, body: null } }, 1);
		const rest = tally.take(4);
		expect(rest).toMatchObject([{ second: 3, started: 1, ok: 1 }]);
		expect(addSeconds([rest, rest])).toMatchObject([{ second: 3, started: 2, ok: 2 }]);
	});
});

describe('a small run over a real server, started from the board', () => {
	let app: TestApp;
	let duty = '';
	beforeAll(async () => {
		app = await createTestApp({ env: { LAB: '1', LAB_CHECK_MS: '5' } });
		duty = await app.signIn('duty');
	});
	afterAll(() => app?.close());

	const start = (parameters: Partial<RunParameters>) =>
		app.call('POST', '/api/v1/runs', {
			cookie: duty,
			body: { kind: 'load', profile: 'five-stages', seed: 11, reason: 'a rehearsal', parameters }
		});
	const refusal = async () =>
		(await app.call('GET', '/api/v1/runs', { cookie: duty })).body.refusal as string | null;
	const read = async (id: string) =>
		(await app.call('GET', `/api/v1/runs/${id}`, { cookie: duty })).body as RunDetail;

	it('plays the flash sale, scaled down: backlog, first bottleneck, recovery, outcomes', async () => {
		await expect.poll(refusal, { timeout: 30_000 }).toBeNull();
		await app.call('PUT', '/api/v1/queue/rate', { cookie: duty, body: { perSecond: 6, reason: 'small' } });
		const { status, body } = await start({
			...{ basePerSecond: 1, peakPerSecond: 12, baselineSeconds: 3, rampSeconds: 2, holdSeconds: 6 },
			...{ dropSeconds: 1, recoverySeconds: 35, confirmationsPerSecond: 4 }
		});
		expect(status).toBe(200);
		await expect
			.poll(async () => (await read(body.id)).run.progress?.started, { timeout: 30_000, interval: 500 })
			.toBeGreaterThan(0);
		const other = await start({});
		expect([other.status, other.body.why]).toEqual([409, 'another-run']);
		await expect
			.poll(async () => (await read(body.id)).run.state, { timeout: 180_000, interval: 1_000 })
			.toBe('finished');

		const { run, report, replay } = await read(body.id);
		const { people } = sizeOf(run.parameters);
		expect(replay).toContain('--seed 11');
		expect(report!.generator).toMatchObject({ offered: people, workers: expect.any(Number) });
		const endings = Object.values(report!.people.endings).reduce((sum, count) => sum + count, 0);
		expect(endings).toBe(report!.generator!.started);
		expect(report!.people.endings['booked']).toBeGreaterThan(people / 2);
		expect(report!.people).toMatchObject({ bookedTwice: 0, inversions: 0, withoutWord: 0 });
		expect(report!.oversold).toBe(0);
		expect(report!.backlog.growthPerSecond).toBeGreaterThan(1);
		expect(report!.queues.map(({ name }) => name)).toContain('confirmations');
		// What gives way first on a busy machine may be the machine; the confirmations' own limit is known.
		expect(run.narrowest).not.toBeNull();
		if (run.narrowest?.part === 'queue') expect(run.narrowest).toMatchObject({ mostPerSecond: 4 });
		if (run.narrowest?.part === 'queue') expect(run.narrowest.suggestedPerSecond).toBeCloseTo(3.2, 1);
		// Not before the last queue is empty.
		const emptyAt = report!.queues.find(({ name }) => name === 'confirmations')!.emptyAtSecond;
		const recovered = report!.marks.find(({ mark }) => mark === 'recovered')!.second;
		if (recovered !== null) expect(recovered).toBeGreaterThanOrEqual(emptyAt!);
		else expect(run.broken).toContain('recovery');
		// Green exactly where it is valid and every rule holds: a busy machine makes it invalid, never green.
		const isValid = report!.validity.every(({ holds }) => holds);
		const holds = report!.rules.every((rule) => rule.holds);
		expect(run.verdict).toBe(!isValid ? 'invalid' : holds ? 'passed' : 'failed');
	}, 260_000);

	it('stops when a duty manager says so', async () => {
		const { body } = await start({ baselineSeconds: 60 });
		await expect.poll(async () => (await read(body.id)).run.state, { timeout: 30_000 }).toBe('running');
		const stopped = await app.call('POST', `/api/v1/runs/${body.id}/stop`, { cookie: duty, body: {} });
		expect(stopped.status).toBe(200);
		await expect
			.poll(async () => (await read(body.id)).run.verdict, { timeout: 60_000, interval: 500 })
			.toBe('stopped');
		const refused = await app.call('POST', `/api/v1/runs/${body.id}/begin`, {
			...{ body: { workers: 1, cores: 1, clockAt: 0 }, headers: { authorization: 'Bearer none' } }
		});
		expect(refused.status).toBe(401);
	}, 120_000);
});
