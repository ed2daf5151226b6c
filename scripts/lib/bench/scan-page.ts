/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/** Milliseconds of one scan. */
export interface ScanTimes {
	/** Form, key and signature of one permit, as the page's own code does it. */
	verifiedMs: number;
	/** With window, revocation and the use that the device remembers. */
	judgedMs: number;
	/** From the reader's last key to the frame after the answer stands on the glass. */
	answeredMs: number;
	verdict: string;
}

/** Sends codes as a hand reader does, one after the other, and times each. */
export function timeScans(
	page: Page,
	codes: readonly (readonly { code: string; shiftKey: boolean }[])[]
): Promise<ScanTimes[]> {
	return page.evaluate(
		async (all) => {
			const last: Record<string, number> = {};
			new PerformanceObserver((list) => {
				for (const { name, duration } of list.getEntries()) last[name] = duration;
			}).observe({ entryTypes: ['measure'] });
			const answer = () => document.querySelector<HTMLElement>('[data-verdict]');
			const painted = () =>
				new Promise<number>((resolve) => {
					requestAnimationFrame(() => {
						const { port1, port2 } = new MessageChannel();
						port1.onmessage = () => resolve(performance.now());
						port2.postMessage(null);
					});
				});
			const changed = (before: string | undefined) =>
				new Promise<void>((resolve, reject) => {
					const timer = setTimeout(() => reject(new Error('no answer within ten seconds')), 10_000);
					const watcher = new MutationObserver(() => {
						const now = answer()?.dataset['seq'];
						if (now === undefined || now === before) return;
						clearTimeout(timer);
						watcher.disconnect();
						resolve();
					});
					watcher.observe(document.body, { subtree: true, childList: true, attributes: true });
				});
			const times: { verifiedMs: number; judgedMs: number; answeredMs: number; verdict: string }[] = [];
			for (const keys of all) {
				const isChanged = changed(answer()?.dataset['seq']);
				let sentAt = 0;
				for (const { code, shiftKey } of keys) {
					const press = {
						code,
						key: code === 'Enter' ? 'Enter' : 'x',
						shiftKey,
						bubbles: true,
						cancelable: true
					};
					sentAt = performance.now();
					document.body.dispatchEvent(new KeyboardEvent('keydown', press));
				}
				await isChanged;
				const answeredMs = (await painted()) - sentAt;
				await new Promise((resolve) => setTimeout(resolve, 50));
				times.push({
					verifiedMs: last['scan-verified'] ?? NaN,
					judgedMs: last['scan-judged'] ?? NaN,
					answeredMs,
					verdict: answer()?.dataset['verdict'] ?? ''
				});
			}
			return times;
		},
		codes as { code: string; shiftKey: boolean }[][]
	);
}
