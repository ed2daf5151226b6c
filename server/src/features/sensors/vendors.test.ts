// What is expected of a payload has many shapes.
/* eslint-disable @typescript-eslint/no-explicit-any */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mqtt from 'mqtt';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CounterProperties, SensorState, SiteFile } from '../../../contract/index.ts';
import { createTestApp, type TestApp } from '../../../test/kit/index.ts';
import { smallSite } from '../site/small-site.fixture.ts';
import { deliver, sampleRows, samplesAreThere, type Delivery } from './adapters/vendors.fixture.ts';

/** One sample with a device, a zone and topics of its own, so that each result stands alone. */
interface Case {
	file: string;
	expect: any[];
	delivery: Delivery;
	device: string;
	zone: string;
	topic: string | null;
}

const families = ['generic', 'frigate', 'onvif', 'axis', 'chirpstack', 'tts', 'milesight', 'xovis'];
const more = ['hikvision', 'irisys', 'zigbee2mqtt', 'waltti'];

const cases: Case[] = sampleRows.flatMap((row, index) => {
	const delivery = deliver(row);
	if (!delivery || ![...families, ...more].includes(delivery.adapter)) return [];
	const device = `${delivery.adapter}-${index}`;
	const topic =
		delivery.topic === null
			? null
			: delivery.topic
					.split('/')
					.map((level) => (level === delivery.device ? device : level))
					.join('/');
	const claimed = topic !== null && !topic.includes(device) ? `row-${index}/${topic}` : topic;
	return [{ file: row.file, expect: row.expect, delivery, device, zone: `zone-${index}`, topic: claimed }];
});

/** Byte frames, protobuf, tables and announcements of families that the product has no adapter for. */
const withoutAdapter =
	/parametric|terabee-xl-lorawan|imbuildings|hkt|yosensi|disruptive|sparkplug|opendatacam-counter|homeassistant-(birth|discovery)/;

const channelOf = (channel: string | undefined, adapter: string): string | undefined => {
	if (channel === undefined || channel === 'default' || channel === 'all') return undefined;
	return adapter === 'frigate' ? channel.split('/')[0] : channel;
};
const measuresOf = (kind: string): CounterProperties['measures'] =>
	kind === 'occupancy' ? 'present' : kind === 'presence' ? 'presence' : 'crossing';

function countersOf({ expect: wanted, delivery, device, zone, topic }: Case): CounterProperties[] {
	const base = {
		...{ kind: 'counter' as const, adapter: delivery.adapter, device, from: null, to: zone },
		...{ periodSeconds: 3_600, authority: true, peoplePerSecondMax: 1_000 },
		...(topic !== null && { topic }),
		// A site file without one is refused: what the adapter says then is tested beside it.
		...(['chirpstack', 'tts'].includes(delivery.adapter) && {
			decoder: delivery.decoder ?? ('milesight-vs350' as const)
		})
	};
	const mapped = (delivery.mappings ?? []).map(({ channel, measures, mapping }, at) => ({
		...{ ...base, id: `${zone}-m${at}`, measures, mapping },
		...(channel !== undefined && { channel })
	}));
	if (mapped.length > 0) return mapped;
	const named = wanted
		.filter(({ kind }) => ['occupancy', 'delta', 'cumulative', 'presence', 'reset'].includes(kind))
		.map(({ kind, channel }, at): CounterProperties => {
			const on = channelOf(channel, delivery.adapter);
			const series = kind === 'delta' ? { series: 'period' as const } : {};
			return {
				...{ ...base, ...series, id: `${zone}-c${at}`, measures: measuresOf(kind) },
				...(on !== undefined && { channel: on })
			};
		});
	if (delivery.adapter === 'frigate')
		return [{ ...base, id: `${zone}-c`, measures: 'present', channel: 'gate_a' }];
	return named.length > 0 ? named : [{ ...base, id: `${zone}-c`, measures: 'crossing' }];
}

/** A zone needs somebody who decides how full it is, also where the sample only says yes or no. It stays silent. */
const spareDoor = (zone: string): CounterProperties => ({
	...{ kind: 'counter', id: `${zone}-door`, adapter: 'own', device: `${zone}-door`, measures: 'crossing' },
	...{ from: null, to: zone, periodSeconds: 3_600, authority: true, optional: true }
});

function siteOf(): SiteFile {
	const site = smallSite();
	const [zone] = site.features;
	const point = { type: 'Point' as const, coordinates: [46.3005, 24.8995] };
	for (const one of cases) {
		const feature = structuredClone(zone) as any;
		feature.properties.id = one.zone;
		feature.properties.feeds = [];
		site.features.push(feature);
		for (const properties of [...countersOf(one), spareDoor(one.zone)])
			site.features.push({ type: 'Feature', properties, geometry: point });
	}
	return site;
}

