import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectAccessible, expectSound, expectWellLaidOut, languages, sizes, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
const desks: Desk[] = [];

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '40' });
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
});
afterEach(async () => {
	const cookie = await server.signIn('duty');
	await server.call('PUT', '/api/v1/queue/mode', { cookie, body: { mode: 'open', reason: 'the next test' } });
	for (const desk of desks.splice(0)) await desk.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, {
		expected: /status of (401|403|409|503)|net::ERR|WebSocket/,
		...options
	});
	desks.push(desk);
	return desk;
}

const holdButton = (desk: Desk, index: number) => desk.page.locator('button.hold').nth(index);
const plain = (text: string | null) => (text ?? '').replaceAll(/[\u2066-\u2069]/g, '');
const decisions = (desk: Desk) => desk.page.locator('ol li').allTextContents();
const managerRate = async () => {
	const cookie = await server.signIn('duty');
	const { body } = await server.call('GET', '/api/v1/spike/now', { cookie });
	return body.rate.managerPerSecond;
};

describe.each(languages)('the duty manager’s hand on the room, %s', (language) => {
	it('sets the rate with a reason: decided, on record, on the wall and with a name', async () => {
		const duty = await sit('duty', '/control/spike', { language });
		const wall = await sit('crowd', '/control', { language });
		const { page } = duty;
		const before = await managerRate();
		const after = before / 2;
		await page.locator('#hand-rate').fill(String(after));
		expect(await holdButton(duty, 0).isDisabled()).toBe(true);
		await page.locator('#hand-reason').fill('the payment service is slow');
		await hold(page, holdButton(duty, 0), language === 'ar' ? 'keyboard' : 'pointer');
		await expect.poll(managerRate, { timeout: 60_000 }).toBe(after);
		// A busy machine may have lowered the rate by itself meanwhile: where it came from is not promised.
		const change = plain(say(language, 'dec_from_to', { from: '§', to: String(after) })).split('§')[1]!;
		await expect
			.poll(async () => plain((await decisions(duty)).join(' ')), { timeout: 60_000 })
			.toContain(change);
		await expect
			.poll(async () => plain(await page.locator('.last').textContent()), { timeout: 60_000 })
			.toContain('duty@example.org');
		await expect
			.poll(async () => plain(await wall.page.locator('main').textContent()), { timeout: 60_000 })
			.toContain(change);
		const cookie = await server.signIn('duty');
		const { body } = await server.call('GET', '/api/v1/record', { cookie });
		const commands = body.entries.filter((entry: { action: string }) => entry.action === 'queue.rate');
		expect(commands.at(-1)).toMatchObject({
			after: { perSecond: after },
			reason: 'the payment service is slow'
		});
		for (const size of ['phone', 'desk'] as const) {
			await page.setViewportSize(sizes[size]);
			await page.waitForTimeout(500);
			await takeShot(page, `spike-hand-${language}-${size}`, true);
			await expectWellLaidOut(page);
		}
		await expectAccessible(page);
		await expectSound(duty);
	});

	it('stops everybody by the mode, and reads further back', async () => {
		const duty = await sit('duty', '/control/spike', { language });
		const { page } = duty;
		const now = (await server.call('GET', '/queue/progress')).body.mode;
		const other = now === 'open' ? 'queue-all' : 'open';
		await page.locator('#hand-mode').selectOption(other);
		await page.locator('#hand-reason').fill('an exercise');
		await hold(page, holdButton(duty, 1));
		await expect
			.poll(async () => (await server.call('GET', '/queue/progress')).body.mode, { timeout: 60_000 })
			.toBe(other);
		await page.locator('.spans button').first().click();
		await page.locator('.history .chart').first().waitFor({ timeout: 60_000 });
		await expectSound(duty);
	});
});

describe('somebody else', () => {
	it('may look and not touch', async () => {
		const crowd = await sit('crowd', '/control/spike');
		await expect
			.poll(async () => plain(await crowd.page.locator('main').textContent()), { timeout: 60_000 })
			.toContain('Only the duty manager sets rate and mode.');
		expect(await crowd.page.locator('button.hold').count()).toBe(0);
		await crowd.page.locator('ol li').first().waitFor();
	});

	it('is told that nothing is sent while the link is lost', async () => {
		const duty = await sit('duty', '/control/spike');
		const { page } = duty;
		await page.locator('#hand-rate').fill('33');
		await page.locator('#hand-reason').fill('while the link is lost');
		await server.stop('SIGKILL');
		await expect
			.poll(async () => plain(await page.locator('main').textContent()), { timeout: 90_000 })
			.toContain(say('en', 'hand_no_link'));
		expect(await holdButton(duty, 0).isDisabled()).toBe(true);
		await server.startAgain();
		await expect.poll(() => holdButton(duty, 0).isDisabled(), { timeout: 120_000 }).toBe(false);
		expect(await managerRate()).not.toBe(33);
	});
});
