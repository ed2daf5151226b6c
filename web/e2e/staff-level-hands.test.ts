import { randomUUID } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest';
import { onServer, withDatabase } from '../../server/test/kit/template.ts';
import { startUnleash, type UnleashStand } from '../../server/src/platform/flags/unleash-stand.fixture.ts';
import { launchChromium } from './kit/chromium.ts';
import { backToNormal, holdButton, ladder, shownLevel, switchByCall } from './kit/levels.ts';
import { expectSound } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, openDesk, say, type Desk } from './kit/staff.ts';

/** What several hands do to one level: two managers, the glass, a step back, an exercise, a hand in Unleash. */
let browser: Browser;
let server: RealServer;
let unleash: UnleashStand;
/** Unleash has a database of its own. */
const flagsDatabase = `unleash_${randomUUID().replaceAll('-', '')}`;
const desks: Desk[] = [];
const patience = { timeout: 60_000 };

beforeAll(async () => {
	const databaseUrl = inject('databaseUrl');
	await onServer(databaseUrl, `create database ${flagsDatabase}`);
	[browser, unleash] = await Promise.all([
		launchChromium(),
		startUnleash(withDatabase(databaseUrl, flagsDatabase))
	]);
	server = await startServer({
		...{ ADMIT_PER_SECOND: '1', UNLEASH_URL: unleash.url, UNLEASH_TOKEN: unleash.clientToken },
		...{ UNLEASH_ADMIN_TOKEN: unleash.adminToken, UNLEASH_ENVIRONMENT: 'development' }
	});
}, 300_000);
afterAll(async () => {
	await browser?.close();
	await server?.close();
	await unleash?.stop();
	await onServer(inject('databaseUrl'), `drop database if exists ${flagsDatabase} with (force)`);
});
beforeEach(() => backToNormal(server));
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});

async function sit(who: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, '/control/levels', {
		expected: /status of (401|403|409|410)/,
		...options
	});
	desks.push(desk);
	await ladder(desk, 1).waitFor();
	return desk;
}
const levelIs = (desk: Desk, level: string) =>
	expect.poll(() => shownLevel(desk).textContent(), patience).toBe(level);
const stateOf = async () =>
	(await server.call('GET', '/api/v1/levels', { cookie: await server.signIn('duty') })).body;

describe('two managers at once', () => {
	it('the one who looked at the level of before is told who was faster, what, when and why', async () => {
		const duty = await sit('duty');
		await ladder(duty, 1).click();
		await duty.page.locator('#reason').fill('bookings slow');
		await switchByCall(server, 2, 'second', 'database pool full');
		const note = duty.page.locator('.faster');
		await note.waitFor();
		const text = (await note.textContent()) ?? '';
		expect(text).toContain(say('en', 'role_second_duty_manager'));
		expect(text).toContain('database pool full');
		expect(await holdButton(duty).isDisabled()).toBe(true);
		await note.getByRole('button').click();
		await expect.poll(() => holdButton(duty).isEnabled(), patience).toBe(true);
		expect(await duty.page.locator('#reason').inputValue()).toBe('bookings slow');
		await hold(duty.page, holdButton(duty));
		await levelIs(duty, '1');
		await expectSound(duty);
	});

	it('who presses in the same moment loses with the same words, and nothing of theirs is done', async () => {
		const duty = await sit('duty', { language: 'ar' });
		let isFirst = true;
		await duty.page.route('**/api/v1/levels/current', async (route) => {
			if (isFirst) await switchByCall(server, 2, 'second', 'database pool full');
			isFirst = false;
			await route.continue();
		});
		await ladder(duty, 1).click();
		await duty.page.locator('.chips button').first().click();
		await hold(duty.page, holdButton(duty));
		await duty.page.locator('.faster').waitFor();
		await levelIs(duty, '2');
		expect((await stateOf()).current).toMatchObject({ level: 2, by: 'Second duty manager' });
		await expectSound(duty);
	});
});

it('a page that grows under the finger does not let go of the button; a finger that slides off does', async () => {
	const duty = await sit('duty');
	await ladder(duty, 1).click();
	await duty.page.locator('#reason').fill('bookings slow');
	const grow = () => duty.page.locator('.numbers').evaluate((all) => (all.style.marginBottom = '40rem'));
	const shrink = () => duty.page.locator('.numbers').evaluate((all) => (all.style.marginBottom = ''));
	await holdButton(duty).hover();
	await duty.page.mouse.down();
	await duty.page.mouse.move(2, 2);
	await duty.page.waitForTimeout(1_200);
	await duty.page.mouse.up();
	expect((await stateOf()).current.level).toBe(0);
	await holdButton(duty).hover();
	await duty.page.mouse.down();
	await grow();
	await duty.page.waitForTimeout(1_200);
	await duty.page.mouse.up();
	await levelIs(duty, '1');
	await shrink();
	await expectSound(duty);
});

