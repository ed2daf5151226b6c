import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SensorState } from '../../../contract/index.ts';
import {
	createTestApp,
	createTestDatabase,
	type TestApp,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { startServerProcess, type ServerProcess } from '../../../test/kit/server-process.ts';
import { smallSite } from '../site/small-site.fixture.ts';

const patience = { timeout: 45_000 };
let folder: string;
let siteFile: string;

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'marsad-sensors-'));
	siteFile = path.join(folder, 'site.geojson');
	await writeFile(siteFile, JSON.stringify(smallSite()));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

type Session = { mqttUrl: string; username: string; password: string };

async function openSession(url: string, body: unknown = {}): Promise<Session> {
	const answer = await fetch(`${url}/api/v1/simulators/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body)
	});
	if (!answer.ok) throw new Error(`no session: ${answer.status}`);
	return (await answer.json()) as Session;
}

async function connect({ mqttUrl, username, password }: Session): Promise<mqtt.MqttClient> {
	const client = await mqtt.connectAsync(mqttUrl, { username, password, reconnectPeriod: 0 });
	client.on('error', () => undefined);
	return client;
}

const message = (seq: number, counts: object, boot = 'a') =>
	JSON.stringify({ ts: Date.now(), boot, seq, sim: true, ...counts });
const topicOf = (device: string) => `marsad/test/${device}/reading`;

async function sensorOf(app: TestApp, device: string, query = ''): Promise<SensorState> {
	const cookie = await app.signIn('crowd');
	const { body } = await app.call('GET', `/api/v1/sensors?device=${device}${query}`, { cookie });
	return body.sensors[0];
}

describe('sensors on a real broker and database', () => {
	let app: TestApp;
	let device: mqtt.MqttClient;
	beforeAll(async () => {
		app = await createTestApp({ env: { SITE_FILE: siteFile } });
		device = await connect(await openSession(app.url));
	});
	afterAll(async () => {
		await device.endAsync(true);
		await app.close();
	});

	it('acknowledges a reading when it is committed, and counts it once however often it comes', async () => {
		const stored = () =>
			app.database.database.db
				.selectFrom('sensor_counters')
				.selectAll()
				.where('counter', '=', 'door-1')
				.executeTakeFirst();
		await device.publishAsync(topicOf('door-1'), message(1, { in: 3, out: 1 }), { qos: 1 });
		expect(await stored()).toMatchObject({ total_in: 3, total_out: 1, to_zone: 'hall' });
		for (let seq = 2; seq <= 8; seq++) {
			await device.publishAsync(topicOf('door-1'), message(seq, { in: 1 }), { qos: 1 });
			expect((await stored())?.total_in).toBe(2 + seq);
		}
		await device.publishAsync(topicOf('door-1'), message(1, { in: 3, out: 1 }), { qos: 1 });
		expect(await sensorOf(app, 'door-1')).toMatchObject({
			totals: { in: 10, out: 1 },
			readings: 8,
			rejects: { duplicate: 1 },
			state: 'online',
			simulated: true
		});
	});

	it('counts what it refuses by device and reason, and nothing else stops', async () => {
		for (const body of ['{"in": NaN}', 'unavailable', '{"ts":1,"in":-1}', Buffer.from([0xff, 0xfe])])
			await device.publishAsync(topicOf('door-2'), body, { qos: 1 });
		await device.publishAsync(topicOf('door-2'), message(1, { in: 2 }), { qos: 1 });
		await device.publishAsync(topicOf('ghost'), message(1, { in: 2 }), { qos: 1 });
		expect(await sensorOf(app, 'door-2')).toMatchObject({
			rejects: { bad_json: 2, bad_number: 1, bad_utf8: 1 },
			totals: { in: 2, out: 0 }
		});
		const { body } = await app.call('GET', '/api/v1/sensors', { cookie: await app.signIn('crowd') });
		expect(body.summary.unknownDevices).toEqual([{ device: 'ghost', messages: 1 }]);
		expect(body.summary).toMatchObject({ devices: 4 });
	});

	it('hears Frigate, and its going', async () => {
		await device.publishAsync('frigate/yard_1/person', '37', { qos: 1 });
		expect(await sensorOf(app, 'frigate')).toMatchObject({ adapter: 'frigate', readings: 1 });
		await device.publishAsync('frigate/available', 'offline', { qos: 1, retain: true });
		expect(await sensorOf(app, 'frigate')).toMatchObject({ state: 'offline' });
	});

	it('sums a period', async () => {
		const now = Date.now();
		expect(await sensorOf(app, 'door-1', `&from=${now - 300_000}&to=${now + 60_000}`)).toMatchObject({
			totals: { in: 10, out: 1 }
		});
		expect(await sensorOf(app, 'door-1', `&from=${now + 120_000}`)).toMatchObject({
			totals: { in: 0, out: 0 }
		});
	});

	it('loses nothing when all counters come back at once with a backlog', async () => {
		const sent = Array.from({ length: 5_000 }, (_, index) =>
			device.publishAsync(topicOf(index % 2 ? 'tally' : 'door-2'), message(100 + index, { in: 1 }, 'storm'), {
				qos: 1
			})
		);
		await Promise.all(sent);
		expect((await sensorOf(app, 'tally')).totals.in).toBe(2_500);
		expect((await sensorOf(app, 'door-2')).totals.in).toBe(2_502);
	});
});

describe('readings by HTTP', () => {
	let app: TestApp;
	const secret = 'a-long-secret-of-a-door-counter-0123';
	const post = (device: string, body: unknown, authorization?: string, adapter = 'own') =>
		fetch(`${app.url}/api/v1/readings/${adapter}/${device}`, {
			method: 'POST',
			headers: { 'content-type': 'text/plain', ...(authorization ? { authorization } : {}) },
			body: typeof body === 'string' ? body : JSON.stringify(body)
		});
	const reading = (seq: number, counts: object) => ({
		ts: '2026-02-25T21:00:00+03:00',
		boot: 1,
		seq,
		...counts
	});

	beforeAll(async () => {
		app = await createTestApp({ env: { SITE_FILE: siteFile } });
		const call = { cookie: await app.signIn('admin'), body: { secret, reason: 'installed today' } };
		expect(await app.call('POST', '/api/v1/sensors/door-1/credential', call)).toMatchObject({
			status: 200,
			body: { username: 'door-1' }
		});
	});
	afterAll(() => app.close());

	it('are answered with what was understood, by Bearer and by Basic', async () => {
		const first = await post('door-1', reading(1, { in: 4 }), `Bearer ${secret}`);
		expect(first.status).toBe(202);
		expect(await first.json()).toEqual({ accepted: 1, flags: [] });
		const basic = `Basic ${Buffer.from(`door-1:${secret}`).toString('base64')}`;
		expect((await post('door-1', reading(2, { in: 1 }), basic)).status).toBe(202);
		expect(await sensorOf(app, 'door-1')).toMatchObject({ totals: { in: 5, out: 0 }, simulated: false });
	});

	it('are refused with the reason', async () => {
		const again = await post('door-1', reading(1, { in: 4 }), `Bearer ${secret}`);
		expect(again.status).toBe(422);
		expect(again.headers.get('content-type')).toContain('application/problem+json');
		expect(await again.json()).toMatchObject({ code: 'reading_refused', reason: 'duplicate' });
		expect(await (await post('door-1', '{', `Bearer ${secret}`)).json()).toMatchObject({
			reason: 'bad_json'
		});
		expect(await (await post('door-1', 'x'.repeat(70_000), `Bearer ${secret}`)).json()).toMatchObject({
			reason: 'too_large'
		});
		expect((await post('door-1', 'x'.repeat(270_000), `Bearer ${secret}`)).status).toBe(413);
		expect((await post('door-1', {}, `Bearer ${secret}`, 'morse')).status).toBe(404);
	});

	it('are taken from nobody else', async () => {
		expect((await post('door-1', reading(3, { in: 1 }))).status).toBe(401);
		expect((await post('door-1', reading(3, { in: 1 }), 'Bearer wrong')).status).toBe(401);
		expect((await post('door-2', reading(3, { in: 1 }), `Bearer ${secret}`)).status).toBe(401);
		const other = `Basic ${Buffer.from(`door-1:${secret}`).toString('base64')}`;
		expect((await post('door-2', reading(3, { in: 1 }), other)).status).toBe(403);
	});

	it('leave the secret nowhere: only its hash is stored, and the record names who and why', async () => {
		const { db } = app.database.database;
		const tables = ['device_credentials', 'command_keys', 'record'] as const;
		for (const table of tables)
			expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(secret);
		expect(
			await db.selectFrom('record').selectAll().where('action', '=', 'sensor.credential').execute()
		).toMatchObject([{ subject: 'door-1', reason: 'installed today', actor: 'admin@example.org' }]);
	});

	it('a device signs in on the broker with the same secret, and may write its own topic alone', async () => {
		const url = `mqtt://127.0.0.1:${app.mqttPort}`;
		const own = await mqtt.connectAsync(url, { username: 'door-1', password: secret, reconnectPeriod: 0 });
		own.on('error', () => undefined);
		await own.publishAsync(topicOf('door-1'), JSON.stringify(reading(9, { in: 2 })), { qos: 1 });
		expect((await sensorOf(app, 'door-1')).totals.in).toBe(7);
		const cut = new Promise<void>((resolve) => own.once('close', () => resolve()));
		own.publish(topicOf('door-2'), JSON.stringify(reading(9, { in: 2 })), { qos: 1 });
		await cut;
		expect((await sensorOf(app, 'door-2')).totals.in).toBe(0);
		await own.endAsync(true);
		await expect(
			mqtt.connectAsync(url, { username: 'door-1', password: 'wrong', reconnectPeriod: 0 }, false)
		).rejects.toThrow(/bad user|authori/i);
	});
});

