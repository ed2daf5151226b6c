import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {} from '../../server/test/kit/global-setup.ts';
import { createTestApp, demoPassword, type TestApp } from '../../server/test/kit/index.ts';
import { runPullers } from './storm-pulls.ts';
import { writeStormReport } from './storm-report.ts';
import { mixedGroups, runStorm } from './storm.ts';

let app: TestApp;
beforeAll(async () => {
	app = await createTestApp();
});
afterAll(() => app?.close());

const never = new AbortController().signal;
const server = () => new URL(app.url);

describe('a storm on a real server', { timeout: 300_000 }, () => {
	it('whoever obeys is back and shows what everybody shows, beside clients that do not', async () => {
		const groups = mixedGroups(300).map((group) =>
			// More than one tenant may have, so that some of it stays outside.
			group.temper === 'hammering' ? { ...group, sockets: 60 } : group
		);
		const report = await runStorm(
			{ server: server(), password: demoPassword, groups, seed: 5, patienceSeconds: 200 },
			never
		);
		const text = writeStormReport(report);
		for (const row of report.groups.filter(({ temper }) => temper === 'obedient'))
			expect([row.name, row.back, row.right], text).toEqual([row.name, row.sockets, row.sockets]);
		const noisy = report.groups.find(({ temper }) => temper === 'hammering')!;
		expect(noisy.refused['tenant-full'], text).toBeGreaterThan(0);
		expect(noisy.back, text).toBeLessThanOrEqual(40);
		// Spread over the window of the server: in no second a tenth of those who obey.
		const screens = report.groups.find(({ name }) => name === 'screens')!;
		expect(screens.peakPerSecond, text).toBeLessThan(screens.sockets / 5);
	});

	it('pulls that come too fast are told so, and those of others are answered', async () => {
		const cookie = await app.signIn('viewer');
		const stop = new AbortController();
		const shared = { server: server(), cookie };
		const quiet = runPullers(
			{ ...shared, tenant: 'quiet', isEachItsOwn: true, pullers: 3, everyMs: 1_200, isObedient: true },
			stop.signal
		);
		const noisy = runPullers(
			{ ...shared, tenant: 'noisy', pullers: 40, everyMs: 0, isObedient: false },
			stop.signal
		);
		// Twice and more of what a quiet machine needs: what is held here is who is answered, not how fast.
		await delay(15_000);
		stop.abort();
		const [calm, loud] = await Promise.all([quiet, noisy]);
		expect(calm.answeredMs.length).toBeGreaterThan(5);
		expect([calm.refused, calm.failed, loud.failed]).toEqual([{}, {}, {}]);
		expect(Object.values(loud.refused).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(20);
	});
});
