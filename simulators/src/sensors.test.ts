import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import type { SensorsAnswer, Zone } from '@marsad/server/contract';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp, createTestDatabase, type TestApp } from '../../server/test/kit/index.ts';
import { runReplay } from './replay.ts';
import { runSensors } from './sensors.ts';
import { checkServer } from './session.ts';
import type { Story } from './story.ts';

const closers: (() => Promise<unknown>)[] = [];
afterEach(async () => {
	for (const close of closers.splice(0).reverse()) await close();
});

const file = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const quiet = () => undefined;
const never = new AbortController().signal;
const patience = { timeout: 90_000, interval: 250 };

async function startApp(options: Parameters<typeof createTestApp>[0] = {}) {
	const app = await createTestApp(options);
	closers.push(() => app.close());
	return app;
}

async function watch(app: TestApp) {
	const cookie = await app.signIn('oncall');
	const get = async (path: string) => (await app.call('GET', path, { cookie })).body as unknown;
	return {
		sensors: async () => (await get('/api/v1/sensors')) as SensorsAnswer,
		async device(name: string) {
			return ((await get(`/api/v1/sensors?device=${name}`)) as SensorsAnswer).sensors[0];
		},
		async zone(id: string) {
			return (await get(`/api/v1/zones/${id}`)) as Zone;
		}
	};
}

/** Nothing but calm, for as long as a test needs; what is silent is said. */
const still = (silences: Story['silences'] = []): Story => ({
	phases: [{ name: 'calm', seconds: 3_600, arrivalsPerSecond: 1, slowShare: 0, eligibilityDelayMs: 1 }],
	restShares: {},
	otherShare: 0.5,
	waypoints: {},
	silences
});

describe('a replay', { timeout: 300_000 }, () => {
	it('brings every person of the file, once, and says what was acknowledged', async () => {
		const app = await startApp();
		const { device } = await watch(app);
		const recording = file('../recordings/gate-5-evening.csv');
		const lines: string[] = [];
		const options = { server: checkServer(app.url), file: recording, speed: Infinity };
		const result = await runReplay({ ...options, print: (line) => lines.push(line) }, never);
		expect(result.acknowledged).toEqual({ readings: result.readings, ...result.sent });
		expect(result.sent.in).toBeGreaterThan(9_000);
		expect(await device('recorded-door')).toMatchObject({
			totals: result.sent,
			readings: result.readings,
			rejects: {},
			simulated: true
		});
		expect(lines.at(-1)).toContain(`acknowledged ${result.readings}: ${result.sent.in} in`);
	});

	const calit2 = file('../../../shared/samples/data/uci-calit2-building-30min-in-out.csv');
	it.runIf(existsSync(calit2))(
		'of fifteen weeks at a real door brings its 19,625 in and 18,806 out',
		async () => {
			const app = await startApp();
			const { device } = await watch(app);
			await runReplay({ server: checkServer(app.url), file: calit2, speed: Infinity, print: quiet }, never);
			expect(await device('recorded-door')).toMatchObject({
				totals: { in: 19_625, out: 18_806 },
				readings: 5_040,
				rejects: {}
			});
		}
	);

	it('keeps the recorded rhythm, stops when told, and refuses what it cannot send as', async () => {
		const app = await startApp();
		const server = checkServer(app.url);
		const recording = file('../recordings/gate-5-evening.csv');
		const stop = new AbortController();
		const going = runReplay({ server, file: recording, speed: 60, print: quiet }, stop.signal);
		setTimeout(() => stop.abort(), 3_000);
		const { readings, sent, acknowledged } = await going;
		expect(readings).toBeGreaterThan(0);
		expect(readings).toBeLessThan(100);
		expect(acknowledged.in).toBeLessThanOrEqual(sent.in);
		// Stopped with all of it under way: what was not acknowledged is given up, and the end comes.
		const early = new AbortController();
		const fast = runReplay(
			{ server, file: recording, speed: Infinity, print: () => early.abort() },
			early.signal
		);
		expect((await fast).acknowledged.readings).toBeLessThan(331);
		const burst = new AbortController();
		const burstGoing = runReplay({ server, file: recording, speed: Infinity, print: quiet }, burst.signal);
		setTimeout(() => burst.abort(), 600);
		await burstGoing;
		const wrong = { server, file: recording, speed: 1, device: 'camera-core-01', print: quiet };
		await expect(runReplay(wrong, never)).rejects.toThrow(
			'no counter of the own format named camera-core-01'
		);
		await expect(runReplay({ ...wrong, file: '/nowhere.csv' }, never)).rejects.toThrow('there is no file');
	});
});

