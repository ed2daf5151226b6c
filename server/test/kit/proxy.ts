import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from './test-valkey.ts';

const program = '/usr/sbin/nginx';
const confFile = fileURLToPath(new URL('../../../deploy/nginx.conf', import.meta.url));

/** Whether the proxy can be had here; in CI its absence is a failure, not a skip. */
export function hasProxy(): boolean {
	return existsSync(program) || Boolean(process.env['CI']);
}

/** The proxy of the compose file with its own settings; only addresses and folders are those of this test. */
export async function startProxy(
	servers: readonly string[]
): Promise<{ url: string; stop(): Promise<void> }> {
	const dir = await mkdtemp(path.join(tmpdir(), 'marsad-proxy-'));
	const port = await freePort();
	const hosts = servers.map((url) => new URL(url).host);
	let next = 0;
	const conf = (await readFile(confFile, 'utf8'))
		.replaceAll(/server server-\d:3000 /g, () => `server ${hosts[next++]} `)
		.replace('listen 8080 ', `listen 127.0.0.1:${port} `)
		.replaceAll('/tmp/nginx', `${dir}/nginx`)
		.replace('worker_processes auto;', 'worker_processes 1;');
	await writeFile(path.join(dir, 'nginx.conf'), conf);
	// The folder is root's: a worker of another user could not enter it.
	const asRoot = process.getuid?.() === 0 ? 'user root; ' : '';
	const child = spawn(
		program,
		['-c', path.join(dir, 'nginx.conf'), '-p', dir, '-g', `${asRoot}daemon off;`],
		{ stdio: ['ignore', 'ignore', 'pipe'] }
	);
	let text = '';
	child.stderr.on('data', (chunk: Buffer) => (text += chunk.toString()));
	const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
	const url = `http://127.0.0.1:${port}`;
	for (let tries = 0; ; tries++) {
		const answers = await fetch(`${url}/healthz`).then(
			(response) => response.ok,
			() => false
		);
		if (answers) break;
		if (child.exitCode !== null || tries > 200) throw new Error(`the proxy did not start: ${text}`);
		await new Promise((resolve) => setTimeout(resolve, 50));
	}
	return {
		url,
		async stop() {
			child.kill('SIGTERM');
			await gone;
			await rm(dir, { recursive: true, force: true });
		}
	};
}
