import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Permit } from '../../server/contract/index.ts';
import { launchChromium } from './kit/chromium.ts';
import { openGlass, takeShot, type Glass, type Language, type Theme } from './kit/pages.ts';
import { bookPermit, filmCodes, gate, makeScanner, openSlot } from './kit/scan.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { say } from './kit/staff.ts';

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

type Look = { language?: Language; theme?: Theme; camera?: boolean };

/** A phone at the gate that was never set up. */
async function takePhone({ language = 'en', theme = 'day', camera = true }: Look = {}): Promise<Glass> {
	const glass = await openGlass(browser, {
		...{ baseURL: server.url, language, theme },
		expected:
			/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|status of (401|403|503)|fetching the script/
	});
	open.push(glass);
	if (camera) await glass.context.grantPermissions(['camera']);
	await glass.page.goto(`/scan?lang=${language}&theme=${theme}`);
	return glass;
}

const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();
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
