import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { openCable } from './kit/cable.ts';
import { launchChromium } from './kit/chromium.ts';
import { expectWellLaidOut, languages, openGlass, sizes, takeShot } from './kit/pages.ts';
import { startServer, password, type RealServer } from './kit/server.ts';
import { startSimulator, type Simulator } from './kit/simulators.ts';
import { fillSignIn, openDesk, say, type Desk } from './kit/staff.ts';
import { countSounds } from './kit/tones.ts';

let browser: Browser;
let server: RealServer;
let sensors: Simulator;
const desks: Desk[] = [];

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
	sensors = startSimulator(server.url, 'sensors');
});
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});
afterAll(async () => {
	await sensors?.stop();
	await browser?.close();
	await server?.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, { expected: /status of 401/, ...options });
	desks.push(desk);
	return desk;
}
const textOf = (desk: Desk, where: string) => async () =>
	((await desk.page.locator(where).first().textContent()) ?? '').replaceAll(/[\u2068\u2069]/g, '');

/** Which labels of the plan lie on each other, on a gate's sign, or outside their zone. */
async function faultsOfPlan(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const found: string[] = [];
		const lines = [...document.querySelectorAll<HTMLElement>('.plan .label')].flatMap((label) =>
			[...label.querySelectorAll<HTMLElement>('.name, .share, .more')].map((line) => {
				// The letters' own box is as wide as the text; its line is as high as it takes part in the page.
				const letters = line.querySelector('bdi')!.getBoundingClientRect();
				const { top, height } = line.getBoundingClientRect();
				return {
					label,
					text: line.textContent ?? '',
					box: new DOMRect(letters.left, top, letters.width, height)
				};
			})
		);
		const doTouch = (a: DOMRect, b: DOMRect) =>
			a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
		const svg = document.querySelector<SVGSVGElement>('.plan svg')!;
		const toPlan = svg.getScreenCTM()!.inverse();
		const zones = [...svg.querySelectorAll<SVGPolygonElement>('polygon')];
		const zoneAt = (x: number, y: number) =>
			zones.findIndex((zone) => zone.isPointInFill(new DOMPoint(x, y).matrixTransform(toPlan)));
		for (const [i, a] of lines.entries()) {
			for (const b of lines.slice(i + 1))
				if (a.label !== b.label && doTouch(a.box, b.box)) found.push(`"${a.text}" lies on "${b.text}"`);
			for (const gate of document.querySelectorAll<HTMLElement>('.plan .gate'))
				if (gate.checkVisibility() && doTouch(a.box, gate.getBoundingClientRect()))
					found.push(`"${a.text}" lies on gate ${gate.textContent}`);
			const middle = (a.box.top + a.box.bottom) / 2;
			const [first, last] = [zoneAt(a.box.left + 1, middle), zoneAt(a.box.right - 1, middle)];
			if (first === -1 || first !== last) found.push(`"${a.text}" leaves its zone`);
		}
		if (lines.length < 13) found.push(`only ${lines.length} lines`);
		return found;
	});
}

it('asks a first visitor to sign in, and says of a session only that it ended when there was one', async () => {
	const glass = await openGlass(browser, {
		baseURL: server.url,
		size: 'desk',
		language: 'en',
		expected: /401/
	});
	await glass.page.goto('/control/levels?lang=en');
	await glass.page.locator('input[type="email"]').waitFor();
	expect(await glass.page.locator('body').textContent()).toContain(say('en', 'sign_in_please'));
	await fillSignIn(glass.page, 'duty', password);
	await glass.page.waitForURL((url) => url.pathname === '/control/levels');
	await glass.context.clearCookies();
	await glass.page.reload();
	await glass.page.locator('input[type="email"]').waitFor();
	expect(await glass.page.locator('body').textContent()).toContain(say('en', 'sign_in_ended'));
	await glass.close();
});

