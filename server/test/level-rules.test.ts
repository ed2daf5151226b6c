import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AlarmsAnswer, LevelsFile, LevelsState, SlotsAnswer } from '../contract/index.ts';
import { createTestApp, type TestApp } from './kit/index.ts';

const patience = { timeout: 60_000, interval: 200 };

describe('rules over real bookings', () => {
	let test: TestApp;
	let duty = '';
	let folder = '';

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-rules-'));
		const text = await readFile(new URL('../levels/default.json', import.meta.url), 'utf8');
		const file = JSON.parse(text) as LevelsFile;
		// The check of the laboratory alone takes twenty milliseconds.
		file.rules = [{ ...file.rules[0]!, threshold: 5, clear: 2, forSeconds: 3 }];
		const levelsFile = path.join(folder, 'levels.json');
		await writeFile(levelsFile, JSON.stringify(file));
		test = await createTestApp({ env: { LAB: '1', LEVELS_FILE: levelsFile } });
		duty = await test.signIn('duty');
	});
	afterAll(async () => {
		await test?.close();
		await rm(folder, { recursive: true, force: true });
	});
	const state = async () => (await test.call('GET', '/api/v1/levels', { cookie: duty })).body as LevelsState;

	it('slow bookings are proposed with their chart; the break-glass pages everybody', async () => {
		let slot = 0;
		await expect
			.poll(async () => {
				const { slots } = (await test.call('GET', '/slots')).body as SlotsAnswer;
				return (slot = slots.find(({ full }) => !full)?.id ?? 0);
			}, patience)
			.toBeGreaterThan(0);
		// A busy machine may refuse somebody at the door: they come again.
		const book = (user: string) =>
			expect
				.poll(
					async () => (await test.call('POST', `/book?user=${user}`, { body: { slot } })).status,
					patience
				)
				.toBe(200);
		await Promise.all(Array.from({ length: 25 }, (_, index) => book(`person-${index}`)));
		await expect.poll(async () => (await state()).ruleProposal?.level, patience).toBe(2);
		const { ruleProposal } = await state();
		expect(ruleProposal?.evidence[0]?.value).toBeGreaterThan(5);
		expect(ruleProposal?.evidence[0]?.series.values.some((value) => value !== null && value > 5)).toBe(true);
		expect(ruleProposal?.figures?.served).toBeGreaterThan(0);

		const body = { level: 3, expectedVersion: 0, chips: ['bookings-slow'], breakGlass: true };
		const pressed = await test.call('POST', '/api/v1/levels/current', { cookie: duty, body });
		expect(pressed.body.current).toMatchObject({ level: 3, source: 'break-glass' });
		await expect
			.poll(async () => {
				const { alarms } = (await test.call('GET', '/api/v1/alarms', { cookie: duty })).body as AlarmsAnswer;
				const alarm = alarms.find(({ definition }) => definition === 'level-break-glass');
				return alarm && [alarm.priority, alarm.escalation?.step];
			}, patience)
			.toEqual(['critical', 'everybody']);
		expect((await test.call('GET', '/queue/progress')).body.mark).toBe('simulated');
	});

	it('an exercise is marked to the public, too', async () => {
		const { current } = await state();
		const cookie = duty;
		const back = { level: 0, reason: 'recovered', expectedVersion: current.version };
		expect((await test.call('POST', '/api/v1/levels/current', { cookie, body: back })).status).toBe(200);
		const guard = { p95MsMax: 600_000, workRatioMin: 0 };
		const drill = { level: 1, minutes: 1, reason: 'a drill', guard, expectedVersion: current.version + 1 };
		const begin = () => test.call('POST', '/api/v1/levels/drills', { cookie, body: drill });
		let begun = await begin();
		// No drill begins while the figures are too old to judge by.
		await expect
			.poll(async () => (begun.status === 200 ? begun : (begun = await begin())).status, patience)
			.toBe(200);
		expect(begun.body).toMatchObject({ current: { exercise: true }, drill: { level: 1 } });
		await expect
			.poll(async () => (await test.call('GET', '/queue/progress')).body.mark, patience)
			.toBe('exercise');
		const end = { reason: 'enough' };
		const id = begun.body.drill.id as string;
		const over = await test.call('POST', `/api/v1/levels/drills/${id}/end`, { cookie, body: end });
		expect(over.body).toMatchObject({ current: { level: 0, exercise: false }, drill: null });
	});
});
