import { io, type Socket } from 'socket.io-client';
import type { Patch, Snapshot } from '../../../contract/index.ts';

/** A screen that watches the topic `dispatch`, as the web does. */
export interface Screen {
	/** Key to value, as the screen shows it now. */
	state: Map<string, unknown>;
	close(): void;
}

export async function openScreen(url: string, cookie: string): Promise<Screen> {
	const socket: Socket = io(`${url}/live`, {
		transports: ['websocket'],
		extraHeaders: { cookie },
		...{ reconnection: false, forceNew: true }
	});
	const state = new Map<string, unknown>();
	socket.on('patch', ({ changes }: Patch) => {
		for (const [key, value] of Object.entries(changes)) {
			if (value === null) state.delete(key);
			else state.set(key, value);
		}
	});
	await new Promise<void>((resolve, reject) => {
		socket.once('snapshot', (snapshot: Snapshot) => {
			for (const [key, value] of Object.entries(snapshot.state)) state.set(key, value);
			resolve();
		});
		socket.once('connect_error', reject);
		socket.emit('subscribe', 'dispatch', (answer: { ok: boolean; code?: string }) => {
			if (!answer.ok) reject(new Error(`refused: ${answer.code}`));
		});
	});
	return { state, close: () => socket.close() };
}