describe('in a live run', () => {
	it('there is no session for simulators', async () => {
		const app = await createTestApp({ env: { SITE_FILE: siteFile, DEMO: '0', ELIGIBILITY_URL: 'none' } });
		try {
			const answer = await app.call('POST', '/api/v1/simulators/session', { body: {} });
			expect(answer).toMatchObject({ status: 404, body: { code: 'only_laboratory' } });
		} finally {
			await app.close();
		}
	});
});

describe('killed at any moment', () => {
	let database: TestDatabase;
	let server: ServerProcess | null = null;
	beforeAll(async () => {
		database = await createTestDatabase();
	});
	afterAll(async () => {
		await server?.kill('SIGTERM');
		await database.close();
	});

	it(
		'loses nothing that was acknowledged, and doubles nothing that was sent again',
		{ timeout: 240_000 },
		async () => {
			const env = {
				DEMO: '1',
				SITE_FILE: siteFile,
				DATABASE_URL: database.url,
				DATA_DIR: folder,
				LOG_LEVEL: 'error'
			};
			const total = 240;
			const acknowledged = new Set<number>();
			let next = 0;
			for (let life = 0; life < 3; life++) {
				server = await startServerProcess(env);
				const client = await connect(await openSession(server.url));
				const open = Array.from({ length: total }, (_, index) => index).filter(
					(index) => !acknowledged.has(index)
				);
				// Everything without an acknowledgement goes again, as devices do; the last life is not killed.
				next = 0;
				const sending = open.map(async (index, place) => {
					await new Promise((resolve) => setTimeout(resolve, place * 8));
					await client.publishAsync(topicOf('door-1'), message(index, { in: 1 }), { qos: 1 });
					acknowledged.add(index);
					next++;
				});
				if (life < 2) {
					await expect.poll(() => next, patience).toBeGreaterThan(20);
					await server.kill('SIGKILL');
					client.end(true);
					await Promise.race([
						Promise.allSettled(sending),
						new Promise((resolve) => setTimeout(resolve, 200))
					]);
				} else {
					await Promise.all(sending);
					await client.endAsync(true);
				}
			}
			const row = await database.database.db
				.selectFrom('sensor_counters')
				.selectAll()
				.where('counter', '=', 'door-1')
				.executeTakeFirstOrThrow();
			expect(acknowledged.size).toBe(total);
			expect(row.total_in).toBe(total);
			const flows = await database.database.db
				.selectFrom('sensor_flows')
				.select((eb) => eb.fn.sum<number>('people_in').as('people'))
				.executeTakeFirstOrThrow();
			expect(Number(flows.people)).toBe(total);
		}
	);
});
