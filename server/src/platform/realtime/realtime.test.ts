import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Patch, Snapshot } from '../../../contract/index.ts';
import { createClock, createLog } from '../../../test/kit/index.ts';
import { createMetrics } from '../metrics.ts';
import { createHub, type Hub } from './hub.ts';
import { createRealtime, type Realtime } from './realtime.ts';

describe('the way to the glass', () => {
	let hub: Hub;
	let realtime: Realtime;
	let server: Server;
	const sockets: Socket[] = [];
	afterEach(async () => {
		for (const socket of sockets.splice(0)) socket.close();
		await realtime.stop();
		hub.stop();
		server.close();
	});

	async function start(): Promise<string> {
		const clock = createClock();
		hub = createHub(clock);
		realtime = createRealtime({
			hub,
			clock,
			log: createLog('silent'),
			metrics: createMetrics(),
			authenticate: async () => ({ id: '1', email: 'viewer@example.org', name: 'Viewer', role: 'viewer' }),
			claimOf: () => crypto.randomUUID(),
			seatOf: ({ id }) => ({ tenant: id, kind: 'screen' })
		});
		server = createServer();
		realtime.attach(server);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		return `http://127.0.0.1:${(server.address() as AddressInfo).port}/live`;
	}
	const open = (url: string, auth: object = {}) => {
		const socket = io(url, { transports: ['websocket'], reconnection: false, forceNew: true, auth });
		sockets.push(socket);
		return socket;
	};

	it('sends a snapshot and then patches without a gap', async () => {
		const url = await start();
		hub.topic('crowd').set('total', { present: 1 });
		await new Promise((resolve) => setTimeout(resolve, 50));
		const socket = open(url);
		const patches: Patch[] = [];
		socket.on('patch', (patch: Patch) => patches.push(patch));
		const snapshot = new Promise<Snapshot>((resolve) => socket.on('snapshot', resolve));
		socket.emit('subscribe', 'crowd', () => undefined);
		const first = await snapshot;
		expect(first.state).toEqual({ total: { present: 1 } });
		for (let present = 2; present < 6; present++) {
			hub.topic('crowd').set('total', { present });
			await new Promise((resolve) => setTimeout(resolve, 300));
		}
		await expect.poll(() => patches.at(-1)?.changes, { timeout: 10_000 }).toEqual({ total: { present: 5 } });
		expect(patches.map((patch) => patch.seq)).toEqual(patches.map((_, index) => first.seq + index + 1));
		expect(new Set(patches.map((patch) => patch.stream))).toEqual(new Set([first.stream]));
	});

	it('sends parts to who says that it takes them, and whole values to everybody else', async () => {
		const url = await start();
		hub.topic('crowd').set('total', { present: 1, capacity: 9 });
		const said = await Promise.all(
			[{ parts: true }, {}].map(async (auth) => {
				const socket = open(url, auth);
				const patches: Patch[] = [];
				socket.on('patch', (patch: Patch) => patches.push(patch));
				const snapshot = new Promise((resolve) => socket.once('snapshot', resolve));
				socket.emit('subscribe', 'crowd', () => undefined);
				await snapshot;
				return { socket, patches };
			})
		);
		await new Promise((resolve) => setTimeout(resolve, 300));
		for (const { patches } of said) patches.length = 0;
		hub.topic('crowd').set('total', { present: 2, capacity: 9 });
		for (const { patches } of said) await expect.poll(() => patches.length, { timeout: 10_000 }).toBe(1);
		const [inParts, whole] = said.map(({ patches }) => patches[0]!);
		expect(inParts).toEqual({ ...whole, changes: {}, parts: { total: { present: 2 } } });
		expect(whole!.changes).toEqual({ total: { present: 2, capacity: 9 } });
		await new Promise<void>((resolve) => said[0]!.socket.emit('unsubscribe', 'crowd', () => resolve()));
		hub.topic('crowd').set('total', { present: 3, capacity: 9 });
		await expect.poll(() => said[1]!.patches.length, { timeout: 10_000 }).toBe(2);
		expect(said[0]!.patches).toHaveLength(1);
	});

	it('gives a screen that stopped reading the newest state when it comes back, not a backlog', async () => {
		const url = await start();
		const socket = open(url);
		const snapshots: Snapshot[] = [];
		let patches = 0;
		socket.on('snapshot', (snapshot: Snapshot) => snapshots.push(snapshot));
		socket.on('patch', () => patches++);
		await new Promise<void>((resolve) => socket.emit('subscribe', 'crowd', () => resolve()));
		await expect.poll(() => snapshots.length, { timeout: 10_000 }).toBe(1);
		// The screen stops reading: its TCP window fills and packets pile up on the server's side.
		const { _socket: tcp } = (
			socket.io.engine.transport as unknown as { ws: { _socket: { pause(): void; resume(): void } } }
		).ws;
		tcp.pause();
		const filler = 'x'.repeat(500_000);
		for (let i = 0; i < 60; i++) {
			hub.topic('crowd').set('total', { i, filler });
			await new Promise((resolve) => setTimeout(resolve, 260));
			// No longer than it takes: a link without an answer to a ping ends.
			if (realtime.takeSlow() > 0) break;
		}
		hub.topic('crowd').set('total', { i: 'newest' });
		await new Promise((resolve) => setTimeout(resolve, 300));
		tcp.resume();
		await expect.poll(() => snapshots.length, { timeout: 30_000 }).toBe(2);
		expect(snapshots.at(-1)!.state).toEqual({ total: { i: 'newest' } });
		expect(patches).toBeLessThan(40);
	});

	it('says in regular beats that it lives', async () => {
		const url = await start();
		const socket = open(url);
		const beat = await new Promise<{ at: number }>((resolve) => socket.on('heartbeat', resolve));
		expect(beat.at).toBeGreaterThan(0);
	});

	it('counts a place once, whichever way a client goes', async () => {
		const url = await start();
		const first = open(url);
		await new Promise((resolve) => first.once('heartbeat', resolve));
		const second = open(url);
		await new Promise((resolve) => second.once('heartbeat', resolve));
		const all = () => realtime.door.connected().all;
		expect(all()).toBe(2);
		// It leaves the feed and keeps its connection.
		first.io.engine.write('41/live,');
		await expect.poll(all, { timeout: 10_000 }).toBe(1);
		first.io.engine.close();
		second.io.engine.close();
		await expect.poll(all, { timeout: 10_000 }).toBe(0);
		expect(realtime.door.take().handshakes).toBe(2);
	});
});
