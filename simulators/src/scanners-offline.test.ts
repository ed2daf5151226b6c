import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestDatabase, demoPassword, type TestDatabase } from '../../server/test/kit/index.ts';
import { startServerProcess, type ServerProcess } from '../../server/test/kit/server-process.ts';
import { openGate } from './scanners.fixture.ts';

let database: TestDatabase;
let dataDir = '';
let running: ServerProcess;
const start = () =>
	startServerProcess({
		...{ DEMO: '1', DEMO_PASSWORD: demoPassword, ADMIT_PER_SECOND: '2000' },
		...{ DATA_DIR: dataDir, DATABASE_URL: database.url }
	});
beforeAll(async () => {
	database = await createTestDatabase();
	dataDir = await mkdtemp(path.join(tmpdir(), 'marsad-scanners-'));
	running = await start();
});
afterAll(async () => {
	await running?.kill('SIGTERM');
	await database?.close();
	await rm(dataDir, { recursive: true, force: true, maxRetries: 5 });
});

const keptOf = (scanner: string) =>
	database.database.db
		.selectFrom('entries')
		.select(['seq', 'at', 'permit', 'people', 'offline', 'findings'])
		.where('scanner', '=', scanner)
		.orderBy('seq')
		.execute();

describe('everything down but the scanner', { timeout: 300_000 }, () => {
	it('500 people pass, and when the network is back each entry is there once, in the order of its clock', async () => {
		const gate = await openGate(() => new URL(running.url), demoPassword);
		const device = await gate.device(3 * 3_600_000);
		const holders = await gate.book(500);
		await running.kill('SIGKILL');
		// It looks for news, hears nothing, and goes on.
		expect(await device.refresh()).toBe(false);
		for (const [at, { text, party }] of holders.entries()) {
			if (at === 250) device.clock.setOffByMs(-3_600_000);
			expect(await device.scan(text)).toMatchObject({ verdict: 'green', people: party });
		}
		expect(device.queue).toHaveLength(500);
		running = await start();
		const outcome = await device.sync({ copies: 3 });
		if (outcome.kind !== 'sent') throw new Error(`it was not sent: ${outcome.kind}`);
		expect(outcome.answer.acknowledged).toEqual([[1, 500]]);
		expect(device.queue).toHaveLength(0);
		// Once more, as a device does that lost the answers.
		for (let times = 0; times < 3; times += 1) {
			const again = await gate.api.send(device.token, outcome.batch);
			expect(again).toMatchObject({ ok: true, body: { stored: 0, repeated: 500, setAside: [] } });
		}
		const kept = await keptOf(device.id);
		expect(kept.map(({ seq }) => Number(seq))).toEqual(Array.from({ length: 500 }, (_, at) => at + 1));
		expect(kept.map(({ permit }) => permit)).toEqual(holders.map(({ permit }) => permit));
		expect(kept.every(({ offline, findings }) => offline && findings.length === 0)).toBe(true);
		const times = kept.map(({ at }) => at.getTime());
		expect(times).toEqual([...times].sort((a, b) => a - b));
		const people = holders.reduce((sum, { party }) => sum + party, 0);
		const totals = await database.database.db
			.selectFrom('entry_totals')
			.select('people_in')
			.where('gate', '=', device.gate)
			.executeTakeFirstOrThrow();
		expect(Number(totals.people_in)).toBe(people);
	});

	it('kill -9 of the server in the middle of a batch: nothing is lost, and nothing is there twice', async () => {
		const gate = await openGate(() => new URL(running.url), demoPassword);
		const device = await gate.device();
		const holders = await gate.book(200);
		const queued = [...holders, ...holders];
		for (const { text } of queued) await device.scan(text);
		const ends: string[] = [];
		for (const waitMs of [5, 60]) {
			const sending = device.sync();
			await delay(waitMs);
			await running.kill('SIGKILL');
			ends.push((await sending).kind);
			running = await start();
		}
		expect(ends).toContain('unanswered');
		expect(await device.drain()).toBe(true);
		const kept = await keptOf(device.id);
		expect(kept.map(({ seq }) => Number(seq))).toEqual(queued.map((_, at) => at + 1));
		expect(
			kept.reduce((sum, { people }) => sum + people, 0),
			ends.join(', ')
		).toBe(holders.reduce((sum, { party }) => sum + party, 0));
	});
});
