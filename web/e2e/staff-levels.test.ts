import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { backToNormal, holdButton, ladder, shownLevel, switchByCall } from './kit/levels.ts';
import { expectSound, languages, openGlass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { fillSignIn, hold, openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
const desks: Desk[] = [];

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
});
beforeEach(() => backToNormal(server));
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});

const refusals = /status of (401|403|409)/;

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, { expected: refusals, ...options });
	desks.push(desk);
	return desk;
}

async function switchTo(desk: Desk, level: number, way: 'pointer' | 'keyboard' = 'pointer'): Promise<void> {
	await ladder(desk, level).click();
	await desk.page.locator('#reason').fill('bookings slow');
	await hold(desk.page, holdButton(desk), way);
}

describe('the duty manager', () => {
	it('switches to level 1: a second screen and the public document have it', async () => {
		const duty = await sit('duty', '/control/levels');
		const wall = await sit('crowd', '/control', { language: 'ar' });
		await expect.poll(() => shownLevel(wall).textContent(), { timeout: 60_000 }).toBe('0');
		await ladder(duty, 1).waitFor();
		await switchTo(duty, 1);
		await expect.poll(() => shownLevel(wall).textContent(), { timeout: 60_000 }).toBe('1');
		await expect.poll(() => shownLevel(duty).textContent(), { timeout: 60_000 }).toBe('1');
		const { body } = await server.call('GET', '/queue/progress');
		expect(body).toMatchObject({ level: 1, pollFactor: 2 });
		await expectSound(duty);
		await expectSound(wall);
	});

	it('makes the polls of the waiting people slower with it', async () => {
		for (let i = 0; i < 5; i++) await server.call('POST', `/queue/join?user=waiting-${i}`);
		const { body: ticket } = await server.call('POST', '/queue/join?user=waiting-last');
		const cookie = await server.signIn('duty');
		const { body: levels } = await server.call('GET', '/api/v1/levels', { cookie });
		const asked = { level: 1, reason: 'bookings slow', expectedVersion: levels.current.version };
		expect((await server.call('POST', '/api/v1/levels/current', { cookie, body: asked })).status).toBe(200);
		const status = `/queue/status?user=waiting-last&ticket=${encodeURIComponent(ticket.ticket)}`;
		await expect
			.poll(async () => (await server.call('GET', status)).body.pollAfterMs, {
				timeout: 60_000,
				interval: 3_000
			})
			.toBeGreaterThan(8_000);
	});

	it('needs a second person for level 3, who may not be the same', async () => {
		const duty = await sit('duty', '/control/levels');
		const second = await sit('second', '/control/levels', { language: 'ar' });
		await ladder(duty, 3).waitFor();
		await switchTo(duty, 3);
		const proposal = (desk: Desk) => desk.page.locator('.proposal');
		await proposal(duty).waitFor();
		expect(await proposal(duty).textContent()).toContain(say('en', 'lev_proposal_mine'));
		expect(await proposal(duty).locator('button.hold').count()).toBe(0);
		expect((await server.call('GET', '/queue/progress')).body.level).toBe(0);
		await proposal(second).waitFor();
		await hold(second.page, proposal(second).locator('button.hold'));
		await expect.poll(() => shownLevel(duty).textContent(), { timeout: 60_000 }).toBe('3');
		expect((await server.call('GET', '/queue/progress')).body).toMatchObject({ level: 3, joinsOpen: false });
		await expectSound(duty);
		await expectSound(second);
	});

	it('can do it by keyboard alone', async () => {
		const duty = await sit('duty', '/control/levels', { language: 'ar' });
		await ladder(duty, 1).waitFor();
		const tabTo = async (selector: string) => {
			for (let i = 0; i < 80; i++) {
				await duty.page.keyboard.press('Tab');
				if (await duty.page.evaluate((wanted) => document.activeElement?.matches(wanted), selector)) return;
			}
			throw new Error(`the keyboard does not reach ${selector}`);
		};
		await tabTo('.ladder li:nth-child(2) button');
		await duty.page.keyboard.press('Enter');
		await tabTo('#reason');
		await duty.page.keyboard.type('بطء الحجز');
		await tabTo('button.hold');
		await duty.page.keyboard.down('Space');
		await duty.page.waitForTimeout(1_200);
		await duty.page.keyboard.up('Space');
		await expect.poll(() => shownLevel(duty).textContent(), { timeout: 60_000 }).toBe('1');
	});
});

describe('a viewer', () => {
	it.each(languages)(
		'sees the levels and why they cannot be switched (%s); the server refuses too',
		async (language) => {
			const viewer = await sit('viewer', '/control/levels', { language });
			await ladder(viewer, 1).click();
			await expect
				.poll(() => viewer.page.locator('main').textContent())
				.toContain(say(language, 'lev_read_only').split('{role}')[1]);
			expect(await holdButton(viewer).count()).toBe(0);
			const body = { level: 1, reason: 'just trying', expectedVersion: 0 };
			const { status, body: problem } = await server.call('POST', '/api/v1/levels/current', {
				cookie: await server.signIn('viewer'),
				body
			});
			expect([status, problem.code]).toEqual([403, 'forbidden']);
			await expectSound(viewer);
		}
	);
});

describe('the door', () => {
	it.each(languages)('says that the password is wrong, and lets the right one in (%s)', async (language) => {
		const glass = await openGlass(browser, {
			baseURL: server.url,
			language,
			size: 'desk',
			expected: refusals
		});
		await glass.page.goto(`/sign-in?lang=${language}`);
		await fillSignIn(glass.page, 'duty', 'not the password');
		const alert = glass.page.locator('#failure');
		await expect.poll(() => alert.textContent()).toContain(language === 'ar' ? 'كلمة المرور' : 'wrong');
		await expectSound(glass);
		await fillSignIn(glass.page, 'duty', 'watch-tower-e2e');
		await glass.page.waitForURL('**/control');
		await glass.close();
	});

	it('sends a stranger to the sign-in, whatever the address says', async () => {
		const glass = await openGlass(browser, { baseURL: server.url, size: 'desk', expected: refusals });
		await glass.page.goto('/control/levels');
		await glass.page.waitForURL('**/sign-in?return=**');
		for (const elsewhere of ['https://evil.example/', '//evil.example', '/\\evil.example']) {
			await glass.page.goto(`/sign-in?return=${encodeURIComponent(elsewhere)}`);
			await fillSignIn(glass.page, 'viewer', 'watch-tower-e2e');
			await glass.page.waitForURL('**/control');
			expect(new URL(glass.page.url()).origin).toBe(server.url);
			await glass.context.clearCookies();
		}
		await glass.close();
	});
});

it('says in words that the link is lost, keeps the last picture, and comes back by itself', async () => {
	const wall = await sit('oncall', '/control/levels', {
		expected: /status of|net::ERR|WebSocket|Failed to load/
	});
	await expect.poll(() => shownLevel(wall).textContent(), { timeout: 60_000 }).toBe('0');
	await server.stop();
	const bar = wall.page.locator('.bar');
	const lost = say('en', 'bar_lost').split('{time}')[0]!.trim();
	await expect.poll(() => bar.textContent(), { timeout: 90_000 }).toContain(lost);
	expect(await shownLevel(wall).textContent()).toBe('0');
	await server.startAgain();
	await expect.poll(() => bar.textContent(), { timeout: 100_000 }).not.toContain(lost);
	await switchByCall(server, 1);
	await expect.poll(() => shownLevel(wall).textContent(), { timeout: 60_000 }).toBe('1');
});
