import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { startProgram } from './child.ts';
import type { Child } from './child.ts';
import { root } from './paths.ts';
import { withPidLock } from './pid-lock.js';

const stampFile = join(root, '.cache/web-build');
const sources = [
	'web/src/**/*',
	'web/messages/*',
	'web/static/**/*',
	'web/build-tools/**/*',
	'web/project.inlang/settings.json',
	'web/*.{ts,json}',
	'server/contract/**/*.ts',
	'package-lock.json'
];

/**
 * Builds the web when its sources changed since the last build.
 * @throws Error in one line when the build fails, whose output was shown before
 */
export async function buildWebIfStale(
	say: (line: string) => void,
	onStart: (child: Child) => void = () => undefined
): Promise<void> {
	const wanted = await hashSources();
	if (await isBuilt(wanted)) return;
	await withPidLock(
		join(root, '.cache/web-build.lock'),
		(pid, waitedSeconds) => {
			if (waitedSeconds % 10 === 0) say(`waiting for process ${pid}, which builds the web`);
		},
		async () => {
			if (await isBuilt(wanted)) return;
			say('building the web');
			await build(say, onStart);
			await mkdir(dirname(stampFile), { recursive: true });
			await writeFile(stampFile, wanted);
		}
	);
}

async function build(say: (line: string) => void, onStart: (child: Child) => void): Promise<void> {
	const startedAt = performance.now();
	const seconds = (): number => Math.round((performance.now() - startedAt) / 1000);
	const heartbeat = setInterval(() => say(`building the web: ${seconds()} s`), 10_000);
	const vite = join(root, 'node_modules/vite/bin/vite.js');
	const child = startProgram(process.execPath, [vite, 'build', '--logLevel', 'warn'], {
		cwd: join(root, 'web'),
		output: 'pipe'
	});
	onStart(child);
	let output = '';
	const keep = (chunk: Buffer): string => (output = (output + chunk.toString()).slice(-20_000));
	child.process.stdout?.on('data', keep);
	child.process.stderr?.on('data', keep);
	const code = await child.ended;
	clearInterval(heartbeat);
	if (code !== 0) {
		process.stderr.write(output);
		throw new Error('the web could not be built, see the lines above');
	}
	say(`the web is built (${seconds()} s)`);
}

async function isBuilt(wanted: string): Promise<boolean> {
	if (!existsSync(join(root, 'web/build/index.html')) && !existsSync(join(root, 'web/build'))) return false;
	return (await readFile(stampFile, 'utf8').catch(() => '')) === wanted;
}

async function hashSources(): Promise<string> {
	const files: string[] = [];
	for await (const entry of glob(sources, { cwd: root, withFileTypes: true })) {
		const path = join(entry.parentPath, entry.name);
		const isSource = entry.isFile() && !path.includes('/lib/paraglide/') && !path.endsWith('.test.ts');
		if (isSource) files.push(path);
	}
	const hash = createHash('sha256');
	for (const file of files.sort())
		hash
			.update(file.slice(root.length))
			.update('\0')
			.update(await readFile(file));
	return hash.digest('hex');
}
