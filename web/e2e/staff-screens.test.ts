import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectAccessible, expectWellLaidOut, languages, sizes, takeShot, themes } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { startSimulator, type Simulator } from './kit/simulators.ts';
import { openDesk, say } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
let story: Simulator;

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer();
	story = startSimulator(server.url, 'demo');
});
afterAll(async () => {
	await story?.stop();
	await browser?.close();
	await server?.close();
});

const screens = [
	'/control',
	'/control/levels',
	'/control/crowd',
	'/control/spike',
	'/control/season/if-a-part-fails'
] as const;

describe.each(languages)('every screen of the control room, %s', (language) => {
	it.each(themes)(
		'is sound and looks right by %s, on a desk and on a phone, while the story runs',
		async (theme) => {
			const desk = await openDesk(browser, server, 'duty', '/control', {
				language,
				theme,
				expected: /status of 401/
			});
			const { page } = desk;
			for (const path of screens) {
				await page.setViewportSize(sizes.desk);
				await page.goto(path);
				await expect
					.poll(() => page.locator('.bar').textContent(), { timeout: 100_000 })
					.toContain(say(language, 'bar_live'));
				await page.waitForTimeout(2_500);
				for (const size of ['phone', 'desk'] as const) {
					await page.setViewportSize(sizes[size]);
					await page.waitForTimeout(500);
					await takeShot(
						page,
						`${path.slice(1).replaceAll('/', '-')}-${language}-${theme}-${size}`,
						size === 'phone'
					);
					await expectWellLaidOut(page);
				}
				await expectAccessible(page);
			}
			expect(desk.complaints()).toEqual([]);
			await desk.close();
		},
		400_000
	);
});
