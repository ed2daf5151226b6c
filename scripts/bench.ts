import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Benchmark } from './lib/benchmark.ts';

const folder = join(import.meta.dirname, 'bench');
const [name, ...args] = process.argv.slice(2);
const names = (await readdir(folder)).filter((file) => file.endsWith('.ts')).map((file) => file.slice(0, -3));

if (name === undefined || name === '--list') {
	for (const one of names.sort()) process.stdout.write(`${one.padEnd(12)} ${(await load(one)).measures}\n`);
} else if (!names.includes(name)) {
	process.stderr.write(`marsad: there is no benchmark "${name}": npm run bench -- --list names them\n`);
	process.exit(1);
} else {
	try {
		await (await load(name)).run(args);
		process.exit(0);
	} catch (error) {
		// A goal that was missed is a figure; a run that cannot be trusted is a failure.
		process.stderr.write(`marsad: ${name} is invalid: ${error instanceof Error ? error.message : error}\n`);
		process.exit(1);
	}
}

async function load(one: string): Promise<Benchmark> {
	const module = (await import(pathToFileURL(join(folder, `${one}.ts`)).href)) as { benchmark: Benchmark };
	return module.benchmark;
}
