import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, takeShot } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { startSimulator, type Simulator } from './kit/simulators.ts';
import { openDesk, say, type Desk } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
let sensors: Simulator;
const desks: Desk[] = [];
const patience = { timeout: 60_000 };
const twice = '0000-0000-0000-0042';
/** Token of the scanner that the administrator makes. */
let token = '';

beforeAll(async () => {
	browser = await launchChromium();
	server = await startServer({ ADMIT_PER_SECOND: '1' });
	sensors = startSimulator(server.url, 'sensors');
}, 300_000);
afterEach(async () => {
	for (const desk of desks.splice(0)) await desk.close();
});
afterAll(async () => {
	await sensors?.stop();
	await browser?.close();
	await server?.close();
});

async function sit(who: string, path: string, options: Parameters<typeof openDesk>[4] = {}): Promise<Desk> {
	const desk = await openDesk(browser, server, who, path, {
		expected: /status of (401|403|404|409)|ERR_INTERNET_DISCONNECTED|WebSocket/,
		...options
	});
	desks.push(desk);
	return desk;
}
const plain = (text: string | null) => (text ?? '').replace(/[\u2066-\u2069]/g, '');
const textOf =
	(desk: Desk, selector = 'main') =>
	async () =>
		plain(await desk.page.locator(selector).first().textContent());

/** What a device sends: entries of its gate, and both its clocks. */
async function send(token: string, gate: string, entries: object[], clockOffMs = 0) {
	const clock = { boot: 'boot-1', deviceAt: Date.now() + clockOffMs, uptimeMs: 600_000 };
	const whole = entries.map((entry, i) => ({
		...{ seq: i + 1, gate, direction: 'in', offline: true, ...clock, uptimeMs: 590_000 + i, ...entry }
	}));
	const report = {
		...{ queued: 3, build: 'test' },
		keys: { version: 1, ageSeconds: 120 },
		revocations: { version: 4, ageSeconds: 7 * 3_600 }
	};
	const response = await fetch(`${server.url}/api/v1/entries`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
		body: JSON.stringify({ device: token.split('.')[0], entries: whole, clock, report })
	});
	return response.status;
}
const green = (more: object = {}) => ({
	kind: 'permit',
	verdict: 'green',
	permit: twice,
	people: 1,
	...more
});

