import { fork } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../../server/src/platform/embedded/postgres.ts';
import { createLog } from '../../../server/src/platform/log.ts';
import type { ListeningMessage } from '../../../server/src/main.ts';
import { root, stopWithParent } from '../paths.ts';

const stopTimeoutMs = 35_000;
const startTimeoutMs = 120_000;

/** A process under measurement. */
export type Measured = {
	url: string;
	pid: number;
	/** Set where it has a broker. */
	mqttPort: number | null;
	/** CPU time it has used, user and system, ms. */
	cpuMs(): number;
	/** Memory that is resident, MB of 10^6 bytes. */
	rssMb(): number;
	stop(): Promise<void>;
};

/** A PostgreSQL of its own (fsync on, as it comes), and processes on it; all of it is gone after `close`. */
export type Stand = {
	databaseUrl: string;
	/** A fresh folder of this run. */
	folder: string;
	/** The product itself, as a process of its own, on free ports. */
	startServer(env: Readonly<Record<string, string>>): Promise<Measured>;
	/** Another script that says where it listens, with `{kind: 'listening', url}`. */
	startScript(file: string, args: readonly string[]): Promise<Measured>;
	close(): Promise<void>;
};

/** @throws Error when this is no Linux, whose /proc says what a process has used */
export async function openStand(): Promise<Stand> {
	if (process.platform !== 'linux') throw new Error('the benchmarks read /proc: they run on Linux only');
	const folder = await mkdtemp(join(tmpdir(), 'marsad-bench-'));
	const postgres = await startEmbeddedPostgres({
		dataDir: join(folder, 'database'),
		log: createLog('silent'),
		settings: { max_connections: '60' }
	});
	const running = new Set<Measured>();
	const start = async (file: string, args: readonly string[], env: Readonly<Record<string, string>>) => {
		const measured = await startMeasured(file, args, env);
		running.add(measured);
		return measured;
	};
	let servers = 0;
	return {
		databaseUrl: postgres.url,
		folder,
		startServer: (env) =>
			start(join(root, 'server/src/main.ts'), [], {
				PORT: '0',
				MQTT_PORT: '0',
				LOG_LEVEL: 'error',
				DATABASE_URL: postgres.url,
				DATA_DIR: join(folder, `server-${++servers}`),
				...env
			}),
		startScript: (file, args) => start(file, args, {}),
		async close() {
			for (const one of running) await one.stop();
			await postgres.stop();
			await rm(folder, { recursive: true, force: true });
		}
	};
}

async function startMeasured(
	file: string,
	args: readonly string[],
	env: Readonly<Record<string, string>>
): Promise<Measured> {
	const child = fork(file, [...args], {
		execArgv: ['--import', stopWithParent],
		env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', ...env },
		stdio: ['ignore', 'ignore', 'pipe', 'ipc']
	});
	let errors = '';
	child.stderr?.on('data', (chunk: Buffer) => (errors = (errors + chunk.toString()).slice(-2_000)));
	const listening = await untilListening(child).catch((error: Error) => {
		throw new Error(`${error.message}: ${errors.trim()}`);
	});
	const pid = child.pid!;
	return {
		url: listening.url,
		mqttPort: listening.mqttPort ?? null,
		pid,
		cpuMs: () => cpuMsOf(pid),
		rssMb: () => rssMbOf(pid),
		async stop() {
			if (child.exitCode !== null || child.signalCode !== null) return;
			const force = setTimeout(() => child.kill('SIGKILL'), stopTimeoutMs);
			child.kill('SIGTERM');
			await once(child, 'exit');
			clearTimeout(force);
		}
	};
}

function untilListening(child: ChildProcess): Promise<ListeningMessage> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(() => reject(new Error('the process does not listen')), startTimeoutMs);
		child.on('message', (message: ListeningMessage) => {
			if (message.kind !== 'listening') return;
			clearTimeout(timer);
			resolve(message);
		});
		child.once('exit', (code) => reject(new Error(`the process ended with ${code} before it listened`)));
	});
}

/** The kernel counts in hundredths of a second. */
const tickMs = 10;

/** CPU time a process has used, user and system, ms. @throws when it is gone */
export function cpuMsOf(pid: number): number {
	const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
	// The name in parentheses may hold blanks; the fields after it do not.
	const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
	return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

function rssMbOf(pid: number): number {
	const status = readFileSync(`/proc/${pid}/status`, 'utf8');
	return (Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) * 1_024) / 1e6;
}
