import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { io, type Socket } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LevelsState, Patch, SlotsAnswer, Snapshot } from '../contract/index.ts';
import { createTestApp, createTestDatabase, type TestApp } from './kit/index.ts';

const patience = { timeout: 30_000, interval: 20 };

describe('a level pressed on the board', () => {
	let test: TestApp;
	let duty = '';
	let second = '';
	const sockets: Socket[] = [];

	beforeAll(async () => {
		test = await createTestApp({ env: { LAB: '1' } });
		duty = await test.signIn('duty');
		second = await test.signIn('second');
	});
	afterAll(async () => {
		for (const socket of sockets) socket.close();
		await test?.close();
	});

	/** A screen that follows the topic `levels`. */
	const openScreen = async (cookie: string) => {
		const socket = io(`${test.url}/live`, {
			transports: ['websocket'],
			reconnection: false,
			forceNew: true,
			extraHeaders: { cookie }
		});
		sockets.push(socket);
		const screen: { state: LevelsState | null } = { state: null };
		socket.on('snapshot', (message: Snapshot) => (screen.state = message.state['state'] as LevelsState));
		socket.on(
			'patch',
			(message: Patch) =>
				(screen.state = (message.changes['state'] as LevelsState | undefined) ?? screen.state)
		);
		expect(await socket.timeout(30_000).emitWithAck('subscribe', 'levels')).toEqual({ ok: true });
		await expect.poll(() => screen.state, patience).not.toBeNull();
		return screen;
	};
	const state = async () => (await test.call('GET', '/api/v1/levels', { cookie: duty })).body as LevelsState;
	const press = async (level: number) => {
		const { version } = (await state()).current;
		const body = { level, reason: 'a test of the levels', expectedVersion: version };
		const answer = await test.call('POST', '/api/v1/levels/current', { cookie: duty, body });
		if (answer.status !== 202) return answer;
		const confirm = answer.body.proposal.id as string;
		return test.call('POST', '/api/v1/levels/current', { cookie: second, body: { confirm } });
	};
	const publicly = (method: string, target: string, body?: unknown) => test.call(method, target, { body });

	it('shows on a second screen, and the public calls obey it; the permit is shown at every level', async () => {
		const other = await openScreen(await test.signIn('viewer'));
		let slot = 0;
		await expect
			.poll(async () => {
				const { slots } = (await publicly('GET', '/slots')).body as SlotsAnswer;
				return (slot = slots.find(({ full }) => !full)?.id ?? 0);
			}, patience)
			.toBeGreaterThan(0);
		const holder = (await publicly('POST', '/queue/join?user=holder')).body;
		const book = (token: string, user: string) =>
			test.call('POST', `/book?gated=1&user=${user}`, { body: { slot }, headers: { 'x-token': token } });
		expect((await book(holder.token, 'holder')).body).toMatchObject({ ok: true });
		const admitted = (await publicly('POST', '/queue/join?user=admitted')).body;
		const permitIsShown = async () => {
			const permit = await publicly('GET', '/permits/mine?user=holder');
			expect([permit.status, permit.body.text.slice(0, 3)]).toEqual([200, 'P1:']);
			for (const path of ['/permits/mine/print?user=holder', '/permits/keys', '/permits/revocations'])
				expect((await publicly('GET', path)).status, path).toBe(200);
		};

		expect((await press(1)).status).toBe(200);
		await expect.poll(() => other.state?.current.level, patience).toBe(1);
		await expect.poll(async () => (await publicly('GET', '/queue/progress')).body.level, patience).toBe(1);
		await permitIsShown();

		expect((await press(3)).status).toBe(200);
		expect((await publicly('POST', '/queue/join?user=newcomer')).body).toMatchObject({
			code: 'joins_closed'
		});
		await expect.poll(() => other.state?.flags['joins'], patience).toBe(false);
		expect(other.state?.current).toMatchObject({ level: 3, by: 'Duty manager, Second duty manager' });
		expect((await publicly('POST', '/queue/join?user=admitted')).status).toBe(200);
		await permitIsShown();

		expect((await press(4)).status).toBe(200);
		expect(await book(admitted.token, 'admitted')).toMatchObject({
			status: 503,
			body: { code: 'booking_closed' }
		});
		await expect.poll(() => other.state?.flags['booking'], patience).toBe(false);
		await permitIsShown();

		expect((await press(0)).status).toBe(200);
		expect((await book(admitted.token, 'admitted')).body).toMatchObject({ ok: true });
		expect((await publicly('POST', '/queue/join?user=newcomer')).status).toBe(200);
	});

	it('stands in the record with who, why, before and after', async () => {
		const { body } = await test.call('GET', '/api/v1/record', { cookie: duty });
		const switches = body.entries.filter((entry: { action: string }) => entry.action === 'level.switch');
		expect(switches.map((entry: { after: { level: number } }) => entry.after.level)).toEqual([1, 3, 4, 0]);
		expect(switches[1]).toMatchObject({
			actor: 'second@example.org',
			reason: 'a test of the levels',
			before: { level: 1 }
		});
	});
});

describe('a levels file that cannot be used', () => {
	it('keeps the server from starting: one clear line for each fault, exit 1', async () => {
		const folder = await mkdtemp(path.join(tmpdir(), 'marsad-levels-'));
		const database = await createTestDatabase();
		try {
			const written = JSON.parse(await readFile(new URL('../levels/default.json', import.meta.url), 'utf8'));
			written.levels[4].off.push('permit_display');
			written.levels[3].twoPeople = false;
			const file = path.join(folder, 'levels.json');
			await writeFile(file, JSON.stringify(written));
			const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
			const env = {
				...process.env,
				LEVELS_FILE: file,
				DATABASE_URL: database.url,
				DATA_DIR: folder,
				PORT: '0',
				MQTT_PORT: '0',
				LOG_LEVEL: 'silent'
			};
			const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'ignore', 'pipe'] });
			let said = '';
			child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
			expect(await once(child, 'close')).toEqual([1, null]);
			expect(said.trim().split('\n')).toEqual([
				`marsad: levels file ${file}: level 4 names "permit_display" (that is "permit-display"): no level may touch it`,
				`marsad: levels file ${file}: level 3 must need two people: twoPeople must be true`
			]);
		} finally {
			await database.close();
			await rm(folder, { recursive: true, force: true });
		}
	});
});
