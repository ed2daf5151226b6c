import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase, onServer, type TestDatabase } from './kit/index.ts';
import { createPeopleClient } from './kit/people-client.ts';
import { startServerProcess, type ServerProcess } from './kit/server-process.ts';

const people = 2_000;
// Slow enough that nearly everybody still waits when the cut comes, and when it is over.
const env = { DEMO: '1', ADMIT_PER_SECOND: '3', DEMO_PASSWORD: 'watch-tower-test' };

describe('kill -9 while 2,000 wait', () => {
	let database: TestDatabase | null = null;
	let dataDir = '';
	let server: ServerProcess | null = null;
	afterEach(async () => {
		await server?.kill('SIGTERM');
		server = null;
		await database?.close();
		database = null;
		await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
	});

	const join = async (url: string) => {
		const client = createPeopleClient(url, 100);
		const answers = await Promise.all(
			Array.from({ length: people }, (_, i) => client.post('/queue/join', { user: `p${i}` }))
		);
		client.close();
		return answers.map(({ status, body }) => ({ status, number: body.number, ticket: body.ticket }));
	};

	async function survives(
		serverEnv: Record<string, string>,
		kill: (server: ServerProcess) => Promise<unknown>
	) {
		server = await startServerProcess(serverEnv);
		const before = await join(server.url);
		expect(new Set(before.map(({ status }) => status))).toEqual(new Set([200]));
		expect(new Set(before.map(({ number }) => number)).size).toBe(people);
		await kill(server);
		server = await startServerProcess(serverEnv);
		expect(await join(server.url)).toEqual(before);
	}

	it('of the server: every ticket still holds its place', async () => {
		database = await createTestDatabase();
		dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-kill-'));
		const { url } = database;
		await survives({ ...env, DATA_DIR: dataDir, DATABASE_URL: url }, (running) => running.kill('SIGKILL'));
		const [row] = await onServer<{ tickets: number; called: number | null; waiting: number }>(
			url,
			`select count(*)::int as tickets,
				max(number) filter (where state <> 'waiting')::int as called,
				min(number) filter (where state = 'waiting')::int as waiting
			from tickets`
		);
		expect(row!.tickets).toBe(people);
		expect(row!.called ?? 0).toBeLessThan(row!.waiting);
	}, 240_000);

	it('of everything, the embedded PostgreSQL too: every ticket still holds its place', async () => {
		dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-kill-'));
		await survives({ ...env, DATA_DIR: dataDir }, (running) => running.killEverything());
	}, 240_000);
});
