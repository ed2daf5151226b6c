import type { ErrorCode } from '@marsad/server/contract';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { allTexts } from '../src/public/texts/all.ts';
import type { arabic } from '../src/public/texts/ar.ts';
import { english } from '../src/public/texts/en.ts';
import { startPublicServer, type PublicServer } from './fixtures/public-server.ts';
import { launchChromium } from './kit/chromium.ts';
import {
	expectSound,
	expectWellLaidOut,
	languages,
	openGlass,
	sizes,
	takeShot,
	themes,
	type Glass,
	type Language
} from './kit/pages.ts';

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

const refusals = /status of (4|5)\d\d|net::ERR/;

async function open(
	language: Language,
	path = '',
	options: Partial<Parameters<typeof openGlass>[1]> = {}
): Promise<void> {
	glass = await openGlass(browser, { baseURL: server.url, language, expected: refusals, ...options });
	await glass.page.goto((language === 'ar' ? '/' : '/en/') + path);
}
const texts = (language: Language) => allTexts[language];
const section = (name: string) => glass.page.locator(`[data-section="${name}"]`);
const press = (name: string) => glass.page.locator(`[data-press="${name}"]:visible`).click();
const notice = () => glass.page.locator('[data-part="notice"]');
const text = (name: string) => glass.page.locator(`[data-text="${name}"]`);

async function joinRoom(): Promise<void> {
	await press('join');
	await section('waiting').waitFor();
}
async function comeToSlots(): Promise<void> {
	server.script.progress.released = server.script.number;
	await joinRoom();
	await section('called').waitFor();
	await press('claim');
	await glass.page.locator('[data-slot]').first().waitFor();
}

describe.each(languages)('every section, %s', (language) => {
	it.each(themes)('is sound and looks right by %s, on a phone and on a desk', async (theme) => {
		server.script.progress.mark = 'simulated';
		await open(language, '', { theme });
		const picture = async (name: string) => {
			for (const size of ['desk', 'phone'] as const) {
				await glass.page.setViewportSize(sizes[size]);
				await expectWellLaidOut(glass.page);
				await takeShot(glass.page, `public-${name}-${language}-${theme}-${size}`, size === 'phone');
			}
			await expectSound(glass);
		};
		await glass.page.locator('[data-press="join"]:enabled').first().waitFor();
		await picture('1-start');
		await joinRoom();
		await picture('2-waiting');
		server.script.progress.released = server.script.number;
		await section('called').waitFor();
		await picture('3-called');
		await press('claim');
		await glass.page.locator('[data-slot]').first().waitFor();
		await picture('4-choosing');
		await glass.page.locator('[data-slot="1"]').click();
		await glass.page.locator('[data-part="qr"]:visible').waitFor();
		await picture('5-booked');
		await press('ask-cancel');
		await glass.page.locator('dialog[open]').waitFor();
		await picture('6-cancel');
		await press('cancel');
		await section('start').waitFor();
		await picture('7-cancelled');
	});

	it.each<[ErrorCode, keyof typeof arabic.live.notices]>([
		['queue_full', 'queue-full'],
		['joins_closed', 'joins-closed'],
		['busy', 'busy'],
		['no_identity', 'no-identity']
	])('says in its own words that the door answers %s, and tries again by itself', async (code, words) => {
		await open(language);
		server.script.refuse['/queue/join'] = { code, retryAfterSeconds: 1 };
		await press('join');
		await notice().waitFor();
		expect(await notice().textContent()).toContain(texts(language).live.notices[words]);
		await expectSound(glass);
		server.script.refuse = {};
		await section('waiting').waitFor();
		expect(await notice().isVisible()).toBe(false);
	});

	it.each<[ErrorCode, keyof typeof arabic.live.notices]>([
		['busy', 'busy'],
		['booking_closed', 'booking-closed'],
		['internal', 'failed']
	])('keeps a press that meets %s until it is answered, and books once', async (code, words) => {
		await open(language);
		await comeToSlots();
		server.script.refuse['/book'] = { code, retryAfterSeconds: 1 };
		await glass.page.locator('[data-slot="1"]').click();
		await notice().waitFor();
		expect(await notice().textContent()).toContain(texts(language).live.notices[words]);
		server.script.refuse = {};
		await section('booked').waitFor();
		expect(server.script.permit?.slot).toBe(1);
	});

	it('offers the others when a slot filled up, and says why nobody may book', async () => {
		await open(language);
		await comeToSlots();
		for (const [code, words] of [
			['slot_full', 'slot-full'],
			['not_eligible', 'not-eligible']
		] as const) {
			server.script.refuse['/book'] = { code };
			await glass.page.locator('[data-slot="1"]').click();
			await expect.poll(() => notice().textContent()).toContain(texts(language).live.notices[words]);
		}
		expect(await glass.page.locator('[data-slot="2"][aria-disabled="true"]').textContent()).toContain(
			texts(language).live.full
		);
		await expectSound(glass);
	});

	it('shows the permit that exists already', async () => {
		await open(language);
		await comeToSlots();
		await glass.page.locator('[data-slot="3"]').click();
		await section('booked').waitFor();
		await glass.page.goto(`${language === 'ar' ? '/' : '/en/'}?user=somebody`);
		await section('booked').waitFor();
		expect(await text('permit-hijri').textContent()).toMatch(/14\d\d/);
		expect(await text('permit-place').textContent()).toBe(language === 'ar' ? 'ساحة 5' : 'Plaza 5');
	});

	it.each<[ErrorCode, keyof typeof arabic.live.endings]>([
		['turn_expired', 'turn-expired'],
		['old_epoch', 'restarted'],
		['not_yours', 'not-yours']
	])('ends on %s with the way back', async (code, ending) => {
		await open(language);
		server.script.progress.released = server.script.number;
		server.script.refuse['/queue/status'] = { code };
		await press('join');
		await section('ended').waitFor();
		expect(await section('ended').textContent()).toContain(texts(language).live.endings[ending].text);
		await expectSound(glass);
		server.script.progress.released = 6_000;
		server.script.refuse = {};
		await joinRoom();
	});

	it('can be read without JavaScript, and says what to do', async () => {
		await open(language, '', { javaScript: false });
		const { page } = glass;
		expect(await page.locator('h1:visible').textContent()).toBe(texts(language).live.headings.open);
		const words = page.locator('noscript .notice');
		expect((await words.boundingBox())?.height).toBeGreaterThan(50);
		for (const line of texts(language).page.noScript.lines) expect(await words.textContent()).toContain(line);
		expect(await page.locator('button:visible').count()).toBe(0);
		await takeShot(page, `public-no-script-${language}-day-phone`);
	});
});

