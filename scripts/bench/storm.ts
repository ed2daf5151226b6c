import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { createStormCrowd, type StormCrowd, type StormGroup } from '../../simulators/src/storm-crowd.ts';
import { findPulse, peakPerSecond } from '../../simulators/src/storm-figures.ts';
import { judge } from '../../simulators/src/storm.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { head, percentile, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand, type Measured, type Stand } from '../lib/bench/stand.ts';
import { describePulls, pullInTurn, showReturn, type Returned } from '../lib/bench/storm-parts.ts';
import { returnInVirtualTime } from '../lib/bench/virtual-return.ts';

const password = 'a password of the bench';
const openPerSecond = 150;
const settleMs = 5_000;
const patienceMs = 240_000;
const ofOneTenant = 25;
/** What one noisy tenant may cost the others: time of return and of a pull, against the same without it. */
const noisyMost = 1.5;
const usualAwayMs = 60_000;

/** A control room with all its screens and phones loses its server at once, alone and beside a noisy tenant. */
export const benchmark: Benchmark = {
	measures:
		'5,000 sockets cut at once by kill -9, a noisy tenant among them; goal handshakes in any second ≤ 10 %, no beat, all back, screens right',
	async run(args) {
		const { sockets, rounds, cuts } = readOptions(args, { sockets: 5_000, rounds: 4, cuts: 3 });
		head(
			'storm',
			`${sockets} sockets of ${Math.ceil(sockets / ofOneTenant)} tenants; the server is killed and started again`
		);
		showUsual(sockets);
		const machine = watchMachine();
		const loop = monitorEventLoopDelay({ resolution: 10 });
		loop.enable();
		const stand = await openStand();
		const house = await openHouse(stand);
		const groups = groupsOf(sockets);
		const crowd = createStormCrowd({
			...{ server: house.url, cookie: house.cookie, topic: 'overview', groups },
			...{ random: Math.random, run: 'bench' }
		});
		try {
			const open = await crowd.open(openPerSecond, 120_000);
			say(`  ${open} of ${sockets} opened; the server has ${house.server().rssMb().toFixed(0)} MB`);
			await delay(settleMs);
			await cutAndReturn('killed and started again', house, crowd, async () => {
				const awayMs = await house.killAndStart();
				say(`  the server was away for ${(awayMs / 1_000).toFixed(1)} s`);
			});
			await pulls(house, rounds);
			// One cut is the power cut alone.
			if (cuts > 1) await cutBesideNoise(house, crowd);
			const crashes = house.crashes();
			verdict('crashes of the server', String(crashes), '0', crashes === 0);
			if (crashes === 0)
				say(`  the server used ${(house.server().cpuMs() / 1_000).toFixed(1)} s of CPU since its start`);
			say(`  this process: event loop p99 ${(loop.percentile(99) / 1e6).toFixed(0)} ms`);
			say(machine.line());
		} finally {
			crowd.close();
			await stand.close();
		}
	}
};

/** A broken network and a server that is there all the time, twice: the two differ by the noisy tenant alone. */
async function cutBesideNoise(house: House, crowd: StormCrowd): Promise<void> {
	const alone = await cutAndReturn('network cut', house, crowd, () => crowd.dropAll());
	const noisy = await beNoisy(house);
	const beside = await cutAndReturn('network cut beside a noisy tenant', house, crowd, () => crowd.dropAll());
	const noisyFigures = noisy.stop();
	say(
		`  the noisy tenant: ${noisyFigures.attempts.length} handshakes, refused ${JSON.stringify(noisyFigures.refused)}`
	);
	const ratio = percentile(beside.backMs, 95) / percentile(alone.backMs, 95);
	verdict(
		'95 % back, beside a noisy tenant against alone',
		times2(ratio),
		`≤ ${noisyMost} ×`,
		ratio <= noisyMost
	);
	const slower = percentile(beside.handshakeMs, 95) / percentile(alone.handshakeMs, 95);
	say(
		`  from knocking to a fresh state, p95 beside against alone: ${times2(slower)}, on one machine of two cores`
	);
}

function groupsOf(sockets: number): StormGroup[] {
	const tabs = Math.round(sockets / 10);
	const screens = sockets - tabs;
	return [
		{ name: 'screens', temper: 'obedient', sockets: screens, tenants: Math.ceil(screens / ofOneTenant) },
		{ name: 'five tabs', temper: 'obedient', sockets: tabs, tenants: Math.ceil(tabs / 5) }
	];
}

