import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { beforeAll, expect, it } from 'vitest';

type Entry = {
	version?: string;
	resolved?: string;
	link?: boolean;
	dependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
};

let packages: Record<string, Entry> = {};
beforeAll(async () => {
	const text = await readFile(resolve(import.meta.dirname, '../package-lock.json'), 'utf8');
	packages = (JSON.parse(text) as { packages: Record<string, Entry> }).packages;
});

/** Node's own way: node_modules of the package itself, then of each folder above. */
function isFound(from: string, name: string): boolean {
	for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
		if (packages[`${folder ? `${folder}/` : ''}node_modules/${name}`]) return true;
		if (folder === '') return false;
	}
}

it('holds every package that another one asks for, or npm ci refuses it', () => {
	const missing: string[] = [];
	for (const [path, entry] of Object.entries(packages)) {
		if (entry.link) continue;
		const wanted = { ...entry.dependencies, ...entry.optionalDependencies };
		// A package that npm could not fetch (optional ones pass in silence) leaves its name and nothing else.
		for (const name of Object.keys(wanted)) {
			const isOwn = path !== '' && !path.includes('node_modules/');
			if (!isFound(path, name) && !(isOwn && isFound('', name))) missing.push(`${path || 'root'}: ${name}`);
		}
	}
	expect(missing).toEqual([]);
});

it('holds no address of a registry', () => {
	const addresses = Object.values(packages).filter((entry) => entry.resolved !== undefined && !entry.link);
	expect(addresses).toEqual([]);
});
