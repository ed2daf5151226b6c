import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectAccessible, expectSound, expectWellLaidOut, languages, sizes, takeShot } from './kit/pages.ts';
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

async function sit(who: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, '/control/season', {
		expected: /status of (401|403|409|412|422)|ERR_INTERNET_DISCONNECTED|WebSocket/,
		...options
	});
	desks.push(desk);
	return desk;
}
/** What a person reads, without the marks that keep directions apart. */
const read = async ({ page }: Desk, selector = '.page') =>
	(await page.locator(selector).first().innerText()).replaceAll(/[\u2066-\u2069\u200e\u200f\u061c]/g, '');

it('plans a night, shown with its evening; a month that is announced moves it when another person confirms', async () => {
	const duty = await sit('duty');
	const { page } = duty;
	const field = (name: string) => page.locator(`#sea-spike-${name}`);
	await page.getByRole('button', { name: say('en', 'sea_spike_new') }).click();
	await page.getByRole('button', { name: say('en', 'sea_save') }).click();
	await page.getByText(say('en', 'sea_missing')).waitFor(patience);
	await field('ar').fill('ليلة الختم');
	await field('en').fill('Night of completion');
	await field('kind').selectOption('night');
	await field('day').fill('29');
	await field('month').selectOption('9');
	await field('year').fill('1448');
	await page.getByLabel(say('en', 'sea_is_night')).check();
	await field('from').fill('21:00');
	await field('minutes').fill('300');
	await page.locator('#sea-spikes-reason').fill('the last nights are known');
	await takeShot(page, 'job-season-form-en', true);
	await page.getByRole('button', { name: say('en', 'sea_save') }).click();
	await page.getByText(say('en', 'sea_done'), { exact: true }).waitFor(patience);
	await expect
		.poll(() => read(duty), patience)
		.toContain('night of 29 Ramadan 1448 AH, the evening of Sunday 7 March 2027');
	expect(await read(duty)).toContain('night of 27 Ramadan 1448 AH, the evening of Friday 5 March 2027');
	// The bar counts down to the nearest.
	expect(await read(duty, '.countdown')).toMatch(/Registration opens in\s+\d d \d\d:\d\d$/);

	await page.getByRole('button', { name: say('en', 'sea_sighting_new') }).click();
	await page.locator('#sea-sighting-month').selectOption('9');
	await page.locator('#sea-sighting-year').fill('1448');
	await page.locator('#sea-sighting-source').fill('Supreme Court');
	await page.locator('#sea-sighting-reason').fill('seen in Sudair');
	await page.locator('#sea-sighting-day').fill('2027-02-09');
	await page.getByRole('button', { name: say('en', 'sea_announce') }).click();
	await page.getByText('every month has 29 or 30 days').waitFor(patience);
	await page.locator('#sea-sighting-day').fill('2027-02-07');
	await page.getByRole('button', { name: say('en', 'sea_announce') }).click();
	await page.getByText(say('en', 'sea_done_announced')).waitFor(patience);
	await page.getByText(say('en', 'sea_needs_second')).waitFor(patience);
	expect(await page.getByRole('button', { name: say('en', 'sea_confirm') }).count()).toBe(0);
	await takeShot(page, 'job-season-tentative-en', true);

	const second = await sit('second', { language: 'ar', theme: 'day' });
	await second.page.locator('.open input').fill('سمعت الإعلان');
	await takeShot(second.page, 'job-season-tentative-ar', true);
	await second.page.getByRole('button', { name: say('ar', 'sea_confirm') }).click();
	await second.page.getByText(say('ar', 'sea_done_confirmed')).waitFor(patience);
	await expect
		.poll(() => read(duty), patience)
		.toContain('night of 29 Ramadan 1448 AH, the evening of Saturday 6 March 2027');
	// Both are shown while they differ.
	expect(await read(duty)).toContain('calculated: Sunday 7 March 2027 21:00');
	expect(await read(second)).toContain('ليلة 27 رمضان 1448 هـ، مساء الخميس 4 مارس 2027');
	await expectSound(duty);
	await expectSound(second);
	const cookie = await server.signIn('duty');
	const record = JSON.stringify((await server.call('GET', '/api/v1/record', { cookie })).body);
	for (const part of [
		'season.spike.plan',
		'season.sighting.announce',
		'season.sighting.confirm',
		'سمعت الإعلان'
	])
		expect(record).toContain(part);
}, 300_000);

