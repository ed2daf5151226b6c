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

describe.each(languages)('the charts, %s', (language) => {
	it('point at one moment, are drawn out together, stand still when told, and have a table each', async () => {
		const desk = await sit('crowd', '/control/spike', { language });
		const { page } = desk;
		const frames = page.locator('.charts .frame');
		await frames.nth(2).waitFor();
		await expect
			.poll(() => page.locator('.charts .line.main').count(), { timeout: 60_000 })
			.toBeGreaterThan(2);
		// A few seconds of history, so that there is something to point at.
		await page.locator('.tools button').first().click();
		await page.waitForTimeout(12_000);
		const box = (await frames.first().boundingBox())!;
		const y = box.y + box.height / 2;
		await page.mouse.move(box.x + box.width * 0.9, y);
		await expect.poll(() => page.locator('.charts .pointer').count()).toBe(await frames.count());
		const clocks = await page.locator('.charts .legend > bdi').allTextContents();
		expect(new Set(clocks).size).toBe(1);
		await page.mouse.move(box.x + box.width * 0.4, y);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * 0.8, y, { steps: 4 });
		await page.mouse.up();
		await page.getByRole('button', { name: say(language, 'cht_zoom_out') }).click();
		await page.getByRole('button', { name: say(language, 'cht_freeze') }).click();
		await expect.poll(() => page.locator('.tools.frozen').count()).toBe(1);
		const ticks = () => page.locator('.charts svg').first().innerHTML();
		await page.mouse.move(2, 2);
		const still = await ticks();
		await page.waitForTimeout(2_500);
		expect(await ticks()).toBe(still);
		await takeShot(page, `spike-frozen-${language}-desk`, true);
		await page
			.getByRole('button', { name: say(language, 'bar_resume') })
			.first()
			.click();
		await page.getByRole('button', { name: say(language, 'cht_hour_before') }).click();
		await expect
			.poll(() => page.locator('.tools .said').textContent(), { timeout: 60_000 })
			.toContain(say(language, 'cht_beside_none'));
		expect(await page.locator('.charts details').count()).toBe(await frames.count());
		await page.locator('.tools details summary').click();
		await expect.poll(() => page.locator('.tools li').allTextContents()).not.toEqual([]);
		for (const size of ['phone', 'desk'] as const) {
			await page.setViewportSize(sizes[size]);
			await page.waitForTimeout(500);
			await takeShot(page, `spike-charts-${language}-${size}`, true);
			await expectWellLaidOut(page);
		}
		await expectAccessible(page);
		await expectSound(desk);
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
