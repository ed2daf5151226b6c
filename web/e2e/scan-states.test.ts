import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { launchChromium } from './kit/chromium.ts';
import { expectSound, takeShot } from './kit/pages.ts';
import { createPhones, press, type Phones } from './kit/scan-phone.ts';
import { failCamera, movedFrom, tellScanner } from './kit/scan-states.ts';
import { bookPermit, gate, openSlot, readByHand } from './kit/scan.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, say } from './kit/staff.ts';

const patience = { timeout: 60_000 };
let browser: Browser;
let server: RealServer;
let phones: Phones;
let slot: number;

beforeAll(async () => {
	server = await startServer();
	slot = await openSlot(server);
	browser = await launchChromium();
	phones = createPhones(browser, server);
}, 300_000);
afterEach(() => phones?.close());
afterAll(async () => {
	await browser?.close();
	await server?.close();
});

it.each([
	['ar', 'day'],
	['ar', 'night'],
	['en', 'night']
] as const)(
	'is readable in every state, %s by %s',
	async (language, theme) => {
		const glass = await phones.setUp({ language, theme, camera: false });
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

it.each([
	['ar', 'day'],
	['en', 'night']
] as const)(
	'says what is out of order, and refuses nobody for it, %s by %s',
	async (language, theme) => {
		const glass = await phones.setUp({ language, theme, camera: 'NotAllowedError' });
		const { page } = glass;
		const look = async (name: string) => {
			for (const [width, height] of [
				[390, 844],
				[844, 390]
			] as const) {
				await page.setViewportSize({ width, height });
				await takeShot(page, `scan-${name}-${language}-${theme}${width > height ? '-wide' : ''}`);
				await expectSound(glass);
			}
		};
		const sees = (key: Parameters<typeof say>[1], values = {}) =>
			page
				.getByText(say(language, key, values))
				.first()
				.waitFor(patience);
		await press(page, say(language, 'scn_start'));
		await sees('scn_camera_refused');
		await look('camera-refused');
		await page.evaluate(failCamera, 'NotReadableError');
		await press(page, say(language, 'scn_camera_again'));
		await sees('scn_camera_busy');
		await look('camera-busy');
		const [held, moved, over, plain] = await Promise.all(
			['held', 'moved', 'over', 'plain'].map((name) => bookPermit(server, `${name}-${language}`, slot))
		);
		const [now, minutes] = [Date.now(), 60_000];
		const settings = {
			moved: [
				movedFrom(moved!.id, gate.place, now + 20 * minutes),
				movedFrom(over!.id, gate.place, now - 20 * minutes)
			]
		};
		await tellScanner(page, language, {
			...{ settings: { ...settings, mode: 'held' }, gate: { state: 'held', holdUntil: now + 20 * minutes } }
		});
		await sees('scn_let_nobody');
		await look('held');
		expect(await readByHand(page, [held!.text!])).toEqual(['red']);
		await look('held-answer');
		await tellScanner(page, language, { settings: { ...settings, mode: 'closed' } });
		await sees('scn_gate_closed');
		await press(page, say(language, 'scn_next'));
		await look('closed');
		await tellScanner(page, language, { settings: { ...settings, mode: 'check' } });
		await page.getByText(say(language, 'scn_let_nobody')).waitFor({ state: 'detached' });
		expect(await readByHand(page, [moved!.text!])).toEqual(['amber']);
		await sees('scn_flag_moved');
		await look('moved');
		expect(await readByHand(page, [over!.text!])).toEqual(['red']);
		await sees('scn_show_new');
		await look('moved-over');
		// Seven hours without news of the revoked: only the clock moved.
		await tellScanner(page, language, { aheadMs: 7 * 60 * minutes });
		await page
			.getByText(`▲ ${say(language, 'scn_old')}`)
			.first()
			.waitFor(patience);
		expect(await readByHand(page, [plain!.text!])).toEqual(['amber']);
		await sees('scn_flag_old_revocations');
		await look('old-list');
	},
	240_000
);
