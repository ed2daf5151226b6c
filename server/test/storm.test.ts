import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
	createBackoff,
	simulatedTenantHeader,
	type ConnectRefusal,
	type Heartbeat,
	type Patch,
	type Snapshot,
	type SpikeNow,
	type SyncPullAnswer
} from '../contract/index.ts';
import { createInstances, type Instance, type Instances } from './kit/instances.ts';
import { hasTestValkey } from './kit/test-valkey.ts';

const patience = { timeout: 150_000, interval: 300 };
/** Clients live so many times faster than they would, so that half a minute is some seconds. */
const pace = 4;
const clientCount = 360;
const perTenant = 30;

interface Client {
	/** The level in force, by what the connection it has now said; null while it has none. */
	level: number | null;
	connectedTo: Instance | null;
	stop(): void;
}
type Refused = Error & { data?: Partial<ConnectRefusal> };

const open = (door: Instance, cookie: string, tenant: string): Socket =>
	io(`${door.url}/live`, {
		...{ transports: ['websocket'], reconnection: false, forceNew: true, timeout: 30_000 },
		...{ auth: { simulatedTenant: tenant }, extraHeaders: { cookie } }
	});

/** When clients meant to knock, ms of their clocks. */
const knocks: number[] = [];
/** The most in any one second. */
function peakOf(moments: readonly number[]): number {
	const ordered = moments.toSorted((a, b) => a - b);
	return Math.max(
		...ordered.map((at, first) => ordered.filter((one, place) => place >= first && one - at < 1_000).length)
	);
}

/** A screen as the page's link is: one socket, the page's own back-off, another instance at each try. */
function startClient(
	index: number,
	doors: readonly Instance[],
	cookies: ReadonlyMap<Instance, string>
): Client {
	const backoff = createBackoff({ now: () => performance.now() * pace, random: Math.random });
	let socket: Socket | null = null;
	let timer: NodeJS.Timeout | undefined;
	let tries = index;
	let stopped = false;
	const client: Client = {
		...{ level: null, connectedTo: null },
		stop() {
			stopped = true;
			letGo();
		}
	};
	const letGo = () => {
		clearTimeout(timer);
		Object.assign(client, { level: null, connectedTo: null });
		socket?.removeAllListeners();
		socket?.disconnect();
	};
	const again = (retryAfterSeconds?: number | null) => {
		letGo();
		if (stopped) return;
		const delayMs = backoff.failed(retryAfterSeconds);
		// As planned: how late the timers of a busy machine are says nothing about the law.
		knocks.push(performance.now() * pace + delayMs);
		timer = setTimeout(dial, delayMs / pace);
	};
	const show = (values: Record<string, unknown>) => {
		const now = values['state'] as { current: { level: number } } | undefined;
		if (now) client.level = now.current.level;
	};
	const dial = () => {
		const door = doors[tries++ % doors.length];
		// Nobody answers: to a client that is the same as a door that is shut.
		if (!door) return again();
		const own = open(door, cookies.get(door)!, `agency ${Math.floor(index / perTenant)}`);
		socket = own;
		own.on('connect', () => {
			client.connectedTo = door;
			backoff.succeeded();
			own.emit('subscribe', 'levels', () => undefined);
		});
		own.on('heartbeat', ({ reconnectSpreadMs }: Heartbeat) => backoff.nameSpread(reconnectSpreadMs));
		own.on('snapshot', ({ state }: Snapshot) => show(state));
		own.on('patch', ({ changes }: Patch) => show(changes));
		own.on('connect_error', (error: Refused) => again(error.data?.retryAfterSeconds));
		own.on('disconnect', () => again());
	};
	dial();
	return client;
}

