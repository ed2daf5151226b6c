import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from './config.ts';

const root = path.resolve(import.meta.dirname, '..');
const folders = ['src', 'contract', 'migrations'];
let code: Promise<string> | null = null;

/** Names the code that runs, with the web that it serves: two builds that differ in a line have two names. */
export async function nameBuild(web: string): Promise<string> {
	code ??= hashCode();
	return `${(await code).slice(0, 12)}-${web}`;
}

/** A short name of anything that can be written down. */
export function nameOf(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

async function hashCode(): Promise<string> {
	const hash = createHash('sha256');
	for (const folder of folders) {
		const names = await readdir(path.join(root, folder), { recursive: true });
		const own = names.filter((name) => /\.(ts|sql)$/.test(name) && !name.includes('.test.')).sort();
		for (const name of own) hash.update(name).update(await readFile(path.join(root, folder, name)));
	}
	return hash.digest('hex');
}

/** What a spike run is evidence for, beside the code: with other settings it says nothing. */
export function settingsOf(config: Config, site: unknown, levels: unknown) {
	const { admitPerSecond, databasePoolMax, demo, lab, eligibilityUrl = null } = config;
	return { admitPerSecond, databasePoolMax, demo, lab: lab ?? null, eligibilityUrl, site, levels };
}

/** Names the web that is served: screens that were opened with another one offer to reload. */
export async function readBuild(webRoot: string): Promise<string> {
	const version = await readFile(path.join(webRoot, '_app/version.json'), 'utf8').catch(() => '{}');
	return (JSON.parse(version) as { version?: string }).version ?? 'none';
}
