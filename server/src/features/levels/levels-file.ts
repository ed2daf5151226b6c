import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { LevelsFile } from '../../../contract/index.ts';
import { limits } from '../../limits.ts';
import { checkLevels } from './levels-check.ts';

const defaultPath = fileURLToPath(new URL('../../../levels/default.json', import.meta.url));

/** A levels file that cannot be used: the server refuses to start. `faults` holds one line for each reason. */
export class LevelsFileError extends Error {
	readonly faults: readonly string[];
	constructor(path: string, faults: readonly string[]) {
		const lines = faults.map((fault) => `levels file ${path}: ${fault}`);
		super(lines.join('\n'));
		this.name = 'LevelsFileError';
		this.faults = lines;
	}
}

/**
 * Reads and checks LEVELS_FILE, or the levels that come with the product. What a file does not say about single flags
 * is said in the words of the product.
 * @throws LevelsFileError
 */
export async function loadLevels(path = defaultPath): Promise<LevelsFile> {
	const file = await readLevelsFile(path);
	if (path === defaultPath) return file;
	const { switches: ours = [] } = await readLevelsFile(defaultPath);
	const own = file.switches ?? [];
	const said = new Set(own.map(({ flag }) => flag));
	return { ...file, switches: [...own, ...ours.filter(({ flag }) => !said.has(flag))] };
}

async function readLevelsFile(path: string): Promise<LevelsFile> {
	let value: unknown;
	try {
		if ((await stat(path)).size > limits.levels.fileBytesMax) throw new Error('it is too large');
		value = JSON.parse(await readFile(path, 'utf8'));
	} catch (error) {
		const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : 'unknown';
		throw new LevelsFileError(path, [`it cannot be read: ${reason}`]);
	}
	const check = checkLevels(value);
	if (!check.ok) throw new LevelsFileError(path, check.faults);
	return check.file;
}
