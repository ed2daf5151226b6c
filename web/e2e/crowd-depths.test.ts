import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { startSimulator, type Simulator } from './kit/simulators.ts';
import { hold, openDesk, say, type Desk } from './kit/staff.ts';

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
		expected: /status of (401|403|409|422)/,
		...options
	});
	desks.push(desk);
	return desk;
}
const textOf = (desk: Desk, selector: string) => async () =>
	((await desk.page.locator(selector).first().textContent()) ?? '').replace(/[\u2066-\u2069]/g, '');
const gateOf = async (id: string) => {
	const cookie = await server.signIn('crowd');
	return (await server.call('GET', `/api/v1/gates/${id}`, { cookie })).body;
};

it('leads from the wall to everything about a zone in one action, and takes a count there', async () => {
	const wall = await sit('crowd', '/control');
	const label = wall.page.locator('.plan .label:not(.unknown)').first();
	await label.waitFor({ timeout: 100_000 });
	await label.click();
	await wall.page.waitForURL(/\/control\/crowd\/zones\/[\w-]+$/);
	await wall.page.locator('h1').waitFor();
	expect(await textOf(wall, 'main')()).toContain(say('en', 'zp_capacity'));
	await wall.page.locator('#people').fill('321');
	await wall.page.locator('#how').fill('counted from the bridge');
	await wall.page.locator('form button[type="submit"]').first().click();
	await expect.poll(textOf(wall, 'main'), { timeout: 60_000 }).toContain(say('en', 'anchor_recount'));
	await expectSound(wall);
	await takeShot(wall.page, 'job-zone-depth-en');
}, 300_000);

it('commands a gate at the desk, and the steward at the gate confirms it on a phone', async () => {
	const desk = await sit('crowd', '/control/crowd/gates/gate-2', { language: 'ar', theme: 'day' });
	await desk.page.locator('input[value="held"]').check();
	await desk.page.locator('form button[type="submit"]').click();
	// Without a reason nothing is sent.
	expect(await textOf(desk, '#gate-reason-help')()).toContain(say('ar', 'lev_reason_short'));
	expect((await gateOf('gate-2')).commanded.state).toBe('open');
	await desk.page.locator('#gate-reason').fill('المنحدر 2 يمتلئ');
	await desk.page.locator('form button[type="submit"]').click();
	await expect.poll(async () => (await gateOf('gate-2')).commanded.state, { timeout: 60_000 }).toBe('held');
	await expect.poll(textOf(desk, 'dl'), { timeout: 60_000 }).toContain(say('ar', 'gate_state_held'));

	const phone = await sit('steward', '/field/gate', { size: 'phone' });
	await phone.page.locator('a[href="/field/gate?gate=gate-2"]').click();
	await expect.poll(textOf(phone, '.wanted'), { timeout: 60_000 }).toContain(say('en', 'gate_state_held'));
	await expectSound(phone);
	await takeShot(phone.page, 'job-steward-gate-en', true);
	await phone.page.locator('.states .button.go').click();
	await expect.poll(async () => (await gateOf('gate-2')).confirmed?.state, { timeout: 60_000 }).toBe('held');
	await expect.poll(async () => desk.page.locator('dl b.unknown').count(), { timeout: 60_000 }).toBe(0);
	await expectSound(desk);
	await takeShot(desk.page, 'job-gate-held-ar');
}, 300_000);

it('stops and evacuates by a held button, says so on every screen, and opens nothing at the end', async () => {
	const duty = await sit('duty', '/control/crowd/evacuate');
	const phone = await sit('steward', '/field/gate', { size: 'phone', language: 'ar' });
	const go = duty.page.locator('button.hold.danger');
	await go.waitFor({ timeout: 60_000 });
	expect(await go.isDisabled()).toBe(true);
	await duty.page.locator('input[type="checkbox"][value="plaza-5"]').check();
	await duty.page.locator('#evac-reason').fill('smoke at the stairs');
	await go.click();
	expect(await duty.page.locator('.banner').count()).toBe(0);
	await hold(duty.page, go, 'keyboard');
	await duty.page.locator('.banner').waitFor({ timeout: 60_000 });
	await phone.page.locator('.banner').waitFor({ timeout: 60_000 });
	expect(await textOf(phone, '.banner')()).toContain('5');
	expect((await gateOf('gate-5')).shows).toBe('exit');
	await expectSound(duty);
	await expectSound(phone);
	await takeShot(duty.page, 'job-evacuation-en');
	await takeShot(phone.page, 'job-evacuation-phone-ar', true);
	const wall = await sit('viewer', '/control', { language: 'ar' });
	await wall.page.locator('.banner').waitFor({ timeout: 60_000 });
	await expectSound(wall);
	// The wall stands whole under the banner: no gap, nothing pushed out below.
	const edges = await wall.page.evaluate(() => {
		const box = (selector: string) => document.querySelector(selector)!.getBoundingClientRect();
		return { banner: box('.banner').bottom, bar: box('.bar').top, main: box('main').bottom, of: innerHeight };
	});
	expect(Math.abs(edges.bar - edges.banner)).toBeLessThan(1);
	expect(edges.main).toBeLessThanOrEqual(edges.of + 1);
	await takeShot(wall.page, 'job-evacuation-wall-ar');
	await duty.page.locator('#down-reason').fill('all are out');
	await hold(duty.page, duty.page.locator('.force button.hold'));
	await duty.page.locator('.banner').waitFor({ state: 'detached', timeout: 60_000 });
	await phone.page.locator('.banner').waitFor({ state: 'detached', timeout: 60_000 });
	expect((await gateOf('gate-5')).commanded.state).not.toBe('open');
}, 400_000);

it('shows how a pasted payload would be read, and refuses in words what it is not', async () => {
	const admin = await sit('admin', '/control/admin/payload');
	await admin.page.locator('#pay-adapter').selectOption('own');
	await admin.page.locator('#pay-payload').fill('{"ts": "yesterday", "in": 1');
	await admin.page.locator('form button[type="submit"]').click();
	await expect
		.poll(textOf(admin, 'main section'), { timeout: 60_000 })
		.toContain(say('en', 'reject_bad_json'));
	await admin.page.locator('#pay-payload').fill(`{"ts": ${Date.now()}, "seq": 4, "in": 7, "out": 2}`);
	await admin.page.locator('form button[type="submit"]').click();
	await expect.poll(textOf(admin, 'main section'), { timeout: 60_000 }).toContain(say('en', 'kind_delta'));
	await expectSound(admin);
	const viewer = await sit('viewer', '/control/admin/payload');
	await viewer.page.locator('main .notice').waitFor({ timeout: 60_000 });
	expect(await viewer.page.locator('#pay-payload').count()).toBe(0);
}, 300_000);

it('finds a device among the sensors, by name and by what is wrong with it', async () => {
	const crowd = await sit('crowd', '/control/crowd/sensors');
	await crowd.page.locator('tbody tr').first().waitFor({ timeout: 100_000 });
	const all = await crowd.page.locator('tbody tr').count();
	const name = (await crowd.page.locator('tbody .device').nth(3).textContent()) ?? '';
	await crowd.page.locator('#sensor-text').fill(name);
	await expect.poll(() => crowd.page.locator('tbody tr').count()).toBeLessThan(all);
	expect(await textOf(crowd, 'tbody')()).toContain(name);
	await expectSound(crowd);
}, 200_000);