it('makes a scanner, shows its token once, and hears what it sends', async () => {
	const admin = await sit('admin', '/control/admin/scanners');
	const { page } = admin;
	await page.getByText(say('en', 'scn_board_none')).waitFor(patience);
	await page.getByRole('button', { name: say('en', 'scn_new') }).click();
	await page.getByRole('button', { name: say('en', 'scn_make') }).click();
	await page.getByText(say('en', 'scn_missing')).waitFor(patience);
	await page.locator('#scanner-name').fill('Gate 1, lane 3');
	await page.locator('#scanner-gate').selectOption('gate-1');
	await page.locator('#scanner-reason').fill('a lane more for the evening');
	await page.getByRole('button', { name: say('en', 'scn_make') }).click();
	token = await page.locator('#scanner-token').inputValue(patience);
	expect(token).toMatch(/^s-[0-9a-f]{12}\.[\w-]{43}$/);
	// The picture is there and is one.
	const code = page.locator('section img');
	expect(await code.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(20);
	await expectSound(admin);
	await takeShot(page, 'job-scanner-token-en');
	await page.getByRole('button', { name: say('en', 'scn_token_hide') }).click();
	expect(await page.content()).not.toContain(token);

	const cookie = await server.signIn('admin');
	const body = { name: 'Gate 2, lane 1', gate: 'gate-2', reason: 'the same permit at two gates' };
	const other = (await server.call('POST', '/api/v1/scanners', { cookie, body })).body;
	const flood = Array.from({ length: 9 }, (_, i) => green({ permit: `0000-0000-0000-01${10 + i}` }));
	expect(await send(token, 'gate-1', [green(), ...flood])).toBe(200);
	expect(await send(other.token, 'gate-2', [green()], -3 * 3_600_000)).toBe(200);
	await expect.poll(textOf(admin, 'tbody'), patience).toContain(say('en', 'scn_t_revocations_old'));
	await expect.poll(textOf(admin, 'tbody'), patience).toMatch(/its clock is 3 h behind/);
	await expectSound(admin);
	await takeShot(page, 'job-scanners-en');
}, 240_000);

it('shows the crowd controller the conflict, the gap and the wrong clock; it is noted once', async () => {
	const crowd = await sit('crowd', '/control/crowd/entries', { language: 'ar' });
	const { page } = crowd;
	const row = page.locator('li', { hasText: twice });
	await row.waitFor(patience);
	expect(await textOf(crowd, 'ol')()).toContain(say('ar', 'ent_kind_two_gates'));
	await expect.poll(textOf(crowd), patience).toContain(say('ar', 'ent_troubles'));
	await expect.poll(textOf(crowd), patience).toMatch(/ساعته متأخرة/);
	// The doors and the scanners of gate 1 were both heard, and ten people were scanned.
	await expect.poll(textOf(crowd, 'table tbody tr'), { timeout: 150_000 }).toMatch(/[+−]\d/);
	await expect.poll(textOf(crowd, '.figures'), { timeout: 150_000 }).toMatch(/وقُرئ 1[01]/);
	// Whose trail it is, is not for this role.
	expect(await page.locator('#trail-permit').count()).toBe(0);
	await expectSound(crowd);
	await takeShot(page, 'job-entries-ar', true);
	await row.getByRole('button', { name: say('ar', 'ent_mark_seen') }).click();
	await row.getByRole('button', { name: say('ar', 'ent_note_go') }).click();
	await row.getByText(say('ar', 'lev_reason_short')).waitFor(patience);
	await row.locator('input').fill('سألتُ مشرف البوابة: عائلة واحدة');
	await row.getByRole('button', { name: say('ar', 'ent_note_go') }).click();
	await row.getByText('سألتُ مشرف البوابة').waitFor(patience);
	await page.getByText(say('ar', 'ent_note_done')).waitFor(patience);

	await page.goto('/control/crowd/gates/gate-1');
	await expect.poll(textOf(crowd, '.gap'), patience).toMatch(/^[+−]?\d/);
	await expectSound(crowd);
	await takeShot(page, 'job-gate-gap-ar');
}, 400_000);

it('shows a trail to who may, with a reason, and the record says who looked', async () => {
	const duty = await sit('duty', '/control/crowd/entries', { size: 'phone' });
	const { page } = duty;
	const row = page.locator('li', { hasText: twice });
	await row.getByRole('button', { name: say('en', 'ent_trail_show') }).click(patience);
	expect(await page.locator('#trail-permit').inputValue()).toBe(twice);
	await page.getByRole('button', { name: say('en', 'ent_trail_go') }).click();
	await page.getByText(say('en', 'ent_trail_bad')).waitFor(patience);
	await page.locator('#trail-why').fill('the family asks where the child went');
	await page.getByRole('button', { name: say('en', 'ent_trail_go') }).click();
	await page.locator('.looks li').first().waitFor(patience);
	expect(await page.locator('#trail tbody tr').count()).toBe(2);
	expect(await textOf(duty, '.looks')()).toContain('the family asks where the child went');
	await expectSound(duty);
	await takeShot(page, 'job-trail-en', true);
	const cookie = await server.signIn('duty');
	const { entries } = (await server.call('GET', '/api/v1/record', { cookie })).body;
	const looked = entries.find(({ action }: { action: string }) => action === 'entry.trail');
	expect([looked.actor, looked.subject]).toEqual(['duty@example.org', twice]);
}, 240_000);

it('changes how a place lets people in, and writes over nobody', async () => {
	const duty = await sit('duty', '/control/crowd/entries/places', { language: 'ar' });
	const { page } = duty;
	const change = page.getByRole('button', { name: /تغيير/ }).first();
	await change.click(patience);
	await page.getByLabel(say('ar', 'ent_policy_re_entry')).check();
	await page.locator('#late').fill('45');
	await page.getByRole('button', { name: say('ar', 'ent_place_save') }).click();
	await page.getByText(say('ar', 'ent_place_bad')).waitFor(patience);
	await page.locator('#place-reason').fill('يخرجون للصلاة ويعودون');
	await expectSound(duty);
	await takeShot(page, 'job-place-entry-ar', true);
	await page.getByRole('button', { name: say('ar', 'ent_place_save') }).click();
	await page.getByText(say('ar', 'ent_place_saved')).waitFor(patience);
	await expect.poll(textOf(duty, 'li'), patience).toContain(say('ar', 'ent_policy_re_entry'));

	await change.click();
	const cookie = await server.signIn('admin');
	const [{ place }] = (await server.call('GET', '/api/v1/entries/places', { cookie })).body.places;
	const body = { trailHours: 24, reason: 'kept for a day' };
	await server.call('PUT', `/api/v1/entries/places/${place}`, { cookie, body });
	await page.locator('#place-reason').fill('ما زالت كما كانت');
	await page.getByRole('button', { name: say('ar', 'ent_place_save') }).click();
	await page.getByText(say('ar', 'ent_place_faster')).waitFor(patience);
	const viewer = await sit('crowd', '/control/crowd/entries/places');
	await viewer.page.getByText(say('en', 'ent_places_read_only')).waitFor(patience);
	expect(await viewer.page.getByRole('button', { name: /Change/ }).count()).toBe(0);
}, 240_000);

it('revokes a scanner after a warning; it is refused from then on, and nothing is sent while offline', async () => {
	const admin = await sit('admin', '/control/admin/scanners', {
		language: 'ar',
		size: 'phone',
		theme: 'day'
	});
	const { page } = admin;
	await page.getByRole('button', { name: /إلغاء.*lane 3/ }).click(patience);
	await page.getByText(say('ar', 'scn_revoke_warn')).waitFor(patience);
	expect(await textOf(admin, 'section')()).toMatch(/قيوداً تنتظر فيه: 3/);
	await expectSound(admin);
	await takeShot(page, 'job-scanner-revoke-ar', true);
	const go = page.getByRole('button', { name: say('ar', 'scn_revoke_go'), exact: true });
	await admin.context.setOffline(true);
	await page.getByText(say('ar', 'cmd_offline')).first().waitFor(patience);
	expect(await go.isDisabled()).toBe(true);
	await admin.context.setOffline(false);
	await expect.poll(() => go.isEnabled(), patience).toBe(true);
	await page.locator('#revoke-reason').fill('فُقد عند البوابة');
	await go.click();
	await page.getByText(say('ar', 'scn_revoke_done')).waitFor(patience);
	expect(await page.getByRole('button', { name: /إلغاء.*lane 3/ }).count()).toBe(0);
	expect(await send(token, 'gate-1', [])).toBe(403);
	const steward = await sit('crowd', '/control/admin/scanners');
	await steward.page.getByText(say('en', 'scn_read_only')).waitFor(patience);
	expect(await steward.page.getByRole('button', { name: /Revoke/ }).count()).toBe(0);
}, 240_000);

it('announces the next permit key to who may, and refuses the page to another role', async () => {
	const admin = await sit('admin', '/control/admin/keys', { language: 'ar' });
	const { page } = admin;
	await page.locator('#pky-reason').fill('مفتاح لنهاية الموسم', patience);
	await page.getByRole('button', { name: say('ar', 'pky_next') }).click();
	await expect.poll(textOf(admin, 'tbody'), patience).toContain(say('ar', 'pky_state_next'));
	await expectSound(admin);
	await takeShot(page, 'job-keys-ar', true);
	const crowd = await sit('crowd', '/control/admin/keys');
	await crowd.page.getByText(say('en', 'state_refused')).waitFor(patience);
	expect(await crowd.page.locator('#pky-reason').count()).toBe(0);
}, 200_000);
