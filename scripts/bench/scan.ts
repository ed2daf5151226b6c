import { launchChromium } from '../../web/e2e/kit/chromium.ts';
import { bookPermit, makeScanner, openSlot, type Calls } from '../../web/e2e/kit/scan.ts';
import { keysFor } from '../../web/src/lib/scan/wedge.fixture.ts';
import english from '../../web/messages/en.json' with { type: 'json' };
import type { Benchmark } from '../lib/benchmark.ts';
import { head, percentile, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { timeScans } from '../lib/bench/scan-page.ts';
import { openStand } from '../lib/bench/stand.ts';
import { buildWebIfStale } from '../lib/web-build.ts';

const goalMs = { verify: 5, answer: 300 };
const password = 'bench-password';
/** The first ones compile what the others run. */
const warmUp = 10;

/** One permit from the reader's last key to the answer on the glass, in the scanner's own page without a network. */
export const benchmark: Benchmark = {
	measures:
		'verify one permit in a real browser, goal ≤ 5 ms abs; scan to answer on the glass, goal ≤ 300 ms',
	async run(args) {
		const sizes = readOptions(args, { permits: 200 });
		head('scan', `${sizes.permits} permits by hand reader, the network off`);
		await buildWebIfStale((line) => say(`  ${line}`));
		const machine = watchMachine();
		const stand = await openStand();
		const browser = await launchChromium();
		try {
			const { url } = await stand.startServer({ DEMO: '1', DEMO_PASSWORD: password });
			const calls = callsOf(url);
			const slot = await openSlot(calls);
			const texts: string[] = [];
			for (let n = 0; n < sizes.permits + warmUp; n++)
				texts.push((await bookPermit(calls, `scan-${n}`, slot)).text!);
			const page = await (await browser.newContext({ baseURL: url })).newPage();
			await page.addInitScript(() => {
				navigator.mediaDevices.getUserMedia = () => Promise.reject(new DOMException('', 'NotFoundError'));
			});
			await page.goto('/scan?lang=en&theme=day');
			await page.getByLabel(english.scn_pair_token).fill((await makeScanner(calls)).code);
			await page.getByRole('button', { name: english.scn_pair_ask }).click();
			await page.getByRole('button', { name: english.scn_pair_accept }).click();
			await page.getByRole('button', { name: english.scn_start }).click();
			await page.getByText(english.scn_camera_none).waitFor();
			await page.context().setOffline(true);
			const times = (await timeScans(page, texts.map(keysFor))).slice(warmUp);
			const wrong = times.filter(({ verdict: said }) => said !== 'green').length;
			if (wrong > 0) throw new Error(`${wrong} of ${times.length} permits were not green`);
			report(
				'scan, verify',
				times.map(({ verifiedMs }) => verifiedMs),
				goalMs.verify
			);
			report(
				'scan, judge with the use that the device remembers',
				times.map(({ judgedMs }) => judgedMs),
				null
			);
			report(
				'scan, answer',
				times.map(({ answeredMs }) => answeredMs),
				goalMs.answer
			);
			say(machine.line());
		} finally {
			await browser.close();
			await stand.close();
		}
	}
};

function report(title: string, times: readonly number[], goal: number | null): void {
	const [p50, p95, most] = [50, 95, 100].map((percent) => percentile(times, percent).toFixed(1));
	const figures = `p50 ${p50} ms, p95 ${p95} ms, most ${most} ms`;
	if (goal === null) say(`  ${title}: ${figures}`);
	else verdict(title, figures, `p95 ≤ ${goal} ms`, percentile(times, 95) <= goal);
}

function callsOf(url: string): Calls {
	const send = (method: string, path: string, body?: object, cookie?: string) =>
		fetch(url + path, {
			method,
			headers: {
				...(body ? { 'content-type': 'application/json' } : {}),
				...(cookie ? { cookie } : {}),
				...(method === 'GET' ? {} : { 'idempotency-key': crypto.randomUUID() })
			},
			...(body ? { body: JSON.stringify(body) } : {})
		});
	return {
		async call(method, path, { body, cookie } = {}) {
			const response = await send(method, path, body, cookie);
			return { status: response.status, body: await response.json().catch(() => null) };
		},
		async signIn(who) {
			const response = await send('POST', '/api/v1/session', { email: `${who}@example.org`, password });
			return (response.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
		}
	};
}
