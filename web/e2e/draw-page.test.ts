import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, languages, openGlass, takeShot, type Glass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';

let browser: Browser;
let server: RealServer;
let glass: Glass;
const people = 60;

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer();
	const cookie = await server.signIn('duty');
	const put = async (body: object) => {
		const answer = await server.call('PUT', '/api/v1/queue/schedule', {
			...{ cookie, body: { closesAt: null, reason: 'the season opens', ...body } }
		});
		expect(answer.status).toBe(200);
	};
	const preQueueOpensAt = Date.now() - 1_000;
	await put({ preQueueOpensAt, opensAt: Date.now() + 600_000, expectedVersion: 0 });
	for (let i = 0; i < people; i++) await server.call('POST', `/queue/join?user=person-${i}`);
	await put({ preQueueOpensAt, opensAt: Date.now(), expectedVersion: 1 });
	for (let state = ''; state !== 'placed';) {
		await new Promise((resolve) => setTimeout(resolve, 200));
		state = (await server.call('GET', '/queue/draw')).body.state;
	}
});
afterEach(() => glass?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

const pathOf = (language: string) => (language === 'ar' ? '/draw/' : '/en/draw/');
const open = async (language: 'ar' | 'en', more: { javaScript?: boolean; theme?: 'night' } = {}) => {
	glass = await openGlass(browser, { baseURL: server.url, language, expected: /status of 404/, ...more });
	await glass.page.goto(`${pathOf(language)}?user=person-7`);
	return glass.page;
};

describe.each(languages)('the page of the draw, %s', (language) => {
	it('computes every place again, and finds its reader’s own', async () => {
		const page = await open(language);
		await page.locator('[data-press="check"]:enabled').click();
		const verdict = page.locator('[data-part="verdict"]:visible');
		await verdict.waitFor();
		expect(await verdict.textContent()).toContain(String(people));
		expect(await page.locator('[data-part="checks"] li.bad').count()).toBe(0);
		expect(await page.locator('[data-part="checks"] li').count()).toBe(8);
		await page.locator('[data-press="mine"]:enabled').click();
		const { body: proof } = await server.call('GET', '/queue/draw/proof?user=person-7');
		await page.locator('[data-part="entry"]:visible').waitFor();
		expect(await page.locator('[data-part="mine"]').textContent()).toContain(String(proof.place));
		expect(await page.locator('[data-part="entry"]').textContent()).toContain(proof.entry);
		expect(await page.locator('[data-part="simulated"]').isVisible()).toBe(true);
		await expectSound(glass);
		await takeShot(page, `draw-${language}`, true);
	});

	it('says so when the list it is given is not the one that was frozen', async () => {
		const page = await open(language);
		await page.route('**/queue/draw/entries*', async (route) => {
			const answer = await route.fetch();
			const [first, ...rest] = (await answer.text()).split('\n');
			await route.fulfill({ response: answer, body: [`${first!.split(',')[0]},9`, ...rest].join('\n') });
		});
		await page.locator('[data-press="check"]:enabled').click();
		await page.locator('[data-part="verdict"].bad').waitFor();
		expect(await page.locator('[data-part="checks"] li.bad').count()).toBe(1);
		await takeShot(page, `draw-broken-${language}`, true);
	});

	it('is readable without JavaScript: what it proves, and the facts by link', async () => {
		const page = await open(language, { javaScript: false });
		expect(await page.locator('ol.expect li').count()).toBe(5);
		expect(await page.locator('noscript').textContent()).not.toBe('');
		expect(await page.locator('[data-press]:visible').count()).toBe(0);
		const facts = await page.locator('.links a').first().getAttribute('href');
		expect((await server.call('GET', facts!)).body).toMatchObject({ state: 'placed', entries: people });
		await takeShot(page, `draw-no-script-${language}`, true);
	});
});

it('is there with and without the slash, and leads to a program that runs as it stands', async () => {
	glass = await openGlass(browser, { baseURL: server.url });
	for (const path of ['/draw', '/draw/', '/en/draw']) {
		const response = await glass.page.goto(path);
		expect([response?.status(), await glass.page.locator('h1').count()]).toEqual([200, 1]);
	}
	const script = await fetch(`${server.url}/verify-draw.mjs`);
	expect(script.headers.get('content-type')).toContain('javascript');
});
