import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectAccessible, expectSound, expectWellLaidOut, sizes, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
const desks: Desk[] = [];

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
});
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, {
		expected: /status of (401|409)|ERR_INTERNET_DISCONNECTED|WebSocket/,
		...options
	});
	desks.push(desk);
	return desk;
}
const textOf = (desk: Desk, where: string) => async () =>
	((await desk.page.locator(where).allTextContents()).join(' ') ?? '').replaceAll(/[\u2068\u2069]/g, '');
const orders = (desk: Desk) => textOf(desk, '.orders article');

it('sends a team from an alarm by keys; each step is seen on two desks and on the phone', async () => {
	const crowd = await sit('crowd', '/control/alarms');
	const duty = await sit('duty', '/control/alarms', { language: 'ar', theme: 'day' });
	const phone = await sit('lead', '/field', { size: 'phone' });
	await phone.page.getByText(say('en', 'fld_none')).waitFor({ timeout: 60_000 });
	await expectSound(phone);
	const cookie = await server.signIn('duty');
	const evacuation = await server.call('POST', '/api/v1/evacuation', {
		cookie,
		body: { scope: 'site', reason: 'drill of the test' }
	});
	expect(evacuation.status).toBe(200);
	const row = crowd.page.locator('[data-alarm]').first();
	await row.waitFor({ timeout: 60_000 });
	await duty.page.locator('[data-alarm]').first().waitFor({ timeout: 60_000 });

	await crowd.page.keyboard.press('ArrowDown');
	await crowd.page.keyboard.press('KeyA');
	await expect.poll(textOf(crowd, '[data-alarm]'), { timeout: 20_000 }).toContain('acknowledged by');
	await expect
		.poll(textOf(duty, '[data-alarm]'), { timeout: 20_000 })
		.toContain(say('ar', 'role_crowd_controller'));
	await crowd.page.keyboard.press('KeyD');
	const form = crowd.page.locator('.send');
	await form.getByLabel(say('en', 'dsp_where')).selectOption({ index: 1 });
	await form.getByLabel(say('en', 'dsp_task')).fill('Open the east rope line');
	await form.locator('li').filter({ hasText: 'Team 1' }).getByRole('button').click();
	const doing = (desk: Desk) => textOf(desk, '[data-alarm] .state');
	await expect.poll(doing(crowd), { timeout: 20_000 }).toContain('Team 1 sent');
	await expect.poll(doing(duty), { timeout: 20_000 }).toContain(say('ar', 'dsp_state_sent'));
	await takeShot(crowd.page, 'job-alarms-en');
	await takeShot(duty.page, 'job-alarms-ar');
	await expectSound(crowd);
	await phone.page.getByText('Open the east rope line').waitFor({ timeout: 20_000 });
	await takeShot(phone.page, 'job-field-order-en', true);
	await duty.page.goto('/control/dispatch');

	const steps = [
		['fld_seen', 'dsp_state_acknowledged'],
		['fld_on_the_way', 'dsp_state_on_the_way'],
		['fld_on_the_spot', 'dsp_state_on_the_spot']
	] as const;
	for (const [button, state] of steps) {
		await phone.page.getByRole('button', { name: say('en', button), exact: true }).click();
		await expect.poll(doing(crowd), { timeout: 20_000 }).toContain(`Team 1 ${say('en', state)}`);
		await expect
			.poll(textOf(duty, '.orders article header .state'), { timeout: 20_000 })
			.toContain(say('ar', state));
	}
	await takeShot(duty.page, 'job-dispatch-ar');
	await expectSound(duty);
	await expectSound(phone);

	await phone.page.getByRole('button', { name: say('en', 'dsp_need_support') }).click();
	await phone.page.getByRole('button', { name: say('en', 'dsp_need_support') }).click();
	await expect.poll(orders(duty), { timeout: 20_000 }).toContain(say('ar', 'dsp_trouble_support'));
}, 300_000);

it('warns about a busy team, and forces it only with a reason', async () => {
	const duty = await sit('duty', '/control/dispatch');
	await duty.page.getByRole('button', { name: say('en', 'alm_send') }).click();
	const form = duty.page.locator('.send');
	await form.getByLabel(say('en', 'dsp_where')).selectOption({ index: 2 });
	await form.getByLabel(say('en', 'dsp_task')).fill('A second job');
	await form.locator('li').filter({ hasText: 'Team 1' }).getByRole('button').click();
	const warning = form.locator('.warn');
	await warning.getByText('Open the east rope line').waitFor({ timeout: 20_000 });
	await takeShot(duty.page, 'job-dispatch-busy-en');
	await warning.getByRole('button', { name: say('en', 'dsp_force') }).click();
	await warning.getByText(say('en', 'lev_reason_short')).waitFor();
	await warning.getByLabel(say('en', 'dsp_force_reason')).fill('nobody else is near');
	await warning.getByRole('button', { name: say('en', 'dsp_force') }).click();
	await expect.poll(orders(duty), { timeout: 20_000 }).toContain('nobody else is near');
}, 200_000);