describe('while it waits', () => {
	it('says when the connection is lost, that the place is kept, and finds its way back by itself', async () => {
		await open('en');
		await joinRoom();
		await glass.context.setOffline(true);
		await notice().waitFor({ timeout: 60_000 });
		expect(await notice().textContent()).toContain(english.live.notices.offline);
		expect(await text('ahead').textContent()).toBe('84,000');
		await takeShot(glass.page, 'public-offline-en-day-phone');
		await glass.context.setOffline(false);
		await notice().waitFor({ state: 'hidden', timeout: 60_000 });
	});

	it('keeps the place after the page was closed, and costs the server nothing of its own', async () => {
		await open('en');
		await joinRoom();
		await glass.page.close();
		server.calls.length = 0;
		const page = await glass.context.newPage();
		await page.goto('/en/');
		await page.locator('[data-section="waiting"]').waitFor();
		expect(new Set(server.calls)).toEqual(new Set(['GET /queue/settings', 'GET /queue/progress']));
	});

	it('gives the reason of a rise, and knows when nobody can know', async () => {
		await open('en');
		await joinRoom();
		await expect.poll(() => text('eta').textContent()).toBe('5 to 8 minutes');
		Object.assign(server.script.progress, { ratePerSecond: 100, slowedBy: 'manager' });
		await text('rise').waitFor({ timeout: 60_000 });
		expect(await text('rise').textContent()).toContain(english.live.slowedBy.manager);
		server.script.progress.ratePerSecond = 0;
		await expect.poll(() => text('eta').textContent(), { timeout: 60_000 }).toBe(english.live.unknownTime);
		expect(await text('standing').textContent()).toBe(english.live.standing.paused);
	});

	it('tells a screen reader of the turn at once, moves no focus, and changes the title', async () => {
		await open('en');
		await joinRoom();
		const live = glass.page.locator('[role="status"]');
		await expect.poll(() => live.textContent()).toContain('84,000 people');
		expect(await glass.page.title()).toContain('84,000');
		await glass.page.locator('footer a').first().focus();
		server.script.progress.released = server.script.number;
		await section('called').waitFor({ timeout: 60_000 });
		expect(await live.textContent()).toContain('It is your turn');
		expect(await glass.page.title()).toContain('It is your turn');
		expect(await glass.page.evaluate(() => document.activeElement?.tagName)).toBe('A');
	});

	it('can be gone through by keyboard alone, and the focus follows what was pressed', async () => {
		server.script.progress.released = server.script.number;
		await open('en');
		await glass.page.locator('[data-press="join"]:enabled').first().waitFor();
		const tabTo = async (selector: string) => {
			for (let i = 0; i < 30; i++) {
				await glass.page.keyboard.press('Tab');
				if (await glass.page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
			}
			throw new Error(`the keyboard does not reach ${selector}`);
		};
		await tabTo('[data-press="join"]');
		await glass.page.keyboard.press('Enter');
		await section('called').waitFor();
		await tabTo('[data-press="claim"]');
		await glass.page.keyboard.press('Enter');
		await glass.page.locator('[data-slot]').first().waitFor();
		await tabTo('[data-slot="3"]');
		await glass.page.keyboard.press('Enter');
		await section('booked').waitFor();
		expect(await glass.page.evaluate(() => document.activeElement?.tagName)).toBe('H1');
	});

	it('keeps the query over the change of language, whatever its bytes', async () => {
		const query = '?user=x%2Bb&x=2&x=1&q=%D8%AD%D8%AC';
		await open('ar', query);
		expect(
			await glass.page.locator('footer a[lang="en"]').evaluate((link) => (link as HTMLAnchorElement).href)
		).toBe(`${server.url}/en/${query}`);
		await glass.page.locator('footer a[lang="en"]').click();
		await glass.page.waitForURL(`**/en/${query}`);
	});

	it('lets nothing from an answer become part of the page', async () => {
		server.script.slots.places = {
			'plaza-5': { ar: '<img src=x onerror=alert(1)>', en: '<b id="in">x</b>' }
		};
		await open('en');
		await comeToSlots();
		expect(await glass.page.locator('#in').count()).toBe(0);
		expect(await glass.page.locator('[data-slot="1"]').textContent()).toContain('<b id="in">');
	});
});
