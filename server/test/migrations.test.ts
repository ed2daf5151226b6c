import { readdirSync, readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import { describe, expect, inject, it } from 'vitest';
import { migrate } from '../src/platform/database/migrate.ts';
import { createLog, onServer, withDatabase } from './kit/index.ts';

/** Tables and columns that the table types of platform/database/schema*.ts promise. */
function promisedColumns(): Map<string, Set<string>> {
	const folder = new URL('../src/platform/database/', import.meta.url);
	const text = readdirSync(folder)
		.filter((name) => /^schema[a-z-]*\.ts$/.test(name))
		.map((name) => readFileSync(new URL(name, folder), 'utf8'))
		.join('\n');
	const interfaces = new Map<string, Set<string>>();
	for (const [, name, body] of text.matchAll(/export interface (\w+) \{\n([\s\S]*?)\n\}/g)) {
		interfaces.set(name!, new Set([...body!.matchAll(/^\t(\w+)\??:/gm)].map((match) => match[1]!)));
	}
	const tables = /export interface Schema \{\n([\s\S]*?)\n\}/.exec(text)![1]!;
	return new Map(
		[...tables.matchAll(/^\t(\w+): (\w+);/gm)].map((match) => [
			match[1]!,
			interfaces.get(match[2]!) ?? new Set<string>()
		])
	);
}

async function columnsOf(url: string): Promise<Map<string, Set<string>>> {
	const rows = await onServer<{ table_name: string; column_name: string }>(
		url,
		"select table_name, column_name from information_schema.columns where table_schema = 'public' and table_name <> 'migrations'"
	);
	const columns = new Map<string, Set<string>>();
	for (const row of rows) {
		const set = columns.get(row.table_name) ?? new Set<string>();
		columns.set(row.table_name, set.add(row.column_name));
	}
	return columns;
}

const sorted = (tables: Map<string, Set<string>>) =>
	Object.fromEntries([...tables].sort().map(([table, columns]) => [table, [...columns].sort()]));

describe('migrations', () => {
	it('go up, all the way down, and up again; the tables are what the table types say', async () => {
		const name = `marsad_m_${randomUUID().replaceAll('-', '')}`;
		const server = inject('databaseUrl');
		await onServer(server, `create database ${name}`);
		const url = withDatabase(server, name);
		const log = createLog('silent');
		try {
			await migrate(url, log);
			const up = await columnsOf(url);
			await migrate(url, log, { direction: 'down' });
			expect(sorted(await columnsOf(url))).toEqual({});
			await migrate(url, log);
			expect(sorted(await columnsOf(url))).toEqual(sorted(up));
			expect(sorted(up)).toEqual(sorted(promisedColumns()));
		} finally {
			await onServer(server, `drop database if exists ${name} with (force)`);
		}
	});

	it('wait for a database that is there and still recovers', async () => {
		const server = inject('databaseUrl');
		const name = `marsad_m_${randomUUID().replaceAll('-', '')}`;
		await onServer(server, `create database ${name}`);
		const recovering = await startRecovering(withDatabase(server, name), 3);
		try {
			await migrate(recovering.url, createLog('silent'));
			expect(recovering.refused()).toBe(3);
			expect((await columnsOf(withDatabase(server, name))).size).toBeGreaterThan(10);
		} finally {
			recovering.close();
			await onServer(server, `drop database if exists ${name} with (force)`);
		}
	});
});

/** In front of a database: tells the first callers that it is starting up, as PostgreSQL does after a crash. */
async function startRecovering(url: string, times: number) {
	const target = new URL(url);
	let refused = 0;
	const fields = ['SFATAL', 'VFATAL', 'C57P03', 'Mthe database system is starting up', ''];
	const body = Buffer.from(`${fields.join('\0')}\0`);
	const size = Buffer.alloc(4);
	size.writeInt32BE(body.length + 4);
	const front = createServer((socket) => {
		if (refused >= times) {
			const behind = connect(Number(target.port), target.hostname);
			for (const [from, to] of [
				[socket, behind],
				[behind, socket]
			] as const)
				from.on('error', () => to.destroy()).pipe(to);
			return;
		}
		socket.once('data', () => {
			refused += 1;
			socket.end(Buffer.concat([Buffer.from('E'), size, body]));
		});
	}).listen(0, '127.0.0.1');
	await once(front, 'listening');
	const { port } = front.address() as AddressInfo;
	const own = new URL(url);
	own.host = `127.0.0.1:${port}`;
	return { url: own.href, refused: () => refused, close: () => void front.close() };
}
