// Payloads and patches are looked into by many names here.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Patch, Snapshot, Zone } from '../../../contract/index.ts';
import {
	createTestApp,
	createTestDatabase,
	type TestApp,
	type TestDatabase
} from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';

const patience = { timeout: 45_000 };
let folder: string;
let siteFile: string;
let database: TestDatabase;
let app: TestApp;
let device: mqtt.MqttClient;

const start = async () => {
	app = await createTestApp({ env: { SITE_FILE: siteFile }, database });
	const { body } = await app.call('POST', '/api/v1/simulators/session', { body: {} });
	device = await mqtt.connectAsync(body.mqttUrl, {
		username: body.username,
		password: body.password,
		reconnectPeriod: 0
	});
	device.on('error', () => undefined);
};
const stop = async () => {
	await device.endAsync(true);
	await app.close();
};

beforeAll(async () => {
	folder = await mkdtemp(path.join(tmpdir(), 'marsad-zones-'));
	siteFile = path.join(folder, 'site.geojson');
	await writeFile(siteFile, JSON.stringify(smallSite()));
	database = await createTestDatabase();
	await start();
});
afterAll(async () => {
	await stop();
	await database.close();
	await rm(folder, { recursive: true, force: true });
});

let seq = 0;
const say = (name: string, counts: object) =>
	device.publishAsync(
		`marsad/test/${name}/reading`,
		JSON.stringify({ ts: Date.now(), boot: 'a', seq: ++seq, sim: true, ...counts }),
		{ qos: 1 }
	);
const zone = async (id: string, headers: Record<string, string> = {}): Promise<Zone> =>
	(await app.call('GET', `/api/v1/zones/${id}`, { cookie: await app.signIn('crowd'), headers })).body;

