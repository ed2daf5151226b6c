import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TestProject } from 'vitest/node';
import { createLog } from '../../src/platform/log.ts';
import { startEmbeddedPostgres } from '../../src/platform/embedded/postgres.ts';
import { prepareTemplate } from './template.ts';

declare module 'vitest' {
	interface ProvidedContext {
		databaseUrl: string;
		templateName: string;
	}
}

/** One real PostgreSQL for the whole run (TEST_DATABASE_URL, else an embedded one), and one migrated template. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
	const given = process.env['TEST_DATABASE_URL'];
	const dataDir = given ? null : await mkdtemp(path.join(tmpdir(), 'marsad-test-'));
	const embedded = dataDir ? await startEmbeddedPostgres({ dataDir, log: createLog('silent') }) : null;
	const url = given ?? embedded!.url;
	const tearDown = async () => {
		await embedded?.stop();
		if (dataDir) await rm(dataDir, { recursive: true, force: true });
	};
	try {
		project.provide('databaseUrl', url);
		project.provide('templateName', await prepareTemplate(url));
	} catch (error) {
		await tearDown();
		throw error;
	}
	return tearDown;
}
