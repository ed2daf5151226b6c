import { workerData, type MessagePort } from 'node:worker_threads';
import { WebSocket } from 'undici';

const { port, signal, url, headers } = workerData as {
	port: MessagePort;
	signal: Int32Array;
	url: string;
	headers: Record<string, string>;
};

const socket = new WebSocket(url, { headers });
const tell = (told: { kind: string; text?: string }) => {
	port.postMessage(told);
	Atomics.store(signal, 0, 1);
	Atomics.notify(signal, 0);
};
socket.addEventListener('open', () => tell({ kind: 'open' }));
socket.addEventListener('error', () => tell({ kind: 'error' }));
socket.addEventListener('close', () => tell({ kind: 'close' }));
socket.addEventListener('message', ({ data }: { data: unknown }) =>
	tell({ kind: 'message', text: String(data) })
);
port.on('message', (asked: { kind: 'send'; text: string } | { kind: 'close' }) => {
	if (asked.kind === 'close') return socket.close();
	if (socket.readyState === WebSocket.OPEN) socket.send(asked.text);
});
