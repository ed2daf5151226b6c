import { setTimeout as delay } from 'node:timers/promises';
import mqtt from 'mqtt';
import { startEmbeddedBroker } from '../../../server/src/platform/broker/embedded-broker.ts';
import { createLog } from '../../../server/src/platform/log.ts';

/**
 * Processes around a measurement of readings. `broker` is the one both sides listen to. `subscriber URL QOS` is the
 * baseline: it parses each message and adds it up, and nothing else. `publisher URL DEVICES` sends what it is told.
 */
const [kind, url = '', ...args] = process.argv.slice(2);
process.once('SIGTERM', () => process.exit(0));

const listening = (port: number) =>
	process.send?.({ kind: 'listening', url: `mqtt://127.0.0.1:${port}`, port, mqttPort: port });

if (kind === 'broker') {
	const broker = await startEmbeddedBroker({
		host: '127.0.0.1',
		port: 0,
		log: createLog('silent'),
		authenticate: () => ({ kind: 'simulator', publish: ['#'], subscribe: ['#'] }),
		caps: { messagesPerSecondPerSimulator: 1_000_000 }
	});
	listening(broker.port);
} else if (kind === 'subscriber') await subscribe();
else await publish();

async function subscribe(): Promise<void> {
	const client = await connect('baseline');
	let [messages, people] = [0, 0];
	client.on('message', (_topic, payload) => {
		const reading = JSON.parse(payload.toString()) as { in: number; out: number };
		messages += 1;
		people += reading.in - reading.out;
	});
	await client.subscribeAsync('marsad/demo/+/reading', { qos: 1 });
	process.on('message', () => process.send?.({ messages, people }));
	listening(0);
}

type Told = { from: number; count: number; ratePerSecond: number; qos: 0 | 1 };

async function publish(): Promise<void> {
	const client = await connect('publisher');
	const devices = args[0]?.split(',') ?? [];
	process.on('message', (told: Told) => void send(client, devices, told));
	listening(0);
}

/** As fast as asked; answers with how long it took. Each device numbers its own messages. */
async function send(client: mqtt.MqttClient, devices: readonly string[], told: Told): Promise<void> {
	const startedMs = performance.now();
	let open = 0;
	for (let index = 0; index < told.count; index++) {
		const device = devices[index % devices.length] ?? '';
		const seq = told.from + Math.floor(index / devices.length);
		const reading = { ts: Date.now(), boot: 'bench', seq, in: index % 3, out: index % 2 };
		open += 1;
		client.publish(
			`marsad/demo/${device}/reading`,
			JSON.stringify(reading),
			{ qos: told.qos },
			() => (open -= 1)
		);
		const aheadMs = (index / told.ratePerSecond) * 1_000 - (performance.now() - startedMs);
		if (aheadMs > 20 || open > 900) await delay(Math.max(2, aheadMs));
	}
	while (open > 0) await delay(5);
	process.send?.({ ms: performance.now() - startedMs });
}

async function connect(clientId: string): Promise<mqtt.MqttClient> {
	const client = await mqtt.connectAsync(url, { clientId, username: clientId, password: 'bench' });
	client.on('error', () => undefined);
	return client;
}
