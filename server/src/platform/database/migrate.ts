import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import type { Log } from '../log.ts';

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url));

/** Brings the database up to the newest migration. Waits for its lock: several instances may start at once. */
export async function migrate(
	url: string,
	log: Log,
	options: { direction?: 'up' | 'down'; count?: number } = {}
) {
	const quiet = () => undefined;
	return runner({
		databaseUrl: url,
		dir: folder,
		direction: options.direction ?? 'up',
		count: options.count ?? Infinity,
		migrationsTable: 'migrations',
		checkOrder: true,
		advisoryLockMode: 'wait',
		logger: { debug: quiet, info: quiet, warn: (text) => log.warn(text), error: (text) => log.error(text) }
	});
}
