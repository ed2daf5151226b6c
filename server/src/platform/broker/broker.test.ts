import mqtt from 'mqtt';
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, connect as connectTcp } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { connectBroker } from './broker.ts';
import type { Broker } from './broker.ts';
import { startEmbeddedBroker } from './embedded-broker.ts';
import type {
	BrokerEvent,
	BrokerIdentity,
	EmbeddedBroker,
	EmbeddedBrokerOptions
} from './embedded-broker.ts';

const log = pino({ level: 'silent' });
const clock = createClock();
const mosquittoProgram = '/usr/sbin/mosquitto';
const mosquittoUrl = process.env.TEST_MQTT5_URL;
const hasMosquitto = mosquittoUrl !== undefined || existsSync(mosquittoProgram);
const patience = { timeout: 30_000 };
const cleanUps: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}, 60_000);

const identities: Record<string, BrokerIdentity> = {
	server: { kind: 'server', publish: ['#'], subscribe: ['#'] },
	'counter-1': {
		kind: 'device',
		device: 'counter-1',
		publish: ['marsad/site/counter-1/reading', 'marsad/site/counter-1/state'],
		subscribe: ['marsad/site/counter-1/command']
	}
};

async function startAedes(
	options: Partial<EmbeddedBrokerOptions> = {}
): Promise<EmbeddedBroker & { url: string; events: BrokerEvent[] }> {
	const events: BrokerEvent[] = [];
	const broker = await startEmbeddedBroker({
		host: '127.0.0.1',
		port: 0,
		log,
		authenticate: (username, password) => (password === 'right' ? (identities[username] ?? null) : null),
		onEvent: (event) => events.push(event),
		...options
	});
	cleanUps.push(() => broker.stop());
	return { ...broker, url: `mqtt://127.0.0.1:${broker.port}`, events };
}

function connectServer(url: string, options: { clientId?: string; protocolVersion?: 4 | 5 } = {}): Broker {
	const broker = connectBroker({
		url,
		username: 'server',
		password: 'right',
		clientId: 'server-1',
		log,
		clock,
		random: () => 0.01,
		...options
	});
	cleanUps.push(() => broker.stop());
	return broker;
}

async function connectDevice(url: string, options: mqtt.IClientOptions = {}): Promise<mqtt.MqttClient> {
	const device = await mqtt.connectAsync(url, {
		username: 'counter-1',
		password: 'right',
		reconnectPeriod: 0,
		...options
	});
	device.on('error', () => undefined);
	cleanUps.push(() => device.endAsync(true));
	return device;
}

const closeOf = (client: mqtt.MqttClient) =>
	new Promise<void>((resolve) => client.once('close', () => resolve()));

const isConnected = (broker: Broker) => expect.poll(() => broker.state().connected, patience).toBe(true);

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const { port } = probe.address() as AddressInfo;
	probe.close();
	await once(probe, 'close');
	return port;
}

async function startMosquitto(port: number, folder: string): Promise<ChildProcess> {
	const file = join(folder, 'mosquitto.conf');
	await writeFile(
		file,
		`listener ${port} 127.0.0.1\nallow_anonymous true\nmax_inflight_messages 1000\nuser ${process.env.USER ?? 'root'}\n`
	);
	const child = spawn(mosquittoProgram, ['-c', file], { stdio: 'ignore' });
	cleanUps.push(async () => {
		if (child.exitCode !== null || child.signalCode !== null) return;
		child.kill();
		await once(child, 'exit');
	});
	await expect
		.poll(async () => {
			const socket = connectTcp(port, '127.0.0.1');
			const open = await once(socket, 'connect').then(
				() => true,
				() => false
			);
			socket.destroy();
			return open;
		}, patience)
		.toBe(true);
	return child;
}

async function mosquitto(): Promise<string> {
	if (mosquittoUrl !== undefined) return mosquittoUrl;
	const folder = await mkdtemp(join(tmpdir(), 'marsad-mosquitto-'));
	cleanUps.push(() => rm(folder, { recursive: true, force: true }));
	const port = await freePort();
	await startMosquitto(port, folder);
	return `mqtt://127.0.0.1:${port}`;
}

it('finds a Mosquitto where nothing may be skipped quietly', () => {
	if (process.env.CI) expect(hasMosquitto, 'install mosquitto or set TEST_MQTT5_URL').toBe(true);
});

