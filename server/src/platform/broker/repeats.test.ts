import mqtt from 'mqtt';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createClock } from '../clock.ts';
import { connectBroker } from './broker.ts';
import { startEmbeddedBroker } from './embedded-broker.ts';

const log = pino({ level: 'silent' });
const messages = 300;

it.each([true, false])(
	'each message reaches the server once, however they overtake each other (acknowledged by the server: %s)',
	async (acksFromServer) => {
		const broker = await startEmbeddedBroker({
			host: '127.0.0.1',
			port: 0,
			log,
			acksFromServer,
			authenticate: (username) => ({
				kind: username === 'server' ? 'server' : 'simulator',
				publish: ['site/#'],
				subscribe: ['site/#']
			})
		});
		const url = `mqtt://127.0.0.1:${broker.port}`;
		const server = connectBroker({
			...{ url, username: 'server', password: 'x', clientId: 's', log },
			clock: createClock(),
			persistent: false
		});
		const given: number[] = [];
		await server.subscribe('site/+/reading', (_topic, payload) => void given.push(Number(payload)));
		// A second filter for the same topics: still one delivery a message.
		await server.subscribe('site/door/#', () => undefined);
		const door = await mqtt.connectAsync(url, { username: 'door', password: 'x', reconnectPeriod: 0 });
		await Promise.all(
			Array.from({ length: messages }, (_, index) =>
				door.publishAsync('site/door/reading', String(index), {
					qos: index % 3 === 2 ? 0 : 1,
					retain: index % 3 === 0
				})
			)
		);
		await expect.poll(() => given.length, { timeout: 30_000 }).toBe(messages);
		expect(given.toSorted((a, b) => a - b)).toEqual(Array.from({ length: messages }, (_, index) => index));
		await door.endAsync(true);
		await server.stop();
		await broker.stop();
	},
	60_000
);
