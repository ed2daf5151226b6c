import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
const desks: Desk[] = [];
const patience = { timeout: 60_000 };

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
}, 300_000);
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, {
		expected: /status of (401|403|409|412)|ERR_INTERNET_DISCONNECTED|WebSocket/,
		...options
	});
	desks.push(desk);
	return desk;
}
const teams = ({ page }: Desk) => page.locator('.teams').innerText();

it('makes a team that is on the dispatch board at once, changes and ends it; each is on record', async () => {
	const admin = await sit('admin', '/control/admin/teams');
	const duty = await sit('duty', '/control/dispatch', { language: 'ar' });
	const { page } = admin;
	const field = (name: string) => page.locator(`#team-${name}`);
	await page.getByRole('button', { name: say('en', 'team_new') }).click();
	await page.getByRole('button', { name: say('en', 'team_save') }).click();
	await page.getByText(say('en', 'team_missing')).waitFor(patience);
	await takeShot(page, 'job-teams-missing-en');
	await field('nameAr').fill('فريق الإسعاف');
	await field('nameEn').fill('First aid');
	await field('channel').fill('TG 9');
	await field('phone').fill('555-0109');
	await field('members').fill('4');
	await field('home').selectOption({ index: 1 });
	await page.getByLabel(/lead@example\.org/).check();
	await page.getByRole('button', { name: say('en', 'team_save') }).click();
	await page.getByText(say('en', 'team_done_made')).waitFor(patience);
	await expect.poll(() => teams(duty), patience).toContain('فريق الإسعاف');

	const change = page.getByRole('button', { name: /Change.*First aid/ });
	await change.click();
	expect(await page.getByLabel(/lead@example\.org/).isChecked()).toBe(true);
	// Somebody else is faster: nothing is written over.
	const cookie = await server.signIn('admin');
	const known = (await server.call('GET', '/api/v1/teams', { cookie })).body.teams;
	const { id, version, names, channel, phone, members, home, shift } = known.find(
		(team: { names: { en: string } }) => team.names.en === 'First aid'
	);
	const faster = { names, channel, phone, members: members + 1, home, shift, leaders: [] };
	await server.call('PUT', `/api/v1/teams/${id}`, { cookie, body: { ...faster, expectedVersion: version } });
	await field('members').fill('9');
	await page.getByRole('button', { name: say('en', 'team_save') }).click();
	await page.getByText(say('en', 'team_changed_meanwhile')).waitFor(patience);
	await page.getByRole('button', { name: say('en', 'dsp_close') }).click();
	await change.click();
	expect(await field('members').inputValue()).toBe('5');
	await page.getByRole('button', { name: say('en', 'team_retire') }).click();
	await page.getByRole('button', { name: say('en', 'team_retire_yes') }).click();
	await page.getByText(say('en', 'team_done_retired')).waitFor(patience);
	await expect.poll(() => teams(duty), patience).not.toContain('فريق الإسعاف');
	await expectSound(admin);
	const record = await server.call('GET', '/api/v1/record', { cookie });
	for (const action of ['team.create', 'team.change', 'team.retire'])
		expect(JSON.stringify(record.body)).toContain(action);
}, 240_000);

it('refuses whoever is not the administrator, and sends nothing while offline', async () => {
	const crowd = await sit('crowd', '/control/admin/teams', { language: 'ar' });
	await crowd.page.getByText(say('ar', 'state_refused')).waitFor(patience);
	const admin = await sit('admin', '/control/admin/teams', { language: 'ar', size: 'phone' });
	await admin.page.getByRole('button', { name: say('ar', 'team_new') }).click();
	await takeShot(admin.page, 'job-teams-form-ar', true);
	await admin.context.setOffline(true);
	await admin.page.getByText(say('ar', 'cmd_offline')).first().waitFor(patience);
	expect(await admin.page.getByRole('button', { name: say('ar', 'team_save') }).isDisabled()).toBe(true);
}, 200_000);
