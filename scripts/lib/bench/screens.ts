import { setTimeout as delay } from 'node:timers/promises';
import { liveTopics } from '../../../server/contract/index.ts';
import { io, type Socket } from 'socket.io-client';

/** Screens of a control room, many of them, in a process of their own. Told `{url, tokens}`, later `'count'`. */
type Told = { url: string; tokens: readonly string[] } | 'count';

/** So many a second: below what the server's bucket takes. */
const connectsPerSecond = 100;
const sockets: Socket[] = [];
let patches = 0;

process.channel?.ref();
process.on('message', (told: Told) => {
	if (told === 'count') {
		process.send?.({ connected: sockets.filter((socket) => socket.connected).length, patches });
	} else void open(told.url, told.tokens);
});

async function open(url: string, tokens: readonly string[]): Promise<void> {
	for (const token of tokens) {
		const socket = io(`${url}/live`, {
			...{ path: '/socket.io', transports: ['websocket'], forceNew: true },
			auth: { token }
		});
		socket.on('connect', () => {
			for (const topic of liveTopics) socket.emit('subscribe', topic, () => undefined);
		});
		socket.on('patch', () => (patches += 1));
		sockets.push(socket);
		await delay(1_000 / connectsPerSecond);
	}
	process.send?.('opened');
}
