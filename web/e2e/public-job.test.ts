import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, languages, openGlass, takeShot, type Glass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';

let browser: Browser;
let server: RealServer;
let glass: Glass;

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ LAB: '1', ADMIT_PER_SECOND: '2' });
});
afterEach(() => glass?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

const section = (name: string) => glass.page.locator(`[data-section="${name}"]`);
const press = (name: string) => glass.page.locator(`[data-press="${name}"]:visible`).click();

/** People who joined before and stand in front. */
async function standInFront(count: number, name: string): Promise<void> {
	for (let i = 0; i < count; i++) await server.call('POST', `/queue/join?user=${name}-${i}`);
}

describe.each(languages)('a person with a place to book, %s', (language) => {
	it('joins, waits, is told, claims, books a slot for three, sees the permit, and gives it back', async () => {
		await standInFront(24, `front-${language}`);
		glass = await openGlass(browser, { baseURL: server.url, language, expected: /status of (429|503|404)/ });
		const { page } = glass;
		// A real dialog of the browser would wait for a hand.
		await page.addInitScript(() => (window.print = () => undefined));
		await page.goto(`${language === 'ar' ? '/' : '/en/'}?user=person-${language}`);
		await page.locator('[data-press="join"]:enabled').first().waitFor();
		await page.locator('select:visible').selectOption('3');
		await press('join');
		await section('waiting').waitFor();
		expect(Number(await page.locator('[data-text="ahead"]').textContent())).toBeGreaterThan(5);
		await takeShot(page, `job-waiting-${language}`);

		await section('called').waitFor({ timeout: 90_000 });
		await takeShot(page, `job-called-${language}`);
		await press('claim');
		await page.locator('[data-slot]').first().waitFor();
		await expectSound(glass);
		await takeShot(page, `job-choosing-${language}`);
		await page.locator('[data-slot="2"]').click();
		await page.locator('[data-part="qr"]:visible').waitFor();
		await expectSound(glass);
		await takeShot(page, `job-permit-${language}`, true);

		const { body: permit } = await server.call('GET', `/permits/mine?user=person-${language}`);
		expect(permit).toMatchObject({ slot: 2, party: 3, state: 'valid' });
		expect(await page.locator('[data-text="permit-id"]').textContent()).toBe(permit.id);

		// What goes on paper is the page made for it, from a frame of its own.
		await page.locator('[data-press="print"]').click();
		const paper = page.frameLocator('iframe.paper');
		await expect.poll(() => paper.locator('main').innerText(), { timeout: 30_000 }).toContain(permit.id);
		expect(await paper.locator('.mark').first().textContent()).toContain('محاكاة');
		expect(await paper.locator('section').first().innerText()).toContain('المداخل');

		// The permit is there again after a reload, and for nobody else.
		await page.reload();
		await page.locator('[data-part="qr"]:visible').waitFor();
		await press('ask-cancel');
		await press('cancel');
		await section('start').waitFor();
		expect((await server.call('GET', `/permits/mine?user=person-${language}`)).status).toBe(204);
	});
});

it('keeps the place through kill -9 of the server, and says that the connection is lost meanwhile', async () => {
	await standInFront(400, 'crowd');
	glass = await openGlass(browser, { baseURL: server.url, language: 'en', expected: /status of|net::ERR/ });
	const { page } = glass;
	await page.goto('/en/?user=patient');
	await page.locator('[data-press="join"]:enabled').first().waitFor();
	await press('join');
	await section('waiting').waitFor();
	const number = await page.locator('[data-text="number"]').textContent();
	await server.stop('SIGKILL');
	const notice = page.locator('[data-part="notice"]');
	await notice.waitFor({ timeout: 90_000 });
	expect(await notice.textContent()).toContain('Your place is kept');
	await server.startAgain();
	await notice.waitFor({ state: 'hidden', timeout: 90_000 });
	expect(await page.locator('[data-text="number"]').textContent()).toBe(number);
	expect(await section('waiting').isVisible()).toBe(true);
	const { body } = await server.call('POST', '/queue/join?user=patient');
	expect(String(body.number)).toBe(number?.replace(',', ''));
});
