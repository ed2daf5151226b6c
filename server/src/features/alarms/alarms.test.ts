import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alarm, AlarmsAnswer, AlarmSummary } from '../../../contract/index.ts';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { openScreen, type Screen } from './alarms.fixture.ts';

/** The machine of the test is slow: what is measured is printed, what is asserted is that it arrives. */
const seenWithinMs = 10_000;

describe('alarms on two desks', () => {
	let test: TestApp;
	let crowd = '';
	let duty = '';
	let admin = '';
	let viewer = '';
	const screens: Screen[] = [];
	beforeAll(async () => {
		test = await createTestApp();
		crowd = await test.signIn('crowd');
		duty = await test.signIn('duty');
		admin = await test.signIn('admin');
		viewer = await test.signIn('viewer');
		for (const cookie of [crowd, duty]) screens.push(await openScreen(test.url, cookie));
	});
	afterAll(async () => {
		for (const screen of screens) screen.close();
		await test?.close();
	});
	const post = (cookie: string, path: string, body: unknown = {}) =>
		test.call('POST', `/api/v1${path}`, { cookie, body });
	const get = (path: string, cookie = crowd) => test.call('GET', `/api/v1${path}`, { cookie });
	const seen = async (check: (state: Map<string, unknown>) => boolean): Promise<number> => {
		const from = performance.now();
		await expect
			.poll(() => screens.every(({ state }) => check(state)), { timeout: seenWithinMs, interval: 10 })
			.toBe(true);
		return Math.round(performance.now() - from);
	};
	const alarmOf = (state: Map<string, unknown>, definition: string) =>
		[...state.values()].find((value) => (value as Alarm).definition === definition) as Alarm | undefined;
	const evacuate = async () => {
		const started = await post(duty, '/evacuation', { scope: 'site', reason: 'drill of the test' });
		expect([started.status, started.body.code]).toEqual([200, undefined]);
		return started.body.version as number;
	};

	it('shows a raise, an acknowledgement, a claim and a return on both, each within a second or so', async () => {
		const version = await evacuate();
		const raised = await seen((state) => alarmOf(state, 'evacuation')?.state === 'unacknowledged');
		const alarm = alarmOf(screens[0]!.state, 'evacuation')!;
		expect(alarm).toMatchObject({ priority: 'critical', shelvable: false, escalation: null });
		expect(alarm.soundSeq).toBeGreaterThan(0);

		expect((await post(viewer, `/alarms/${alarm.id}/ack`)).status).toBe(403);
		const pressed = performance.now();
		expect((await post(crowd, `/alarms/${alarm.id}/ack`)).status).toBe(200);
		const acknowledged = await seen((state) => alarmOf(state, 'evacuation')?.state === 'acknowledged');
		const both = performance.now() - pressed;

		expect((await post(crowd, `/alarms/${alarm.id}/take`)).status).toBe(200);
		expect((await post(crowd, `/alarms/${alarm.id}/heartbeat`)).status).toBe(204);
		const held = await post(duty, `/alarms/${alarm.id}/take`);
		expect([held.status, held.body.code]).toEqual([409, 'claim_held']);
		expect((await post(duty, `/alarms/${alarm.id}/heartbeat`)).body.code).toBe('claim_held');
		const over = await post(duty, `/alarms/${alarm.id}/take`, { reason: 'the desk is empty' });
		expect(over.body.alarm.claim.byId).not.toBe(alarm.claim?.byId);
		expect((await post(crowd, `/alarms/${alarm.id}/release`)).body.code).toBe('claim_held');
		const shelving = await post(duty, `/alarms/${alarm.id}/shelve`, { minutes: 5, reason: 'too loud' });
		expect([shelving.status, shelving.body.code]).toEqual([409, 'not_shelvable']);
		expect((await post(duty, `/alarms/${alarm.id}/confirm`, { text: 'gates are open' })).status).toBe(200);

		await post(duty, '/evacuation/stand-down', { reason: 'end of the drill', expectedVersion: version });
		const gone = await seen((state) => alarmOf(state, 'evacuation') === undefined);
		expect(Math.max(raised, acknowledged, gone, both)).toBeLessThan(seenWithinMs);

		const late = await post(crowd, `/alarms/${alarm.id}/ack`);
		expect([late.status, late.body.code]).toEqual([409, 'alarm_over']);
		const { body } = await get(`/alarms/${alarm.id}`);
		expect(body.alarm.state).toBe('normal');
		expect(body.history.map(({ kind }: { kind: string }) => kind)).toEqual([
			...['raised', 'acknowledged', 'taken', 'taken', 'confirmed', 'returned', 'over']
		]);
	});

	it('lists, pages and counts, and takes a rule out of service', async () => {
		const subject = { kind: 'part', id: 'evacuation' };
		const aside = { definition: 'evacuation', subject, out: true, reason: 'rule is under test' };
		expect((await post(duty, '/alarms/out-of-service', aside)).status).toBe(403);
		expect((await post(admin, '/alarms/out-of-service', { ...aside, definition: 'no' })).body.code).toBe(
			'no_such_definition'
		);
		expect((await post(admin, '/alarms/out-of-service', aside)).body.aside).toMatchObject([
			{ definition: 'evacuation', how: 'out-of-service', reason: 'rule is under test' }
		]);
		const soundOf = () => (screens[0]!.state.get('summary') as AlarmSummary).sound?.seq ?? 0;
		const before = soundOf();
		const version = await evacuate();
		await seen((state) => alarmOf(state, 'evacuation')?.outOfService != null);
		expect(soundOf()).toBe(before);
		const shown: AlarmsAnswer = (await get('/alarms?list=shelved')).body;
		expect(shown.alarms).toMatchObject([{ definition: 'evacuation', soundSeq: 0 }]);
		expect((await get('/alarms?list=standing')).body.alarms).not.toMatchObject([
			{ definition: 'evacuation' }
		]);
		await post(admin, '/alarms/out-of-service', { ...aside, out: false });
		await seen((state) => (alarmOf(state, 'evacuation')?.soundSeq ?? 0) > before);
		const { body } = await post(crowd, '/alarms/ack', { ids: [shown.alarms[0]!.id, '999999'] });
		expect([body.alarms.length, body.over]).toEqual([1, ['999999']]);
		await post(duty, '/evacuation/stand-down', { reason: 'end of the drill', expectedVersion: version });
		await seen((state) => alarmOf(state, 'evacuation') === undefined);

		const first: AlarmsAnswer = (await get('/alarms?list=history&limit=1')).body;
		const second: AlarmsAnswer = (await get(`/alarms?list=history&limit=1&before=${first.next}`)).body;
		expect(Number(first.alarms[0]!.id)).toBeGreaterThan(Number(second.alarms[0]!.id));
		const figures = (await get('/alarms/figures')).body;
		expect(figures).toMatchObject({ shelvedNow: 0, outOfServiceNow: 0, floodMinutes: 0 });
		expect(figures.annunciations).toBeGreaterThanOrEqual(2);
		expect(figures.topTen[0]).toMatchObject({ definition: 'evacuation', annunciations: 2 });
		expect(figures.meanSecondsToAcknowledge).toBeGreaterThanOrEqual(0);
		const { definitions } = (await get('/alarms/definitions')).body;
		for (const one of definitions)
			for (const text of [one.title, one.cause, one.consequence, one.action])
				expect([text.ar, text.en].every((words: string) => words.length > 3)).toBe(true);
	});
});
