import { WebSocket } from 'undici';
import type { ConnectRefusal, LiveTopic, Patch, Snapshot } from '@marsad/server/contract';

/** What a screen shows of its topic. */
export interface ScreenCopy {
	stream: string;
	seq: number;
	state: Readonly<Record<string, unknown>>;
}

/** One connection to the live feed; it ends once, with one of the last two calls. */
export interface StormSocketEvents {
	/** The server named the window for the next return. */
	onSpread(ms: unknown): void;
	/** A fresh state is here. */
	onLive(): void;
	/** The server said no, and why. */
	onRefused(refusal: Partial<ConnectRefusal>): void;
	/** The connection broke or never came about. */
	onGone(): void;
}

export interface StormSocket {
	copy(): ScreenCopy | null;
	/** When it last heard something, by the clock that never jumps. */
	heardMs(): number;
	/** Lets go without a word; nothing is called any more. */
	drop(): void;
}

/** Gathers equal texts of many sockets: one patch goes to thousands of screens in the same words. */
const recent = new Map<string, unknown>();
const recentMax = 64;

function parseOnce(text: string): unknown {
	const known = recent.get(text);
	if (known !== undefined) return known;
	const parsed = JSON.parse(text) as unknown;
	recent.set(text, parsed);
	if (recent.size > recentMax) recent.delete(recent.keys().next().value!);
	return parsed;
}

/**
 * Speaks as much of Engine.IO 4 and Socket.IO 5 as a screen needs, for a fraction of what a client of the library costs:
 * thousands of them fit into one process.
 */
export function openStormSocket(
	server: URL,
	options: { cookie: string; auth: Readonly<Record<string, unknown>>; topic: LiveTopic },
	events: StormSocketEvents
): StormSocket {
	const url = `ws://${server.host}/socket.io/?EIO=4&transport=websocket`;
	const socket = new WebSocket(url, { headers: { cookie: options.cookie } });
	let isOver = false;
	let copy: ScreenCopy | null = null;
	let heardAt = performance.now();

	const end = (how: () => void) => {
		if (isOver) return;
		isOver = true;
		socket.close();
		how();
	};
	const subscribe = () => socket.send(`42/live,1${JSON.stringify(['subscribe', options.topic])}`);
	const take = (name: string, body: unknown) => {
		if (name === 'heartbeat')
			return events.onSpread((body as { reconnectSpreadMs?: unknown }).reconnectSpreadMs);
		if (name === 'snapshot') {
			const { stream, seq, state } = body as Snapshot;
			copy = { stream, seq, state };
			return events.onLive();
		}
		if (name !== 'patch') return;
		const patch = body as Patch;
		if (copy?.stream !== patch.stream || patch.seq !== copy.seq + 1) {
			// Older than the snapshot is no news; a hole asks for a new one.
			if (copy?.stream !== patch.stream || patch.seq > copy.seq) subscribe();
			return;
		}
		copy = { stream: patch.stream, seq: patch.seq, state: { ...copy.state, ...patch.changes } };
	};

	socket.addEventListener('message', ({ data }: { data: unknown }) => {
		if (isOver || typeof data !== 'string') return;
		heardAt = performance.now();
		if (data === '2') return socket.send('3');
		if (data.startsWith('0')) return socket.send(`40/live,${JSON.stringify(options.auth)}`);
		if (data.startsWith('40/live')) return subscribe();
		if (data.startsWith('44/live,')) {
			const { data: refusal } = JSON.parse(data.slice(8)) as { data?: Partial<ConnectRefusal> };
			return end(() => events.onRefused(refusal ?? {}));
		}
		if (data.startsWith('41')) return end(() => events.onGone());
		if (!data.startsWith('42/live,')) return;
		const [name, body] = parseOnce(data.slice(8)) as [string, unknown];
		take(name, body);
	});
	const gone = () => end(() => events.onGone());
	socket.addEventListener('close', gone);
	socket.addEventListener('error', gone);

	return {
		copy: () => copy,
		heardMs: () => heardAt,
		drop: () => end(() => undefined)
	};
}
