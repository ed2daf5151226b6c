import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { LevelsFile } from '../../server/contract/index.ts';
import { launchChromium } from './kit/chromium.ts';
import { holdButton, ladder, shownLevel } from './kit/levels.ts';
import { expectSound } from './kit/pages.ts';
import { startServer, type RealServer } from './kit/server.ts';
import { hold, openDesk, say } from './kit/staff.ts';

let browser: Browser;
let server: RealServer;
let folder = '';
const patience = { timeout: 90_000, interval: 500 };

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'marsad-e2e-rules-'));
	const text = await readFile(new URL('../../server/levels/default.json', import.meta.url), 'utf8');
	const file = JSON.parse(text) as LevelsFile;
	// Any booking takes longer than this: the rule trips on a quiet machine, too.
	file.rules = [{ ...file.rules[0]!, threshold: 2, clear: 1, forSeconds: 3 }];
	const levelsFile = join(folder, 'levels.json');
	await writeFile(levelsFile, JSON.stringify(file));
	browser = await launchChromium();
	server = await startServer({ LAB: '1', LEVELS_FILE: levelsFile });
});
afterAll(async () => {
	await browser?.close();
	await server?.close();
	await rm(folder, { recursive: true, force: true });
});

it('what the rules propose stands with its chart beside the numbers, and is taken with one hold', async () => {
	const duty = await openDesk(browser, server, 'duty', '/control/levels', { expected: /status of 401/ });
	await ladder(duty, 2).waitFor();
	const slot = await freeSlot();
	for (let person = 0; person < 25; person += 1) await book(`person-${person}`, slot);
	const proposal = duty.page.locator('.rule-proposal');
	await proposal.waitFor({ timeout: 90_000 });
	expect(await proposal.textContent()).toContain(say('en', 'lev_prop_up', { level: '2' }));
	expect(await proposal.locator('.limit-label').count()).toBe(2);
	await proposal.locator('summary').click();
	expect(await proposal.locator('tbody tr').count()).toBeGreaterThan(1);
	// Nothing is chosen on the ladder: the proposal alone brings up its level.
	expect(await holdButton(duty).isDisabled()).toBe(true);
	await duty.page.locator('.chips button').first().click();
	await hold(duty.page, holdButton(duty));
	await expect.poll(() => shownLevel(duty).textContent(), patience).toBe('2');
	await expect.poll(() => proposal.count(), patience).toBe(0);
	await duty.page.getByText(say('en', 'lev_settled_title')).click();
	await expect
		.poll(() => duty.page.locator('.standing').textContent(), patience)
		.toContain(say('en', 'lev_outcome_taken'));
	await expectSound(duty);
	await duty.close();
});

async function freeSlot(): Promise<number> {
	let slot = 0;
	await expect
		.poll(async () => {
			const { body } = await server.call('GET', '/slots');
			const slots = (body?.slots ?? []) as { id: number; full: boolean }[];
			return (slot = slots.find(({ full }) => !full)?.id ?? 0);
		}, patience)
		.toBeGreaterThan(0);
	return slot;
}

async function book(user: string, slot: number): Promise<void> {
	await expect
		.poll(async () => (await server.call('POST', `/book?user=${user}`, { body: { slot } })).status, patience)
		.toBe(200);
}