describe.each([
	{ name: 'the embedded broker', version: 4 as const, start: async () => (await startAedes()).url },
	...(hasMosquitto
		? [
				{ name: 'Mosquitto, MQTT 3.1.1', version: 4 as const, start: mosquitto },
				{ name: 'Mosquitto, MQTT 5', version: 5 as const, start: mosquitto }
			]
		: [])
])('the connection to $name', { timeout: 60_000 }, ({ version, start }) => {
	const clientId = `server-${version}-${process.pid}`;

	it('brings messages to the handlers of matching filters and says what kind they are', async () => {
		const server = connectServer(await start(), { clientId, protocolVersion: version });
		const seen: [string, string, boolean][] = [];
		await server.subscribe('marsad/site/+/reading', (topic, payload, info) => {
			seen.push([topic, payload.toString(), info.retained]);
		});
		await isConnected(server);
		await server.publish('marsad/site/counter-1/reading', 'one');
		await server.publish('marsad/site/counter-1/other', 'two');
		await server.publish('marsad/site/counter-1/reading', Buffer.from('three'), { qos: 0 });
		await expect.poll(() => seen.length, patience).toBe(2);
		expect(seen).toEqual([
			['marsad/site/counter-1/reading', 'one', false],
			['marsad/site/counter-1/reading', 'three', false]
		]);
	});

	it('hands on what the broker kept, marked as retained', async () => {
		const server = connectServer(await start(), { clientId, protocolVersion: version });
		await isConnected(server);
		await server.publish('marsad/site/zone/z1/occupancy', '{"present":3}', { retain: true });
		const seen: boolean[] = [];
		await server.subscribe(
			'marsad/site/zone/+/occupancy',
			(_topic, _payload, info) => void seen.push(info.retained)
		);
		await expect.poll(() => seen, patience).toEqual([true]);
		await server.publish('marsad/site/zone/z1/occupancy', '', { retain: true });
	});

	it('acknowledges after the handler is done, while later messages already come in', async () => {
		const url = await start();
		const first = connectServer(url, { clientId, protocolVersion: version });
		let release = (): void => undefined;
		const held = new Promise<void>((resolve) => (release = resolve));
		const seen: string[] = [];
		await first.subscribe('marsad/held', (_topic, payload) => {
			seen.push(payload.toString());
			return held;
		});
		await isConnected(first);
		for (const text of ['a', 'b', 'c']) await first.publish('marsad/held', text);
		await expect.poll(() => seen, patience).toEqual(['a', 'b', 'c']);
		expect(first.inflight()).toBe(3);
		release();
		await expect.poll(() => first.inflight(), patience).toBe(0);
	});

	it('gets again, after a handler that failed, what it had not acknowledged', async () => {
		const url = await start();
		const server = connectServer(url, { clientId, protocolVersion: version });
		const seen: string[] = [];
		let failures = 1;
		await server.subscribe('marsad/fails', async (_topic, payload) => {
			seen.push(payload.toString());
			if (payload.toString() === 'b' && failures-- > 0) throw new Error('the database is away');
		});
		await isConnected(server);
		const sender = connectServer(url, { clientId: `${clientId}-sender`, protocolVersion: version });
		await isConnected(sender);
		for (const text of ['a', 'b', 'c']) await sender.publish('marsad/fails', text);
		await expect.poll(() => seen.filter((text) => text === 'b').length, patience).toBe(2);
		await expect.poll(() => server.inflight(), patience).toBe(0);
		await expect.poll(() => seen, patience).toContain('c');
	});

	it('refuses wildcards in a topic to publish to', async () => {
		const server = connectServer(await start(), { clientId, protocolVersion: version });
		await isConnected(server);
		for (const topic of ['marsad/+/x', 'marsad/#', '']) {
			await expect(server.publish(topic, 'x')).rejects.toThrow('no wildcard');
		}
	});
});

describe('a broker that goes and comes back', { timeout: 60_000 }, () => {
	it('is found again, and each handler is there once', async () => {
		const first = await startAedes();
		const server = connectServer(first.url);
		const states: boolean[] = [];
		server.onState((state) => states.push(state.connected));
		const seen: string[] = [];
		await server.subscribe('marsad/again', (_topic, payload) => void seen.push(payload.toString()));
		await isConnected(server);
		for (let round = 1; round <= 3; round++) {
			const running = cleanUps.splice(0, 1);
			for (const stop of running) await stop();
			await expect.poll(() => server.state().connected, patience).toBe(false);
			await expect(server.publish('marsad/again', 'lost')).rejects.toThrow('not connected');
			const next = await startAedes({ port: first.port });
			cleanUps.unshift(cleanUps.pop()!);
			await isConnected(server);
			await expect.poll(() => next.connections(), patience).toBe(1);
			await expect
				.poll(async () => {
					await server.publish('marsad/again', `round ${round}`);
					return seen.includes(`round ${round}`);
				}, patience)
				.toBe(true);
		}
		seen.length = 0;
		await server.publish('marsad/again', 'once');
		await expect.poll(() => seen.length, patience).toBeGreaterThan(0);
		await delay(200);
		expect(seen.filter((text) => text === 'once')).toEqual(['once']);
		expect(states).toEqual([true, false, true, false, true, false, true]);
	});

	it('is no reason not to start, nor to stop', async () => {
		const server = connectServer(`mqtt://127.0.0.1:${await freePort()}`);
		expect(server.state().connected).toBe(false);
		await delay(100);
		await server.stop();
		await server.stop();
	});
});

