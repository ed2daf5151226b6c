import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Permit } from '../../server/contract/index.ts';
import { openPermit } from '../../server/contract/permit/index.ts';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, openGlass, takeShot, type Glass, type Language, type Theme } from './kit/pages.ts';
import { bookPermit, filmCodes, gate, makeScanner, openSlot, readByHand } from './kit/scan.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, say } from './kit/staff.ts';

const patience = { timeout: 60_000, interval: 100 };
let browser: Browser;
let server: RealServer;
let folder: string;
let slot: number;
let family: Permit;
const open: Glass[] = [];

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'marsad-scan-'));
	server = await startServer();
	slot = await openSlot(server);
	family = await bookPermit(server, 'family', slot, 3);
	const film = join(folder, 'gate.y4m');
	await filmCodes(film, [
		[null, 2],
		[family.text!, 3],
		[null, 4]
	]);
	browser = await launchChromium([
		'--use-fake-device-for-media-stream',
		'--use-fake-ui-for-media-stream',
		`--use-file-for-fake-video-capture=${film}`
	]);
}, 300_000);
afterEach(async () => {
	for (const glass of open.splice(0)) await glass.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
	if (folder) await rm(folder, { recursive: true, force: true });
});

type Look = { language?: Language; theme?: Theme; camera?: boolean; clockOffMs?: number };

/** Runs in the page, before it: a device whose camera answers like this. */
function breakCamera(name: string): void {
	navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('not here', name));
}
/** Runs in the page, before it: a device whose clock is wrong. */
function setClock(offMs: number): void {
	const now = Date.now.bind(Date);
	Date.now = () => now() + offMs;
}

