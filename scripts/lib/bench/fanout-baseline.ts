import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from 'socket.io';
import { io } from 'socket.io-client';
import type { LiveTopic, Patch, Snapshot } from '../../../server/contract/index.ts';
import { wallTopics } from './wall-topics.ts';

/**
 * The usual way, `URL TOKEN`: it knows what a screen of the product at URL knows, and sends all of it as JSON to each
 * of its own screens once a second, over the same library. Kindly: put into words once for all of them, and four times
 * less often than the product tells news.
 */
const everyMs = 1_000;
const [url = '', token = ''] = process.argv.slice(2);
process.once('SIGTERM', () => process.exit(0));

const state = new Map<LiveTopic, Record<string, unknown>>();
const source = io(`${url}/live`, { transports: ['websocket'], auth: { token } });
source.on('connect', () => {
	for (const topic of wallTopics) source.emit('subscribe', topic, () => undefined);
});
source.on('snapshot', ({ topic, state: values }: Snapshot) => state.set(topic, values));
source.on('patch', ({ topic, changes }: Patch) => {
	const values = { ...state.get(topic), ...changes };
	for (const [key, value] of Object.entries(changes)) if (value === null) delete values[key];
	state.set(topic, values);
});

const server = createServer();
const screens = new Server(server, { path: '/socket.io', transports: ['websocket'], serveClient: false });
screens.of('/live').on('connection', (socket) => {
	socket.on('subscribe', (_topic: unknown, ack: (answer: object) => void) => ack({ ok: true }));
});
setInterval(() => {
	screens.of('/live').emit('state', { at: Date.now(), state: Object.fromEntries(state) });
}, everyMs);
server.listen(0, '127.0.0.1', () => {
	const { port } = server.address() as AddressInfo;
	process.send?.({ kind: 'listening', url: `http://127.0.0.1:${port}`, port, mqttPort: null });
});
