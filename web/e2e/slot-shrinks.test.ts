import type { Browser, Locator } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectAccessible, expectSound, openGlass, takeShot, type Glass } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
const open: Glass[] = [];
const patience = { timeout: 60_000 };
const hourMs = 3_600_000;
const expected = /status of (401|403|409|429)|WebSocket/;

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ LAB: '1', ADMIT_PER_SECOND: '1' });
}, 300_000);
afterEach(async () => {
	for (const glass of open.splice(0)) await glass.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

async function sit(who: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, '/control/crowd/slots', { expected, ...options });
	open.push(desk);
	return desk;
}
async function person(user: string, language: string, options: object = {}): Promise<Glass> {
	const glass = await openGlass(browser, { baseURL: server.url, language, expected, ...options });
	open.push(glass);
	await glass.page.goto(`${language === 'ar' ? '/' : `/${language}/`}?user=${user}`);
	return glass;
}

/** Slots of one place, an hour each, `hours` from now. */
async function planSlots(hours: number, capacities: readonly number[]): Promise<number[]> {
	const cookie = await server.signIn('duty');
	const { body: site } = await server.call('GET', '/api/v1/site', { cookie });
	const place = site.places.find(({ gates }: { gates: string[] }) => gates.length > 0).id as string;
	const from = (Math.ceil(Date.now() / hourMs) + hours) * hourMs;
	const ids: number[] = [];
	for (const [at, capacity] of capacities.entries()) {
		const [startsAt, endsAt] = [from + at * hourMs, from + (at + 1) * hourMs];
		const body = { place, startsAt, endsAt, capacity, reason: 'a test' };
		ids.push((await server.call('PUT', '/api/v1/booking/slots', { cookie, body })).body.id);
	}
	return ids;
}
async function book(user: string, slot: number, party = 2): Promise<void> {
	const { status } = await server.call('POST', '/book', { body: { user, slot, party } });
	expect(status).toBe(200);
}
const people = (n: number) => `${n} people`;
/** Words as they are read: numbers are isolated on the glass. */
const read = async (part: Locator) => (await part.innerText()).replace(/[\u2066-\u2069]/g, '');
const card = (desk: Desk, at = 0) => desk.page.locator('article').nth(at);

it('takes places from a slot: who is affected first, then the press; answers come in live', async () => {
	const [slot = 0, next = 0] = await planSlots(30, [12, 40]);
	for (let n = 1; n <= 6; n++) await book(`shrink-${n}`, slot);
	const desk = await sit('duty');
	const { page } = desk;
	await page.getByText(say('en', 'red_none')).waitFor(patience);
	await page.locator('.fields select').first().selectOption(String(slot));
	await page.getByLabel(say('en', 'red_new_capacity')).fill('8');
	await page.getByRole('button', { name: say('en', 'red_look') }).click();
	const facts = page.getByRole('region', { name: say('en', 'red_preview') });
	await facts.waitFor(patience);
	expect(await read(facts)).toContain('4 people affected (2 permits)');
	await takeShot(page, 'job-slots-preview-en-night-desk', true);
	await expectAccessible(page);
	const button = page.locator('button.hold');
	expect(await button.isDisabled(), 'no reason yet').toBe(true);
	await page.locator('#red-reason').fill('a lane is out of order');
	await hold(page, button, 'keyboard');
	await page.getByText(say('en', 'red_started')).waitFor(patience);
	await expect.poll(() => read(card(desk)), patience).toContain(say('en', 'red_offered'));
	expect(await read(card(desk))).toContain(people(4));

	// The last to book is asked, on the page of their permit; who booked first reads nothing of it.
	const first = await person('shrink-1', 'en');
	await first.page.locator('[data-part="qr"]:visible').waitFor();
	expect(await first.page.locator('.offer:visible').count()).toBe(0);
	const last = await person('shrink-6', 'ar');
	await last.page.locator('.offer:visible').waitFor();
	await expectSound(last);
	await expectAccessible(last.page);
	await takeShot(last.page, 'job-offer-ar', true);
	const before = await last.page.locator('[data-text="permit-id"]').textContent();
	await last.page.locator('[data-press="accept"]').click();
	await last.page.locator('.offer').waitFor({ state: 'hidden' });
	await expect
		.poll(() => last.page.locator('[data-text="permit-id"]').textContent(), patience)
		.not.toBe(before);
	const { body: permit } = await server.call('GET', '/permits/mine?user=shrink-6');
	expect(permit).toMatchObject({ slot: next, party: 2 });
	await expect.poll(() => read(card(desk)), patience).toContain(say('en', 'red_accepted'));

	// Another gives it up, after a question.
	const other = await person('shrink-5', 'en', { theme: 'night' });
	await other.page.locator('.offer:visible').waitFor();
	await takeShot(other.page, 'job-offer-en-night', true);
	await other.page.locator('[data-press="ask-decline"]').click();
	await other.page.locator('dialog [data-press="decline"]').click();
	await other.page.locator('[data-section="start"]').waitFor();
	await expect.poll(() => read(card(desk)), patience).toContain(say('en', 'red_state_done'));
	expect(await read(card(desk))).toContain(say('en', 'red_declined'));
	await takeShot(page, 'job-slots-done-en-night-desk', true);
	await expectSound(desk);
}, 240_000);

it('closes a place: a second person confirms, the first cannot; then it is withdrawn', async () => {
	const [slot = 0] = await planSlots(60, [10, 1]);
	for (let n = 1; n <= 3; n++) await book(`shut-${n}`, slot);
	const desk = await sit('duty', { language: 'ar', theme: 'day' });
	const { page } = desk;
	await page.locator('.fields select').first().selectOption(String(slot));
	await page.getByLabel(say('ar', 'red_new_capacity')).fill('0');
	await page.getByRole('button', { name: say('ar', 'red_look') }).click();
	await page.getByText(say('ar', 'red_two_people')).waitFor(patience);
	await page.locator('#red-reason').fill('أُغلق الموقع');
	await takeShot(page, 'job-slots-close-ar-day-desk', true);
	await hold(page, page.locator('section button.hold').last(), 'keyboard');
	await page.getByText(say('ar', 'red_proposed')).waitFor(patience);
	await page.getByText(say('ar', 'red_second_mine')).waitFor(patience);
	const second = await sit('second', { size: 'phone', theme: 'day' });
	await second.page.getByText(say('en', 'red_state_proposed')).waitFor(patience);
	const seen = second.page.locator('article').getByRole('region', { name: say('en', 'red_preview') });
	await expect.poll(() => read(seen), patience).toContain('6 people affected (3 permits)');
	await takeShot(second.page, 'job-slots-confirm-en-day-phone', true);
	await hold(second.page, second.page.locator('article button.hold').first(), 'keyboard');
	await expect.poll(() => read(card(desk)), patience).toContain(say('ar', 'red_waiting'));
	await takeShot(page, 'job-slots-running-ar-day-desk', true);
	const phone = await sit('duty', { language: 'ar', size: 'phone', theme: 'night' });
	await card(phone).waitFor(patience);
	await takeShot(phone.page, 'job-slots-running-ar-night-phone', true);
	await card(phone).locator('summary').click();
	await card(phone).locator('input').fill('فُتح الموقع من جديد');
	await card(phone)
		.getByRole('button', { name: say('ar', 'red_withdraw_now') })
		.click();
	await expect.poll(() => read(card(desk)), patience).toContain(say('ar', 'red_left'));
	const { body } = await server.call('GET', '/permits/mine?user=shut-1');
	expect(body).toMatchObject({ slot, state: 'valid' });
	expect(body.offer).toBeUndefined();
	await expectSound(phone);
}, 240_000);

it('shows a viewer how it stands, and offers nothing', async () => {
	const viewer = await sit('viewer', { theme: 'day' });
	await viewer.page.getByText(/may look only/).waitFor(patience);
	expect(await viewer.page.locator('button.hold, article summary').count()).toBe(0);
	await takeShot(viewer.page, 'job-slots-viewer-en-day-desk', true);
	await expectSound(viewer);
}, 120_000);
