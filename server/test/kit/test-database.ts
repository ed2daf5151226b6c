import { randomUUID } from 'node:crypto';
import { inject } from 'vitest';
import { createClock, type Clock } from '../../src/platform/clock.ts';
import { openDatabase, type Database } from '../../src/platform/database/database.ts';
import { createLog } from '../../src/platform/log.ts';
import { onServer, withDatabase } from './template.ts';

export interface TestDatabase {
	url: string;
	database: Database;
	/** Closes the pool and drops the database. */
	close(): Promise<void>;
}

/** A database of its own for one test file: a clone of the migrated template, dropped at the end. */
export async function createTestDatabase(
	options: { poolMax?: number; clock?: Clock } = {}
): Promise<TestDatabase> {
	const server = inject('databaseUrl');
	const name = `marsad_t_${randomUUID().replaceAll('-', '')}`;
	await onServer(server, `create database ${name} template ${inject('templateName')}`);
	const url = withDatabase(server, name);
	const database = openDatabase({
		url,
		directUrl: url,
		poolMax: options.poolMax ?? 5,
		clock: options.clock ?? createClock(),
		log: createLog('silent')
	});
	return {
		url,
		database,
		async close() {
			await database.close();
			await onServer(server, `drop database if exists ${name} with (force)`);
		}
	};
}
