import { buildWebIfStale } from '../../../scripts/lib/web-build.ts';

/** The tests see what the sources say now. */
export default async function setup(): Promise<void> {
	await buildWebIfStale((line) => process.stderr.write(`${line}\n`));
}
