import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { DataFolderInUseError, isRunning, lockDataFolder } from './data-lock.ts';
import { choosePostgresUser, publicFolderPath } from './postgres-user.ts';
import { startEmbeddedPostgres } from './postgres.ts';
import type { EmbeddedPostgres } from './postgres.ts';

const log = pino({ level: 'silent' });
const isRoot = process.getuid?.() === 0;
const cleanUps: (() => Promise<unknown>)[] = [];

afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
}, 60_000);

async function privateFolder(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'marsad-postgres-'));
	await chmod(folder, 0o700);
	cleanUps.push(() => rm(folder, { recursive: true, force: true }));
	return join(folder, 'data');
}

async function start(dataDir: string, allowNamespace = true): Promise<EmbeddedPostgres> {
	const server = await startEmbeddedPostgres({ dataDir, log, allowNamespace });
	cleanUps.push(() => server.stop());
	return server;
}

async function query(url: string, sql: string): Promise<unknown[]> {
	const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
	client.on('error', () => undefined);
	await client.connect();
	try {
		return (await client.query(sql)).rows as unknown[];
	} finally {
		await client.end();
	}
}

async function startOwner(
	dataDir: string,
	uid?: number
): Promise<{ owner: ChildProcess; url: string; pid: number }> {
	const identity = uid === undefined ? {} : { uid, gid: uid };
	const owner = spawn(process.execPath, [join(import.meta.dirname, 'postgres-owner.fixture.ts'), dataDir], {
		stdio: ['ignore', 'pipe', 'inherit'],
		...identity
	});
	cleanUps.push(async () => {
		if (owner.exitCode === null && owner.signalCode === null && owner.kill('SIGTERM'))
			await once(owner, 'exit');
	});
	const [line] = (await once(owner.stdout!, 'data')) as [Buffer];
	return { owner, ...(JSON.parse(line.toString()) as { url: string; pid: number }) };
}

describe('the embedded PostgreSQL', { timeout: 120_000 }, () => {
	it('keeps its data from one start to the next, in a folder only its owner may enter', async () => {
		const dataDir = await privateFolder();
		const first = await start(dataDir);
		await query(first.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (7)');
		expect(await query(first.url, 'SHOW fsync')).toEqual([{ fsync: 'on' }]);
		expect(await query(first.url, 'SHOW server_encoding')).toEqual([{ server_encoding: 'UTF8' }]);
		await first.stop();
		await first.stop();
		const second = await start(dataDir);
		expect(await query(second.url, 'SELECT n FROM kept')).toEqual([{ n: 7 }]);
		expect((await stat(join(dataDir, 'postgres-password'))).mode & 0o777).toBe(0o600);
	});

	it('takes no connection without the password', async () => {
		const server = await start(await privateFolder());
		const stranger = new URL(server.url);
		stranger.password = 'guessed';
		await expect(query(stranger.href, 'SELECT 1')).rejects.toMatchObject({ code: '28P01' });
	});

	it('tells a second owner in one line that the folder is in use', async () => {
		const dataDir = await privateFolder();
		await start(dataDir);
		const refused = await startEmbeddedPostgres({ dataDir, log }).catch((error: unknown) => error);
		expect(refused).toBeInstanceOf(DataFolderInUseError);
		expect((refused as Error).message).not.toContain('\n');
		expect((refused as Error).message).toContain(String(process.pid));
	});

	it('finds everything committed after kill -9 of its owner, and stops what that left behind', async () => {
		const dataDir = await privateFolder();
		const { owner, url, pid } = await startOwner(dataDir);
		await query(url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (1), (2)');
		// Frozen, so that it is there for sure when the next one starts.
		process.kill(pid, 'SIGSTOP');
		owner.kill('SIGKILL');
		await once(owner, 'exit');
		expect(isRunning(pid)).toBe(true);
		const wake = setTimeout(() => process.kill(pid, 'SIGCONT'), 1_000);
		const next = await start(dataDir);
		clearTimeout(wake);
		expect(isRunning(pid)).toBe(false);
		expect(await query(next.url, 'SELECT count(*)::int AS n FROM kept')).toEqual([{ n: 2 }]);
	});

	it.runIf(process.platform === 'linux')('leaves nothing running after kill -9 of its owner', async () => {
		const { owner, pid } = await startOwner(await privateFolder());
		owner.kill('SIGKILL');
		await expect.poll(() => isRunning(pid), { timeout: 30_000 }).toBe(false);
	});

	it('comes back on the same address when the postmaster itself is killed', async () => {
		const server = await start(await privateFolder());
		await query(server.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (3)');
		process.kill(server.pid()!, 'SIGKILL');
		await expect
			.poll(() => query(server.url, 'SELECT n FROM kept').catch(() => []), { timeout: 60_000 })
			.toEqual([{ n: 3 }]);
	});

	it.runIf(isRoot)('runs for root under another user where there are no user namespaces', async () => {
		const dataDir = await privateFolder();
		cleanUps.push(() => rm(publicFolderPath(dataDir), { recursive: true, force: true }));
		const inNamespace = await start(dataDir);
		await query(inNamespace.url, 'CREATE TABLE kept (n int); INSERT INTO kept VALUES (5)');
		await inNamespace.stop();
		const asOther = await start(dataDir, false);
		expect(await query(asOther.url, 'SELECT n FROM kept')).toEqual([{ n: 5 }]);
		await asOther.stop();
		const again = await start(dataDir);
		expect(await query(again.url, 'SELECT n FROM kept')).toEqual([{ n: 5 }]);
	});

	it.runIf(isRoot)('runs as a plain user', async () => {
		const { uid } = await choosePostgresUser(false);
		const dataDir = await privateFolder();
		await mkdir(dataDir, { mode: 0o700 });
		await chmod(join(dataDir, '..'), 0o711);
		await chown(dataDir, uid, uid);
		const { url } = await startOwner(dataDir, uid);
		expect(await query(url, 'SELECT 1 AS n')).toEqual([{ n: 1 }]);
	});

	it('refuses a cluster of another major version in one line', async () => {
		const dataDir = await privateFolder();
		await mkdir(join(dataDir, 'postgres'), { recursive: true });
		await writeFile(join(dataDir, 'postgres/PG_VERSION'), '15\n');
		await expect(start(dataDir)).rejects.toThrow(/^the data folder holds PostgreSQL 15, this is 18/);
	});
});

describe('the lock of a data folder', () => {
	it('is taken over from a process that is gone, and from a number that was given away again', async () => {
		const dataDir = await privateFolder();
		for (const holder of [
			{ pid: 2 ** 22 + 1, startedAt: '1', token: 'gone' },
			{ pid: process.pid, startedAt: '1', token: 'reused' }
		]) {
			await mkdir(dataDir, { recursive: true });
			await writeFile(join(dataDir, `lock.${holder.token}`), JSON.stringify(holder));
			const unlock = await lockDataFolder(dataDir);
			const [name = ''] = await readdir(dataDir);
			expect(await readFile(join(dataDir, name), 'utf8')).toContain(`"pid":${process.pid}`);
			await unlock();
			expect(await readdir(dataDir)).toEqual([]);
		}
	});

	it('has one winner among many that find a dead one', async () => {
		const dataDir = await privateFolder();
		await mkdir(dataDir, { recursive: true });
		await writeFile(join(dataDir, 'lock.gone'), '{"pid":4194305,"startedAt":"1","token":"gone"}');
		const results = await Promise.allSettled(Array.from({ length: 20 }, () => lockDataFolder(dataDir)));
		expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1);
	});
});
