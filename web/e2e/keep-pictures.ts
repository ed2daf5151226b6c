import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** Pictures of the README, taken from the last end-to-end run: `node web/e2e/keep-pictures.ts`. */
const kept = [
	'control-en-night-desk',
	'control-ar-day-desk',
	'control-levels-en-night-desk',
	'control-crowd-ar-night-desk',
	'job-waiting-ar'
];
const from = fileURLToPath(new URL('shots/', import.meta.url));
const to = fileURLToPath(new URL('../../docs/pictures/', import.meta.url));

await mkdir(to, { recursive: true });
for (const name of kept) await copyFile(`${from}${name}.png`, `${to}${name}.png`);