describe('the simulated sensors', { timeout: 300_000 }, () => {
	it('make every zone of the site known, and are gone at once when they stop', async () => {
		const app = await startApp();
		const { sensors, zone } = await watch(app);
		const stop = new AbortController();
		const running = runSensors(
			{ server: checkServer(app.url), story: still(), print: quiet, seed: 1 },
			stop.signal
		);
		await expect.poll(async () => (await sensors()).summary.online, patience).toBe(485);
		const { summary } = await sensors();
		// The door of recordings is optional: silent, it is not missed.
		expect(summary).toMatchObject({ devices: 486, never: 0, rejected: 0, unknownDevices: [] });
		for (const id of ['plaza-5', 'north-court', 'core']) {
			await expect.poll(async () => (await zone(id)).quality, patience).toBe('live');
			const { occupancy, mark } = await zone(id);
			expect(Math.abs((occupancy ?? 0) - 0.5)).toBeLessThan(0.06);
			expect(mark).toBe('simulated');
		}
		stop.abort();
		await running;
		await expect.poll(async () => (await sensors()).summary.offline, patience).toBe(485);
		await expect.poll(async () => (await zone('core')).quality, patience).toBe('unknown');
	});

	it('fall silent as the story says; afterwards nobody is missing', async () => {
		const app = await startApp();
		const { zone, device, sensors } = await watch(app);
		const story = still([
			{ zone: 'north-court', fromSecond: 8, toSecond: 16, counterShare: 1 },
			{ zone: 'hall-7', fromSecond: 6, toSecond: 30, counterShare: 0.2 }
		]);
		const stop = new AbortController();
		const running = runSensors({ server: checkServer(app.url), story, print: quiet, seed: 2 }, stop.signal);
		await expect.poll(async () => (await zone('north-court')).quality, patience).toBe('live');
		await expect.poll(async () => (await zone('north-court')).quality, patience).toBe('unknown');
		await expect.poll(async () => (await zone('north-court')).quality, patience).toBe('live');
		await expect.poll(async () => (await zone('hall-7')).quality, patience).toBe('partial');
		await expect.poll(async () => (await zone('hall-7')).quality, patience).toBe('live');
		const back = await device('gate-7-01');
		expect(back?.rejects).toEqual({});
		expect((await sensors()).summary.rejected).toBe(0);
		stop.abort();
		await running;
	});

	it('live through a server that is started again, with another secret', async () => {
		const database = await createTestDatabase();
		closers.push(() => database.close());
		const first = await createTestApp({ database });
		const port = new URL(first.url).port;
		const stop = new AbortController();
		const running = runSensors(
			{ server: checkServer(first.url), story: still(), print: quiet, seed: 3 },
			stop.signal
		);
		closers.push(async () => {
			stop.abort();
			await running;
		});
		const before = await watch(first);
		await expect.poll(async () => (await before.zone('plaza-1')).quality, patience).toBe('live');
		await first.close();
		const second = await startApp({ database, env: { PORT: port } });
		const after = await watch(second);
		await expect.poll(async () => (await after.zone('plaza-1')).quality, patience).toBe('live');
		await expect.poll(async () => (await after.zone('north-court')).quality, patience).toBe('live');
		// What was taken and not acknowledged any more comes again, and is known: that alone may be refused.
		const reasons = (await after.sensors()).sensors.flatMap(({ rejects }) => Object.keys(rejects));
		expect(reasons.filter((reason) => reason !== 'duplicate')).toEqual([]);
		expect(Math.abs(((await after.zone('plaza-1')).occupancy ?? 0) - 0.5)).toBeLessThan(0.06);
		stop.abort();
		await running;
	});

	it('go to a server on this machine only', () => {
		expect(() => checkServer('http://marsad.example.org')).toThrow('is not this machine');
		expect(() => checkServer('http://192.168.1.7:3000')).toThrow('is not this machine');
		expect(() => checkServer('https://127.0.0.1')).toThrow('no http:// address');
		expect(checkServer('http://localhost:3000').port).toBe('3000');
	});
});