it('says on the wall that a zone counts wrongly, in its list and in the words of the total', async () => {
	const wall = await sit('crowd', '/control');
	await wall.page.locator('.plan .label:not(.unknown) .share').first().waitFor({ timeout: 100_000 });
	const cookie = await server.signIn('crowd');
	const recount = await server.call('POST', '/api/v1/zones/plaza-1/recount', {
		cookie,
		body: { present: 0, reason: 'a slipped digit' }
	});
	expect(recount.status).toBe(200);
	await expect
		.poll(textOf(wall, '.abnormal'), { timeout: 200_000 })
		.toContain(say('en', 'abn_wrong_title', { name: 'Plaza 1' }));
	await expect.poll(textOf(wall, '.total'), { timeout: 60_000 }).toContain('Plaza 1');
	await takeShot(wall.page, 'job-wrong-count-en');
	await server.call('POST', '/api/v1/zones/plaza-1/recount', {
		cookie,
		body: { present: 3_600, reason: 'counted again' }
	});
}, 400_000);

it('shows an alarm of a cut on its return, once, and with one sound', async () => {
	const cable = await openCable(server.url);
	const cookie = await server.signIn('crowd');
	type Alarms = { id: string; soundSeq: number; zone: string | null }[];
	const standing = async () => (await server.call('GET', '/api/v1/alarms', { cookie })).body.alarms as Alarms;
	try {
		const wall = await openDesk(browser, { ...server, url: cable.url }, 'viewer', '/control', {
			expected: /status of 401|ERR_INTERNET_DISCONNECTED/
		});
		desks.push(wall);
		const sounds = await countSounds(wall.page);
		await wall.page.reload();
		await wall.page.locator('.plan .label:not(.unknown) .share').first().waitFor({ timeout: 100_000 });
		await wall.page.locator('button.sound').click();
		await expect.poll(sounds, { timeout: 20_000 }).toBe(1);
		cable.pull();
		await wall.context.setOffline(true);
		const pulledAt = Date.now();
		const over = { present: 8_000, reason: 'a crowd that came at once', sure: true };
		const recount = await server.call('POST', '/api/v1/zones/plaza-5/recount', { cookie, body: over });
		expect(recount.status).toBe(200);
		const raised = async () => (await standing()).find(({ zone }) => zone === 'plaza-5');
		await expect.poll(raised, { timeout: 60_000 }).toBeDefined();
		await wall.page.waitForTimeout(Math.max(0, 20_000 - (Date.now() - pulledAt)));
		const { id } = (await raised())!;
		const entry = wall.page.locator(`.abnormal a[href$="alarm=${id}"]`);
		expect(await entry.count()).toBe(0);
		const heard = await sounds();
		const news = (await standing()).length;
		cable.plugIn();
		await wall.context.setOffline(false);
		// Long before the window in which everybody comes back after a lost server.
		await entry.waitFor({ timeout: 15_000 });
		await wall.page.waitForTimeout(2_000);
		expect(await entry.count()).toBe(1);
		const rung = (await sounds()) - heard;
		expect(rung).toBeGreaterThanOrEqual(1);
		// Another alarm may ring by itself; this one never twice.
		expect(rung).toBeLessThanOrEqual(1 + Math.max(0, (await standing()).length - news));
	} finally {
		await cable.close();
		await server.call('POST', '/api/v1/zones/plaza-5/recount', {
			cookie,
			body: { present: 3_600, reason: 'counted again' }
		});
	}
}, 400_000);

it('keeps every label of the plan in its zone, however much there is to say', async () => {
	await sensors.stop();
	for (const language of languages) {
		const wall = await sit('crowd', '/control', { language });
		for (const size of ['desk', 'phone'] as const) {
			await wall.page.setViewportSize(sizes[size]);
			for (const path of ['/control', '/control/crowd']) {
				await wall.page.goto(path);
				await wall.page.locator('.plan .label.unknown').nth(8).waitFor({ timeout: 200_000 });
				await wall.page.waitForTimeout(1_000);
				expect(await faultsOfPlan(wall.page), `${language} ${size} ${path}`).toEqual([]);
				await expectWellLaidOut(wall.page);
			}
			await takeShot(wall.page, `job-silent-site-${language}-${size}`, size === 'phone');
		}
		// The last page was the crowd's on a phone: nothing of its zones may hide at the side.
		const hidden = await wall.page
			.locator('.table .scroll')
			.evaluate((box) => box.scrollWidth - box.clientWidth);
		expect(hidden).toBeLessThanOrEqual(1);
	}
}, 500_000);
