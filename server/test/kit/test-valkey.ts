import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';

const program = '/usr/bin/redis-server';

/** A real server that speaks the Redis protocol, on a free port, for one test file. */
export interface TestValkey {
	/** Through a door that can be closed. */
	url: string;
	/** For looks past the door. */
	admin: Redis;
	/** Cuts every connection and lets nobody in, or opens again. */
	setReachable(reachable: boolean): Promise<void>;
	/** kill -9. */
	kill(): Promise<void>;
	/** Starts again on the same files: by default nothing was saved, so everything is lost. */
	start(): Promise<void>;
	/** Stops the process in its tracks, or lets it run again. */
	setFrozen(frozen: boolean): void;
	close(): Promise<void>;
}

/** Whether such a server can be had here; in CI its absence is a failure, not a skip. */
export function hasTestValkey(): boolean {
	return existsSync(program) || process.env['TEST_VALKEY_URL'] !== undefined || Boolean(process.env['CI']);
}

/** Starts Debian's redis-server, or uses TEST_VALKEY_URL (which is then neither killed nor frozen). */
export async function createTestValkey(options: { appendOnly?: boolean } = {}): Promise<TestValkey> {
	const given = process.env['TEST_VALKEY_URL'];
	const dir = await mkdtemp(path.join(tmpdir(), 'marsad-valkey-'));
	const port = given ? Number(new URL(given).port || 6379) : await freePort();
	const host = given ? new URL(given).hostname : '127.0.0.1';
	let child: ChildProcess | null = null;
	const start = async () => {
		child = spawn(
			program,
			[
				...['--port', String(port), '--bind', '127.0.0.1', '--dir', dir, '--save', ''],
				...['--appendonly', options.appendOnly ? 'yes' : 'no', '--appendfsync', 'always']
			],
			{ stdio: 'ignore' }
		);
		await untilOpen(host, port);
	};
	if (!given) await start();
	const admin = new Redis({ host, port, maxRetriesPerRequest: 0, retryStrategy: () => 25 });
	admin.on('error', () => undefined);
	await admin.ping();
	const door = await createDoor(host, port);
	const kill = async () => {
		const old = child;
		if (!old || old.exitCode !== null) return;
		const gone = new Promise((resolve) => old.once('exit', resolve));
		old.kill('SIGCONT');
		old.kill('SIGKILL');
		await gone;
	};
	return {
		url: `valkey://127.0.0.1:${door.port}`,
		admin,
		setReachable: door.setOpen,
		kill,
		async start() {
			await start();
			while (admin.status !== 'ready') await new Promise((resolve) => setTimeout(resolve, 5));
		},
		setFrozen: (frozen) => void child?.kill(frozen ? 'SIGSTOP' : 'SIGCONT'),
		async close() {
			admin.disconnect();
			await door.close();
			await kill();
			await rm(dir, { recursive: true, force: true });
		}
	};
}

/** A door in front of a port: what goes through it can be cut at any moment. */
async function createDoor(host: string, port: number) {
	const sockets = new Set<Socket>();
	let isOpen = true;
	const cut = () => {
		for (const socket of sockets) socket.destroy();
		sockets.clear();
	};
	const server: Server = createServer((inner) => {
		if (!isOpen) return void inner.destroy();
		const outer = connect(port, host);
		for (const [socket, other] of [
			[inner, outer],
			[outer, inner]
		] as const) {
			sockets.add(socket);
			socket.on('error', () => undefined);
			socket.on('close', () => {
				sockets.delete(socket);
				other.destroy();
			});
			socket.pipe(other);
		}
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	return {
		port: typeof address === 'object' && address ? address.port : 0,
		async setOpen(open: boolean) {
			isOpen = open;
			if (!open) cut();
		},
		async close() {
			cut();
			await new Promise((resolve) => server.close(resolve));
		}
	};
}

export async function freePort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	const port = typeof address === 'object' && address ? address.port : 0;
	await new Promise((resolve) => server.close(resolve));
	return port;
}

async function untilOpen(host: string, port: number): Promise<void> {
	for (let tries = 0; tries < 400; tries++) {
		const open = await new Promise<boolean>((resolve) => {
			const socket = connect(port, host);
			socket.on('connect', () => resolve(true));
			socket.on('error', () => resolve(false));
			socket.on('close', () => resolve(false));
		}).finally(() => undefined);
		if (open) return;
		await new Promise((resolve) => setTimeout(resolve, 25));
	}
	throw new Error('the Redis server did not start');
}
