import { createHash } from 'node:crypto';
import { readFile, readdir } from 'node:fs/promises';
import pg from 'pg';
import { migrate } from '../../src/platform/database/migrate.ts';
import { createLog } from '../../src/platform/log.ts';

const migrations = new URL('../../migrations/', import.meta.url);

/** Replaces the database name in a connection URL. */
export function withDatabase(url: string, name: string): string {
	const parsed = new URL(url);
	parsed.pathname = `/${name}`;
	return parsed.href;
}

/** Runs one statement outside any transaction on the maintenance database. */
export async function onServer<T extends pg.QueryResultRow>(
	url: string,
	text: string,
	values: unknown[] = []
): Promise<T[]> {
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		return (await client.query<T>(text, values)).rows;
	} finally {
		await client.end();
	}
}

/** Migrates a template database named after the migrations' content, once a server; returns its name. */
export async function prepareTemplate(url: string): Promise<string> {
	const hash = createHash('sha256');
	for (const file of (await readdir(migrations)).sort())
		hash.update(file).update(await readFile(new URL(file, migrations)));
	const name = `marsad_template_${hash.digest('hex').slice(0, 12)}`;
	const client = new pg.Client({ connectionString: url });
	await client.connect();
	try {
		// Two runs on one server: the second waits until the first has made the template.
		await client.query('select pg_advisory_lock(4711)');
		const there = await client.query('select 1 from pg_database where datname = $1', [name]);
		if (there.rowCount === 0) {
			await client.query(`drop database if exists ${name}_new with (force)`);
			await client.query(`create database ${name}_new`);
			await migrate(withDatabase(url, `${name}_new`), createLog('silent'));
			await client.query(`alter database ${name}_new rename to ${name}`);
		}
	} finally {
		await client.end();
	}
	return name;
}
