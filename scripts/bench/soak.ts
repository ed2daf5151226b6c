import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openCable, type Cable } from '../../web/e2e/kit/cable.ts';
import { launchChromium } from '../../web/e2e/kit/chromium.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { makeGridSite } from '../lib/bench/grid-site.ts';
import { head, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { slopeOf } from '../lib/bench/slope.ts';
import { startSoakFeed, type SoakFeed } from '../lib/bench/soak-feed.ts';
import { awaitNamed, lookAtHeap, seenAfterMs, watchPage, type Held } from '../lib/bench/soak-page.ts';
import { openStand } from '../lib/bench/stand.ts';
import { buildWebIfStale } from '../lib/web-build.ts';

const password = 'bench-password';
const site = { columns: 4, rows: 3, counters: 30 };
/** Points scatter; a line that rises by no more than this many times their standard deviation is flat. */
const noiseTimes = 2;
/** Where the points do not scatter at all, this share of their size is no leak either. */
const noiseShareLeast = 0.005;
/** Where they scatter by more than this share of their size, nothing was shown: a busy machine, or too few looks. */
const noiseShareMost = 0.1;
const returnGoalMs = 2_000;
const seenPatienceMs = 60_000;

/** A wall that nobody touches: what its page holds after hours of a moving site, and how it comes back from a cut. */
export const benchmark: Benchmark = {
	measures: 'a wall in a real Chromium through hours of updates: heap after GC; goal slope within noise',
	async run(args) {
		// The chart of the wall keeps half an hour: until it is full, it may grow.
		const sizes = readOptions(args, { scale: 60, warm: 40, seconds: 130, every: 4, cut: 20 });
		const hours = (sizes.seconds * sizes.scale) / 3_600;
		head('soak', `${hours.toFixed(1)} h in ${sizes.seconds} s, after ${sizes.warm} s to fill the charts`);
		await buildWebIfStale((line) => say(`  ${line}`));
		const machine = watchMachine();
		const stand = await openStand();
		const browser = await launchChromium();
		const stops: (() => Promise<unknown>)[] = [];
		try {
			const siteFile = join(stand.folder, 'grid.geojson');
			await writeFile(siteFile, JSON.stringify(makeGridSite(site)));
			const from = Date.now();
			const server = await stand.startServer({
				...{ LAB: '1', LAB_TIME_SCALE: String(sizes.scale), LAB_TIME_FROM: String(from) },
				...{ SITE_FILE: siteFile, DEMO_PASSWORD: password }
			});
			const labNow = () => Math.round(from + (Date.now() - from) * sizes.scale);
			const feed = await startSoakFeed(server.url, labNow);
			stops.push(() => feed.stop());
			const cable = await openCable(server.url);
			stops.push(() => cable.close());
			const context = await browser.newContext({ viewport: { width: 1_920, height: 1_080 } });
			const page = await context.newPage();
			await watchPage(page);
			await openWall(page, cable.url);
			await delay(sizes.warm * 1_000);
			const cpuMs = server.cpuMs();
			const held = await soak(page, sizes.seconds, sizes.every);
			const ofACore = (server.cpuMs() - cpuMs) / (held.at(-1)!.atSeconds * 1_000);
			report(held, hours);
			const { messages } = held.at(-1)!;
			say(
				`  ${messages - held[0]!.messages} messages came to the page, ${feed.said()} readings to the server`
			);
			say(`  the server used ${(ofACore * 100).toFixed(0)} % of a core`);
			await cutAndReturn({ page, cable, feed, seconds: sizes.cut });
			say(machine.line());
			if (messages <= held[0]!.messages) throw new Error('nothing came to the page');
		} finally {
			await browser.close();
			for (const stop of stops.toReversed()) await stop();
			await stand.close();
		}
	}
};

async function openWall(page: Page, url: string): Promise<void> {
	await page.goto(`${url}/sign-in?lang=en&theme=night&return=${encodeURIComponent('/control')}`);
	await page.locator('input[type="email"]').fill('viewer@example.org');
	await page.locator('input[type="password"]').fill(password);
	await page.locator('button[type="submit"]').click();
	await page.waitForURL((at) => at.pathname === '/control', { timeout: 90_000 });
	await page.locator('.plan .label').first().waitFor({ timeout: 90_000 });
}

async function soak(page: Page, seconds: number, everySeconds: number): Promise<Held[]> {
	const devtools = await page.context().newCDPSession(page);
	const startedMs = performance.now();
	const elapsed = () => (performance.now() - startedMs) / 1_000;
	const held: Held[] = [];
	while (elapsed() < seconds || held.length < 3) {
		held.push(await lookAtHeap(page, devtools, elapsed()));
		await delay(everySeconds * 1_000);
	}
	await devtools.detach();
	return held;
}

function report(held: readonly Held[], hours: number): void {
	const last = held.at(-1)!;
	say(
		`  ${held.length} looks; the last: ${last.heapMb.toFixed(2)} MB, ${last.nodes} nodes, ${last.listeners} listeners`
	);
	say(
		`  noise: ${noiseTimes} × the standard deviation of the looks about their line, or ${noiseShareLeast * 100} % where that is more; past ${noiseShareMost * 100} % nothing is shown`
	);
	const judge = (title: string, unit: string, digits: number, valueOf: (one: Held) => number) => {
		const { rise, scatter } = slopeOf(held.map((one) => [one.atSeconds, valueOf(one)]));
		const noise = Math.max(noiseTimes * scatter, noiseShareLeast * valueOf(held[0]!));
		verdict(
			`soak, ${title}`,
			`${rise >= 0 ? '+' : '−'}${Math.abs(rise).toFixed(digits)}${unit} in ${hours.toFixed(1)} h, noise ±${noise.toFixed(digits)}${unit}`,
			'slope within noise',
			rise <= noise && noise <= noiseShareMost * valueOf(held[0]!)
		);
	};
	judge('heap after GC', ' MB', 3, ({ heapMb }) => heapMb);
	judge('DOM nodes', '', 0, ({ nodes }) => nodes);
	judge('event listeners', '', 0, ({ listeners }) => listeners);
}

/** The cable is pulled for some seconds, and a zone runs over meanwhile. */
async function cutAndReturn(parts: {
	page: Page;
	cable: Cable;
	feed: SoakFeed;
	seconds: number;
}): Promise<void> {
	const { page, cable, feed } = parts;
	cable.pull();
	await page.context().setOffline(true);
	feed.fill(1.08);
	await delay(parts.seconds * 1_000);
	await awaitNamed(page, feed.zone.name);
	cable.plugIn();
	await page.context().setOffline(false);
	let tookMs: number | null = null;
	for (const endsAt = performance.now() + seenPatienceMs; performance.now() < endsAt && tookMs === null;) {
		await delay(100);
		tookMs = await seenAfterMs(page);
	}
	if (tookMs === null) throw new Error('the alarm that rose during the cut is not there after a minute');
	verdict(
		`alarm of a cut of ${parts.seconds} s on the glass after the return`,
		`${Math.round(tookMs)} ms`,
		`≤ ${returnGoalMs} ms`,
		tookMs <= returnGoalMs
	);
}
