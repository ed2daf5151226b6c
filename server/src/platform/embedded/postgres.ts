import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { appendFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { isRunning, lockDataFolder } from './data-lock.ts';
import {
	connectionString,
	keepRunning,
	lastLine,
	launch,
	role,
	spawnProgram,
	stopSignals
} from './postgres-process.ts';
import type { Cluster } from './postgres-process.ts';
import { findPrograms } from './postgres-programs.ts';
import {
	canEnter,
	choosePostgresUser,
	copyPrograms,
	ensureOwner,
	publicFolder,
	publicFolderPath
} from './postgres-user.ts';
import { loadOrCreateSecret } from './secret.ts';

const pollMs = 50;

export type EmbeddedPostgresOptions = {
	/** Everything that belongs to it is kept here: the cluster, its log, its password, the lock. */
	dataDir: string;
	log: Pick<Logger, 'info' | 'warn' | 'error'>;
	/** A free one when not given. */
	port?: number;
	/** False runs it, as root, under another user, as where the system allows no user namespaces. */
	allowNamespace?: boolean;
	/** Further settings, for tests. */
	settings?: Readonly<Record<string, string>>;
};

export type EmbeddedPostgres = {
	/** Connection string with the password in it: never to be logged. */
	url: string;
	pid(): number | undefined;
	stop(): Promise<void>;
};

/**
 * Starts the PostgreSQL that npm carries on a data folder of ours, and restarts it on the same port should it die.
 * @throws DataFolderInUseError, or an Error in one line when it cannot start
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
	const { dataDir, log } = options;
	const unlock = await lockDataFolder(dataDir);
	try {
		const cluster = await prepareCluster(options);
		await stopOrphan(cluster, log);
		await createClusterOnce(cluster, log);
		const server = await launch(cluster, options.port);
		const url = connectionString(cluster, server.port);
		const keeper = keepRunning(cluster, server, log);
		let stopped: Promise<void> | undefined;
		return {
			url,
			pid: () => keeper.pid(),
			stop: () => (stopped ??= keeper.stop().finally(unlock))
		};
	} catch (error) {
		await unlock();
		throw error;
	}
}

async function prepareCluster(options: EmbeddedPostgresOptions): Promise<Cluster> {
	const { dataDir, log } = options;
	const user = await choosePostgresUser(options.allowNamespace ?? true);
	let native = await findPrograms();
	if (!canEnter(user, native)) {
		const copy = join(await publicFolder(dataDir), 'native');
		log.warn({ folder: copy }, 'PostgreSQL may not enter the project folder: its programs are copied');
		await copyPrograms(native, copy);
		native = copy;
	}
	const folder = await placeCluster(dataDir, canEnter(user, dataDir), log);
	const password = await loadOrCreateSecret(dataDir, 'postgres-password');
	const logFile = join(dataDir, 'postgres.log');
	await ensureOwner(folder, user);
	return { native, folder, logFile, password, user, settings: options.settings ?? {} };
}

/** The cluster lies in the data folder, or, once the user who runs it could not enter that, in a public one. */
async function placeCluster(
	dataDir: string,
	enters: boolean,
	log: EmbeddedPostgresOptions['log']
): Promise<string> {
	const home = join(dataDir, 'postgres');
	const away = join(publicFolderPath(dataDir), 'postgres');
	if (existsSync(join(away, 'PG_VERSION'))) return away;
	if (enters) return home;
	log.warn({ folder: away }, 'PostgreSQL may not enter the data folder: its data is kept here');
	await publicFolder(dataDir);
	if (existsSync(join(home, 'PG_VERSION'))) {
		await cp(home, `${away}.new`, { recursive: true, preserveTimestamps: true });
		await rename(`${away}.new`, away);
		await rename(home, `${home}.moved`);
	}
	return away;
}

/** A postmaster outlives a killed server. Our lock says that its owner is gone, so it is an orphan and is stopped. */
async function stopOrphan(cluster: Cluster, log: EmbeddedPostgresOptions['log']): Promise<void> {
	const pid = Number(
		(await readFile(join(cluster.folder, 'postmaster.pid'), 'utf8').catch(() => '')).split('\n')[0]
	);
	if (!Number.isInteger(pid) || pid <= 1 || !isRunning(pid)) return;
	if (!isPostmasterOf(pid, cluster.folder)) return;
	log.info({ pid }, 'stopping the PostgreSQL that an earlier process left behind');
	for (const [signal, waitMs] of stopSignals) {
		process.kill(pid, signal);
		for (let waited = 0; waited < waitMs; waited += pollMs) {
			// Where nobody reaps it (process 1 of a container) it stays as a shell without a command line.
			if (!isRunning(pid) || !isPostmasterOf(pid, cluster.folder)) return;
			await delay(pollMs);
		}
	}
	throw new Error(`the PostgreSQL left behind as process ${pid} does not stop: end it by hand`);
}

function isPostmasterOf(pid: number, folder: string): boolean {
	const found = spawnSync('ps', ['-ww', '-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
	if (found.status !== 0) return commandLine(pid).includes(folder);
	return found.stdout.includes('postgres') && found.stdout.includes(folder);
}

function commandLine(pid: number): string {
	// A slim container has no ps.
	const found = spawnSync('cat', [`/proc/${pid}/cmdline`], { encoding: 'utf8' });
	return (found.stdout ?? '').replaceAll('\0', ' ');
}

async function createClusterOnce(cluster: Cluster, log: EmbeddedPostgresOptions['log']): Promise<void> {
	const version = await readFile(join(cluster.folder, 'PG_VERSION'), 'utf8').catch(() => undefined);
	const [major = ''] = await programVersion(cluster);
	if (version !== undefined) {
		if (version.trim() === major) return;
		throw new Error(
			`the data folder holds PostgreSQL ${version.trim()}, this is ${major}: upgrade it, or name another DATA_DIR`
		);
	}
	log.info({}, 'creating the database cluster');
	// In a folder of its own and renamed when done: a cluster is there whole, or not at all.
	const draft = `${cluster.folder}.new`;
	await rm(draft, { recursive: true, force: true });
	await rm(cluster.folder, { recursive: true, force: true });
	await mkdir(draft, { mode: 0o700 });
	await ensureOwner(draft, cluster.user);
	const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
	const passwordFile = `${draft}.password`;
	await writeFile(passwordFile, `${cluster.password}\n`, { mode: 0o600 });
	await ensureOwner(passwordFile, cluster.user);
	const args = ['-D', draft, '-U', role, '--auth=scram-sha-256', `--pwfile=${passwordFile}`, ...locale];
	const child = spawnProgram(cluster, 'initdb', args, { stdio: ['ignore', 'pipe', 'pipe'] });
	let output = '';
	child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	const [code] = (await once(child, 'close')) as [number | null];
	await rm(passwordFile, { force: true });
	if (code !== 0) {
		await appendFile(cluster.logFile, output, { mode: 0o600 });
		throw new Error(`PostgreSQL could not be set up: ${lastLine(output)} (more in ${cluster.logFile})`);
	}
	await rename(draft, cluster.folder);
}

async function programVersion(cluster: Cluster): Promise<string[]> {
	const child = spawnProgram(cluster, 'postgres', ['--version'], { stdio: ['ignore', 'pipe', 'ignore'] });
	let output = '';
	child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
	await once(child, 'close');
	return /(\d+)\.(\d+)/.exec(output)?.slice(1) ?? [];
}
