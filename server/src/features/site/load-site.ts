import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSite } from './check-site.ts';
import { buildSite, type Site } from './site.ts';

const demoSite = fileURLToPath(new URL('../../../sites/demo.geojson', import.meta.url));

/** The site file cannot be used; `faults` holds one sentence a reason. */
export class SiteFileError extends Error {
	readonly faults: readonly string[];
	constructor(file: string, faults: readonly string[]) {
		super(`The site file ${file} cannot be used: ${faults.join(' ')}`);
		this.name = 'SiteFileError';
		this.faults = faults;
	}
}

/**
 * Reads, checks and indexes a site file; without a path the demo site.
 * @throws SiteFileError with every fault found
 */
export function loadSite(path: string = demoSite): Site {
	const checked = checkSite(parse(path, read(path)));
	if (!checked.ok) throw new SiteFileError(path, checked.faults);
	return buildSite(checked.file);
}

function read(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch (error) {
		const code = (error as NodeJS.ErrnoException).code ?? 'unknown';
		throw new SiteFileError(path, [`It cannot be read (${code}).`]);
	}
}

function parse(path: string, text: string): unknown {
	try {
		return JSON.parse(text);
	} catch (error) {
		throw new SiteFileError(path, [`It is not JSON: ${error instanceof Error ? error.message : 'unknown'}.`]);
	}
}