describe.runIf(samplesAreThere)('payloads of vendors over what they speak', () => {
	let app: TestApp;
	let client: mqtt.MqttClient;
	let folder: string;
	let authorization: string;
	let sensors: Map<string, SensorState>;
	let zones: Map<string, any>;

	beforeAll(async () => {
		folder = await mkdtemp(path.join(tmpdir(), 'marsad-vendors-'));
		const siteFile = path.join(folder, 'site.geojson');
		await writeFile(siteFile, JSON.stringify(siteOf()));
		app = await createTestApp({ env: { SITE_FILE: siteFile } });
		const answer = await fetch(`${app.url}/api/v1/simulators/session`, {
			...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' }
		});
		const { mqttUrl, username, password } = (await answer.json()) as Record<string, string>;
		authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`;
		client = await mqtt.connectAsync(mqttUrl ?? '', {
			...{ username: username ?? '', password: password ?? '', reconnectPeriod: 0 }
		});
		for (const one of cases) await send(one);
		const cookie = await app.signIn('crowd');
		const { body } = await app.call('GET', '/api/v1/sensors', { cookie });
		sensors = new Map(body.sensors.map((sensor: SensorState) => [sensor.device, sensor]));
		// Zones are looked at once a second: the last message stands in the look after it.
		const last = cases.findLast(({ expect: wanted }) => wanted[0].kind === 'occupancy');
		const readZones = async () => {
			const all = await app.call('GET', '/api/v1/zones', { cookie });
			zones = new Map((all.body.zones ?? all.body).map((zone: any) => [zone.id, zone]));
			return zones.get(last?.zone ?? '')?.present ?? null;
		};
		await vi.waitFor(async () => expect(await readZones()).not.toBeNull(), {
			timeout: 20_000,
			interval: 100
		});
	}, 120_000);
	afterAll(async () => {
		await client.endAsync(true);
		await app.close();
		await rm(folder, { recursive: true, force: true });
	});

	async function send({ delivery, device, topic }: Case): Promise<void> {
		if (topic !== null) {
			await client.publishAsync(topic, delivery.payload, { qos: 1 });
			return;
		}
		const url = `${app.url}/api/v1/readings/${delivery.adapter}/${device}`;
		const type = { 'content-type': delivery.contentType ?? 'application/json' };
		const body = new Uint8Array(delivery.payload);
		const answer = await fetch(url, { method: 'POST', headers: { authorization, ...type }, body });
		expect([202, 422]).toContain(answer.status);
	}

	it.each(cases.map((one) => [one.file, one] as const))('%s', (_, one) => {
		const sensor = sensors.get(one.device);
		if (!sensor) return expect.unreachable();
		checkCase(one, sensor, zones.get(one.zone));
	});

	it('are every entry of the samples but those of families that have no adapter', () => {
		const sent = new Set(cases.map(({ file }) => file));
		const left = sampleRows.filter(({ file }) => !sent.has(file) && !withoutAdapter.test(file));
		expect([left, cases.length]).toEqual([[], sampleRows.filter(({ file }) => sent.has(file)).length]);
		expect(cases.length).toBeGreaterThan(100);
	});

	it('leave nothing personal in the store', async () => {
		const { db } = app.database.database;
		for (const table of ['sensor_devices', 'sensor_counters', 'sensor_message_keys', 'sensor_flows'] as const)
			expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toMatch(
				/gender|female|mask|"age"|plate|sub_label|password|person_height|position/i
			);
	});
});

function checkCase({ expect: wanted, delivery }: Case, sensor: SensorState, zone: any): void {
	const of = (kind: string) => wanted.filter((one) => one.kind === kind);
	const [first] = wanted;
	if (delivery.adapter === 'frigate' && !/\/(person|available)$/.test(delivery.topic ?? ''))
		return expect(sensor).toMatchObject({ readings: 0, rejects: {} });
	if (first.kind === 'reject') {
		expect(sensor.readings).toBe(0);
		return expect(Object.keys(sensor.rejects).length).toBeGreaterThan(0);
	}
	if (first.kind === 'ignore') return expect(sensor.readings).toBe(0);
	if (first.kind === 'health') {
		expect(sensor.readings).toBe(0);
		return expect(sensor.state === 'offline').toBe(first.state === 'offline');
	}
	if (of('delta').length > 0) {
		const sum = (side: 'in' | 'out') => of('delta').reduce((people, one) => people + (one[side] ?? 0), 0);
		expect(sensor.totals).toEqual({ in: sum('in'), out: sum('out') });
	}
	// The first of running totals counts nobody: it is where counting starts.
	if (of('cumulative').length > 0) expect(sensor.totals).toEqual({ in: 0, out: 0 });
	if (of('cumulative').length + of('delta').length > 0) expect(sensor.readings).toBeGreaterThan(0);
	const present = of('occupancy').filter(({ channel }) => channel !== 'all' || of('occupancy').length === 1);
	if (present.length > 0 && present.length === of('occupancy').length)
		expect(zone.present).toBe(
			Math.max(
				0,
				present.reduce((people, { value }) => people + value, 0)
			)
		);
}