it('shows a month of either calendar with prayer times of the site, by keyboard and on a phone', async () => {
	const desk = await sit('viewer', { size: 'phone', language: 'ar', theme: 'day' });
	const { page } = desk;
	await page.locator('.facts dl').waitFor(patience);
	expect(await page.getByRole('button', { name: say('ar', 'sea_spike_new') }).count()).toBe(0);
	await page.getByText(say('ar', 'sea_only_planners')).waitFor(patience);
	await takeShot(page, 'job-season-phone-ar', true);
	await expectSound(desk);
	const english = await sit('duty', { size: 'phone' });
	await english.page.getByRole('button', { name: say('en', 'sea_by_civil') }).click();
	await english.page.locator('.day').nth(1).focus();
	await english.page.keyboard.press('Enter');
	expect(await english.page.locator('.day').nth(1).getAttribute('aria-pressed')).toBe('true');
	await expect.poll(() => read(english, '.facts'), patience).toMatch(/Maghrib\s+1[78]:\d\d/);
	await takeShot(english.page, 'job-season-phone-en', true);
	await expectSound(english);
}, 200_000);

it('sends nothing while offline, says since when, and refuses what somebody changed meanwhile', async () => {
	const duty = await sit('duty', { language: 'en', theme: 'day' });
	const { page } = duty;
	await page.getByRole('button', { name: /Change.*27th night freeze/ }).click();
	const cookie = await server.signIn('second');
	const { freezes } = (await server.call('GET', '/api/v1/season', { cookie })).body;
	const { id, version, names, covers, span } = freezes[0];
	await server.call('PUT', `/api/v1/season/freezes/${id}`, {
		...{ cookie, body: { names, covers, span, expectedVersion: version, reason: 'faster' } }
	});
	await page.locator('#sea-freezes-reason').fill('a day longer');
	await page.getByRole('button', { name: say('en', 'sea_save') }).click();
	await page.getByText(say('en', 'sea_changed_meanwhile')).waitFor(patience);
	await takeShot(page, 'job-season-desk-day-en', true);
	await duty.context.setOffline(true);
	await page.getByText(say('en', 'cmd_offline')).first().waitFor(patience);
	expect(await page.getByRole('button', { name: say('en', 'sea_save') }).isDisabled()).toBe(true);
	// The calendar is known: the countdown goes on.
	expect(await read(duty, '.countdown')).toContain('Registration opens');
}, 200_000);

it.each(languages)(
	'reads readiness from evidence, and takes what somebody saw outside with their name, %s',
	async (language) => {
		const duty = await sit('duty', { language });
		const { page } = duty;
		await page.goto('/control/season/readiness');
		const backup = page.locator('li', { hasText: say(language, 'rdy_check_backup') }).first();
		await backup.waitFor({ timeout: 60_000 });
		expect(await backup.textContent()).toContain(
			say(language, language === 'ar' ? 'rdy_state_missing' : 'rdy_state_shown')
		);
		expect(await page.locator('summary').first().textContent()).not.toContain(
			`● ${say(language, 'rdy_ready')}`
		);
		await page.locator('#note-backup').fill('restored on the spare server, log 17');
		await page
			.locator('form', { has: page.locator('#note-backup') })
			.locator('button')
			.click();
		await expect.poll(() => backup.textContent(), patience).toContain('log 17');
		expect(await backup.textContent()).toContain(say(language, 'rdy_state_shown'));
		for (const size of ['phone', 'desk'] as const) {
			await page.setViewportSize(sizes[size]);
			await page.waitForTimeout(500);
			await takeShot(page, `readiness-${language}-${size}`, true);
			await expectWellLaidOut(page);
		}
		await expectAccessible(page);
		await expectSound(duty);
	}
);
