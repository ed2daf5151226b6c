import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import { limits } from '../../limits.ts';
import type { Log } from '../log.ts';
import { isStillStarting } from './faults.ts';

const folder = fileURLToPath(new URL('../../../migrations', import.meta.url));

interface Direction {
	direction?: 'up' | 'down';
	count?: number;
}

/**
 * Brings the database up to the newest migration. Waits for its lock: several instances may start at once. A database
 * that is there and recovers (after a crash it says so) is waited for; one that is not there at all is told at once.
 */
export async function migrate(url: string, log: Log, options: Direction = {}) {
	const { startingWaitMs, startingPauseMs } = limits.database;
	for (let waitedMs = 0; ; waitedMs += startingPauseMs) {
		try {
			return await runMigrations(url, log, options);
		} catch (error) {
			if (!isStillStarting(error) || waitedMs >= startingWaitMs) throw error;
			if (waitedMs === 0) log.warn('the database is still starting: waiting for it');
			await delay(startingPauseMs);
		}
	}
}

function runMigrations(url: string, log: Log, options: Direction) {
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