/** A phone at the gate that was never set up. */
async function takePhone(look: Look = {}): Promise<Glass> {
	const { language = 'en', theme = 'day', camera = true, clockOffMs = 0 } = look;
	const glass = await openGlass(browser, {
		...{ baseURL: server.url, language, theme },
		expected:
			/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|status of (401|403|503)|fetching the script/
	});
	open.push(glass);
	if (camera) await glass.context.grantPermissions(['camera']);
	else await glass.context.addInitScript(breakCamera, 'NotFoundError');
	if (clockOffMs !== 0) await glass.context.addInitScript(setClock, clockOffMs);
	await glass.page.goto(`/scan?lang=${language}&theme=${theme}`);
	return glass;
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
const answer = (page: Page) => page.locator('[data-verdict]');
const unsent = (page: Page) => page.locator('.queue').innerText();

/** From an empty device to the open gate. */
async function setUp(look: Look = {}): Promise<Glass & { scanner: string }> {
	const { language = 'en' } = look;
	const { id, code } = await makeScanner(server);
	const glass = await takePhone(look);
	const { page } = glass;
	await page.getByLabel(say(language, 'scn_pair_token')).fill(code);
	await press(page, say(language, 'scn_pair_ask'));
	await press(page, say(language, 'scn_pair_accept'));
	await page.getByText(say(language, 'scn_ready_page'), { exact: true }).waitFor();
	await page.getByText(say(language, 'scn_ready_lists'), { exact: true }).waitFor();
	return { ...glass, scanner: id };
}

async function entriesOf(scanner: string) {
	const cookie = await server.signIn('admin');
	const { body } = await server.call('GET', '/api/v1/scanners', { cookie });
	return body.scanners.find(({ id }: { id: string }) => id === scanner);
}

it('reads a permit with the camera after a cold start without a network, and its entry arrives once', async () => {
	const { page, scanner, complaints } = await setUp();
	await server.stop();
	await page.reload();
	await press(page, say('en', 'scn_start'));
	await expect.poll(() => answer(page).getAttribute('data-verdict'), patience).toBe('green');
	await page.getByText('3 of 3').waitFor();
	await takeShot(page, 'scan-green-offline-en');
	// The same code again, after it was out of sight.
	await expect.poll(() => answer(page).getAttribute('data-verdict'), patience).toBe('red');
	expect(await answer(page).innerText()).toContain(say('en', 'scn_invalid'));
	await page.getByText(say('en', 'scn_offline')).waitFor();
	await takeShot(page, 'scan-red-used-en');
	await press(page, say('en', 'scn_more'));
	await server.startAgain();
	await press(page, say('en', 'scn_sync_now'));
	await expect.poll(() => unsent(page), patience).toBe(say('en', 'scn_all_sent'));
	const known = await entriesOf(scanner);
	expect(known.entries).toBe(known.newestSeq);
	expect(known.entries).toBeGreaterThanOrEqual(2);
	const cookie = await server.signIn('duty');
	const trail = await server.call('GET', `/api/v1/entries/trail/${family.id}?reason=a%20test`, { cookie });
	const green = trail.body.entries.filter(({ verdict }: { verdict: string }) => verdict === 'green');
	expect(green).toMatchObject([{ people: 3, gate: gate.id, offline: true }]);
	expect(complaints()).toEqual([]);
}, 240_000);

it('reads by hand: an altered permit is red, one under a key it has not heard of is amber, and green after news', async () => {
	const { page, scanner } = await setUp({ camera: false });
	await press(page, say('en', 'scn_start'));
	await page.getByText(say('en', 'scn_camera_none')).waitFor();
	const { text } = await bookPermit(server, 'by-hand', slot);
	const altered = text!.slice(0, -9) + (text!.at(-9) === '0' ? '1' : '0') + text!.slice(-8);
	expect(await readByHand(page, [altered, text!])).toEqual(['red', 'green']);

	await page.context().setOffline(true);
	const cookie = await server.signIn('admin');
	const body = { reason: 'a key that was lost', urgent: true };
	expect((await server.call('POST', '/api/v1/permits/keys', { cookie, body })).status).toBe(200);
	const before = openPermit(text!).kid;
	let newer = text!;
	for (let n = 0; openPermit(newer).kid === before; n++) {
		if (n > 60) throw new Error('the new key signs nothing');
		await new Promise((resolve) => setTimeout(resolve, 500));
		newer = (await bookPermit(server, `newer-${n}`, slot)).text!;
	}
	expect(await readByHand(page, [newer])).toEqual(['amber']);
	await page.getByText(say('en', 'scn_flag_unknown_key')).waitFor();
	await takeShot(page, 'scan-amber-en');
	await page.context().setOffline(false);
	await press(page, say('en', 'scn_more'));
	await press(page, say('en', 'scn_sync_now'));
	await press(page, say('en', 'scn_close'));
	await expect.poll(() => unsent(page), patience).toBe(say('en', 'scn_all_sent'));
	const other = (await bookPermit(server, 'after-news', slot)).text!;
	expect(await readByHand(page, [other])).toEqual(['green']);
	await expect.poll(async () => (await entriesOf(scanner)).entries, patience).toBe(4);
	// The server knew the newer key: the entry is of a permit of ours.
	const { id } = openPermit(newer).claims;
	const trail = await server.call('GET', `/api/v1/entries/trail/${id}?reason=a%20test`, { cookie });
	expect(trail.body.entries).toMatchObject([{ verdict: 'amber', flags: ['unknown-key'], findings: [] }]);
}, 240_000);

it('lets 500 people in while everything else is down and the clock is three hours wrong; all arrive once, in order', async () => {
	const people = 500;
	const texts = await bookMany(people);
	const hours = 3_600_000;
	const { page, scanner } = await setUp({ camera: false, clockOffMs: 3 * hours });
	await page.getByText(/off by .?3 h/).waitFor();
	await press(page, say('en', 'scn_start'));
	await server.stop();
	const startedAt = Date.now();
	const answers = await readByHand(page, texts);
	const endedAt = Date.now();
	expect(answers.filter((one) => one === 'green')).toHaveLength(people);
	await page.getByText(/500.? unsent/).waitFor();
	await server.startAgain();
	await press(page, say('en', 'scn_more'));
	await press(page, say('en', 'scn_sync_now'));
	await expect.poll(() => unsent(page), patience).toBe(say('en', 'scn_all_sent'));
	expect(await entriesOf(scanner)).toMatchObject({
		...{ entries: people, newestSeq: people, setAside: 0, clock: { state: 'skewed' } }
	});
	const cookie = await server.signIn('duty');
	const times: number[] = [];
	for (const at of [0, 250, people - 1]) {
		const { id } = openPermit(texts[at]!).claims;
		const { body } = await server.call('GET', `/api/v1/entries/trail/${id}?reason=a%20test`, { cookie });
		expect(body.entries).toHaveLength(1);
		expect(body.entries[0]).toMatchObject({ verdict: 'green', seq: at + 1 });
		// The very first may pass before the page has asked in vain.
		if (at > 0) expect(body.entries[0].offline).toBe(true);
		times.push(body.entries[0].at);
	}
	expect(times).toEqual(times.toSorted((a, b) => a - b));
	expect(times[0]).toBeGreaterThan(startedAt - 60_000);
	expect(times.at(-1)).toBeLessThan(endedAt + 60_000);
}, 300_000);

it('touches nothing but its own page, asks no other server, and may alone read codes with WebAssembly', async () => {
	const { page, context } = await setUp();
	const foreign: string[] = [];
	page.on('request', (request) => {
		if (!request.url().startsWith(server.url)) foreign.push(request.url());
	});
	await press(page, say('en', 'scn_start'));
	await expect.poll(() => answer(page).count(), patience).toBe(1);
	expect(foreign).toEqual([]);
	const isLookedAfter = async (path: string) => {
		const other = await context.newPage();
		await other.goto(path);
		const isHere = await other.evaluate(() => navigator.serviceWorker.controller !== null);
		await other.close();
		return isHere;
	};
	expect([await isLookedAfter('/scan'), await isLookedAfter('/'), await isLookedAfter('/sign-in')]).toEqual([
		...[true, false, false]
	]);
	const policyOf = async (path: string) =>
		(await fetch(server.url + path)).headers.get('content-security-policy');
	expect(await policyOf('/scan')).toContain("script-src 'self' 'wasm-unsafe-eval'");
	for (const path of ['/', '/control', '/sign-in']) expect(await policyOf(path)).not.toContain('wasm');
	const manifest = await fetch(`${server.url}/scan.webmanifest`);
	expect(manifest.headers.get('content-type')).toContain('manifest+json');
	expect(await manifest.json()).toMatchObject({ scope: '/scan', start_url: '/scan', display: 'standalone' });
}, 240_000);

it('is one tab alone, and a revoked one says so and keeps what it has', async () => {
	const { page, context, scanner } = await setUp({ camera: false });
	const second = await context.newPage();
	await second.goto('/scan?lang=en');
	await second.getByText(say('en', 'scn_other_tab')).waitFor();
	await second.close();
	await press(page, say('en', 'scn_start'));
	await context.setOffline(true);
	const { text } = await bookPermit(server, 'before-revoked', slot);
	expect(await readByHand(page, [text!])).toEqual(['green']);
	const cookie = await server.signIn('admin');
	const body = { reason: 'lost at the gate' };
	await server.call('POST', `/api/v1/scanners/${scanner}/revoke`, { cookie, body });
	await context.setOffline(false);
	await press(page, say('en', 'scn_more'));
	await press(page, say('en', 'scn_sync_now'));
	await page.getByText(say('en', 'scn_refused_revoked', { n: '\u20681\u2069' })).waitFor(patience);
	expect(await unsent(page)).toMatch(/1.? unsent/);
	await page.getByText(/entries are not sent yet/).waitFor();
}, 240_000);

it.each([
	['ar', 'day'],
	['ar', 'night'],
	['en', 'night']
] as const)(
	'is readable in every state, %s by %s',
	async (language, theme) => {
		const glass = await setUp({ language, theme, camera: false });
		const { page } = glass;
		const look = async (name: string) => {
			await takeShot(page, `scan-${name}-${language}-${theme}`);
			await expectSound(glass);
		};
		await look('ready');
		await press(page, say(language, 'scn_start'));
		await page.getByText(say(language, 'scn_camera_none')).waitFor();
		await look('no-camera');
		const { text } = await bookPermit(server, `look-${language}-${theme}`, slot, 4);
		await readByHand(page, [text!]);
		await press(page, say(language, 'scn_fewer'));
		await page.getByText(say(language, 'scn_party', { entered: '3', of: '4' })).waitFor();
		await look('party');
		await readByHand(page, ['P1:THIS IS NO PERMIT AT ALL']);
		await look('red');
		await press(page, say(language, 'scn_more'));
		await look('menu');
		// Whoever reads a code means the person in front of them: the menu gives way.
		expect(await readByHand(page, ['P1:NOR IS THIS ONE A PERMIT'])).toEqual(['red']);
		await press(page, say(language, 'scn_more'));
		await page.getByLabel(say(language, 'scn_reason_pressure')).check();
		await hold(page, page.getByRole('button', { name: say(language, 'scn_count_start') }));
		await page.getByRole('button', { name: '+1', exact: true }).click();
		await page.getByText('1', { exact: true }).waitFor();
		await look('count');
		await page.setViewportSize({ width: 844, height: 390 });
		await look('count-wide');
		await press(page, say(language, 'scn_count_stop'));
		await readByHand(page, ['P1:THIS IS ANOTHER ONE THAT IS NONE']);
		await look('red-wide');
	},
	240_000
);

/** Permits of so many people, booked as they would themselves. */
async function bookMany(people: number): Promise<string[]> {
	const texts: string[] = [];
	let next = 0;
	const worker = async () => {
		while (next < people) {
			const at = next++;
			texts[at] = (await bookPermit(server, `crowd-${at}`, slot)).text!;
		}
	};
	await Promise.all(Array.from({ length: 8 }, worker));
	return texts;
}
