import { MessageChannel, Worker, receiveMessageOnPort } from 'node:worker_threads';

type Handler = (text: string) => void;
interface Socket {
	send(text: string): void;
	close(): void;
	on(event: string, handler: Handler): void;
	setTimeout(action: () => void, ms: number): void;
}
type Told = { kind: 'open' | 'close' | 'error' } | { kind: 'message'; text: string };

const longestWaitMs = 1_000;

/** k6's socket has a loop of its own that blocks the script, so this one does, too: a second thread holds the socket. */
function connect(
	url: string,
	params: { headers?: Record<string, string> } | null,
	run: (socket: Socket) => void
): { status: number } {
	const channel = new MessageChannel();
	const signal = new Int32Array(new SharedArrayBuffer(4));
	const worker = new Worker(new URL('./ws-worker.ts', import.meta.url), {
		workerData: { port: channel.port2, signal, url, headers: params?.headers ?? {} },
		transferList: [channel.port2]
	});
	worker.unref();
	const handlers = new Map<string, Handler>();
	const timers: { atMs: number; action: () => void }[] = [];
	let isOpen = false;
	let isOver = false;
	run({
		send: (text) => channel.port1.postMessage({ kind: 'send', text }),
		close: () => channel.port1.postMessage({ kind: 'close' }),
		on: (event, handler) => void handlers.set(event, handler),
		setTimeout: (action, ms) => void timers.push({ atMs: performance.now() + ms, action })
	});
	while (!isOver) {
		const told = receiveMessageOnPort(channel.port1)?.message as Told | undefined;
		if (told) {
			if (told.kind === 'open') isOpen = true;
			if (told.kind === 'close') isOver = true;
			handlers.get(told.kind)?.(told.kind === 'message' ? told.text : '');
			continue;
		}
		const due = timers.findIndex(({ atMs }) => atMs <= performance.now());
		if (due >= 0) {
			for (const { action } of timers.splice(due, 1)) action();
			continue;
		}
		const nextMs = Math.min(longestWaitMs, ...timers.map(({ atMs }) => atMs - performance.now()));
		Atomics.wait(signal, 0, 0, Math.max(1, nextMs));
		Atomics.store(signal, 0, 0);
	}
	void worker.terminate();
	return { status: isOpen ? 101 : 0 };
}

export default { connect };
