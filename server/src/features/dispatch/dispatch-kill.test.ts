import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Dispatch, Incident } from '../../../contract/index.ts';
import { createTestDatabase, demoPassword, type TestDatabase } from '../../../test/kit/index.ts';
import { createPeopleClient } from '../../../test/kit/people-client.ts';
import { startServerProcess, type ServerProcess } from '../../../test/kit/server-process.ts';

describe('kill -9 while a team is out', () => {
	let database: TestDatabase;
	let dataDir = '';
	let server: ServerProcess | null = null;
	beforeAll(async () => {
		database = await createTestDatabase();
		dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-kill-'));
	});
	afterAll(async () => {
		await server?.kill('SIGTERM');
		await database?.close();
		await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
	});

	const start = async () => {
		server = await startServerProcess({
			...{ DEMO: '1', DEMO_PASSWORD: demoPassword, DATA_DIR: dataDir, DATABASE_URL: database.url },
			LOG_LEVEL: 'warn'
		});
		const client = createPeopleClient(server.url, 4);
		const body = { email: 'crowd@example.org', password: demoPassword };
		const { headers } = await client.post('/api/v1/session', body);
		const cookie = String([headers['set-cookie']].flat()[0]).split(';')[0]!;
		return {
			get: async (target: string) => (await client.get(`/api/v1${target}`, { cookie })).body,
			post: async (target: string, payload: unknown, key: string = crypto.randomUUID()) =>
				client.post(`/api/v1${target}`, payload, { cookie, 'idempotency-key': key }),
			close: client.close
		};
	};

	it('keeps every clock, the claim and the answer of the command', async () => {
		const before = await start();
		const [team] = (await before.get('/teams')).teams;
		const incident = (await before.post('/incidents', { kind: 'collapse', place: { zone: 'core' } }))
			.body as Incident;
		await before.post(`/incidents/${incident.id}/take`, {});
		const order = {
			...{ team: team.id, place: { zone: 'core' }, task: 'Carry the stretcher' },
			source: { kind: 'incident', id: incident.id }
		};
		const key = crypto.randomUUID();
		const sent = (await before.post('/dispatches', order, key)).body as Dispatch;
		await before.post(`/dispatches/${sent.id}/status`, { status: 'acknowledged' });
		await before.post(`/dispatches/${sent.id}/status`, { status: 'on-the-way' });
		await before.post(`/dispatches/${sent.id}/support`, { needed: true });
		const boards = async (from: typeof before) => ({
			dispatches: (await from.get('/dispatches')).dispatches,
			incidents: (await from.get('/incidents')).incidents,
			teams: (await from.get('/teams')).teams
		});
		const was = await boards(before);
		expect(was.dispatches[0].steps).toHaveLength(3);
		expect(was.dispatches[0].welfare.lastAt).toBe(was.dispatches[0].steps[2].at);
		before.close();
		await server!.kill('SIGKILL');

		const after = await start();
		expect(await boards(after)).toEqual(was);
		const again = await after.post('/dispatches', order, key);
		expect([again.status, again.body.id]).toEqual([201, sent.id]);
		after.close();
	});
});
