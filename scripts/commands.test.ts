import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');
const patience = { timeout: 180_000, interval: 100 };
const cleanUps: (() => Promise<unknown> | void)[] = [];

afterEach(async () => {
	for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function folder(): Promise<string> {
	const made = await mkdtemp(join(tmpdir(), 'marsad-commands-'));
	cleanUps.push(() => rm(made, { recursive: true, force: true, maxRetries: 20, retryDelay: 250 }));
	return made;
}

async function takenPort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	cleanUps.push(() => void server.close());
	return (server.address() as AddressInfo).port;
}

/** A clean environment: what the machine or the test run has set must not leak into what is tested. */
function environment(extra: Record<string, string>): NodeJS.ProcessEnv {
	return { PATH: process.env['PATH'], HOME: process.env['HOME'], PORT: '0', MQTT_PORT: '0', ...extra };
}

function runServer(extra: Record<string, string>): { code: number | null; errors: string; output: string } {
	const result = spawnSync(process.execPath, [join(root, 'server/src/main.ts')], {
		env: environment({ LOG_LEVEL: 'warn', NODE_NO_WARNINGS: '1', ...extra }),
		encoding: 'utf8',
		timeout: 180_000
	});
	return { code: result.status, errors: result.stderr, output: result.stdout };
}

type Running = { child: ChildProcess; output: () => string; ended: Promise<number | null> };

function start(program: string, args: string[], extra: Record<string, string>): Running {
	const child = spawn(program, args, {
		cwd: root,
		env: environment(extra),
		stdio: ['ignore', 'pipe', 'pipe'],
		// A group of its own, as a terminal gives it.
		detached: true
	});
	let output = '';
	child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
	child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
	cleanUps.push(() => signal(-child.pid!, 'SIGKILL'));
	return {
		child,
		output: () => output,
		ended: new Promise((done) => child.on('exit', (code) => done(code)))
	};
}

function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch {
		// Already gone.
	}
}

/** All living processes that descend from this one, by the operating system's own table. */
async function descendants(pid: number): Promise<number[]> {
	const children = new Map<number, number[]>();
	for (const name of await readdir('/proc')) {
		if (!/^\d+$/.test(name)) continue;
		const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '');
		const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
		children.set(parent, [...(children.get(parent) ?? []), Number(name)]);
	}
	const found: number[] = [];
	const visit = (parent: number): void => {
		for (const child of children.get(parent) ?? []) {
			found.push(child);
			visit(child);
		}
	};
	visit(pid);
	return found;
}

async function living(pids: readonly number[]): Promise<number[]> {
	const found: number[] = [];
	for (const pid of pids) {
		const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
		const state = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[0];
		if (state && state !== 'Z') found.push(pid);
	}
	return found;
}

describe('the server', () => {
	it('names wrong values in one line and ends with 1', () => {
		const { code, errors, output } = runServer({ PORT: '99999', MARSAD_SECRET: 'hidden' });
		expect(code).toBe(1);
		expect(errors).toMatch(/^marsad: PORT must be .*; MARSAD_SECRET must be .*\n$/);
		const alone = runServer({ VALKEY_URL: 'redis://127.0.0.1:1' });
		expect(alone.code).toBe(1);
		expect(alone.errors).toMatch(/^marsad: VALKEY_URL needs MARSAD_SECRET.*\n$/);
		expect(errors + output).not.toContain('hidden');
	});

	it.each(['PORT', 'MQTT_PORT'])('says in one line that %s is in use and ends with 1', async (name) => {
		const port = await takenPort();
		const dataDir = await folder();
		const { code, errors } = runServer({ DATA_DIR: dataDir, [name]: String(port) });
		expect(errors).toBe(`marsad: port ${port} is in use: name another in ${name}\n`);
		expect(code).toBe(1);
		// Before anything was set up for it.
		expect(await readdir(dataDir)).toEqual([]);
	});

	it('says in one line that the database is not reached', async () => {
		const server = createServer().listen(0, '127.0.0.1');
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		server.close();
		const { code, errors } = runServer({
			DATA_DIR: await folder(),
			DATABASE_URL: `postgres://a:b@127.0.0.1:${port}/c`
		});
		expect(errors.trimEnd().split('\n')).toHaveLength(1);
		expect(errors).toContain('ECONNREFUSED');
		expect(code).toBe(1);
	});

	it('says in one line that its data folder is in use, and stops at a signal with 0', async () => {
		const env = { DATA_DIR: await folder(), LOG_LEVEL: 'info' };
		const first = start(process.execPath, [join(root, 'server/src/main.ts')], env);
		await expect.poll(first.output, patience).toContain('"msg":"listening"');
		const { code, errors } = runServer(env);
		expect(errors).toMatch(/^marsad: the data folder .* is in use by process \d+: .*\n$/);
		expect(code).toBe(1);
		const pids = await descendants(first.child.pid!);
		expect(pids.length).toBeGreaterThan(0);
		first.child.kill('SIGTERM');
		first.child.kill('SIGTERM');
		expect(await first.ended).toBe(0);
		expect(await living(pids)).toEqual([]);
	});

	it('leaves nothing behind when it is stopped while it starts', async () => {
		const server = start(process.execPath, [join(root, 'server/src/main.ts')], { DATA_DIR: await folder() });
		let pids: number[] = [];
		await expect
			.poll(async () => (pids = await descendants(server.child.pid!)).length, patience)
			.toBeGreaterThan(0);
		server.child.kill('SIGINT');
		expect(await server.ended).toBe(0);
		expect(await living(pids)).toEqual([]);
	});
});

describe('a command', () => {
	it('that does not exist is told in one line', () => {
		const result = spawnSync(process.execPath, [join(root, 'scripts/bootstrap.js'), 'fly'], {
			encoding: 'utf8'
		});
		const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
		expect(result.stderr).toBe(`marsad: there is no command "fly": use ${Object.keys(scripts).join(', ')}\n`);
		expect(result.status).toBe(1);
	});

	type Way = readonly [string, (command: Running, pids: number[]) => Promise<void> | void, number | null];
	const ways: readonly Way[] = [
		['SIGTERM to npm', ({ child }) => void child.kill('SIGTERM'), 0],
		// A terminal sends it to the whole group.
		['Ctrl-C', ({ child }) => void process.kill(-child.pid!, 'SIGINT'), 0],
		['kill -9 of npm', ({ child }) => void child.kill('SIGKILL'), null],
		['kill -9 of the bootstrap', async (_command, pids) => signal(await bootstrapOf(pids), 'SIGKILL'), null]
	];
	it.each(ways)('leaves no child behind: %s', async (_name, end, code) => {
		const npm = process.env['npm_execpath'];
		const [program, first] = npm
			? [process.env['npm_node_execpath'] ?? process.execPath, [npm]]
			: ['npm', []];
		const command = start(program, [...first, 'run', 'demo'], { DATA_DIR: await folder() });
		await expect.poll(command.output, patience).toMatch(/@example\.org/);
		const pids = await descendants(command.child.pid!);
		expect(pids.length).toBeGreaterThan(3);
		await end(command, pids);
		const ended = await command.ended;
		if (code !== null) expect(ended).toBe(code);
		await expect.poll(() => living(pids), patience).toEqual([]);
	});
});

async function bootstrapOf(pids: readonly number[]): Promise<number> {
	for (const pid of pids) {
		const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
		// The shell in between, where npm uses one, holds the same words in one argument.
		if (!line.includes('\0scripts/bootstrap.js\0')) continue;
		return pid;
	}
	throw new Error('no bootstrap runs');
}
