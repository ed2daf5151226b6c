import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CounterProperties } from '../../../../contract/index.ts';
import { createTestApp, type TestApp } from '../../../../test/kit/index.ts';
import { smallSite } from '../../site/small-site.fixture.ts';

const secret = 'a-long-secret-of-a-vendors-device-01';
const base = {
	...{ kind: 'counter' as const, measures: 'crossing' as const, from: null, to: 'hall' },
	...{ periodSeconds: 60, authority: true }
};
const counters: CounterProperties[] = [
	{ ...base, id: 'gate-a', adapter: 'hikvision', device: 'cam-a', channel: '1' },
	{ ...base, id: 'line-a', adapter: 'xovis', device: 'xovis-a', channel: 'Line 0', topic: 'xovis/a' },
	{ ...base, id: 'lora-a', adapter: 'chirpstack', device: '24e124136b502217', decoder: 'milesight-vs350' },
	{ ...base, id: 'bus-a', adapter: 'waltti', device: 'bus-1', channel: 'door1' }
];

const window = (enter: number, start: string) =>
	`<?xml version="1.0"?><EventNotificationAlert xmlns="urn:psialliance-org"><channelID>1</channelID>` +
	`<dateTime>2026-03-01T12:07:07-5:00</dateTime><eventType>PeopleCounting</eventType><peopleCounting>` +
	`<statisticalMethods>timeRange</statisticalMethods><TimeRange><startTime>${start}</startTime></TimeRange>` +
	`<enter>${enter}</enter><exit>1</exit></peopleCounting><childCounting><enter>90</enter><exit>90</exit>` +
	`</childCounting></EventNotificationAlert>`;

describe('devices of vendors', () => {
	let app: TestApp;
	let folder: string;
	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-vendor-'));
		const site = smallSite();
		for (const properties of counters)
			site.features.push({
				...{ type: 'Feature', properties },
				geometry: { type: 'Point', coordinates: [46.3005, 24.8995] }
			});
		const siteFile = path.join(folder, 'site.geojson');
		await writeFile(siteFile, JSON.stringify(site));
		app = await createTestApp({ env: { SITE_FILE: siteFile } });
		const cookie = await app.signIn('admin');
		for (const name of ['cam-a', 'xovis-a', 'chirpstack', 'bus-1']) {
			const body = { secret, reason: 'installed today' };
			const answer = await app.call('POST', `/api/v1/sensors/${name}/credential`, { cookie, body });
			expect(answer.status).toBe(200);
		}
	});
	afterAll(async () => {
		await app.close();
		await rm(folder, { recursive: true, force: true });
	});

	const post = (adapter: string, device: string, body: string, type: string) =>
		fetch(`${app.url}/api/v1/readings/${adapter}/${device}`, {
			method: 'POST',
			headers: { 'content-type': type, authorization: `Bearer ${secret}` },
			body
		});
	const totals = async (device: string) => {
		const cookie = await app.signIn('crowd');
		const { body } = await app.call('GET', `/api/v1/sensors?device=${device}`, { cookie });
		return body.sensors[0].totals;
	};
	const connect = (username: string) =>
		mqtt.connectAsync(`mqtt://127.0.0.1:${app.mqttPort}`, { username, password: secret, reconnectPeriod: 0 });

	it('send XML alone or beside a picture, and the same window twice counts once', async () => {
		expect(
			(await post('hikvision', 'cam-a', window(3, '2026-03-01T12:00:00+03:00'), 'text/xml')).status
		).toBe(202);
		const parts =
			`--frontier\r\nContent-Type: application/xml\r\n\r\n${window(4, '2026-03-01T12:05:00+03:00')}\r\n` +
			`--frontier\r\nContent-Type: image/jpeg\r\n\r\n\u00ff\u00d8 never read\r\n--frontier--`;
		const type = 'multipart/form-data; boundary=frontier';
		for (let times = 0; times < 2; times++)
			expect((await post('hikvision', 'cam-a', parts, type)).status).toBe(202);
		expect(await totals('cam-a')).toEqual({ in: 7, out: 2 });
		const bomb = '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>';
		expect(await (await post('hikvision', 'cam-a', bomb, 'text/xml')).json()).toMatchObject({
			reason: 'bad_xml'
		});
	});

	it('are read by the adapter that the site file gives them, and by no other', async () => {
		expect((await post('axis', 'cam-a', '{}', 'application/json')).status).toBe(404);
	});

	it('know a message by its own id: twice is once, with the same answer', async () => {
		const count = [{ class: 'adult', in: 3, out: 0 }];
		const vehiclecounts = { countquality: 'regular', doorcounts: [{ door: 'door1', count }] };
		const APC = { messageId: '06e64ba5', tst: '2026-03-01T10:00:00.000Z', vehiclecounts };
		for (let times = 0; times < 2; times++)
			expect((await post('waltti', 'bus-1', JSON.stringify({ APC }), 'application/json')).status).toBe(202);
		expect(await totals('bus-1')).toEqual({ in: 3, out: 0 });
	});

	it('write what they claim, and are cut off for anything else', async () => {
		const own = await connect('xovis-a');
		own.on('error', () => undefined);
		const record = { from: 1_772_359_200_000, to: 1_772_359_260_000, counts: [{ name: 'fw', value: 2 }] };
		const logics = [{ id: 1, name: 'Line 0', records: [record] }];
		await own.publishAsync('xovis/a', JSON.stringify({ logics_data: { logics } }), { qos: 1 });
		expect(await totals('xovis-a')).toEqual({ in: 2, out: 0 });
		const cut = new Promise<void>((resolve) => own.once('close', () => resolve()));
		own.publish('marsad/test/door-1/reading', '{"ts": 1, "in": 500}', { qos: 1 });
		await cut;
		expect(await totals('door-1')).toEqual({ in: 0, out: 0 });
	});

	it('behind a network server are spoken for by it alone, in its own topics', async () => {
		const server = await connect('chirpstack');
		server.on('error', () => undefined);
		const frame = (fCnt: number, data: string, devAddr = 'a1') =>
			server.publishAsync(
				'application/x/device/24e124136b502217/event/up',
				JSON.stringify({ devAddr, fCnt, fPort: 85, data: Buffer.from(data, 'hex').toString('base64') }),
				{ qos: 1 }
			);
		await frame(900, '04cc32000000');
		await frame(901, '04cc35000100');
		await frame(901, '04cc35000100');
		// A join: the frame counter starts again, the people counter does not.
		await frame(0, '04cc37000100', 'a2');
		expect(await totals('24e124136b502217')).toEqual({ in: 5, out: 1 });
		const cut = new Promise<void>((resolve) => server.once('close', () => resolve()));
		server.publish('xovis/a', '{}', { qos: 1 });
		await cut;
	});
});
