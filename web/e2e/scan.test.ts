import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { Permit } from '../../server/contract/index.ts';
import { openPermit } from '../../server/contract/permit/index.ts';
import { launchChromium } from './kit/chromium.ts';
import { takeShot } from './kit/pages.ts';
import { bookPermit, filmCodes, gate, openSlot, readByHand } from './kit/scan.ts';
import { answer, createPhones, press, unsent, type Look, type Phones } from './kit/scan-phone.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { say } from './kit/staff.ts';

const patience = { timeout: 60_000, interval: 100 };
let browser: Browser;
let server: RealServer;
let folder: string;
let slot: number;
let family: Permit;
let phones: Phones;
const setUp = (look?: Look) => phones.setUp(look);

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
	phones = createPhones(browser, server);
}, 300_000);
afterEach(async () => {
	await phones?.close();
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
	if (folder) await rm(folder, { recursive: true, force: true });
});

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
