import { setTimeout as delay } from 'node:timers/promises';
import { WebSocket } from 'undici';
import type { LiveTopic, Snapshot, Patch } from '../../../server/contract/index.ts';
import { applyPatch, applySnapshot, type TopicCopy } from '../../../web/src/lib/live/topic-state.ts';
import type { FanoutCount, FanoutTold } from './fanout-jobs.ts';
import { wallTopics } from './wall-topics.ts';

/** Many screens in a process of their own, which read and count and draw nothing. */

/** So many a second: below what the server's bucket takes. */
const connectsPerSecond = 80;
const patienceMs = 20_000;
const figures = { bytes: 0, snapshotBytes: 0, updates: 0 };
const open = new Set<WebSocket>();

process.channel?.ref();
process.on('message', (told: FanoutTold) => void answer(told));

async function answer(told: FanoutTold): Promise<void> {
	if (told.kind === 'open') await openAll(told.url, told.tokens, told.parts);
	if (told.kind === 'close') {
		for (const socket of open) socket.close();
		open.clear();
		Object.assign(figures, { bytes: 0, snapshotBytes: 0, updates: 0 });
	}
	const isSame = told.kind === 'compare' ? await compare(told.url, told.tokens) : true;
	const count: FanoutCount = { connected: open.size, ...figures };
	process.send?.({ kind: told.kind, count, isSame });
}

async function openAll(url: string, tokens: readonly string[], parts: boolean): Promise<void> {
	for (const token of tokens) {
		const socket = connect(url, { token, ...(parts ? { parts } : {}) }, (name, _text, bytes) => {
			figures.bytes += bytes;
			if (name === 'snapshot') figures.snapshotBytes += bytes;
			if (name === 'patch' || name === 'state') figures.updates += 1;
		});
		open.add(socket);
		socket.addEventListener('close', () => open.delete(socket));
		await delay(1_000 / connectsPerSecond);
	}
}

/** As much of Engine.IO 4 and Socket.IO 5 as a screen needs. @param heard each message, its name and what it weighs */
function connect(
	url: string,
	auth: object,
	heard: (name: string, text: string, bytes: number) => void
): WebSocket {
	const socket = new WebSocket(`${url.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`);
	socket.addEventListener('error', () => undefined);
	socket.addEventListener('message', ({ data }: { data: unknown }) => {
		if (typeof data !== 'string') return;
		const name = data.startsWith('42/live,["') ? data.slice(10, data.indexOf('"', 10)) : '';
		heard(name, data, Buffer.byteLength(data));
		if (data === '2') socket.send('3');
		else if (data.startsWith('0')) socket.send(`40/live,${JSON.stringify(auth)}`);
		else if (data.startsWith('40/live')) {
			for (const [at, topic] of wallTopics.entries())
				socket.send(`42/live,${at}${JSON.stringify(['subscribe', topic])}`);
		}
	});
	return socket;
}

/** Two more screens, one of each kind, by different code: after some seconds of news both must show the same. */
async function compare(url: string, [one, other]: readonly [string, string]): Promise<boolean> {
	let inParts: ReadonlyMap<LiveTopic, TopicCopy> = new Map();
	const whole = new Map<LiveTopic, { seq: number; values: Record<string, unknown> }>();
	const first = connect(url, { token: one, parts: true }, (name, text) => {
		if (name !== 'snapshot' && name !== 'patch') return;
		const [, message] = JSON.parse(text.slice(8)) as [string, unknown];
		const applied = name === 'snapshot' ? applySnapshot(message) : applyPatch(inParts, message);
		if (applied.kind === 'applied' && applied.topic && applied.dropped === 0)
			inParts = new Map(inParts).set(applied.topic, applied.copy);
	});
	const second = connect(url, { token: other }, (name, text) => {
		if (name !== 'snapshot' && name !== 'patch') return;
		const [, message] = JSON.parse(text.slice(8)) as [string, Snapshot & Patch];
		const before = name === 'snapshot' ? {} : whole.get(message.topic)?.values;
		const values = { ...before, ...(name === 'snapshot' ? message.state : message.changes) };
		for (const [key, value] of Object.entries(values)) if (value === null) delete values[key];
		whole.set(message.topic, { seq: message.seq, values });
	});
	const isSame = (topic: LiveTopic) => {
		const [a, b] = [inParts.get(topic), whole.get(topic)];
		if (!a || !b || a.seq !== b.seq) return false;
		return inOrder(Object.fromEntries(a.values)) === inOrder(b.values);
	};
	try {
		await delay(5_000);
		const left = new Set(wallTopics);
		// Never in the middle of a patch: looked at until each topic was once at the same number on both.
		for (
			const endsAt = performance.now() + patienceMs;
			performance.now() < endsAt && left.size > 0;
			await delay(20)
		)
			for (const topic of left) if (isSame(topic)) left.delete(topic);
		return left.size === 0;
	} finally {
		first.close();
		second.close();
	}
}

/** The same text for the same things, however their fields are ordered. */
function inOrder(value: unknown): string {
	return JSON.stringify(value, (_key, one: unknown) =>
		typeof one === 'object' && one !== null && !Array.isArray(one)
			? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
			: one
	);
}
