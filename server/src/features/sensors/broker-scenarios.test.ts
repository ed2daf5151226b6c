// Cases and features of a site have many shapes.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect as connectTcp } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import mqtt from 'mqtt';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { SensorState, SiteFile } from '../../../contract/index.ts';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';

/** Cases from public reports; they stand beside the repository, not in it. */
const samples = fileURLToPath(new URL('../../../../../shared/samples/', import.meta.url));
const file = `${samples}scenarios.json`;
const scenarios: { name: string; messages: any[]; expect: any }[] = existsSync(file)
	? JSON.parse(readFileSync(file, 'utf8'))
	: [];
const secret = 'a-long-secret-of-a-counter-012345678';
const patience = { timeout: 45_000 };
const storm = Array.from({ length: 500 }, (_, index) => `storm-${index + 1}`);
/** Two for the zone whose views are apart, two for the one whose views overlap. */
const cameras = { sum: ['cam_north', 'cam_south'], max: ['cam_west', 'cam_east'] };

function siteOfScenarios(): SiteFile {
	const site = smallSite();
	const pick = (id: string) => site.features.find(({ properties }) => properties.id === id) as any;
	const zone = (id: string, more: object = {}) => {
		const feature = structuredClone(pick('yard'));
		Object.assign(feature.properties, { id, feeds: [], ...more });
		site.features.push(feature);
	};
	const counter = (id: string, to: string, more: object = {}) => {
		const feature = structuredClone(pick('door-1'));
		Object.assign(feature.properties, { id, device: id, from: null, to, periodSeconds: 600, ...more });
		site.features.push(feature);
	};
	const present = { measures: 'present' };
	zone('born');
	counter('gauge', 'born', present);
	zone('risen');
	counter('lazarus', 'risen', present);
	zone('cleared');
	counter('field', 'cleared', { ...present, adapter: 'onvif', device: 'north', channel: 'Hall' });
	zone('lined');
	counter('line', 'lined', { adapter: 'onvif', device: 'south', channel: 'Gate 1', peoplePerSecondMax: 500 });
	zone('swapped');
	counter('wrong-way', 'swapped', { peoplePerSecondMax: 1_000 });
	zone('grouped');
	counter('above', 'grouped', { adapter: 'xovis', device: 'xovis-1', channel: 'Line 0' });
	for (const [policy, channels] of Object.entries(cameras)) {
		zone(`by-${policy}`, { sourcePolicy: policy });
		for (const channel of channels)
			counter(channel, `by-${policy}`, { ...present, adapter: 'frigate', device: 'frigate', channel });
	}
	zone('stormed');
	for (const id of storm) counter(id, 'stormed');
	return site;
}