describe('zones on a real broker and database', () => {
	it('are unknown, never 0, before anything is heard', async () => {
		const { body } = await app.call('GET', '/api/v1/zones', { cookie: await app.signIn('viewer') });
		expect(body.zones.map(({ id, present, quality }: Zone) => [id, present, quality])).toEqual([
			['hall', null, 'unknown'],
			['court', null, 'unknown'],
			['yard', null, 'unknown']
		]);
		expect(body.total).toMatchObject({
			present: null,
			quality: 'unknown',
			missing: ['hall', 'court', 'yard'],
			capacity: 1_500
		});
	});

	it('go from reading to REST, glass and sign', async () => {
		const cookie = await app.signIn('crowd');
		const changes: Record<string, any> = {};
		const socket = io(`${app.url}/live`, {
			transports: ['websocket'],
			reconnection: false,
			extraHeaders: { cookie }
		});
		const keep = (key: string, value: unknown) => (changes[key] = value);
		socket.on('snapshot', ({ state }: Snapshot) =>
			Object.entries(state).forEach(([key, value]) => keep(key, value))
		);
		socket.on('patch', (patch: Patch) =>
			Object.entries(patch.changes).forEach(([key, value]) => keep(key, value))
		);
		await new Promise<void>((resolve, reject) => socket.on('connect', resolve).on('connect_error', reject));
		await socket.emitWithAck('subscribe', 'crowd');
		const signs: Record<string, any> = {};
		device.on('message', (topic, payload) => (signs[topic] = JSON.parse(payload.toString())));
		await device.subscribeAsync('marsad/test/zone/+/occupancy', { qos: 1 });
		await say('door-1', { in: 30, out: 4 });
		await say('door-2', { in: 10 });
		await device.publishAsync('frigate/yard_1/person', '44', { qos: 1 });
		await expect.poll(() => changes['zone:hall']?.present, patience).toBe(16);
		expect(changes['zone:hall']).toMatchObject({
			mark: 'simulated',
			capacity: 500,
			ageSeconds: null,
			names: { ar: 'الرواق', en: 'Hall' }
		});
		await expect.poll(() => changes['zone:yard']?.present, patience).toBe(44);
		await expect.poll(() => changes['total']?.present, patience).toBe(70);
		await expect.poll(() => signs['marsad/test/zone/hall/occupancy']?.present, patience).toBe(16);
		expect(await zone('hall', { 'accept-language': 'ar' })).toMatchObject({ name: 'الرواق', present: 16 });
		expect((await zone('hall')).ageSeconds).toBeGreaterThanOrEqual(0);
		socket.close();
	});

	it('answer 404 for a zone that is none, and 401 or 403 to who may not see', async () => {
		const cookie = await app.signIn('crowd');
		expect(await app.call('GET', '/api/v1/zones/attic', { cookie })).toMatchObject({
			status: 404,
			body: { code: 'no_such_zone' }
		});
		expect((await app.call('GET', '/api/v1/zones')).status).toBe(401);
		expect((await app.call('GET', '/api/v1/zones', { cookie: await app.signIn('steward') })).status).toBe(
			403
		);
	});

	it('are recounted once, with a reason, on the record', async () => {
		const cookie = await app.signIn('crowd');
		const request = { cookie, key: 'recount-1', body: { present: 100, reason: 'counted by hand' } };
		const before = await zone('hall');
		const first = await app.call('POST', '/api/v1/zones/hall/recount', request);
		expect(first).toMatchObject({ status: 200, body: { id: 'hall', present: 100 } });
		await say('door-1', { in: 5 });
		await app.call('POST', '/api/v1/zones/hall/recount', request);
		await expect.poll(async () => (await zone('hall')).present, patience).toBe(105);
		const { db } = database.database;
		const lines = await db.selectFrom('record').selectAll().where('action', '=', 'zone.recount').execute();
		expect(lines).toMatchObject([
			{
				subject: 'hall',
				reason: 'counted by hand',
				actor: 'crowd@example.org',
				after: { present: 100, correction: 100 - (before.present ?? 0) }
			}
		]);
		const viewer = { cookie: await app.signIn('viewer'), body: { present: 1, reason: 'only looking' } };
		expect((await app.call('POST', '/api/v1/zones/hall/recount', viewer)).status).toBe(403);
		expect(
			(
				await app.call('POST', '/api/v1/zones/hall/recount', {
					cookie,
					body: { present: -1, reason: 'wrong' }
				})
			).status
		).toBe(400);
	});

	it('keep a trend, with gaps where nobody knew', async () => {
		const cookie = await app.signIn('crowd');
		const read = async () => (await app.call('GET', '/api/v1/zones/hall/trend?minutes=5', { cookie })).body;
		await expect.poll(async () => (await read()).series?.present?.at(-1) ?? null, patience).toBe(105);
		const all = (await app.call('GET', '/api/v1/zones/trend', { cookie })).body;
		expect(Object.keys(all.series).sort()).toEqual(['court', 'hall', 'total', 'yard']);
		expect(all.series.total).toHaveLength(all.at.length);
	});

	it('come back after a restart as last known, and unknown or stale until heard', async () => {
		await stop();
		await start();
		await expect
			.poll(async () => (await zone('hall')).lastKnown?.present ?? (await zone('hall')).present, patience)
			.toBe(105);
		// A camera that speaks on change only may have changed meanwhile.
		expect(await zone('yard')).toMatchObject({
			present: null,
			quality: 'unknown',
			lastKnown: { present: 44 }
		});
		await say('door-1', { in: 1 });
		await say('door-2', { in: 0 });
		await expect.poll(async () => (await zone('hall')).present, patience).toBe(106);
		expect(await zone('hall')).toMatchObject({ quality: 'live', lastKnown: null });
		const cookie = await app.signIn('crowd');
		const trend = (await app.call('GET', '/api/v1/zones/hall/trend', { cookie })).body;
		expect(trend.series.present).toContain(105);
	});

	it('start with the people of a simulated crowd', async () => {
		const answer = await app.call('POST', '/api/v1/simulators/session', {
			body: { present: { court: 250, attic: 9 } }
		});
		expect(answer.status).toBe(200);
		await say('door-2', { in: 2 });
		await expect.poll(async () => (await zone('court')).present, patience).toBe(252);
	});
});
