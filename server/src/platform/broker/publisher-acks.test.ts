import mqtt from 'mqtt';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { connectBroker, type Broker } from './broker.ts';
import { startEmbeddedBroker, type BrokerIdentity, type EmbeddedBroker } from './embedded-broker.ts';

const log = pino({ level: 'silent' });
const patience = { timeout: 30_000 };
const cleanUps: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}, 60_000);

const identities: Record<string, BrokerIdentity> = {
	server: { kind: 'server', publish: ['#'], subscribe: ['#'] },
	door: { kind: 'device', device: 'door', publish: ['site/door/reading', 'site/door/other'], subscribe: [] }
};

async function start(): Promise<EmbeddedBroker> {
	const broker = await startEmbeddedBroker({
		host: '127.0.0.1',
		port: 0,
		log,
		acksFromServer: true,
		authenticate: (username) => identities[username] ?? null
	});
	cleanUps.push(() => broker.stop());
	return broker;
}

function connectServer(port: number): Broker {
	const server = connectBroker({
		url: `mqtt://127.0.0.1:${port}`,
		username: 'server',
		password: 'x',
		clientId: 's',
		log,
		clock: createClock(),
		persistent: false,
		random: () => 0.01
	});
	cleanUps.push(() => server.stop());
	return server;
}

function connectDoor(port: number): mqtt.MqttClient {
	const door = mqtt.connect(`mqtt://127.0.0.1:${port}`, {
		username: 'door',
		password: 'x',
		reconnectPeriod: 50
	});
	door.on('error', () => undefined);
	cleanUps.push(() => door.endAsync(true));
	return door;
}

describe('the acknowledgement of a publisher on the embedded broker', () => {
	it('waits for the server, while the next messages are already read', async () => {
		const { port } = await start();
		const open: (() => void)[] = [];
		const bodies: string[] = [];
		const server = connectServer(port);
		await server.subscribe('site/+/reading', (_topic, payload) => {
			bodies.push(payload.toString());
			return new Promise<void>((resolve) => open.push(resolve));
		});
		const door = connectDoor(port);
		await expect.poll(() => door.connected, patience).toBe(true);
		const acknowledged: number[] = [];
		const sent = Array.from({ length: 50 }, (_, index) =>
			door.publishAsync('site/door/reading', String(index), { qos: 1 }).then(() => acknowledged.push(index))
		);
		await expect.poll(() => open.length, patience).toBe(50);
		expect(acknowledged).toEqual([]);
		for (const resolve of open.slice(0, 20)) resolve();
		await expect.poll(() => acknowledged.length, patience).toBe(20);
		for (const resolve of open.slice(20)) resolve();
		await Promise.all(sent);
		expect(acknowledged).toEqual(Array.from({ length: 50 }, (_, index) => index));
		expect(bodies).toEqual(acknowledged.map(String));
	});

	it('is given by the broker itself for what the server does not listen to', async () => {
		const { port } = await start();
		await connectServer(port).subscribe('site/+/reading', () => undefined);
		await connectDoor(port).publishAsync('site/door/other', 'x', { qos: 1 });
	});

	it('is never given before the server listens: nobody is let in', async () => {
		const { port } = await start();
		const door = connectDoor(port);
		let acknowledged = false;
		void door.publishAsync('site/door/reading', 'early', { qos: 1 }).then(() => (acknowledged = true));
		await new Promise((resolve) => setTimeout(resolve, 300));
		expect(acknowledged).toBe(false);
		const bodies: string[] = [];
		await connectServer(port).subscribe(
			'site/+/reading',
			(_topic, payload) => void bodies.push(payload.toString())
		);
		await expect.poll(() => acknowledged, patience).toBe(true);
		expect(bodies).toEqual(['early']);
	});

	it('is not given when the server goes away: the device is cut off and sends again', async () => {
		const { port } = await start();
		const first = connectServer(port);
		let taken = 0;
		await first.subscribe('site/+/reading', () => {
			taken++;
			return new Promise<void>(() => undefined);
		});
		const door = connectDoor(port);
		let acknowledged = false;
		void door.publishAsync('site/door/reading', 'held', { qos: 1 }).then(() => (acknowledged = true));
		await expect.poll(() => taken, patience).toBe(1);
		await first.stop();
		const bodies: string[] = [];
		await connectServer(port).subscribe(
			'site/+/reading',
			(_topic, payload) => void bodies.push(payload.toString())
		);
		await expect.poll(() => acknowledged, patience).toBe(true);
		expect(bodies).toEqual(['held']);
	});
});
