/// <reference lib="dom" />
import type { Page } from 'playwright-core';

/**
 * Counts the sounds of a page from its next load on: tones that begin within one turn of the page are one sound.
 * @returns a reading of how many sounds there were so far
 */
export async function countSounds(page: Page): Promise<() => Promise<number>> {
	await page.addInitScript(() => {
		const seen = { sounds: 0 };
		(window as unknown as { heardSounds: typeof seen }).heardSounds = seen;
		const create = AudioContext.prototype.createOscillator;
		let isOpen = false;
		AudioContext.prototype.createOscillator = function createOscillator(this: AudioContext) {
			if (!isOpen) {
				isOpen = true;
				seen.sounds += 1;
				setTimeout(() => (isOpen = false));
			}
			return create.call(this);
		};
	});
	return () =>
		page.evaluate(() => (window as unknown as { heardSounds: { sounds: number } }).heardSounds.sounds);
}