describe('the embedded broker', { timeout: 60_000 }, () => {
	it.each([
		['a wrong password', { password: 'wrong' }],
		['an unknown name', { username: 'nobody' }],
		['no credential', { username: '', password: '' }]
	])('lets nobody in with %s', async (_name, credential) => {
		const broker = await startAedes();
		await expect(connectDevice(broker.url, credential)).rejects.toThrow();
		expect(broker.events).toContain('refused_sign_in');
	});

	it('lets a device write its own topics only, its last will included', async () => {
		const broker = await startAedes();
		const server = connectServer(broker.url);
		const seen: string[] = [];
		await server.subscribe('marsad/#', (topic) => void seen.push(topic));
		await isConnected(server);
		const will = { topic: 'marsad/site/counter-2/state', payload: Buffer.from('offline'), qos: 1 as const };
		const rogue = await connectDevice(broker.url, { will });
		await rogue.publishAsync('marsad/site/counter-1/reading', '{}', { qos: 1 });
		const closed = closeOf(rogue);
		rogue.publish('marsad/site/counter-2/reading', '{}', { qos: 1 });
		await closed;
		await expect
			.poll(() => broker.events.filter((event) => event === 'refused_publish').length, patience)
			.toBe(2);
		await server.publish('marsad/end', '');
		await expect.poll(() => seen, patience).toEqual(['marsad/site/counter-1/reading', 'marsad/end']);
	});

	it('lets a device read what is meant for it and nothing else', async () => {
		const broker = await startAedes();
		const device = await connectDevice(broker.url);
		for (const filter of [
			'#',
			'marsad/#',
			'marsad/site/+/command',
			'marsad/site/counter-2/command',
			'$SYS/#'
		]) {
			const granted = await device.subscribeAsync(filter).catch(() => 'refused');
			expect(granted, filter).toBe('refused');
		}
		const granted = await device.subscribeAsync('marsad/site/counter-1/command');
		expect(granted).toMatchObject([{ qos: 0 }]);
	});

	it('does not let a device take over the session of another by its name', async () => {
		const broker = await startAedes();
		const server = connectServer(broker.url, { clientId: 'server-1' });
		await isConnected(server);
		await connectDevice(broker.url, { clientId: 'server-1' });
		await delay(200);
		expect(server.state().connected).toBe(true);
	});

	it('cuts a packet that is too large at its first bytes, before anybody signed in', async () => {
		const broker = await startAedes({ caps: { payloadBytesMax: 1_000 } });
		const device = await connectDevice(broker.url);
		const cut = closeOf(device);
		device.publish('marsad/site/counter-1/reading', Buffer.alloc(10_000), { qos: 1 });
		await cut;
		const stranger = connectTcp(broker.port, '127.0.0.1');
		const ended = once(stranger, 'close');
		stranger.on('error', () => undefined);
		// CONNECT with a remaining length of 256 MB.
		stranger.write(Buffer.from([0x10, 0xff, 0xff, 0xff, 0x7f]));
		await ended;
		expect(broker.events.filter((event) => event === 'refused_size')).toHaveLength(2);
	});

	it('slows a client down that sends too fast, and loses nothing', async () => {
		const broker = await startAedes({ caps: { messagesPerSecondPerClient: 50 } });
		const server = connectServer(broker.url);
		let seen = 0;
		await server.subscribe('marsad/site/counter-1/reading', () => void seen++);
		await isConnected(server);
		const device = await connectDevice(broker.url);
		for (let n = 0; n < 100; n++) device.publish('marsad/site/counter-1/reading', String(n), { qos: 1 });
		await expect.poll(() => seen, patience).toBe(100);
		expect(broker.events.filter((event) => event === 'throttled').length).toBeGreaterThan(20);
	});

	it('takes no more connections than its cap', async () => {
		const broker = await startAedes({ caps: { connectionsMax: 1 } });
		await connectDevice(broker.url);
		const second = connectTcp(broker.port, '127.0.0.1');
		second.on('error', () => undefined);
		await once(second, 'close');
		expect(broker.events).toContain('refused_connection');
	});

	it('survives what is no MQTT, empty and wildcard topics and half-open clients', async () => {
		const broker = await startAedes();
		for (const bytes of [
			Buffer.from('GET / HTTP/1.1\r\n\r\n'),
			Buffer.from([0x30, 0x03, 0x00, 0x01, 0x23]),
			Buffer.from([0xf0, 0x00]),
			Buffer.from([0x10, 0x02, 0x00, 0x04]),
			Buffer.alloc(600, 0xff)
		]) {
			const socket = connectTcp(broker.port, '127.0.0.1');
			socket.on('error', () => undefined);
			socket.write(bytes);
			await delay(20);
			socket.destroy();
		}
		const device = await connectDevice(broker.url);
		const closed = closeOf(device);
		device.stream.write(Buffer.from([0x30, 0x03, 0x00, 0x01, 0x23]));
		await closed;
		const server = connectServer(broker.url);
		await isConnected(server);
	});

	it('says that its port is taken', async () => {
		const broker = await startAedes();
		await expect(startAedes({ port: broker.port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});
});
