import type { Browser, Page } from 'playwright-core';
import { openGlass, type Glass, type Language, type Theme } from './pages.ts';
import { bendNews, failCamera } from './scan-states.ts';
import { makeScanner } from './scan.ts';
import type { RealServer } from './server.ts';
import { say } from './staff.ts';

export interface Look {
	language?: Language;
	theme?: Theme;
	/** True: allowed; false: none; else the name of what it answers instead. */
	camera?: boolean | string;
	clockOffMs?: number;
}

/** Phones at the gate of a server. */
export interface Phones {
	/** From an empty device to the open gate. */
	setUp(look?: Look): Promise<Glass & { scanner: string }>;
	close(): Promise<void>;
}

export const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();
export const answer = (page: Page) => page.locator('[data-verdict]');
export const unsent = (page: Page) => page.locator('.queue').innerText();

export function createPhones(browser: Browser, server: RealServer): Phones {
	const open: Glass[] = [];
	/** A phone that was never set up. */
	const take = async (look: Look): Promise<Glass> => {
		const { language = 'en', theme = 'day', camera = true, clockOffMs = 0 } = look;
		const glass = await openGlass(browser, {
			...{ baseURL: server.url, language, theme },
			expected:
				/ERR_INTERNET_DISCONNECTED|ERR_CONNECTION|Failed to fetch|status of (401|403|503)|fetching the script/
		});
		open.push(glass);
		if (camera === true) await glass.context.grantPermissions(['camera']);
		else await glass.context.addInitScript(failCamera, camera || 'NotFoundError');
		await glass.context.addInitScript(bendNews);
		if (clockOffMs !== 0) await glass.context.addInitScript(setClock, clockOffMs);
		await glass.page.goto(`/scan?lang=${language}&theme=${theme}`);
		return glass;
	};
	return {
		async setUp(look = {}) {
			const { language = 'en' } = look;
			const { id, code } = await makeScanner(server);
			const glass = await take(look);
			const { page } = glass;
			await page.getByLabel(say(language, 'scn_pair_token')).fill(code);
			await press(page, say(language, 'scn_pair_ask'));
			await press(page, say(language, 'scn_pair_accept'));
			await page.getByText(say(language, 'scn_ready_page'), { exact: true }).waitFor();
			await page.getByText(say(language, 'scn_ready_lists'), { exact: true }).waitFor();
			return { ...glass, scanner: id };
		},
		async close() {
			for (const glass of open.splice(0)) await glass.close();
		}
	};
}

/** Runs in the page, before it: a device whose clock is wrong. */
function setClock(offMs: number): void {
	const now = Date.now.bind(Date);
	Date.now = () => now() + offMs;
}