describe.runIf(scenarios.length > 0)('cases of several messages through a real broker', () => {
	let app: TestApp;
	let folder: string;
	let simulator: mqtt.MqttClient;
	let session: { mqttUrl: string; username: string; password: string };
	let cookie = '';
	const cleanUps: (() => unknown)[] = [];

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-scenarios-'));
		const siteFile = path.join(folder, 'site.geojson');
		await writeFile(siteFile, JSON.stringify(siteOfScenarios()));
		app = await createTestApp({ env: { SITE_FILE: siteFile } });
		cookie = await app.signIn('admin');
		for (const device of ['door-1', 'lazarus'])
			await app.call('POST', `/api/v1/sensors/${device}/credential`, {
				...{ cookie, body: { secret, reason: 'installed today' } }
			});
		session = (await app.call('POST', '/api/v1/simulators/session', { body: {} })).body;
		const { username, password } = session;
		simulator = await mqtt.connectAsync(session.mqttUrl, { username, password, reconnectPeriod: 0 });
	}, 120_000);
	afterEach(async () => {
		for (const cleanUp of cleanUps.splice(0)) await cleanUp();
	});
	afterAll(async () => {
		await simulator?.endAsync(true);
		await app?.close();
		await rm(folder, { recursive: true, force: true });
	});

	const scenario = (name: string) => scenarios.find((one) => one.name === name)!;
	const sensor = async (device: string): Promise<SensorState> =>
		(await app.call('GET', `/api/v1/sensors?device=${device}`, { cookie })).body.sensors[0];
	const zone = async (id: string) => (await app.call('GET', `/api/v1/zones/${id}`, { cookie })).body;
	const say = (topic: string, body: unknown, retain = false) =>
		simulator.publishAsync(topic, typeof body === 'string' ? body : JSON.stringify(body), { qos: 1, retain });
	const sayOwn = (device: string, seq: number, counts: object) =>
		say(`marsad/test/${device}/reading`, { ts: Date.now() + seq, boot: 'a', seq, sim: true, ...counts });
	const connectAs = (device: string, options: mqtt.IClientOptions) => {
		const client = mqtt.connect(session.mqttUrl, { username: device, password: secret, ...options });
		client.on('error', () => undefined);
		cleanUps.push(() => client.endAsync(true));
		return client;
	};

	it('same-client-id: two that throw each other out are told by the name of their device', async () => {
		for (const clientId of ['gate-1', 'gate-1']) connectAs('door-1', { clientId, reconnectPeriod: 20 });
		const troubles = async () => (await sensor('door-1')).troubles.map(({ trouble }) => trouble);
		await expect.poll(troubles, patience).toContain('same_client_id');
	});

	it('invalid-utf8-topic: its sender is cut off and named, and nobody else notices', async () => {
		const { topicHex, payload } = scenario('invalid-utf8-topic').messages[0];
		const url = new URL(session.mqttUrl);
		const socket = connectTcp(Number(url.port), url.hostname);
		const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
		socket.on('error', () => undefined);
		const text = (value: Buffer) =>
			Buffer.concat([Buffer.from([value.length >> 8, value.length & 0xff]), value]);
		const packet = (type: number, ...parts: Buffer[]) => {
			const body = Buffer.concat(parts);
			expect(body.length).toBeLessThan(128);
			return Buffer.concat([Buffer.from([type, body.length]), body]);
		};
		const header = Buffer.concat([text(Buffer.from('MQTT')), Buffer.from([4, 0xc2, 0, 60])]);
		const names = ['raw', 'door-1', secret].map((name) => text(Buffer.from(name)));
		socket.write(packet(0x10, header, ...names));
		await new Promise((resolve) => socket.once('data', resolve));
		socket.write(packet(0x30, text(Buffer.from(topicHex, 'hex')), Buffer.from(payload)));
		await closed;
		const troubles = async () => (await sensor('door-1')).troubles.map(({ trouble }) => trouble);
		await expect.poll(troubles, patience).toContain('foreign_topic');
		await sayOwn('door-2', 1, { in: 1 });
		expect(await sensor('door-2')).toMatchObject({ readings: 1 });
	});

	it('rebirth-gap: the value is kept, and what never came is counted', async () => {
		for (const { payload } of scenario('rebirth-gap').messages)
			await sayOwn('gauge', payload.seq, { present: payload.people });
		expect(await sensor('gauge')).toMatchObject({ readings: 3, missed: 1 });
		await expect.poll(async () => (await zone('born')).present, patience).toBe(13);
	});

	it('old-death: the last will of the connection before does not kill the one that followed', async () => {
		const will = {
			topic: 'marsad/test/lazarus/state',
			payload: Buffer.from('offline'),
			qos: 1,
			retain: true
		} as const;
		const first = connectAs('lazarus', { clientId: 'one', will, reconnectPeriod: 0 });
		await new Promise((resolve) => first.once('connect', resolve));
		const gone = new Promise<void>((resolve) => first.once('close', () => resolve()));
		const second = connectAs('lazarus', { clientId: 'one', will, reconnectPeriod: 0 });
		await new Promise((resolve) => second.once('connect', resolve));
		await second.publishAsync('marsad/test/lazarus/state', 'online', { qos: 1, retain: true });
		const { people } = scenario('old-death').messages[0].payload;
		const reading = { ts: Date.now(), boot: 'b', seq: 0, present: people };
		await second.publishAsync('marsad/test/lazarus/reading', JSON.stringify(reading), { qos: 1 });
		await gone;
		await sayOwn('door-2', 2, { in: 1 });
		expect(await sensor('lazarus')).toMatchObject({ state: 'online' });
		await expect.poll(async () => (await zone('risen')).present, patience).toBe(people);
	});

	it('empty-retained: no bytes make the zone unknown, not empty', async () => {
		const topic = 'north/onvif-ej/RuleEngine/CountAggregation/OccupancyCounter/&1/Hall';
		const event = { UtcTime: new Date().toISOString(), Data: { Count: '8' } };
		await say(topic, event, true);
		await expect.poll(async () => (await zone('cleared')).present, patience).toBe(8);
		await say(topic, '', true);
		await expect.poll(async () => (await zone('cleared')).quality, patience).toBe('unknown');
		expect(await zone('cleared')).toMatchObject({ present: null, lastKnown: { present: 8 } });
		expect((await sensor('north')).rejects).toEqual({});
	});

	it('a camera of the standard counts a line by its running total', async () => {
		const topic = 'south/onvif-ej/RuleEngine/CountAggregation/Counter/&1/Gate 1';
		const at = Date.now();
		for (const [later, Count] of [152, '160', 171].entries()) {
			const UtcTime = new Date(at + later * 1_000).toISOString();
			await say(topic, { UtcTime, Data: { Count, ResetTime: '2026-02-25T03:00:00' } }, true);
		}
		expect(await sensor('south')).toMatchObject({ readings: 3, totals: { in: 19, out: 0 }, rejects: {} });
	});

	it('two-cameras-one-zone: the site says whether their views overlap', async () => {
		const { messages, expect: wanted } = scenario('two-cameras-one-zone');
		for (const channels of Object.values(cameras))
			for (const [index, { payload }] of messages.entries())
				await say(`frigate/${channels[index]}/person`, payload);
		await expect.poll(async () => (await zone('by-sum')).present, patience).toBe(wanted.policySum);
		await expect.poll(async () => (await zone('by-max')).present, patience).toBe(wanted.policyMax);
	});

	it('swapped-direction: shown as nobody, kept as it is, and doubted', async () => {
		for (const [seq, { payload }] of scenario('swapped-direction').messages.entries())
			await sayOwn('wrong-way', seq, { ...payload, total: true });
		await expect
			.poll(async () => (await zone('swapped')).hints.map(({ kind }: any) => kind), patience)
			.toContain('direction-suspect');
		expect(await zone('swapped')).toMatchObject({ present: 0, drift: true });
		const { in: into, out } = (await sensor('wrong-way')).totals;
		expect(into - out).toBe(scenario('swapped-direction').expect.raw);
	});

	it('group-duplicates-person: a group is no more people', async () => {
		const { messages, expect: wanted } = scenario('group-duplicates-person');
		const body = readFileSync(`${samples}payloads/${messages[0].payload.slice('@file '.length)}`);
		const authorization = `Basic ${Buffer.from(`${session.username}:${session.password}`).toString('base64')}`;
		const answer = await fetch(`${app.url}/api/v1/readings/xovis/xovis-1`, {
			...{ method: 'POST', headers: { authorization, 'content-type': 'application/json' }, body }
		});
		expect(answer.status).toBe(202);
		expect((await sensor('xovis-1')).totals).toEqual({ in: wanted.sumIn, out: wanted.sumOut });
	});

	it('reconnect-storm: 500 counters come back at once with twenty readings each, and nothing is lost', async () => {
		const sent = storm.flatMap((device) =>
			Array.from({ length: 20 }, (_, seq) => sayOwn(device, seq, { in: 1 }))
		);
		await Promise.all(sent);
		await expect.poll(async () => (await zone('stormed')).present, patience).toBe(10_000);
		const { body } = await app.call('GET', '/api/v1/sensors', { cookie });
		const own = (body.sensors as SensorState[]).filter(({ device }) => storm.includes(device));
		expect(own.every(({ readings, missed }) => readings === 20 && missed === 0)).toBe(true);
	}, 120_000);

	it('are all told by name somewhere among the tests', () => {
		const features = fileURLToPath(new URL('..', import.meta.url));
		const texts = ['sensors', 'zones']
			.flatMap((name) => readdirSync(path.join(features, name)).map((own) => path.join(features, name, own)))
			.filter((own) => own.endsWith('.test.ts'))
			.map((own) => readFileSync(own, 'utf8'))
			.join('\n');
		expect(scenarios.filter(({ name }) => !texts.includes(name)).map(({ name }) => name)).toEqual([]);
	});
});
