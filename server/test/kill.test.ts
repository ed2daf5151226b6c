import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createTestDatabase, type TestDatabase } from './kit/index.ts';
import { createPeopleClient } from './kit/people-client.ts';
import { startServerProcess, type ServerProcess } from './kit/server-process.ts';

const people = 2_000;
const env = { LAB: '1', ADMIT_PER_SECOND: '40', DEMO_PASSWORD: 'watch-tower-test' };

describe('kill -9 while 2,000 wait', () => {
	let database: TestDatabase | null = null;
	let dataDir = '';
	let server: ServerProcess | null = null;
	afterEach(async () => {
		await server?.kill('SIGTERM');
		server = null;
		await database?.close();
		database = null;
		await rm(dataDir, { recursive: true, force: true });
	});

	const join = async (url: string) => {
		const client = createPeopleClient(url, 100);
		const answers = await Promise.all(Array.from({ length: people }, (_, i) => client.post('/queue/join', { user: `p${i}` })));
		client.close();
		return answers.map(({ status, body }) => ({ status, number: body.number as number, ticket: body.ticket as string }));
	};

	async function survives(serverEnv: Record<string, string>, kill: (server: ServerProcess) => Promise<unknown>) {
		server = await startServerProcess(serverEnv);
		const before = await join(server.url);
		expect(before.every(({ status }) => status === 200)).toBe(true);
		// In the middle of releasing.
		await new Promise((resolve) => setTimeout(resolve, 1_200));
		await kill(server);
		server = await startServerProcess(serverEnv);
		expect(await join(server.url)).toEqual(before);
		const client = createPeopleClient(server.url, 100);
		// Everybody is served in the end, in the order of their numbers: nobody is forgotten behind the cut.
		const statuses = await Promise.all(before.map(({ ticket }, i) => client.get(`/queue/status?ticket=${ticket}&user=p${i}`)));
		client.close();
		expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([200]));
		const waiting = statuses.flatMap(({ body }, i) => (body.admitted ? [] : [before[i]!.number]));
		const called = statuses.flatMap(({ body }, i) => (body.admitted ? [before[i]!.number] : []));
		expect(Math.max(...called)).toBeLessThan(Math.min(...waiting));
		expect(new Set([...waiting, ...called]).size).toBe(people);
	}

	it('of the server: every ticket still holds its place', async () => {
		database = await createTestDatabase();
		dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-kill-'));
		const url = database.url;
		await survives({ ...env, DATA_DIR: dataDir, DATABASE_URL: url }, (running) => running.kill('SIGKILL'));
	});

	it('of everything, the embedded PostgreSQL too: every ticket still holds its place', async () => {
		dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-kill-'));
		await survives({ ...env, DATA_DIR: dataDir }, (running) => running.killEverything());
	});
});
