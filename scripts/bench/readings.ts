import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { loadSite } from '../../server/src/features/site/index.ts';
import { median, type Benchmark } from '../lib/benchmark.ts';
import { boardPassword, inWholeTurns, watchBoard } from '../lib/bench/readings-board.ts';
import { head, perSecond, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { cpuMsOf, openStand, type Measured, type Stand } from '../lib/bench/stand.ts';
import { stopWithParent } from '../lib/paths.ts';

const goalTimes = 2;
const parts = join(import.meta.dirname, '../lib/bench/readings-parts.ts');
const patienceMs = 180_000;

/** One side under measurement: how many readings it has taken, and the CPU it has used. */
type Side = {
	name: string;
	taken(): Promise<number>;
	cpuMs(): number;
	databaseMs(): number;
	rssMb(): number;
};

/** From the broker to occupancy, storage included, against a bare subscriber that parses and adds. */
export const benchmark: Benchmark = {
	measures: 'CPU per reading from broker to occupancy against a bare subscriber that parses; goal ≤ 2 ×',
	async run(args) {
		const sizes = readOptions(args, { rate: 10_000, count: 60_000, rounds: 3, board: 60 });
		head(
			'readings',
			`${sizes.count} readings offered at ${sizes.rate}/s, ${sizes.rounds} rounds, QoS 0 and 1; then ${sizes.board} s with a screen`
		);
		const machine = watchMachine();
		const stand = await openStand();
		const children: ChildProcess[] = [];
		try {
			const broker = await stand.startScript(parts, ['broker']);
			const devices = [...loadSite().countersByDevice.values()]
				.filter(
					([counter]) =>
						counter?.adapter === 'own' && counter.channel === undefined && counter.measures === 'crossing'
				)
				.map(([counter]) => counter?.device ?? '');
			const publisher = await startPart(['publisher', broker.url, devices.join(',')], children);
			const from = { next: 1 };
			const results = new Map<string, number>();
			const both = async (side: Side) => {
				const count = inWholeTurns(sizes.count, devices.length);
				for (const qos of [0, 1] as const) {
					const perReading = await measure(side, publisher, { ...sizes, count, qos }, devices.length, from);
					results.set(`${side.name} ${qos}`, perReading);
				}
			};
			// One after the other: what one of them leaves unread, the broker would keep for it.
			const bare = await startPart(['subscriber', broker.url], children);
			await both(bareSide(bare));
			bare.kill('SIGTERM');
			const server = await startProduct(stand, broker);
			await both(productSide(server, stand));
			// Last: a machine that cannot keep up refuses nothing, and leaves its figures to the rounds before.
			await watchBoard(server, publisher, {
				...{ rate: sizes.rate, seconds: sizes.board, devices: devices.length, from }
			});
			for (const qos of [0, 1]) {
				const ratio = (results.get(`product ${qos}`) ?? NaN) / (results.get(`bare subscriber ${qos}`) ?? NaN);
				verdict(
					`readings, QoS ${qos}`,
					`${times2(ratio)} the CPU of a bare subscriber`,
					`≤ ${goalTimes} ×`,
					ratio <= goalTimes
				);
			}
			say(machine.line());
		} finally {
			for (const child of children) child.kill('SIGTERM');
			await stand.close();
		}
	}
};

function startProduct(stand: Stand, broker: Measured): Promise<Measured> {
	const address = broker.url.replace('mqtt://', 'mqtt://server:bench@');
	return stand.startServer({ LAB: '1', MQTT_URL: address, DEMO_PASSWORD: boardPassword });
}

async function measure(
	side: Side,
	publisher: ChildProcess,
	sizes: { rate: number; count: number; rounds: number; qos: 0 | 1 },
	devices: number,
	from: { next: number }
): Promise<number> {
	const idle = await idleShare(side);
	const figures: { perReading: number; database: number; rate: number; rssMb: number }[] = [];
	// One round to warm up.
	for (let round = 0; round <= sizes.rounds; round++) {
		const before = { taken: await side.taken(), cpuMs: side.cpuMs(), databaseMs: side.databaseMs() };
		const startedMs = performance.now();
		publisher.send({ from: from.next, count: sizes.count, ratePerSecond: sizes.rate, qos: sizes.qos });
		from.next += sizes.count / devices;
		await once(publisher, 'message');
		let taken = (await side.taken()) - before.taken;
		while (taken < sizes.count) {
			if (performance.now() - startedMs > patienceMs)
				throw new Error(`${side.name} took ${taken} of ${sizes.count}`);
			await delay(100);
			taken = (await side.taken()) - before.taken;
		}
		const ms = performance.now() - startedMs;
		// All that the process did meanwhile, its other work included.
		const cpuMs = side.cpuMs() - before.cpuMs;
		const database = (side.databaseMs() - before.databaseMs) / taken;
		if (round > 0)
			figures.push({ perReading: cpuMs / taken, database, rate: taken / ms, rssMb: side.rssMb() });
	}
	const resident = figures.map(({ rssMb }) => rssMb.toFixed(0)).join(', ');
	if (figures.some(({ rssMb }) => rssMb > 0)) say(`  resident after each round: ${resident} MB`);
	const perReading = median(figures.map((figure) => figure.perReading));
	const database = median(figures.map((figure) => figure.database));
	const rate = median(figures.map((figure) => figure.rate));
	const idleMs = idle / rate;
	say(
		`  ${side.name}, QoS ${sizes.qos}: ${(perReading * 1_000).toFixed(1)} µs of CPU a reading` +
			`${database > 0 ? `, PostgreSQL ${(database * 1_000).toFixed(1)} µs` : ''}, ${perSecond(rate * 1_000, 1_000)}; of which idle work ${(idleMs * 1_000).toFixed(1)} µs`
	);
	return perReading;
}

/** What a side uses while nothing comes, a share of one core: said beside the figures, which hold it. */
async function idleShare(side: Side): Promise<number> {
	await delay(5_000);
	const before = side.cpuMs();
	await delay(5_000);
	return (side.cpuMs() - before) / 5_000;
}

function bareSide(child: ChildProcess): Side {
	return {
		name: 'bare subscriber',
		async taken() {
			child.send('count');
			return ((await once(child, 'message')) as [{ messages: number }])[0].messages;
		},
		cpuMs: () => cpuMsOf(child.pid ?? 0),
		databaseMs: () => 0,
		rssMb: () => 0
	};
}

function productSide(server: Measured, stand: Stand): Side {
	return {
		name: 'product',
		async taken() {
			const text = await (await fetch(`${server.url}/metrics`)).text();
			const taken = /^marsad_sensor_messages_total\{outcome="taken"\} (\d+)/m.exec(text)?.[1];
			const all = [...text.matchAll(/^marsad_sensor_messages_total\{outcome="(\w+)"\} (\d+)/gm)];
			if (all.some(([, outcome, n]) => outcome !== 'taken' && Number(n) > 0))
				throw new Error(`readings were refused: ${all.map(([line]) => line).join(' ')}`);
			return Number(taken ?? 0);
		},
		cpuMs: () => server.cpuMs(),
		databaseMs: () => databaseCpuMs(stand),
		rssMb: () => server.rssMb()
	};
}

/** CPU of the run's own PostgreSQL with its helpers, ms; a helper that has ended is not in it. */
function databaseCpuMs({ folder }: Stand): number {
	const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
	const parentOf = new Map<string, string>();
	let postmaster = '';
	for (const pid of pids) {
		try {
			const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
			parentOf.set(pid, stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? '');
			const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
			if (command.includes(join(folder, 'database')) && /postgres\0/.test(command)) postmaster = pid;
		} catch {
			// Gone meanwhile.
		}
	}
	const own = pids.filter((pid) => pid === postmaster || (postmaster && parentOf.get(pid) === postmaster));
	return own.reduce((sum, pid) => {
		try {
			return sum + cpuMsOf(Number(pid));
		} catch {
			return sum;
		}
	}, 0);
}

async function startPart(args: readonly string[], children: ChildProcess[]): Promise<ChildProcess> {
	const child = fork(parts, [...args], {
		execArgv: ['--import', stopWithParent],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc']
	});
	children.push(child);
	await once(child, 'message');
	return child;
}
