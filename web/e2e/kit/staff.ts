import type { Browser, Locator, Page } from 'playwright-core';
import arabic from '../../messages/ar.json' with { type: 'json' };
import english from '../../messages/en.json' with { type: 'json' };
import { openGlass, type Glass, type Language, type Size, type Theme } from './pages.ts';
import { password, type RealServer } from './server.ts';

type Key = keyof typeof english;

/** A text of the staff screens as they show it; `{name}` is filled in. */
export function say(language: Language, key: Key, values: Record<string, string> = {}): string {
	const text = String(
		(language === 'ar' ? (arabic as Record<string, unknown>) : (english as Record<string, unknown>))[key]
	);
	return text.replace(/\{(\w+)\}/g, (all, name: string) => values[name] ?? all);
}

export interface Desk extends Glass {
	language: Language;
}

/** A person of the control room in front of one screen, signed in through the page as a person would. */
export async function openDesk(
	browser: Browser,
	server: RealServer,
	who: string,
	path: string,
	options: { language?: Language; theme?: Theme; size?: Size; expected?: RegExp } = {}
): Promise<Desk> {
	const { language = 'en', theme = 'night' } = options;
	const glass = await openGlass(browser, { baseURL: server.url, size: 'desk', ...options, language, theme });
	// Nobody has signed in yet: the console asks who is there, and is told "nobody" with a 401.
	await glass.page.goto(`/sign-in?lang=${language}&theme=${theme}&return=${encodeURIComponent(path)}`);
	await fillSignIn(glass.page, who, password);
	await glass.page.waitForURL((url) => url.pathname === path);
	return { ...glass, language };
}

export async function fillSignIn(page: Page, who: string, word: string): Promise<void> {
	await page.locator('input[type="email"]').fill(`${who}@example.org`);
	await page.locator('input[type="password"]').fill(word);
	await page.locator('button[type="submit"]').click();
}

/** Holds a button as a person does who means it. */
export async function hold(
	page: Page,
	button: Locator,
	way: 'pointer' | 'keyboard' = 'pointer'
): Promise<void> {
	await button.scrollIntoViewIfNeeded();
	if (way === 'keyboard') {
		await button.focus();
		await page.keyboard.down('Space');
		await page.waitForTimeout(1_200);
		await page.keyboard.up('Space');
		return;
	}
	await button.hover();
	await page.mouse.down();
	await page.waitForTimeout(1_200);
	await page.mouse.up();
}
