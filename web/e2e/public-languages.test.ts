import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allTexts } from '../src/public/texts/all.ts';
import { directionOf, languages, pathOf } from '../src/public/texts/texts.ts';
import { startPublicServer, type PublicServer } from './fixtures/public-server.ts';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, expectWellLaidOut, openGlass, takeShot, themes, type Glass } from './kit/pages.ts';

let browser: Browser;
let server: PublicServer;
let glass: Glass;

beforeAll(async () => {
	browser = await launchChromium();
});
afterAll(() => browser?.close());
beforeEach(async () => {
	server = await startPublicServer();
});
afterEach(async () => {
	await glass?.close();
	await server.close();
});

const section = (name: string) => glass.page.locator(`[data-section="${name}"]`);
const press = (name: string) => glass.page.locator(`[data-press="${name}"]:visible`).click();
const text = (name: string) => glass.page.locator(`[data-text="${name}"]:visible`);
const hourMs = 3_600_000;

/** Waits until the page has asked for the public document so many times more. */
async function nextDocument(): Promise<void> {
	const count = () => server.calls.filter((call) => call === 'GET /queue/progress').length;
	const before = count();
	await expect.poll(count, { timeout: 30_000, interval: 100 }).toBeGreaterThan(before);
}

describe.each(languages)('in %s', (language) => {
	const { live } = allTexts[language];

	it.each(themes)(
		'every state is sound, in its direction and in its own words, on a phone by %s',
		async (theme) => {
			const { script } = server;
			glass = await openGlass(browser, { baseURL: server.url, language, theme, expected: /status of/ });
			const { page } = glass;
			const picture = async (name: string) => {
				await expectWellLaidOut(page);
				await takeShot(page, `language-${language}-${theme}-${name}`, true);
			};
			Object.assign(script.progress, {
				...{ state: 'countdown', opensAt: Date.now() + 26.4 * hourMs, preQueueOpensAt: Date.now() - hourMs },
				...{ registered: 1_420_311, pollFactor: 0.02 }
			});
			await page.goto(pathOf(language));
			await text('opens-in').waitFor();
			expect(await page.evaluate(() => document.documentElement.dir)).toBe(directionOf(language));
			await picture('1-countdown');
			await expectSound(glass);
			await press('join');
			await section('registered').waitFor();
			await picture('2-registered');
			await press('prepare');
			await expect.poll(() => text('prepared').textContent()).toBe(live.prepared);

			Object.assign(script.progress, {
				state: 'open',
				opensAt: null,
				preQueueOpensAt: null,
				registered: null
			});
			const drawn = { number: script.number, ticket: 'drawn' };
			const waiting = {
				admitted: false,
				position: 84_000,
				etaSeconds: 336,
				eta_s: 336,
				pollAfterMs: 200
			} as const;
			script.status = { ...waiting, etaRangeSeconds: [300, 420], ...drawn } as never;
			await section('waiting').waitFor();
			await nextDocument();
			Object.assign(script.progress, { ratePerSecond: 100, slowedBy: 'health', soldOut: true });
			script.progress.otherDays = [
				{ date: '2026-12-03', left: 40 },
				{ date: '2026-12-04', left: 4 }
			];
			await text('rise').waitFor();
			await text('sold-out').waitFor();
			await picture('3-waiting');
			await expectSound(glass);
			Object.assign(script.progress, {
				released: script.number - 40,
				waiting: 40,
				soldOut: false,
				ratePerSecond: 1
			});
			await text('soon').waitFor();
			await picture('4-soon');
			await press('ask-leave');
			await page.locator('dialog[open]').waitFor();
			await picture('5-leave');
			await page.locator('dialog button').first().click();

			script.status = { admitted: true, claimBefore: Date.now() + 9.1 * 60_000, pollAfterMs: 500 };
			script.progress.released = script.number;
			await section('called').waitFor();
			await picture('6-called');
			await press('claim');
			await page.locator('[data-slot]').first().waitFor();
			script.refuse['/book'] = { code: 'slot_full', more: { alternatives: [{ id: 3 }] } };
			await page.locator('[data-slot="1"]').click();
			await page.locator('.offered').waitFor();
			await picture('7-choosing');
			await expectSound(glass);
			script.refuse = {};
			await page.locator('[data-slot="3"]').click();
			await page.locator('[data-part="qr"]:visible').waitFor();
			await picture('8-booked');
			await press('start-change');
			await page.locator('[data-slot="5"]').click();
			await page.locator('dialog[open]').waitFor();
			await picture('9-change');
			await press('change');
			await expect
				.poll(() => page.locator('[data-part="notice"]').textContent())
				.toContain(live.notices.changed);
			expect(script.permit?.slot).toBe(5);
			await expectSound(glass);
		}
	);
});
