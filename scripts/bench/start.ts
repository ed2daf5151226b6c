import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { describeMachine, median } from '../lib/benchmark.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { onStop } from '../lib/child.ts';
import { root } from '../lib/paths.ts';

const goalMs = 10_000;
const timeoutMs = 300_000;
const runsUsual = 3;

/** `npm run demo` on a data folder that a first start has filled, to a board that answers with figures. */
export const benchmark: Benchmark = {
	measures: 'second `npm run demo` to a usable board; goal 10 s (reported)',
	async run(args) {
		const runs = Number(args[0] ?? runsUsual);
		if (!Number.isInteger(runs) || runs < 1)
			throw new Error('the number of runs must be a whole number from 1');
		onStop(async () => void (running && (await end(running))), 130);
		process.stdout.write(
			`start: npm run demo, ${runs} times on a filled data folder\n${describeMachine()}\n`
		);
		const dataDir = await mkdtemp(join(tmpdir(), 'marsad-bench-start-'));
		try {
			const first = await startOnce(dataDir);
			process.stdout.write(`  first start (sets up the database): ${seconds(first)}\n`);
			const times: number[] = [];
			for (let run = 1; run <= runs; run++) {
				const time = await startOnce(dataDir);
				times.push(time);
				process.stdout.write(`  start ${run + 1}: ${seconds(time)}\n`);
			}
			const middle = median(times);
			const verdict = middle <= goalMs ? 'within' : 'over';
			process.stdout.write(`start: ${seconds(middle)} (median), ${verdict} the goal of ${seconds(goalMs)}\n`);
			process.stdout.write(`${describeMachine()}\n`);
		} finally {
			await rm(dataDir, { recursive: true, force: true });
		}
	}
};

let running: ChildProcess | undefined;

function seconds(ms: number): string {
	return `${(ms / 1000).toFixed(1)} s`;
}

/** @returns milliseconds from the command to a board that a signed-in person can use */
async function startOnce(dataDir: string): Promise<number> {
	const startedAt = performance.now();
	const child = spawn('npm', ['run', 'demo'], {
		cwd: root,
		env: { ...process.env, DATA_DIR: dataDir, PORT: '0', MQTT_PORT: '0', DEMO_PASSWORD: 'bench-password' },
		stdio: ['ignore', 'pipe', 'inherit']
	});
	running = child;
	const timer = setTimeout(() => child.kill('SIGTERM'), timeoutMs);
	try {
		const url = await welcomeAddress(child.stdout);
		await untilUsable(url);
		return performance.now() - startedAt;
	} finally {
		clearTimeout(timer);
		child.stdout.resume();
		await end(child);
	}
}

async function end(child: ChildProcess): Promise<void> {
	if (child.exitCode === null && child.signalCode === null && child.kill('SIGTERM'))
		await once(child, 'exit');
}

async function welcomeAddress(stdout: Readable): Promise<string> {
	let output = '';
	for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
		output += String(chunk);
		const url = /(http:\/\/\S+)\/control/.exec(output)?.[1];
		if (url !== undefined) return url;
	}
	throw new Error(`the demo ended before it was ready: ${output.trimEnd().split('\n').at(-1)}`);
}

/** Usable: the page is served, the duty manager signs in, and the figures of the newest second are there. */
async function untilUsable(url: string): Promise<void> {
	const deadline = performance.now() + timeoutMs;
	while (performance.now() < deadline) {
		if (await isUsable(url).catch(() => false)) return;
		await new Promise((resolve) => setTimeout(resolve, 100));
	}
	throw new Error('the board does not become usable');
}

async function isUsable(url: string): Promise<boolean> {
	const page = await fetch(`${url}/control`);
	const session = await fetch(`${url}/api/v1/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ email: 'duty@example.org', password: 'bench-password' })
	});
	const cookie = session.headers.getSetCookie()[0]?.split(';')[0];
	if (!page.ok || !session.ok || cookie === undefined) return false;
	const figures = await Promise.all(
		['spike/now', 'zones'].map((name) => fetch(`${url}/api/v1/${name}`, { headers: { cookie } }))
	);
	return figures.every((answer) => answer.ok);
}
