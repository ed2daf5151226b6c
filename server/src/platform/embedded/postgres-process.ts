import { spawn } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { once } from 'node:events';
import { chmod, open, readFile, stat, truncate } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Logger } from 'pino';
import type { PostgresUser } from './postgres-user.ts';

/** The one role of the embedded cluster. */
export const role = 'marsad';
const databaseName = 'marsad';
const startAttempts = 5;
const readyWaitMs = 60_000;
const pollMs = 50;
const logBytesMax = 10 * 1024 * 1024;
const restartDelayMsMax = 10_000;

/** One PostgreSQL on disk, and how its programs are called. */
export type Cluster = {
	native: string;
	folder: string;
	logFile: string;
	password: string;
	user: PostgresUser;
	settings: Readonly<Record<string, string>>;
};

// Fast (sessions are cut, data written), immediate (recovery at the next start), then by force.
export const stopSignals: readonly (readonly [NodeJS.Signals, number])[] = [
	['SIGINT', 15_000],
	['SIGQUIT', 5_000],
	['SIGKILL', 5_000]
];

/** Calls a program of PostgreSQL as the user that runs it. */
export function spawnProgram(
	cluster: Cluster,
	name: string,
	args: string[],
	options: SpawnOptions
): ChildProcess {
	const [program = '', ...rest] = [...cluster.user.prefix, join(cluster.native, 'bin', name), ...args];
	const identity = cluster.user.kind === 'other' ? { uid: cluster.user.uid, gid: cluster.user.gid } : {};
	return spawn(program, rest, {
		...options,
		...identity,
		cwd: cluster.native,
		// A group of its own: Ctrl-C in a terminal reaches our process alone, which stops this one in good order.
		detached: true,
		env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', LC_ALL: 'C', TZ: 'UTC' }
	});
}

export type Running = { child: ChildProcess; port: number };

/**
 * Starts the server and waits until it answers.
 * @throws Error with the last line of its log
 */
export async function launch(cluster: Cluster, port: number | undefined): Promise<Running> {
	let reason = '';
	for (let attempt = 0; attempt < startAttempts; attempt++) {
		const tried = port ?? (await freePort());
		const child = await spawnServer(cluster, tried);
		const outcome = await waitUntilReady(cluster, child, tried);
		if (outcome === 'ready') return { child, port: tried };
		reason = lastLine(await readFile(cluster.logFile, 'utf8').catch(() => ''));
		// Another process may have taken the free port, or the last one's shared memory is still being given back.
		await delay(200 * (attempt + 1));
	}
	throw new Error(`PostgreSQL does not start: ${reason} (more in ${cluster.logFile})`);
}

async function spawnServer(cluster: Cluster, port: number): Promise<ChildProcess> {
	const settings = {
		listen_addresses: '127.0.0.1',
		unix_socket_directories: '',
		port: String(port),
		max_connections: '60',
		shared_buffers: '128MB',
		wal_compression: 'on',
		max_wal_size: '1GB',
		timezone: 'UTC',
		log_timezone: 'UTC',
		// The caller hears of its own errors; a log line for each would only fill the disk.
		log_min_messages: 'log',
		log_checkpoints: 'off',
		...cluster.settings
	};
	const args = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
	await capLog(cluster.logFile);
	const log = await open(cluster.logFile, 'a', 0o600);
	try {
		const child = spawnProgram(cluster, 'postgres', ['-D', cluster.folder, ...args], {
			stdio: ['ignore', log.fd, log.fd]
		});
		child.on('error', () => undefined);
		return child;
	} finally {
		await log.close();
	}
}

async function waitUntilReady(
	cluster: Cluster,
	child: ChildProcess,
	port: number
): Promise<'ready' | 'ended'> {
	for (let waited = 0; waited < readyWaitMs; waited += pollMs) {
		if (hasEnded(child)) return 'ended';
		if (await answers(cluster, port)) return 'ready';
		await delay(pollMs);
	}
	await endProcess(child);
	return 'ended';
}

/** True once it takes our password, so never for a stranger on the same port; the database is made on the way. */
async function answers(cluster: Cluster, port: number): Promise<boolean> {
	const client = new pg.Client({
		connectionString: connectionString(cluster, port, 'postgres'),
		connectionTimeoutMillis: 5_000
	});
	client.on('error', () => undefined);
	try {
		await client.connect();
		const found = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [databaseName]);
		if (found.rowCount === 0) await client.query(`CREATE DATABASE ${databaseName}`);
		return true;
	} catch {
		return false;
	} finally {
		await client.end().catch(() => undefined);
	}
}

/** Watches the server and starts it again on the same port until it is stopped. */
export function keepRunning(
	cluster: Cluster,
	first: Running,
	log: Pick<Logger, 'error'>
): { pid(): number | undefined; stop(): Promise<void> } {
	let current = first.child;
	const stopping = new AbortController();
	const capTimer = setInterval(() => void capLog(cluster.logFile), 60_000).unref();
	const watch = async (): Promise<void> => {
		while (!stopping.signal.aborted) {
			if (!hasEnded(current)) await once(current, 'exit');
			if (stopping.signal.aborted) return;
			log.error(
				{ exitCode: current.exitCode, signal: current.signalCode },
				'PostgreSQL ended: starting it again'
			);
			await restart();
		}
	};
	const restart = async (): Promise<void> => {
		for (let attempt = 1; !stopping.signal.aborted; attempt++) {
			current = await spawnServer(cluster, first.port);
			if ((await waitUntilReady(cluster, current, first.port)) === 'ready') return;
			await delay(Math.min(restartDelayMsMax, 200 * attempt), undefined, { ref: false });
		}
	};
	const watching = watch();
	return {
		pid: () => current.pid,
		async stop() {
			stopping.abort();
			clearInterval(capTimer);
			await endProcess(current);
			await watching;
			// A restart that was under way when the stop came.
			await endProcess(current);
		}
	};
}

async function endProcess(child: ChildProcess): Promise<void> {
	for (const [signal, waitMs] of stopSignals) {
		if (hasEnded(child)) return;
		child.kill(signal);
		const patience = new AbortController();
		const exit = once(child, 'exit').finally(() => patience.abort());
		await Promise.race([exit, delay(waitMs, undefined, { signal: patience.signal }).catch(() => undefined)]);
	}
}

function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** The log is opened for appending, so that cutting it down under a running PostgreSQL is safe. */
async function capLog(path: string): Promise<void> {
	const size = (await stat(path).catch(() => undefined))?.size ?? 0;
	if (size > logBytesMax) await truncate(path, 0);
	if (size > 0) await chmod(path, 0o600);
}

/** The address with the password in it. */
export function connectionString(cluster: Cluster, port: number, database = databaseName): string {
	return `postgres://${role}:${encodeURIComponent(cluster.password)}@127.0.0.1:${port}/${database}`;
}

async function freePort(): Promise<number> {
	const probe = createServer().listen(0, '127.0.0.1');
	await once(probe, 'listening');
	const { port } = probe.address() as AddressInfo;
	probe.close();
	await once(probe, 'close');
	return port;
}

/** The last line of a text, for a message of one line. */
export function lastLine(text: string): string {
	return text.trimEnd().split('\n').at(-1)?.trim() ?? '';
}
