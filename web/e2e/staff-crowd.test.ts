import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { startSimulator, type Simulator } from './kit/simulators.ts';
import { openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
let sensors: Simulator;
const desks: Desk[] = [];

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
	sensors = startSimulator(server.url, 'sensors');
});
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});
afterAll(async () => {
	await sensors?.stop();
	await browser?.close();
	await server?.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, {
		expected: /status of (401|403|422)/,
		...options
	});
	desks.push(desk);
	return desk;
}
const known = (desk: Desk) => desk.page.locator('.plan .label:not(.unknown) .share');
const figures = (desk: Desk) => desk.page.locator('.panel .figures');

it('shows the crowd controller how the zones move', async () => {
	const crowd = await sit('crowd', '/control/crowd');
	await known(crowd).first().waitFor({ timeout: 100_000 });
	await crowd.page.locator('.plan .label:not(.unknown)').first().click();
	const before = await figures(crowd).textContent();
	await expect.poll(() => figures(crowd).textContent(), { timeout: 100_000 }).not.toBe(before);
	expect(await crowd.page.locator('.bar').textContent()).toContain('SIMULATED');
	await expectSound(crowd);
});

it('tells the on-call engineer how many wait, and what limits the rate', async () => {
	for (let i = 0; i < 300; i++) await server.call('POST', `/queue/join?user=many-${i}`);
	const oncall = await sit('oncall', '/control/spike');
	await expect
		.poll(async () => (await oncall.page.locator('main').textContent()) ?? '', { timeout: 100_000 })
		.toMatch(/(?<!\d)2[0-9]{2}(?!\d)/);
	await expectSound(oncall);
});

it('shows a zone whose counters are silent as unknown, not as empty, and takes a count made on the spot', async () => {
	const crowd = await sit('crowd', '/control/crowd', { language: 'ar' });
	await known(crowd).first().waitFor({ timeout: 100_000 });
	await sensors.stop();
	const silent = crowd.page.locator('.plan .label.unknown');
	await silent.first().waitFor({ timeout: 300_000 });
	await silent.first().click();
	await expect.poll(() => figures(crowd).textContent()).toContain(say('ar', 'quality_unknown'));
	await takeShot(crowd.page, 'job-unknown-zone-ar');
	await crowd.page.locator('#people').fill('1234');
	await crowd.page.locator('#how').fill('عدّ من فوق الجسر');
	await crowd.page.locator('.panel button[type="submit"]').click();
	await expect
		.poll(() => crowd.page.locator('.panel [role="status"]').first().textContent(), { timeout: 60_000 })
		.toContain('1,234');
	await expectSound(crowd);
}, 500_000);

it('lets a viewer look at the crowd, and says that counting is not theirs', async () => {
	const viewer = await sit('viewer', '/control/crowd');
	await viewer.page.locator('.panel').waitFor({ timeout: 100_000 });
	expect(await viewer.page.locator('.panel').textContent()).toContain(say('en', 'crowd_recount_refused'));
	expect(await viewer.page.locator('#people').count()).toBe(0);
});
