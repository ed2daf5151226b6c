import { existsSync } from 'node:fs';
import sparticuz from '@sparticuz/chromium';
import { chromium, type Browser } from 'playwright-core';

/** Nothing of the browser's own goes to the network; it may run as root, and without a graphics card. */
const flags = [
	'--no-sandbox',
	'--disable-gpu',
	'--disable-quic',
	'--no-first-run',
	'--disable-background-networking',
	'--disable-component-update',
	'--disable-sync',
	'--disable-dev-shm-usage',
	'--font-render-hinting=none'
];

/**
 * A real Chromium: the one the environment names, the system's, else the one inside an npm package.
 * @param more flags beyond the usual ones
 */
export async function launchChromium(more: readonly string[] = []): Promise<Browser> {
	const named = process.env['TEST_CHROMIUM'] ?? process.env['CHROMIUM_PATH'];
	const system = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
		existsSync(path)
	);
	const executablePath = named ?? system ?? (await sparticuz.executablePath());
	return chromium.launch({ executablePath, args: [...flags, ...more], headless: true, timeout: 60_000 });
}
