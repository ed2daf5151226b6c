import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Adapter } from '@sveltejs/kit';

const inlineScript = /<script>([\s\S]*?)<\/script>/g;

/** Moves the inline scripts of a page out: the page with `src` instead, and the files it now needs. Pure. */
export function moveScriptsOut(html: string): { html: string; files: Map<string, string> } {
	const files = new Map<string, string>();
	const moved = html.replace(inlineScript, (_all, code: string) => {
		const name = `start.${createHash('sha256').update(code).digest('base64url').slice(0, 10)}.js`;
		files.set(name, code);
		return `<script src="/_app/immutable/${name}"></script>`;
	});
	return { html: moved, files };
}

async function moveScriptsOutOfFolder(folder: string): Promise<void> {
	const names = await readdir(folder, { recursive: true });
	for (const name of names.filter((each) => each.endsWith('.html'))) {
		const path = join(folder, name);
		const { html, files } = moveScriptsOut(await readFile(path, 'utf8'));
		if (files.size === 0) continue;
		await mkdir(join(folder, '_app/immutable'), { recursive: true });
		for (const [file, code] of files) await writeWithCompressed(join(folder, '_app/immutable', file), code);
		await writeWithCompressed(path, html);
	}
}

async function writeWithCompressed(path: string, text: string): Promise<void> {
	await writeFile(path, text);
	await writeFile(`${path}.gz`, gzipSync(text));
	await writeFile(`${path}.br`, brotliCompressSync(text));
}

/**
 * Wraps the static adapter so that no page carries an inline script: the server's policy stays
 * `script-src 'self'`, with no hash to keep in step with a build.
 */
export function withExternalScripts(inner: Adapter, folder = 'build'): Adapter {
	return {
		...inner,
		async adapt(builder) {
			await inner.adapt(builder);
			await moveScriptsOutOfFolder(folder);
		}
	};
}