it('a drill is marked EXERCISE on every screen, with its end, and is ended by hand', async () => {
	const duty = await sit('duty');
	const wall = await openDesk(browser, server, 'crowd', '/control', { language: 'ar' });
	desks.push(wall);
	await ladder(duty, 1).click();
	await duty.page.locator('.drill-form summary').click();
	await duty.page.locator('#drill-reason').fill('season opening');
	// No drill begins while the figures are too old to judge by: it is pressed again then.
	await expect
		.poll(async () => {
			if ((await duty.page.locator('section.drill').count()) > 0) return true;
			await hold(duty.page, duty.page.locator('.drill-form button.hold'));
			return duty.page
				.locator('section.drill')
				.waitFor({ timeout: 5_000 })
				.then(() => true)
				.catch(() => false);
		}, patience)
		.toBe(true);
	await levelIs(wall, '1');
	const mark = (desk: Desk) => desk.page.locator('.bar .level .hatched').textContent();
	await expect.poll(() => mark(wall), patience).toBe(say('ar', 'mark_exercise'));
	expect(await mark(duty)).toBe(say('en', 'mark_exercise'));
	expect(await duty.page.locator('.ladder .current').textContent()).toContain(
		say('en', 'lev_real_level', { level: '0' })
	);
	await duty.page.locator('#drill-end').fill('seen enough');
	await duty.page.locator('section.drill button').click();
	await levelIs(wall, '0');
	expect(await wall.page.locator('.bar .level .hatched').count()).toBe(0);
	await expect.poll(() => ladder(duty, 1).textContent(), patience).toContain(say('en', 'lev_drilled_today'));
	await expectSound(duty);
	await expectSound(wall);
});

it('a switch is undone from the other desk, as long as there is time', async () => {
	const duty = await sit('duty');
	const second = await sit('second', { language: 'ar' });
	await ladder(duty, 1).click();
	await duty.page.locator('.chips button').first().click();
	await hold(duty.page, holdButton(duty), 'keyboard');
	await levelIs(second, '1');
	await second.page.locator('.undo button').click();
	await levelIs(duty, '0');
	expect((await stateOf()).current).toMatchObject({ level: 0, source: 'undo' });
	expect(await duty.page.locator('.undo').count()).toBe(0);
	await expectSound(second);
});

it('the glass is broken by one alone, apart from the switch, and that is said', async () => {
	const duty = await sit('duty');
	await ladder(duty, 3).click();
	await duty.page.locator('#reason').fill('second person not reached');
	await duty.page.locator('.glass summary').click();
	expect(await duty.page.locator('.glass').textContent()).toContain(say('en', 'lev_glass_pages'));
	await hold(duty.page, duty.page.locator('.glass button.hold'));
	await levelIs(duty, '3');
	expect((await stateOf()).current).toMatchObject({ level: 3, source: 'break-glass' });
	expect(await duty.page.locator('.ladder .current').textContent()).toContain(
		say('en', 'lev_source_break_glass')
	);
	await expectSound(duty);
});

it('a flag turned in Unleash itself shows as drift, and is written there again', async () => {
	await expect.poll(async () => (await stateOf()).unleash.state, { timeout: 90_000 }).toBe('in-step');
	await expect.poll(() => unleash.read('images'), { timeout: 90_000 }).toBe(true);
	const oncall = await sit('oncall');
	await unleash.setFlag('images', 'off');
	const drift = oncall.page.locator('.drift');
	await drift.waitFor({ timeout: 90_000 });
	expect(await drift.textContent()).toContain(say('en', 'flag_images'));
	await oncall.page.locator('#restore-reason').fill('flipped by mistake');
	await drift.locator('button').click();
	await expect.poll(() => unleash.read('images'), { timeout: 90_000 }).toBe(true);
	await expect.poll(() => drift.count(), { timeout: 90_000 }).toBe(0);
	await expectSound(oncall);
});

it('offline it refuses visibly, and sends nothing later', async () => {
	const duty = await sit('duty', { expected: /status of|net::ERR|WebSocket|Failed to load/ });
	await ladder(duty, 1).click();
	await duty.page.locator('.chips button').first().click();
	await duty.context.setOffline(true);
	await server.stop();
	await expect
		.poll(() => duty.page.locator('.detail').textContent(), { timeout: 90_000 })
		.toContain(say('en', 'lev_no_link'));
	expect(await holdButton(duty).isDisabled()).toBe(true);
	await server.startAgain();
	await duty.context.setOffline(false);
	await expect.poll(() => holdButton(duty).isEnabled(), { timeout: 100_000 }).toBe(true);
	await levelIs(duty, '0');
	expect((await stateOf()).current.level).toBe(0);
});
