/// <reference lib="dom" />
import type { CDPSession, Page } from 'playwright-core';

/** What the page holds after its garbage was collected. */
export interface Held {
	/** Seconds of this machine since the first look. */
	atSeconds: number;
	heapMb: number;
	nodes: number;
	listeners: number;
	/** Messages of the live feed since the page was opened. */
	messages: number;
}

interface Soaked {
	messages: number;
	onlineAt: number | null;
	seenAt: number | null;
}

/** Counts what comes over the page's sockets, and keeps the moment of the last `online`; before the page is opened. */
export async function watchPage(page: Page): Promise<void> {
	await page.addInitScript(() => {
		const soaked: Soaked = { messages: 0, onlineAt: null, seenAt: null };
		(window as unknown as { soaked: Soaked }).soaked = soaked;
		const Plain = window.WebSocket;
		window.WebSocket = class extends Plain {
			constructor(url: string | URL, protocols?: string | string[]) {
				super(url, protocols);
				this.addEventListener('message', () => (soaked.messages += 1));
			}
		};
		addEventListener('online', () => (soaked.onlineAt = performance.now()));
	});
}

/** Two rounds: what a finaliser of the first lets go is gone after the second. */
export async function lookAtHeap(page: Page, devtools: CDPSession, atSeconds: number): Promise<Held> {
	for (let round = 0; round < 2; round++) await devtools.send('HeapProfiler.collectGarbage');
	const { usedSize } = await devtools.send('Runtime.getHeapUsage');
	const { nodes, jsEventListeners } = await devtools.send('Memory.getDOMCounters');
	const messages = await page.evaluate(() => (window as unknown as { soaked: Soaked }).soaked.messages);
	return { atSeconds, heapMb: usedSize / 1e6, nodes, listeners: jsEventListeners, messages };
}

/** From now on the first moment at which the list of what is abnormal names this is kept. */
export async function awaitNamed(page: Page, name: string): Promise<void> {
	await page.evaluate((text) => {
		const { soaked } = window as unknown as { soaked: Soaked };
		const watcher = new MutationObserver(() => {
			if (document.querySelector('.abnormal')?.textContent?.includes(text) !== true) return;
			watcher.disconnect();
			// After the frame that draws it.
			requestAnimationFrame(() => (soaked.seenAt = performance.now()));
		});
		watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
	}, name);
}

/** @returns milliseconds from the network's return to the named thing on the glass; null: it is not there yet */
export function seenAfterMs(page: Page): Promise<number | null> {
	return page.evaluate(() => {
		const { onlineAt, seenAt } = (window as unknown as { soaked: Soaked }).soaked;
		return onlineAt === null || seenAt === null ? null : seenAt - onlineAt;
	});
}
