// Features of a site and values on screens are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
	escalateAfterMs,
	floodAbove,
	type Alarm,
	type AlarmsAnswer,
	type AlarmSummary,
	type SiteFile
} from '../contract/index.ts';
import { openScreen, type Screen } from '../src/features/alarms/alarms.fixture.ts';
import { smallSite } from '../src/features/site/small-site.fixture.ts';
import { createClock, createTestApp, type TestApp } from './kit/index.ts';

/** Twenty seconds of the site in one of ours: what waits minutes is seen in seconds. */
const timeScale = 20;
const patience = { timeout: 90_000, interval: 50 };
const rooms = Array.from({ length: 30 }, (_, index) => `room-${index + 1}`);

/** By their share alone: how fast it fills is told by the gate. */
const steps = [
	{ percent: 75, asks: 'meter', action: { ar: 'إدخال على دفعات', en: 'Meter the feed' } },
	{ percent: 85, asks: 'divert', action: { ar: 'تحويل القادمين', en: 'Divert' } }
];

/**
 * The small site, a street before its gate, a nave whose people one camera sees, a yard for fifty that one camera of
 * Frigate watches, and thirty rooms with a camera each.
 */
function siteOfShows(): SiteFile {
	const site = smallSite();
	const pick = (id: string) => site.features.find(({ properties }) => properties.id === id) as any;
	const zone = (id: string, holding: number) => {
		const feature = structuredClone(pick('yard'));
		Object.assign(feature.properties, { id, feeds: [] });
		feature.properties.capacity.holding = holding;
		site.features.push(feature);
	};
	const counter = (id: string, more: object) => {
		const feature = structuredClone(pick('door-1'));
		Object.assign(feature.properties, { id, device: id, from: null, ...more });
		site.features.push(feature);
	};
	zone('street', 500);
	counter('street-door', { to: 'street' });
	zone('nave', 500);
	counter('nave-camera', { to: 'nave', measures: 'present', periodSeconds: 60 });
	for (const id of rooms) {
		zone(id, 100);
		counter(`camera-${id}`, { to: id, measures: 'present', periodSeconds: 1_200 });
	}
	pick('gate-1').properties.outside = 'street';
	pick('hall').properties.steps = steps;
	for (const id of ['door-1', 'door-2']) pick(id).properties.periodSeconds = 1_200;
	const yard = pick('yard').properties;
	yard.capacity = { ...yard.capacity, holding: 50 };
	pick('camera-1').properties.periodSeconds = 15;
	site.features = site.features.filter(({ properties }) => properties.id !== 'camera-2');
	return site;
}

