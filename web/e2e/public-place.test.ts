import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { english } from '../src/public/texts/en.ts';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, openGlass, takeShot, type Glass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';

let browser: Browser;
let server: RealServer;
let glass: Glass;

beforeAll(async () => {
	browser = await launchChromium();
	// Nobody passes while these tests look: a place stands still but for what they do.
	server = await startServer({ LAB: '1', ADMIT_PER_SECOND: '0.2' });
	for (let i = 0; i < 30; i++) await server.call('POST', `/queue/join?user=front-${i}`);
});
afterEach(() => glass?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

const open = async (options: Partial<Parameters<typeof openGlass>[1]> = {}) => {
	glass = await openGlass(browser, {
		...{ baseURL: server.url, language: 'en', expected: /status of|net::ERR/, ...options }
	});
	return glass.page;
};
const section = (page: Page, name: string) => page.locator(`[data-section="${name}"]`);
const numberOf = (page: Page) => page.locator('[data-text="number"]').textContent();
const issued = async () => (await server.call('GET', '/queue/progress')).body.issued as number;

async function join(page: Page): Promise<void> {
	await page.goto('/en/');
	await page.locator('[data-press="join"]:visible:enabled').click();
	await section(page, 'waiting').waitFor();
}

describe('a place in a browser', () => {
	it('is one for five tabs, and is there again after the browser was closed', async () => {
		const before = await issued();
		const first = await open();
		const tabs = [first];
		for (let i = 1; i < 5; i++) tabs.push(await glass.context.newPage());
		for (const tab of tabs) await tab.goto('/en/');
		for (const tab of tabs) await tab.locator('[data-press="join"]:visible:enabled').click();
		const numbers: (string | null)[] = [];
		for (const tab of tabs) {
			await section(tab, 'waiting').waitFor();
			numbers.push(await numberOf(tab));
		}
		expect(new Set(numbers).size).toBe(1);
		expect(await issued()).toBe(before + 1);

		const storageState = await glass.context.storageState();
		await glass.close();
		const context = await browser.newContext({ baseURL: server.url, storageState });
		const again = await context.newPage();
		await again.goto('/en/');
		await section(again, 'waiting').waitFor();
		expect(await numberOf(again)).toBe(numbers[0]);
		expect(await issued()).toBe(before + 1);
		await context.close();
	});

	it('is kept while the network is gone for two minutes, and the page finds back by itself', async () => {
		const page = await open();
		await join(page);
		const number = await numberOf(page);
		// The newest number there is: the public document may be a second older.
		const before = Number(number);
		await page.clock.install();
		await glass.context.setOffline(true);
		const notice = page.locator('[data-part="notice"]');
		for (let second = 0; second < 120; second += 5) await page.clock.runFor(5_000);
		await notice.waitFor();
		expect(await notice.textContent()).toContain(english.live.notices.offline);
		expect(await numberOf(page)).toBe(number);
		expect(await section(page, 'waiting').isVisible()).toBe(true);
		await glass.context.setOffline(false);
		for (let second = 0; second < 90 && (await notice.isVisible()); second++) await page.clock.runFor(1_000);
		await notice.waitFor({ state: 'hidden' });
		expect([await numberOf(page), await issued()]).toEqual([number, before]);
	});

	it('lives as long as the page where the browser keeps nothing, and the page says so', async () => {
		const page = await open();
		await page.addInitScript(() => {
			for (const name of ['localStorage', 'sessionStorage'])
				Object.defineProperty(window, name, {
					get() {
						throw new DOMException('refused', 'SecurityError');
					}
				});
		});
		await join(page);
		expect(await page.locator('[data-part="notice"]').textContent()).toContain(
			english.live.notices['no-storage']
		);
		const number = await numberOf(page);
		// The newest number there is: the public document may be a second older.
		const before = Number(number);
		await page.waitForTimeout(7_000);
		expect([await numberOf(page), await issued()]).toEqual([number, before]);
		await takeShot(page, 'place-no-storage-en');
	});

	it('is given up when asked for, after a question', async () => {
		const page = await open();
		await join(page);
		await page.locator('[data-press="ask-leave"]:visible').click();
		await page.locator('dialog[open]').waitFor();
		await page.locator('dialog .danger').click();
		await section(page, 'start').waitFor();
		expect(await page.locator('[data-part="notice"]').textContent()).toContain(english.live.notices.left);
	});

	it('can be had, looked at and given up without JavaScript', async () => {
		const page = await open({ javaScript: false });
		await page.goto('/');
		await page.locator('noscript a, .notice a.go').first().click();
		await page.locator('form button').click();
		await page.waitForURL('**/plain/ar/place');
		expect(await page.locator('h1').textContent()).toBe('دورك محفوظ');
		await takeShot(page, 'place-plain-ar');
		await page.waitForTimeout(500);
		await page.locator('form button').first().click();
		await page.waitForURL('**/plain/ar/place?');
		await page.locator('form[method="post"] button').last().click();
		expect(await page.locator('h1').textContent()).toBe('تنازلت عن دورك.');
	});

	it('says nothing and moves nothing while a screen reader reads: one polite line, at most once a minute', async () => {
		const page = await open();
		await page.clock.install();
		await join(page);
		const heard = await page.evaluate(() => {
			const said: string[] = [];
			const live = document.querySelector('[role="status"]')!;
			new MutationObserver(() => said.push(live.textContent ?? '')).observe(live, { childList: true });
			(window as unknown as { said: string[] }).said = said;
			return live.getAttribute('aria-live') ?? live.getAttribute('role');
		});
		expect(heard).toBe('status');
		const focused = await page.evaluate(() => document.activeElement?.tagName);
		for (let i = 0; i < 12; i++) await page.clock.runFor(10_000);
		const said = await page.evaluate(() => (window as unknown as { said: string[] }).said.length);
		expect(said).toBeLessThanOrEqual(4);
		expect(await page.evaluate(() => document.activeElement?.tagName)).toBe(focused);
		await page.keyboard.press('Tab');
		await expectSound(glass);
	});
});
