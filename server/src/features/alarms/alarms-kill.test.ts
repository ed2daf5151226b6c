import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Alarm, AlarmsAnswer } from '../../../contract/index.ts';
import { createTestDatabase, demoPassword, type TestDatabase } from '../../../test/kit/index.ts';
import { createPeopleClient } from '../../../test/kit/people-client.ts';
import { startServerProcess, type ServerProcess } from '../../../test/kit/server-process.ts';

describe('kill -9 while alarms stand', () => {
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
			...{ DEMO: '1', DEMO_PASSWORD: demoPassword, DATA_DIR: dataDir, DATABASE_URL: database.url }
		});
		const client = createPeopleClient(server.url, 4);
		const signIn = async (who: string) => {
			const body = { email: `${who}@example.org`, password: demoPassword };
			const { headers } = await client.post('/api/v1/session', body);
			return String([headers['set-cookie']].flat()[0]).split(';')[0]!;
		};
		const [duty, admin] = [await signIn('duty'), await signIn('admin')];
		const post = (cookie: string, target: string, payload: unknown = {}) =>
			client.post(`/api/v1${target}`, payload, { cookie, 'idempotency-key': crypto.randomUUID() });
		const list = async (): Promise<AlarmsAnswer> =>
			(await client.get('/api/v1/alarms', { cookie: duty })).body;
		const find = async (definition: string): Promise<Alarm> => {
			await expect
				.poll(async () => (await list()).alarms.some((alarm) => alarm.definition === definition), {
					...{ timeout: 30_000, interval: 200 }
				})
				.toBe(true);
			return (await list()).alarms.find((alarm) => alarm.definition === definition)!;
		};
		return { duty, admin, post, list, find, close: client.close };
	};
	/** Everything that people did and the server decided; not what follows from the moment of looking. */
	const lasting = ({ evidence: _, quality: __, claim, ...rest }: Alarm) => ({ ...rest, by: claim?.by });

	it('keeps state, hands, shelves and rules out of service, and repeats no sound', async () => {
		const before = await start();
		const out = {
			...{ definition: 'device-clock', subject: { kind: 'device', id: 'cam-9' } },
			...{ out: true, reason: 'is being replaced' }
		};
		expect((await before.post(before.admin, '/alarms/out-of-service', out)).status).toBe(200);
		await before.post(before.duty, '/evacuation', { scope: 'site', reason: 'drill of the test' });
		const alarm = await before.find('evacuation');
		await before.post(before.duty, `/alarms/${alarm.id}/take`);
		await before.post(before.duty, `/alarms/${alarm.id}/confirm`, { text: 'gates are open' });
		const held = await before.post(before.duty, '/gates/gate-1/state', { state: 'closed', reason: 'drill' });
		expect([200, 409]).toContain(held.status);
		const was = await before.find('evacuation');
		const { summary: summaryBefore, aside } = await before.list();
		expect(was).toMatchObject({ state: 'acknowledged', confirmed: { text: 'gates are open' } });
		expect(aside).toMatchObject([{ how: 'out-of-service' }]);
		before.close();
		await server!.kill('SIGKILL');

		const after = await start();
		await expect
			.poll(async () => (await after.list()).summary.evaluatedAt > summaryBefore.evaluatedAt + 2_000, {
				...{ timeout: 30_000, interval: 200 }
			})
			.toBe(true);
		const now = await after.list();
		expect(lasting(now.alarms.find(({ id }) => id === was.id)!)).toEqual(lasting(was));
		expect(now.aside).toEqual(aside);
		// New causes may ring; what rang before does not.
		const sound = now.summary.sound;
		expect(sound?.seq === summaryBefore.sound?.seq || sound?.alarm !== was.id).toBe(true);
		const all = (await database.database.db.selectFrom('alarm_annunciations').selectAll().execute()).filter(
			({ alarm: of }) => String(of) === was.id
		);
		expect(all).toHaveLength(1);
		after.close();
	});
});