describe('the crowd shows, by what its counters send', { timeout: 300_000 }, () => {
	const clock = createClock(timeScale);
	let folder: string;
	let test: TestApp;
	let device: mqtt.MqttClient;
	let desk: Screen;
	const cookies: Record<string, string> = {};
	let seq = 0;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-shows-'));
		const siteFile = path.join(folder, 'site.geojson');
		await writeFile(siteFile, JSON.stringify(siteOfShows()));
		test = await createTestApp({ clock, env: { SITE_FILE: siteFile } });
		for (const who of ['crowd', 'duty']) cookies[who] = await test.signIn(who);
		const { body } = await test.call('POST', '/api/v1/simulators/session', { body: {} });
		const { username, password } = body;
		device = await mqtt.connectAsync(body.mqttUrl, { username, password, reconnectPeriod: 0 });
		await Promise.all(rooms.map((room) => say(`camera-${room}`, { present: 10 })));
		desk = await openScreen(test.url, cookies['duty']!);
	}, 300_000);
	afterEach(async () => {
		for (const stop of [...running]) await stop();
	});
	afterAll(async () => {
		desk?.close();
		await device?.endAsync(true);
		await test?.close();
		await rm(folder, { recursive: true, force: true });
	});

	const say = (door: string, counts: object) =>
		device.publishAsync(
			`marsad/test/${door}/reading`,
			JSON.stringify({ ts: clock.now(), boot: 'a', seq: ++seq, sim: true, ...counts }),
			{ qos: 1 }
		);
	const get = async (target: string) =>
		(await test.call('GET', `/api/v1/${target}`, { cookie: cookies['crowd']! })).body;
	const post = (target: string, body: object) =>
		test.call('POST', `/api/v1/${target}`, { cookie: cookies['crowd']!, body });
	const alarms = async (): Promise<Alarm[]> => ((await get('alarms')) as AlarmsAnswer).alarms;
	const find = async (definition: string, subject: string) =>
		(await alarms()).find((alarm) => alarm.definition === definition && alarm.subject.id === subject);
	const appears = async (definition: string, subject: string): Promise<Alarm> => {
		await expect.poll(() => find(definition, subject), patience).toBeDefined();
		return (await find(definition, subject))!;
	};
	const kinds = async (id: string): Promise<string[]> =>
		(await get(`alarms/${id}`)).history.map(({ kind }: { kind: string }) => kind);
	const running = new Set<() => Promise<void>>();
	/** Goes on until it is told to stop, a turn each five seconds of the site, with the seconds since the last one. */
	const goOn = (turn: (seconds: number) => Promise<unknown>) => {
		let going = true;
		const done = (async () => {
			for (let last = clock.now() - 5_000; going;) {
				const now = clock.now();
				await turn(Math.round((now - last) / 1_000));
				last = now;
				await clock.sleep(5_000);
			}
		})();
		const stop = async () => {
			going = false;
			running.delete(stop);
			await done;
		};
		running.add(stop);
		return stop;
	};

	it('a camera that dies at 40 people: stale, then unknown, with its bound; nothing is called resolved', async () => {
		const sees = (people: number) => device.publishAsync('frigate/yard_1/person', String(people), { qos: 1 });
		const yard = () => get('zones/yard');
		await device.publishAsync('frigate/available', 'online', { qos: 1 });
		const stop = goOn(() => sees(40));
		const { id } = await appears('zone-step', 'yard');
		await expect.poll(yard, patience).toMatchObject({ present: 40, quality: 'live' });
		await stop();
		await expect.poll(async () => (await yard()).quality, patience).toBe('stale');
		expect(await yard()).toMatchObject({ present: 40, lastKnown: { present: 40 } });
		await expect.poll(async () => (await yard()).quality, patience).toBe('unknown');
		const zone = await yard();
		expect(zone).toMatchObject({ present: null, lastKnown: { present: 40 } });
		expect(zone.worstCase.high).toBeGreaterThanOrEqual(40);
		expect((await appears('zone-silent', 'yard')).zone).toBe('yard');
		const total = (await test.call('GET', '/api/v1/zones', { cookie: cookies['crowd']! })).body.total;
		expect(total.missing).toContain('yard');

		// It comes back, and says itself that it goes: unknown at once, not after a minute.
		await sees(40);
		await expect.poll(async () => (await yard()).quality, patience).toBe('live');
		const gone = clock.now();
		await device.publishAsync('frigate/available', 'offline', { qos: 1 });
		await expect.poll(async () => (await yard()).quality, patience).toBe('unknown');
		expect((await yard()).lastKnown.at).toBeLessThanOrEqual(gone);
		expect(await find('zone-step', 'yard')).toMatchObject({ id, returnedAt: null });
		expect(await kinds(id)).not.toContain('returned');
	});

	it('a held gate says before its maximum that the crowd outside grows; untouched, the duty manager is called', async () => {
		const held = await post('gates/gate-1/state', {
			...{ state: 'held', reason: 'the hall is full', holdSeconds: 600 }
		});
		expect(held.status).toBe(200);
		const { hold } = held.body;
		// Sixty a minute come, nobody goes on: 500 would stand there before the hold ends.
		const stop = goOn((seconds) => say('street-door', { in: seconds, out: 0 }));
		const full = await appears('gate-outside-full', 'gate-1');
		expect(full).toMatchObject({ priority: 'critical', mark: 'simulated', quality: 'live' });
		expect(full.raisedAt).toBeLessThan(hold.until);
		const { crowdOutside, hold: shown } = await get('gates/gate-1');
		expect(crowdOutside).toMatchObject({ zone: 'street', quality: 'live' });
		expect(crowdOutside.people).toBeGreaterThan(0);
		expect(crowdOutside.growthPerMinute).toBeGreaterThan(0);
		expect(shown.outsideFullAt).toBeLessThan(hold.until);
		const grows = await appears('gate-hold-grows', 'gate-1');
		expect(grows.raisedAt).toBeLessThan(hold.until);

		const onScreen = () => desk.state.get(`alarm:${full.id}`) as Alarm | undefined;
		await expect.poll(() => onScreen()?.escalation?.step, patience).toMatch(/duty-manager|everybody/);
		await stop();
		const called = (await test.database.database.db
			.selectFrom('record')
			.select(['at', 'after'])
			.where('subject', '=', `alarm:${full.id}`)
			.where('action', '=', 'alarm.escalated')
			.orderBy('id')
			.execute()) as any[];
		expect(called[0].after.to).toBe('duty-manager');
		const { history } = await get(`alarms/${full.id}`);
		const escalated = history.find(({ kind }: { kind: string }) => kind === 'escalated');
		expect(escalated.at - full.raisedAt).toBeGreaterThanOrEqual(escalateAfterMs.dutyManager);
	});

	it('a hall that fills proposes to meter its gate, does nothing by itself, and is done or put off by a person', async () => {
		await post('gates/gate-1/state', { state: 'metered', reason: 'the hold ends', ratePerMinute: 44 });
		const proposals = async () =>
			((await get('gates')).proposals as any[]).filter(({ zone }) => zone === 'hall');
		await say('door-2', { in: 0, out: 0 });
		await say('door-1', { in: 380, out: 0 });
		await expect.poll(async () => (await get('zones/hall')).present, patience).toBe(380);
		await expect.poll(proposals, patience).toHaveLength(1);
		const [proposal] = await proposals();
		expect(proposal).toMatchObject({ percent: 75, asks: 'meter', mark: 'simulated' });
		const before = await get('gates/gate-1');
		expect(before.commanded).toMatchObject({ state: 'metered', ratePerMinute: 44 });
		const [gate] = proposal.gates;
		expect(gate).toMatchObject({ gate: 'gate-1', state: 'metered', version: before.version });
		expect(gate.ratePerMinute).toBeLessThan(44);

		const dismiss = `gates/proposals/${proposal.id}/dismiss`;
		expect((await post(dismiss, { reason: '' })).status).toBe(400);
		expect((await post(dismiss, { reason: 'they leave by themselves' })).status).toBe(200);
		await expect.poll(proposals, patience).toEqual([]);
		// Worse is another step, and asks again.
		await say('door-1', { in: 50, out: 0 });
		await expect.poll(async () => (await proposals())[0]?.percent, patience).toBe(85);
		const [worse] = await proposals();
		await appears('zone-step', 'hall');
		const { state, ratePerMinute, version: expectedVersion } = worse.gates[0];
		const command = { state, ratePerMinute, expectedVersion, proposal: worse.id, reason: 'as proposed' };
		expect((await post('gates/gate-1/state', command)).status).toBe(200);
		await expect.poll(proposals, patience).toEqual([]);
		expect((await get('gates/gate-1')).commanded.by).not.toBeNull();
		// What was done stands in the row of the alarm that asked for it.
		await expect.poll(async () => (await find('zone-step', 'hall'))?.links.gate, patience).toBe('gate-1');
	});

	it('noise of one per cent around a limit for ten minutes: one alarm, one return', async () => {
		const step = () => find('zone-step', 'nave');
		// 60 % of 500 is the first step.
		const noise = () => say('nave-camera', { present: 300 + Math.round((Math.random() * 2 - 1) * 5) });
		const from = clock.now();
		await say('nave-camera', { present: 304 });
		const stop = goOn(noise);
		const { id } = await appears('zone-step', 'nave');
		while (clock.now() - from < 600_000) await clock.sleep(10_000);
		await stop();
		expect(await step()).toMatchObject({ id, state: 'unacknowledged' });
		const end = goOn(() => say('nave-camera', { present: 250 }));
		await expect.poll(async () => (await step())?.state, patience).toBe('returned-unacknowledged');
		await end();
		const all = (await test.database.database.db.selectFrom('alarms').selectAll().execute()) as any[];
		const own = all.filter((alarm) => alarm.definition === 'zone-step' && alarm.subject_id === 'nave');
		expect(own).toHaveLength(1);
		const said = await kinds(id);
		expect([said.filter((kind) => kind === 'raised'), said.filter((kind) => kind === 'returned')]).toEqual([
			['raised'],
			['returned']
		]);
	});

	it('thirty alarms in a minute: a flood with one sound, and nothing lost', async () => {
		const isFlood = async () => ((await get('alarms')) as AlarmsAnswer).summary.flood !== null;
		// What rang when the site was new, and in the cases before, is over.
		await expect.poll(isFlood, patience).toBe(false);
		const rings = async (): Promise<any[]> =>
			test.database.database.db.selectFrom('alarm_annunciations').selectAll().orderBy('id').execute();
		const before = (await rings()).length;
		for (const room of rooms) {
			const topic = `marsad/test/camera-${room}/state`;
			await device.publishAsync(topic, 'offline', { qos: 1, retain: true });
			await clock.sleep(2_000);
		}
		const silent = async () =>
			(await alarms()).filter(
				({ definition, subject }) => definition === 'zone-silent' && rooms.includes(subject.id)
			);
		await expect.poll(async () => (await silent()).length, patience).toBe(rooms.length);
		expect(await isFlood()).toBe(true);
		expect((desk.state.get('summary') as AlarmSummary).flood).not.toBeNull();
		const fresh = (await rings()).slice(before);
		const flood = fresh.findIndex(({ why }) => why === 'flood');
		expect(flood).toBeLessThanOrEqual(floodAbove + 1);
		// From the one sound of the flood on nothing is heard but calls to other people.
		const loud = fresh.slice(flood).filter(({ sounds, why }) => sounds && why !== 'escalated');
		expect(loud.map(({ why }) => why)).toEqual(['flood']);
		const rang = new Set(fresh.map(({ alarm }) => String(alarm)));
		for (const { id } of await silent()) {
			expect(rang).toContain(id);
			expect(await kinds(id)).toContain('raised');
		}
	});
});
