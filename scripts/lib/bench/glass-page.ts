/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/** What a person could read at a zone of the plan, and from when on, epoch ms. */
export interface Shown {
	text: string;
	at: number;
}

/**
 * Watches the share at one zone's label from now on. A change is dated after the frame that draws it: the observer
 * hears of the new text, the frame callback runs before it is painted, and a message sent there arrives after.
 */
export async function watchLabel(page: Page, name: string): Promise<void> {
	await page.evaluate((zone) => {
		const shown: { text: string; at: number }[] = [];
		(window as unknown as { shown: typeof shown }).shown = shown;
		let last = '';
		const read = () =>
			[...document.querySelectorAll('.plan .label')]
				.find((label) => label.getAttribute('title')?.includes(zone))
				?.querySelector('.share')?.textContent ?? '';
		const look = () => {
			const text = read();
			if (text === last) return;
			last = text;
			requestAnimationFrame(() => {
				const { port1, port2 } = new MessageChannel();
				port1.onmessage = () => shown.push({ text, at: performance.timeOrigin + performance.now() });
				port2.postMessage(null);
			});
		};
		new MutationObserver(look).observe(document.body, {
			...{ subtree: true, childList: true, characterData: true }
		});
		look();
	}, name);
}

/** Everything shown since `watchLabel`, oldest first. */
export function readShown(page: Page): Promise<Shown[]> {
	return page.evaluate(() => (window as unknown as { shown: Shown[] }).shown);
}