describe.skipIf(!hasTestValkey())('a storm over two instances', () => {
	let stand: Instances;
	const living: Instance[] = [];
	const cookies = new Map<Instance, string>();
	const clients: Client[] = [];
	beforeAll(async () => {
		stand = await createInstances(2);
		for (const instance of stand.all) {
			living.push(instance);
			cookies.set(instance, await instance.signIn('duty'));
		}
	}, 180_000);
	afterAll(async () => {
		for (const client of clients) client.stop();
		await stand?.close();
	});

	const ask = (path: string) => living[0]!.staff('GET', `/api/v1/${path}`, cookies.get(living[0]!)!);
	const spike = async () => (await ask('spike/now')).body as SpikeNow;
	const showing = (level: number) => clients.filter((client) => client.level === level).length;

	it('has them all connected, counted by tenant on both instances', async () => {
		for (let index = 0; index < clientCount; index++) clients.push(startClient(index, living, cookies));
		await expect.poll(() => showing(0), patience).toBe(clientCount);
		await expect
			.poll(async () => {
				const { storm } = await spike();
				const simulated = storm?.connected.find(({ kind }) => kind === 'simulated')?.count;
				return [simulated, storm?.tenants[0]?.connections, storm?.connectionsMax];
			}, patience)
			.toEqual([clientCount, perTenant, 12_000]);
	}, 240_000);

	it('cut at once by the death of one, all come back to the other, with the state as it is now', async () => {
		const [dead] = living.splice(1, 1);
		knocks.length = 0;
		await dead!.kill('SIGKILL');
		const { version } = (await ask('levels')).body.current;
		const pressed = await living[0]!.staff('POST', '/api/v1/levels/current', cookies.get(living[0]!)!, {
			...{ level: 1, reason: 'a test', expectedVersion: version }
		});
		expect(pressed.status, JSON.stringify(pressed.body)).toBe(200);
		await expect.poll(() => showing(1), patience).toBe(clientCount);
		expect(clients.every(({ connectedTo }) => connectedTo === living[0])).toBe(true);
		expect(peakOf(knocks)).toBeLessThanOrEqual(clientCount * 0.1);
	}, 240_000);

	it('come back all of them while everything starts anew, nobody twice', async () => {
		const [last] = living.splice(0, 1);
		knocks.length = 0;
		await last!.kill('SIGKILL');
		for (let i = 0; i < 2; i++) {
			const instance = await stand.start();
			cookies.set(instance, cookies.get(last!)!);
			living.push(instance);
		}
		await expect.poll(() => showing(1), patience).toBe(clientCount);
		await expect.poll(async () => (await spike()).process.sockets, patience).toBe(clientCount);
	}, 300_000);

	it('refuse one tenant that wants more, with the reason and the time to return, and nobody else', async () => {
		const greedy = Array.from({ length: 60 }, () => open(living[0]!, cookies.get(living[0]!)!, 'greedy'));
		const ends = await Promise.all(
			greedy.map(
				(socket) =>
					new Promise<'in' | Partial<ConnectRefusal> | string>((resolve) => {
						socket.on('connect', () => resolve('in'));
						socket.on('connect_error', (error: Refused) => resolve(error.data ?? error.message));
					})
			)
		);
		for (const socket of greedy) socket.disconnect();
		expect(ends.filter((end) => end === 'in')).toHaveLength(40);
		const refusal = ends.find((end) => end !== 'in') as ConnectRefusal;
		expect(refusal).toMatchObject({ code: 'too_many_connections', reason: 'tenant-full' });
		expect(refusal.retryAfterSeconds).toBeGreaterThanOrEqual(60);
		expect(showing(1)).toBe(clientCount);
	}, 120_000);

	it('serve others while one tenant pulls as fast as it can', async () => {
		const [instance] = living;
		const pull = (tenant: string) =>
			instance!.people.send('POST', '/api/v1/sync/pull', {
				headers: { cookie: cookies.get(instance!)!, [simulatedTenantHeader]: tenant },
				body: {}
			});
		let stop = false;
		let served = 0;
		const refused = new Set<string>();
		const flood = Array.from({ length: 30 }, async () => {
			while (!stop) {
				const { status, body } = await pull('noisy');
				if (status === 200) served += 1;
				else refused.add(body.reason);
			}
		});
		for (let round = 0; round < 4; round++) {
			const others = await Promise.all(Array.from({ length: 15 }, (_, one) => pull(`quiet ${one}`)));
			expect(others.map(({ status, body }) => body.reason ?? body.errors ?? status)).toEqual(
				others.map(() => [])
			);
			const { parts } = others[0]!.body as SyncPullAnswer;
			const levels = parts.find(({ kind }) => kind === 'levels')?.items[0]?.value;
			expect(levels).toMatchObject({ current: { level: 1 } });
		}
		stop = true;
		await Promise.all(flood);
		expect(served).toBeGreaterThan(0);
		expect([...refused]).toEqual(['pace']);
		await expect
			.poll(
				async () => (await spike()).storm!.refused.map(({ what, reason }) => `${what} ${reason}`),
				patience
			)
			.toContain('pull pace');
		expect((await spike()).storm!.breaker).toBe('closed');
		expect(showing(1)).toBe(clientCount);
	}, 180_000);
});
