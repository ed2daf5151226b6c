import { readFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { expect } from 'vitest';

/** Languages of the staff screens; the public page has more. */
export type Language = 'ar' | 'en';
export type Theme = 'day' | 'night';
export const languages: readonly Language[] = ['ar', 'en'];
export const themes: readonly Theme[] = ['day', 'night'];
/** A control room's screen and a person's phone. */
export const sizes = {
	desk: { width: 1920, height: 1080 },
	phone: { width: 390, height: 844 }
} as const;
export type Size = keyof typeof sizes;

const shots = fileURLToPath(new URL('../shots/', import.meta.url));
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

export interface Glass {
	context: BrowserContext;
	page: Page;
	/** What the page complained about so far; empty when all is well. */
	complaints(): string[];
	close(): Promise<void>;
}

/** A fresh browser profile with one page. Complaints of the page itself are kept; expected refusals are not among them. */
export async function openGlass(
	browser: Browser,
	options: {
		baseURL: string;
		size?: Size;
		/** Of the browser. */
		language?: string;
		theme?: Theme;
		javaScript?: boolean;
		/** Console errors that a test causes on purpose. */
		expected?: RegExp;
	}
): Promise<Glass> {
	const { language = 'ar', theme = 'day', size = 'phone' } = options;
	const context = await browser.newContext({
		baseURL: options.baseURL,
		viewport: sizes[size],
		locale: ({ ar: 'ar-SA', en: 'en-GB' } as Record<string, string>)[language] ?? language,
		colorScheme: theme === 'day' ? 'light' : 'dark',
		timezoneId: 'Asia/Riyadh',
		javaScriptEnabled: options.javaScript ?? true,
		reducedMotion: 'reduce'
	});
	context.setDefaultTimeout(60_000);
	context.setDefaultNavigationTimeout(90_000);
	const page = await context.newPage();
	const complaints: string[] = [];
	const note = (text: string) => {
		if (!options.expected?.test(text)) complaints.push(text);
	};
	page.on('pageerror', (error) => note(`error: ${error.message}`));
	page.on('console', (message) => {
		if (message.type() === 'error') note(`console: ${message.text()} (${message.location().url})`);
	});
	return { context, page, complaints: () => complaints, close: () => context.close() };
}

/** Takes a picture into `e2e/shots` (git-ignored). */
export async function takeShot(page: Page, name: string, fullPage = false): Promise<void> {
	await mkdir(shots, { recursive: true });
	await page.screenshot({ path: `${shots}${name}.png`, animations: 'disabled', fullPage });
}

/** No serious or critical finding of axe-core. */
export async function expectAccessible(page: Page): Promise<void> {
	// The page's own policy forbids foreign script elements: the file goes in by the debugger's way.
	await page.evaluate(readFileSync(axeFile, 'utf8'));
	const findings = await page.evaluate(async () => {
		const axe = (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe;
		interface AxeResults {
			violations: {
				id: string;
				impact: string;
				help: string;
				nodes: { target: string[]; failureSummary: string }[];
			}[];
		}
		const results = await axe.run({ resultTypes: ['violations'] });
		return results.violations
			.filter(({ impact }) => impact === 'serious' || impact === 'critical')
			.map(
				({ id, nodes }) =>
					`${id}: ${nodes.map((node) => `${node.target.join(' ')} ${node.failureSummary}`).join('; ')}`
			);
	});
	expect(findings, 'axe-core').toEqual([]);
}

/** Nothing hangs over the side of the screen, and no text is cut by its own box. */
export async function expectWellLaidOut(page: Page): Promise<void> {
	const faults = await page.evaluate(() => {
		const found: string[] = [];
		// A wide table may scroll inside its own box, never the page.
		const isInScroller = (element: HTMLElement): boolean => {
			for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
				if (/auto|scroll/.test(getComputedStyle(box).overflowX)) return true;
			}
			return false;
		};
		const root = document.documentElement;
		if (root.scrollWidth > root.clientWidth)
			found.push(`the page scrolls sideways: ${root.scrollWidth} > ${root.clientWidth}`);
		for (const element of document.querySelectorAll<HTMLElement>('body *')) {
			const style = getComputedStyle(element);
			const hasText = [...element.childNodes].some(
				(node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim()
			);
			if (!hasText || style.clipPath !== 'none' || style.display === 'inline' || !element.checkVisibility())
				continue;
			const clips = style.overflowX !== 'visible';
			const box = element.getBoundingClientRect();
			const outside = box.width > 0 && (box.left < -1 || box.right > root.clientWidth + 1);
			const scrolls = isInScroller(element);
			if ((clips && element.scrollWidth > element.clientWidth + 1) || (outside && !scrolls)) {
				found.push(
					`cut: ${element.tagName.toLowerCase()}.${element.className} "${element.textContent?.trim().slice(0, 40)}"`
				);
			}
		}
		return found;
	});
	expect(faults, 'layout').toEqual([]);
}

/** The whole check of a page that stands still: pictures are for people, this is for the machine. */
export async function expectSound(glass: Glass): Promise<void> {
	await expectWellLaidOut(glass.page);
	await expectAccessible(glass.page);
	expect(glass.complaints()).toEqual([]);
}
