import { setTimeout as delay } from 'node:timers/promises';
import mqtt, { type MqttClient } from 'mqtt';
import type { Page } from 'playwright-core';
import { topics, type SimulatorSession, type SiteFile } from '../../server/contract/index.ts';
import { launchChromium } from '../../web/e2e/kit/chromium.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { readShown, watchLabel, type Shown } from '../lib/bench/glass-page.ts';
import { head, percentile, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand } from '../lib/bench/stand.ts';
import { buildWebIfStale } from '../lib/web-build.ts';

const goalMs = 300;
const password = 'bench-password';
/** A zone that two cameras know: one keeps still, the other one's number is what changes on the screen. */
const probe = { zone: 'forecourt-east', name: 'East forecourt', still: 200 };
/** A probe comes at any moment of the hub's round, never twice within one. */
const probeMs = { least: 400, most: 1_000 };
const percents = { least: 20, most: 54 };
const tickMs = 50;
const shownTimeoutMs = 10_000;
/** A screen that shows less than half of the changes measures nothing. */
const lostShareMax = 0.5;

interface Probe {
	text: string;
	at: number;
}

/** From a camera's message to the changed letters on a control room's screen, on one machine with one clock. */
export const benchmark: Benchmark = {
	measures: 'publish to changed pixel in a real Chromium at 100 readings/s; goal p95 ≤ 300 ms abs',
	async run(args) {
		const sizes = readOptions(args, { seconds: 60, rate: 100 });
		head('glass', `${sizes.seconds} s at ${sizes.rate} readings/s, one screen of the crowd`);
		await buildWebIfStale((line) => say(`  ${line}`));
		const machine = watchMachine();
		const stand = await openStand();
		const browser = await launchChromium();
		try {
			const server = await stand.startServer({ DEMO: '1', DEMO_PASSWORD: password });
			const session = await askSession(server.url);
			const client = await mqtt.connectAsync(session.mqttUrl, {
				...{ username: session.username, password: session.password, clientId: 'simulator-glass' }
			});
			const load = startLoad(client, session, sizes.rate);
			try {
				const context = await browser.newContext({ viewport: { width: 1_920, height: 1_080 } });
				const page = await openCrowd(await context.newPage(), server.url);
				const sent = await sendProbes(client, session.site, page, sizes.seconds);
				const { taken, seconds } = load.stop();
				report(sent, await readShown(page), taken / seconds);
			} finally {
				load.stop();
				await client.endAsync(true);
			}
			say(machine.line());
		} finally {
			await browser.close();
			await stand.close();
		}
	}
};

type Session = SimulatorSession & { siteFile: SiteFile };

async function askSession(url: string): Promise<Session> {
	const answer = await fetch(`${url}/api/v1/simulators/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: '{}'
	});
	if (!answer.ok) throw new Error(`the server takes no simulated data (${answer.status})`);
	return (await answer.json()) as Session;
}

/** Counters at borders speak in turn, as many a second as asked for, whatever the browser does. */
function startLoad(client: MqttClient, { site, siteFile }: Session, rate: number) {
	const devices = siteFile.features.flatMap(({ properties }) =>
		properties.kind === 'counter' && properties.measures === 'crossing' && !properties.optional
			? [properties.device]
			: []
	);
	const startedAt = performance.now();
	let said = 0;
	let taken = 0;
	const turn = () => {
		const due = ((performance.now() - startedAt) / 1_000) * rate;
		for (; said < due; said++) {
			const device = devices[said % devices.length] ?? '';
			const reading = { ts: Date.now(), boot: 'glass', seq: said, in: said % 3, out: said % 2, sim: true };
			client.publish(topics.reading(site, device), JSON.stringify(reading), { qos: 1 }, (error) => {
				if (!error) taken += 1;
			});
		}
	};
	const timer = setInterval(turn, tickMs);
	return {
		stop() {
			clearInterval(timer);
			return { taken, seconds: (performance.now() - startedAt) / 1_000 };
		}
	};
}

async function openCrowd(page: Page, url: string): Promise<Page> {
	const path = '/control/crowd';
	await page.goto(`${url}/sign-in?lang=en&theme=night&return=${encodeURIComponent(path)}`);
	await page.locator('input[type="email"]').fill('crowd@example.org');
	await page.locator('input[type="password"]').fill(password);
	await page.locator('button[type="submit"]').click();
	await page.waitForURL((at) => at.pathname === path, { timeout: 90_000 });
	await page.locator(`.plan .label[title*="${probe.name}"]`).waitFor({ timeout: 90_000 });
	return page;
}

/** Each probe makes another whole percentage of the zone, up and down again. */
async function sendProbes(client: MqttClient, site: string, page: Page, seconds: number): Promise<Probe[]> {
	let seq = 0;
	const publish = async (camera: string, present: number) => {
		const reading = { ts: Date.now(), boot: 'glass', seq: seq++, present, sim: true };
		const device = `${probe.zone}-${camera}`;
		await client.publishAsync(topics.reading(site, device), JSON.stringify(reading), { qos: 1 });
	};
	const show = (percent: number) => publish('01', percent * 40 - probe.still);
	await publish('02', probe.still);
	await show(percents.least);
	await watchLabel(page, probe.name);
	const deadline = performance.now() + shownTimeoutMs * 3;
	while ((await readShown(page)).at(-1)?.text.includes(String(percents.least)) !== true) {
		if (performance.now() > deadline) throw new Error('the zone of the probes does not appear');
		await delay(200);
	}
	const sent: Probe[] = [];
	let [percent, step] = [percents.least, 1];
	const endsAt = performance.now() + seconds * 1_000;
	while (performance.now() < endsAt) {
		await delay(probeMs.least + Math.random() * (probeMs.most - probeMs.least));
		if (percent === percents.most) step = -1;
		if (percent === percents.least) step = 1;
		percent += step;
		sent.push({ text: String(percent), at: performance.timeOrigin + performance.now() });
		const shown = show(percent);
		// The other camera must not grow old: half of the zone would be missing.
		if (sent.length % 4 === 0) void publish('02', probe.still);
		await shown;
	}
	await delay(1_000);
	return sent;
}

function report(sent: readonly Probe[], shown: readonly Shown[], readingsPerSecond: number): void {
	// What came too late to be seen before the next change counts as later than everything that was seen.
	const times = sent.map(({ text, at }, index) => {
		const until = sent[index + 2]?.at ?? Infinity;
		const seen = shown.find((one) => one.at >= at && one.at < until && numberIn(one.text) === text);
		return seen ? seen.at - at : Infinity;
	});
	const lost = times.filter((time) => time === Infinity).length;
	say(
		`  ${sent.length} changes sent, ${sent.length - lost} seen on the screen, ${lost} overtaken by the next`
	);
	say(`  ${readingsPerSecond.toFixed(0)} readings/s acknowledged beside them`);
	const [p50, p95, most] = [50, 95, 100].map((percent) => percentile(times, percent).toFixed(0));
	const figure = `p50 ${p50} ms, p95 ${p95} ms, most ${most} ms`;
	verdict('glass', figure, `p95 ≤ ${goalMs} ms`, percentile(times, 95) <= goalMs);
	if (lost > sent.length * lostShareMax)
		throw new Error(`${lost} of ${sent.length} changes never came to the screen`);
}

const numberIn = (text: string) => /\d+/.exec(text)?.[0] ?? '';
