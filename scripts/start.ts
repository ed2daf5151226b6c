import { checkBeforeStart, main } from '../server/src/main.ts';
import { onStop } from './lib/child.ts';
import type { Child } from './lib/child.ts';
import { buildWebIfStale } from './lib/web-build.ts';

let building: Child | undefined;
let isServerStarted = false;

onStop(async () => {
	// Once it runs, the server answers signals itself and ends this process.
	if (isServerStarted) return new Promise(() => undefined);
	await building?.stop();
}, 0);

try {
	await checkBeforeStart(process.env);
	await buildWebIfStale(
		(line) => process.stdout.write(`marsad: ${line}\n`),
		(child) => (building = child)
	);
	isServerStarted = true;
	await main(process.env);
} catch (error) {
	process.stderr.write(`marsad: ${error instanceof Error ? error.message : String(error)}\n`);
	process.exit(1);
}