it('refuses visibly what is pressed while the phone is offline, and never sends it later', async () => {
	const phone = await sit('lead', '/field', { size: 'phone' });
	const seen = phone.page.getByRole('button', { name: say('en', 'fld_seen'), exact: true });
	await seen.waitFor({ timeout: 60_000 });
	await phone.context.setOffline(true);
	await phone.page.locator('.lost').waitFor({ timeout: 60_000 });
	await seen.click();
	await phone.page.locator('.refused').waitFor({ timeout: 20_000 });
	await takeShot(phone.page, 'job-field-offline-en', true);
	await phone.context.setOffline(false);
	await phone.page.locator('.lost').waitFor({ state: 'detached', timeout: 90_000 });
	await phone.page.waitForTimeout(3_000);
	const cookie = await server.signIn('duty');
	const board = await server.call('GET', '/api/v1/dispatches', { cookie });
	const second = board.body.dispatches.find((each: { task: string }) => each.task === 'A second job');
	expect(second.state).toBe('sent');
}, 300_000);

it('opens an incident in a few presses, and tells who has it on both desks', async () => {
	const crowd = await sit('crowd', '/control/dispatch');
	const duty = await sit('duty', '/control/dispatch', { language: 'ar' });
	await crowd.page.getByRole('button', { name: say('en', 'inc_new') }).click();
	await crowd.page.getByRole('button', { name: say('en', 'inc_kind_heat') }).click();
	await crowd.page.locator('#incident-zone').selectOption({ index: 1 });
	await crowd.page.getByRole('button', { name: say('en', 'inc_open'), exact: true }).click();
	const incidents = '.incidents article';
	await expect.poll(textOf(duty, incidents), { timeout: 20_000 }).toContain(say('ar', 'inc_kind_heat'));
	await crowd.page
		.locator(incidents)
		.getByRole('button', { name: say('en', 'alm_take') })
		.click();
	await expect
		.poll(textOf(duty, incidents), { timeout: 20_000 })
		.toContain(say('ar', 'alm_doing_claim', { name: say('ar', 'role_crowd_controller') }));
	await duty.page
		.locator(incidents)
		.getByRole('button', { name: say('ar', 'alm_take_over') })
		.click();
	await duty.page.locator(incidents).getByLabel(say('ar', 'alm_take_reason')).waitFor();
	await expectSound(crowd);
}, 200_000);

it('prints a sheet of the state of things in both languages', async () => {
	for (const language of ['ar', 'en'] as const) {
		const duty = await sit('duty', '/control/sheet', { language });
		await duty.page.getByRole('button', { name: say(language, 'sht_now') }).click();
		await duty.page.locator('.sheet table').first().waitFor({ timeout: 30_000 });
		await duty.page.emulateMedia({ media: 'print' });
		expect(await duty.page.locator('.bar').isVisible()).toBe(false);
		await takeShot(duty.page, `job-sheet-${language}`, true);
	}
}, 200_000);

it.each(['ar', 'en'] as const)(
	'a shift is left by one person and taken over by another, once, %s',
	async (language) => {
		const leaving = await sit('duty', '/control/handover', { language });
		const coming = await sit('crowd', '/control/handover', { language });
		const words = `watch the east stairs ${language}`;
		const take = say(language, 'sht_take');
		await leaving.page.locator('textarea').fill(words);
		await leaving.page.getByRole('button', { name: say(language, 'sht_sign') }).click();
		const note = (page: typeof leaving.page) => page.locator('.sheet p', { hasText: words });
		await expect
			.poll(() => note(leaving.page).textContent(), { timeout: 30_000 })
			.toContain(say(language, 'sht_untaken'));
		// Who leaves cannot take over from themselves.
		expect(await note(leaving.page).getByRole('button', { name: take }).count()).toBe(0);
		await coming.page.reload();
		await note(coming.page).getByRole('button', { name: take }).click();
		await expect
			.poll(() => coming.page.locator('main').textContent(), { timeout: 30_000 })
			.toContain(say(language, 'sht_took'));
		await expect.poll(() => note(coming.page).getByRole('button', { name: take }).count()).toBe(0);
		for (const size of ['phone', 'desk'] as const) {
			await coming.page.setViewportSize(sizes[size]);
			await coming.page.waitForTimeout(500);
			await takeShot(coming.page, `job-handover-${language}-${size}`, true);
			await expectWellLaidOut(coming.page);
		}
		await expectAccessible(coming.page);
		await expectSound(coming);
	},
	200_000
);
