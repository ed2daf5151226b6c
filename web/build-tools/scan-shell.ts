import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Adapter } from '@sveltejs/kit';

/** One chunk of Vite's manifest, as far as it matters here. */
export interface Chunk {
	file: string;
	imports?: string[];
	dynamicImports?: string[];
	css?: string[];
	assets?: string[];
}
export type ChunkManifest = Readonly<Record<string, Chunk>>;

/** Where the worker's list stands in its source. */
const mark = /\/\* shell \*\/[\s\S]*?\/\* end \*\//;
/** Beside the built scripts: what the page names by address. */
const alwaysNeeded = ['/boot.js', '/favicon.svg', '/scan.webmanifest', '/scan-icon-192.png'];

/**
 * Every file that the parts named by `keys` can ever ask for. Parts that are loaded later belong to it, too; of the
 * entry that knows all screens only what it imports itself, for its later parts are the other screens. Pure.
 * @throws Error for a chunk that the manifest does not know
 */
export function filesOf(
	manifest: ChunkManifest,
	keys: readonly string[],
	entryKeys: readonly string[]
): string[] {
	const files = new Set<string>();
	const seen = new Set<string>();
	const visit = (key: string, isWhole: boolean) => {
		if (seen.has(key)) return;
		seen.add(key);
		const chunk = manifest[key];
		if (!chunk) throw new Error(`the web build knows no ${key}`);
		for (const file of [chunk.file, ...(chunk.css ?? []), ...(chunk.assets ?? [])]) files.add(`/${file}`);
		for (const next of chunk.imports ?? []) visit(next, true);
		if (isWhole) for (const next of chunk.dynamicImports ?? []) visit(next, true);
	};
	for (const key of entryKeys) visit(key, false);
	for (const key of keys) visit(key, true);
	// A browser that has the newer format never asks for the older one.
	return [...files].filter((file) => !file.endsWith('.woff')).sort();
}

/** The worker's source with its list in it. Pure. */
export function withShell(
	worker: string,
	shell: { version: string; pageSha256: string; files: string[] }
): string {
	if (!mark.test(worker)) throw new Error('the worker has no place for its list');
	return worker.replace(mark, () => `/* shell */ ${JSON.stringify(shell)} /* end */`);
}

async function writeShell(folder: string, kitFolder: string): Promise<void> {
	const manifest = JSON.parse(
		await readFile(join(kitFolder, 'output/client/.vite/manifest.json'), 'utf8')
	) as ChunkManifest;
	const nodes = await scanNodes(join(kitFolder, 'generated/build/client-optimized/nodes'));
	const keys = Object.keys(manifest);
	const entryKeys = keys.filter((key) => /client-optimized\/app\.js$|client\/(entry|payload)\.js$/.test(key));
	const nodeKeys = keys.filter(
		(key) => nodes.some((node) => key.endsWith(`/nodes/${node}`)) || key.endsWith('client/client-entry.js')
	);
	const page = await readFile(join(folder, 'scan.html'), 'utf8');
	const named = [...page.matchAll(/(?:src|href)="(\/_app\/[^"]+)"/g)].map(([, file]) => file!);
	const files = [...new Set([...alwaysNeeded, ...named, ...filesOf(manifest, nodeKeys, entryKeys)])].sort();
	for (const file of files)
		if (!existsSync(join(folder, file))) throw new Error(`the scanner needs ${file}, which was not built`);
	const pageSha256 = sha256(page);
	const shell = { version: sha256(JSON.stringify([pageSha256, files])).slice(0, 16), pageSha256, files };
	const path = join(folder, 'scan-worker.js');
	const worker = withShell(await readFile(path, 'utf8'), shell);
	await writeFile(path, worker);
	await writeFile(`${path}.gz`, gzipSync(worker));
	await writeFile(`${path}.br`, brotliCompressSync(worker));
}

/** Names of the parts that make up the page: its own, the root layout and the error page. */
async function scanNodes(folder: string): Promise<string[]> {
	const found = ['0.js', '1.js'];
	for (const name of await readdir(folder)) {
		if ((await readFile(join(folder, name), 'utf8')).includes('routes/(scan)/')) found.push(name);
	}
	return found;
}

function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}

/** Wraps an adapter: the scanner's service worker gets the list of all that its page needs without a network. */
export function withScanShell(inner: Adapter, folder = 'build', kitFolder = '.svelte-kit'): Adapter {
	return {
		...inner,
		async adapt(builder) {
			await inner.adapt(builder);
			await writeShell(folder, kitFolder);
		}
	};
}
