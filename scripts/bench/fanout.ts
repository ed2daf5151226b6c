import { fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Benchmark } from '../lib/benchmark.ts';
import { startScript } from '../lib/child.ts';
import type { FanoutCount, FanoutTold } from '../lib/bench/fanout-jobs.ts';
import { makeGridSite } from '../lib/bench/grid-site.ts';
import { head, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { addScreens } from '../lib/bench/screen-tokens.ts';
import { openStand, type Measured } from '../lib/bench/stand.ts';
import { root, stopWithParent } from '../lib/paths.ts';

const goalShare = 0.1;
const processes = 2;
/** The site's counters speak every five seconds; by then each has spoken some times. */
const warmUpMs = 15_000;
const parts = join(import.meta.dirname, '../lib/bench');

/** One way to keep all screens up to date, measured for so many seconds. */
interface Side {
	bytesPerSecond: number;
	firstBytes: number;
	updatesPerSecond: number;
	/** Of the server, beyond what it uses without a screen. */
	cpuMsPerSecond: number;
}

/** Every screen of a large control room at a large site, against telling each of them everything. */
export const benchmark: Benchmark = {
	measures: '500 screens, 200 zones, 500 counters: bytes a screen against full state as JSON; goal ≤ 0.1 ×',
	async run(args) {
		const sizes = readOptions(args, { screens: 500, columns: 20, rows: 10, counters: 500, seconds: 40 });
		head(
			'fanout',
			`${sizes.screens} screens on ${sizes.columns * sizes.rows} zones and ${sizes.counters} counters, ${sizes.seconds} s each way`
		);
		const machine = watchMachine();
		const stand = await openStand();
		const stops: (() => Promise<unknown>)[] = [];
		try {
			const siteFile = join(stand.folder, 'grid.geojson');
			await writeFile(siteFile, JSON.stringify(makeGridSite(sizes)));
			const server = await stand.startServer({ LAB: '1', SITE_FILE: siteFile });
			const tokens = await addScreens(stand.databaseUrl, sizes.screens + 3);
			const simulator = join(root, 'simulators/src/main.ts');
			const crowd = startScript(simulator, ['sensors', '--server', server.url], { onLine: () => undefined });
			stops.push(() => crowd.stop());
			const screens = openProcesses();
			stops.push(() => screens.stop());
			await delay(warmUpMs);
			const own = tokens.slice(0, sizes.screens);
			const readings = await readingsOf(server);
			const product = await measure(screens, server, server.url, own, sizes.seconds);
			const perSecond = ((await readingsOf(server)) - readings) / product.tookSeconds;
			const isRight = await screens.compare(server.url, [tokens.at(-1)!, tokens.at(-2)!]);
			const usual = await stand.startScript(join(parts, 'fanout-baseline.ts'), [server.url, tokens.at(-3)!]);
			await delay(2_000);
			const full = await measure(screens, usual, usual.url, own, sizes.seconds);
			report(product, full, { ...sizes, readingsPerSecond: perSecond });
			verdict('screens that take parts show what whole values say', isRight ? 'yes' : 'no', 'yes', isRight);
			say(machine.line());
			// Each counter speaks every five seconds; with far less than that the patches would be small for nothing.
			const expected = sizes.counters / 5;
			if (perSecond < expected / 4)
				throw new Error(`${perSecond.toFixed(0)} readings/s came of ${expected}: the counters did not speak`);
			if (!isRight) throw new Error('a screen shows something else than the server says');
		} finally {
			for (const stop of stops.toReversed()) await stop();
			await stand.close();
		}
	}
};

async function measure(
	screens: ReturnType<typeof openProcesses>,
	server: Measured,
	url: string,
	tokens: readonly string[],
	seconds: number
): Promise<Side & { tookSeconds: number }> {
	const startedMs = performance.now();
	const idle = await cpuShare(server, 5);
	await screens.open(url, tokens);
	await delay(3_000);
	const before = await screens.count();
	const [cpuMs, fromMs] = [server.cpuMs(), performance.now()];
	await delay(seconds * 1_000);
	const after = await screens.count();
	const took = (performance.now() - fromMs) / 1_000;
	const used = (server.cpuMs() - cpuMs) / took;
	await screens.close();
	if (before.connected !== tokens.length || after.connected !== tokens.length)
		throw new Error(`${after.connected} screens are connected, not ${tokens.length}`);
	return {
		bytesPerSecond: (after.bytes - before.bytes) / took / tokens.length,
		firstBytes: before.snapshotBytes / tokens.length,
		updatesPerSecond: (after.updates - before.updates) / took / tokens.length,
		cpuMsPerSecond: used - idle,
		tookSeconds: (performance.now() - startedMs) / 1_000
	};
}

/** CPU that a process uses by itself, ms a second. */
async function cpuShare(server: Measured, seconds: number): Promise<number> {
	const [cpuMs, fromMs] = [server.cpuMs(), performance.now()];
	await delay(seconds * 1_000);
	return (server.cpuMs() - cpuMs) / ((performance.now() - fromMs) / 1_000);
}

function report(
	product: Side,
	full: Side,
	said: { seconds: number; screens: number; readingsPerSecond: number }
): void {
	const kB = (bytes: number) => `${(bytes / 1_000).toFixed(1)} kB`;
	const line = (name: string, side: Side) =>
		say(
			`  ${name}: ${kB(side.bytesPerSecond)}/s a screen in ${side.updatesPerSecond.toFixed(1)} messages/s; ` +
				`server CPU for ${said.screens} screens ${side.cpuMsPerSecond.toFixed(0)} ms a second`
		);
	say(`  ${said.readingsPerSecond.toFixed(0)} readings/s came meanwhile`);
	line('patches', product);
	line('full state, once a second, put into words once for all', full);
	say(`  first state: ${kB(product.firstBytes)} a screen, once`);
	// The first state counts as part of these seconds, though a wall hangs for days.
	const ratio =
		(product.bytesPerSecond * said.seconds + product.firstBytes) / (full.bytesPerSecond * said.seconds);
	say(`  without the first state: ${times2(product.bytesPerSecond / full.bytesPerSecond)}`);
	say(`  server CPU: ${times2(product.cpuMsPerSecond / full.cpuMsPerSecond)} (no goal)`);
	verdict('fanout', `${ratio.toFixed(3)} × the bytes of full state`, `≤ ${goalShare} ×`, ratio <= goalShare);
}

async function readingsOf(server: Measured): Promise<number> {
	const text = await (await fetch(`${server.url}/metrics`)).text();
	const all = [...text.matchAll(/^marsad_sensor_messages_total\{outcome="taken"\} (\d+)/gm)];
	return all.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Screens in a few processes, so that reading does not slow the reading. */
function openProcesses() {
	const children = Array.from({ length: processes }, () =>
		fork(join(parts, 'fanout-screens.ts'), [], {
			execArgv: ['--import', stopWithParent],
			stdio: ['ignore', 'ignore', 'inherit', 'ipc']
		})
	);
	type Answer = { count: FanoutCount; isSame: boolean };
	const ask = async (at: number, told: FanoutTold): Promise<Answer> => {
		const child = children[at]!;
		const answered = once(child, 'message') as Promise<[Answer]>;
		child.send(told);
		return (await answered)[0];
	};
	const askAll = (told: (at: number) => FanoutTold) =>
		Promise.all(children.map((_, at) => ask(at, told(at))));
	return {
		async open(url: string, tokens: readonly string[]) {
			const own = (at: number) => tokens.filter((_, index) => index % processes === at);
			await askAll((at) => ({ kind: 'open', url, tokens: own(at), parts: true }));
		},
		async count(): Promise<FanoutCount> {
			const counts = (await askAll(() => ({ kind: 'count' }))).map(({ count }) => count);
			const sum = (name: keyof FanoutCount) => counts.reduce((all, count) => all + count[name], 0);
			return {
				...{ connected: sum('connected'), bytes: sum('bytes') },
				...{ snapshotBytes: sum('snapshotBytes'), updates: sum('updates') }
			};
		},
		close: () => askAll(() => ({ kind: 'close' })),
		compare: async (url: string, tokens: [string, string]) =>
			(await ask(0, { kind: 'compare', url, tokens })).isSame,
		async stop() {
			for (const child of children) {
				if (child.exitCode !== null || child.signalCode !== null) continue;
				child.kill('SIGTERM');
				await once(child, 'exit');
			}
		}
	};
}