/** The other side: what the usual library makes of the same cut, by its own figures. */
function showUsual(sockets: number): void {
	const moments = returnInVirtualTime('library', sockets, usualAwayMs);
	const pulse = findPulse(moments);
	say(
		`  the usual library's own back-off, in virtual time, server away for ${usualAwayMs / 1_000} s: at most ` +
			`${peakPerSecond(moments)} handshakes in a second (${((peakPerSecond(moments) / sockets) * 100).toFixed(0)} %), ` +
			`strongest beat ${pulse ? `${pulse.correlation.toFixed(2)} at ${pulse.seconds} s` : '–'}`
	);
}

/** The server at one address, whatever happens to it. */
async function openHouse(stand: Stand) {
	const env = {
		...{ DEMO: '1', DEMO_PASSWORD: password, DATA_DIR: `${stand.folder}/house` },
		...{ MARSAD_SECRET: 'a secret of the bench, long enough to be one' }
	};
	let server: Measured = await stand.startServer(env);
	let crashes = 0;
	const url = new URL(server.url);
	const answer = await fetch(`${url.origin}/api/v1/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		body: JSON.stringify({ email: 'viewer@example.org', password })
	});
	if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}`);
	return {
		url,
		cookie: (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '',
		server: () => server,
		crashes: () => crashes + (isAlive(server.pid) ? 0 : 1),
		/** As a power cut would, and up again at the same address. @returns how long it was away, ms */
		async killAndStart(): Promise<number> {
			const beganMs = performance.now();
			if (!isAlive(server.pid)) crashes += 1;
			else process.kill(server.pid, 'SIGKILL');
			while (isAlive(server.pid)) await delay(5);
			server = await stand.startServer({ ...env, PORT: url.port });
			return performance.now() - beganMs;
		}
	};
}

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

type House = Awaited<ReturnType<typeof openHouse>>;

async function cutAndReturn(
	title: string,
	house: House,
	crowd: StormCrowd,
	cut: () => unknown
): Promise<Returned> {
	await crowd.cut(cut);
	const isBack = await crowd.untilBack(patienceMs);
	await delay(settleMs);
	const shown = showReturn(title, crowd.figures());
	const report = await judge({ seed: 0, server: house.url, cookie: house.cookie, crowd });
	const right = report.groups.reduce((sum, row) => sum + row.right, 0);
	const sockets = report.groups.reduce((sum, row) => sum + row.sockets, 0);
	verdict(
		`${title}: screens that show what one sees who comes now`,
		`${right} of ${sockets}`,
		'all',
		right === sockets
	);
	if (!isBack) say(`  not everybody was back after ${patienceMs / 1_000} s`);
	return shown;
}

/** One tenant with five times the connections that it may have, whose clients obey nothing. */
async function beNoisy({ url, cookie }: House) {
	const crowd = createStormCrowd({
		...{ server: url, cookie, topic: 'overview', random: Math.random, run: 'bench' },
		groups: [{ name: 'noisy', temper: 'hammering', sockets: 200, tenants: 1 }]
	});
	await crowd.open(openPerSecond, 0);
	await delay(settleMs);
	await crowd.cut(() => undefined);
	return {
		stop() {
			crowd.close();
			return crowd.figures()[0]!;
		}
	};
}

async function pulls({ url, cookie }: House, rounds: number): Promise<void> {
	const sides = await pullInTurn({ server: url, cookie, rounds, roundMs: 6_000 });
	say(`  pulls of a quiet tenant, alone: ${describePulls(sides.alone)}`);
	say(`  pulls of a quiet tenant, beside a noisy one: ${describePulls(sides.beside)}`);
	say(`  pulls of the noisy one: ${describePulls(sides.noisy)}`);
	const refused = Object.values(sides.beside.refused).reduce((sum, count) => sum + count, 0);
	const failed = Object.values(sides.beside.failed).reduce((sum, count) => sum + count, 0);
	verdict(
		'pulls of the quiet tenant that were refused or failed beside it',
		String(refused + failed),
		'0',
		refused + failed === 0
	);
	const ratio = percentile(sides.beside.answeredMs, 95) / percentile(sides.alone.answeredMs, 95);
	say(`  pull p95 beside against alone: ${times2(ratio)} (both on one machine of two cores)`);
}
