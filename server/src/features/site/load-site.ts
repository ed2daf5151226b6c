import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { checkSite, type CheckedSite } from './check-site.ts';
import { buildSite, type Site } from './site.ts';

const demoSite = fileURLToPath(new URL('../../../sites/demo.geojson', import.meta.url));

/** Reads and checks a site file; what cannot be read or is no JSON is a fault like others. */
export function checkSiteFile(path: string): CheckedSite {
	try {
		return checkSite(parse(path, read(path)));
	} catch (error) {
		if (!(error instanceof SiteFileError)) throw error;
		return { ok: false, faults: [...error.faults], findings: error.faults.map((en) => ({ ar: en, en })) };
	}
}

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
export function loadSite(path: string = demoSite, onWarning: (text: string) => void = () => undefined): Site {
	const checked = checkSite(parse(path, read(path)));
	if (!checked.ok) throw new SiteFileError(path, checked.faults);
	for (const { en } of checked.warnings) onWarning(en);
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
