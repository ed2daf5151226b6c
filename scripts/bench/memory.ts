import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { median, type Benchmark } from '../lib/benchmark.ts';
import { startScript } from '../lib/child.ts';
import { head, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { addScreens, withDatabase } from '../lib/bench/screen-tokens.ts';
import { openStand, type Measured } from '../lib/bench/stand.ts';
import { root, stopWithParent } from '../lib/paths.ts';

const goalMb = 500;
/** Over the second half of the run; more is a leak, less is noise. */
const growthMbMax = 25;
const lab = { LAB: '1', ADMIT_PER_SECOND: '0.1' };

/** The server as it is on the day: a full room, every counter of the demo site speaking, screens on every desk. */
export const benchmark: Benchmark = {
	measures: 'server process with 600,000 waiting, 500 counters, 500 screens; goal ≤ 500 MB (reported), flat',
	async run(args) {
		const sizes = readOptions(args, { people: 600_000, screens: 500, seconds: 120 });
		head('memory', `${sizes.people} waiting, 500 counters, ${sizes.screens} screens, ${sizes.seconds} s`);
		const machine = watchMachine();
		const stand = await openStand();
		const stops: (() => Promise<unknown>)[] = [];
		try {
			const first = await stand.startServer(lab);
			await first.stop();
			await fillRoom(stand.databaseUrl, sizes.people);
			const tokens = await addScreens(stand.databaseUrl, sizes.screens);
			const server = await stand.startServer(lab);
			const { waiting } = (await (await fetch(`${server.url}/stats`)).json()) as { waiting: number };
			say(`  started with ${waiting} waiting: ${server.rssMb().toFixed(0)} MB`);
			const counters = startScript(
				join(root, 'simulators/src/main.ts'),
				['sensors', '--server', server.url],
				{
					onLine: () => undefined
				}
			);
			stops.push(() => counters.stop());
			const screens = await openScreens(server.url, tokens);
			stops.push(screens.stop);
			const seen = await watch(server, sizes.seconds);
			const { connected, patches } = await screens.count();
			const stats = await figures(server.url);
			say(`  ${connected} screens got ${patches} patches, ${stats.readings} readings came`);
			say(
				`  resident: first half ${seen.firstHalf.toFixed(0)} MB, second half ${seen.secondHalf.toFixed(0)} MB, most ${seen.most.toFixed(0)} MB`
			);
			const growth = seen.secondHalf - seen.firstHalf;
			const isFlat = growth <= growthMbMax;
			verdict(
				'memory',
				`${seen.most.toFixed(0)} MB, ${growth.toFixed(0)} MB from half to half`,
				`≤ ${goalMb} MB, flat`,
				seen.most <= goalMb && isFlat
			);
			say(machine.line());
			if (waiting !== sizes.people) throw new Error(`${waiting} people wait, not ${sizes.people}`);
			if (connected !== sizes.screens)
				throw new Error(`${connected} screens are connected, not ${sizes.screens}`);
		} finally {
			for (const stop of stops.toReversed()) await stop();
			await stand.close();
		}
	}
};

/** Straight into the tables that a first start has made: joining one by one would take longer than the rest. */
function fillRoom(url: string, people: number): Promise<unknown> {
	return withDatabase(url, async (client) => {
		await client.query(
			`insert into tickets (season, room, epoch, number, holder, party, state, late, joined_at)
			select season, room, epoch, n, encode(sha256(n::text::bytea), 'hex'), 1, 'waiting', false,
				now() - interval '10 minutes' + n * interval '1 millisecond'
			from rooms, generate_series(1, $1) n where season = 'laboratory'`,
			[people]
		);
		await client.query(
			`update rooms set last_number = greatest(last_number, $1), mode = 'queue-all' where season = 'laboratory'`,
			[people]
		);
	});
}

async function openScreens(url: string, tokens: readonly string[]) {
	const child = fork(join(import.meta.dirname, '../lib/bench/screens.ts'), [], {
		execArgv: ['--import', stopWithParent],
		stdio: ['ignore', 'ignore', 'inherit', 'ipc']
	});
	child.send({ url, tokens });
	await once(child, 'message');
	return {
		async count() {
			child.send('count');
			const [answer] = (await once(child, 'message')) as [{ connected: number; patches: number }];
			return answer;
		},
		async stop() {
			child.kill('SIGTERM');
			if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
		}
	};
}

async function figures(url: string): Promise<{ readings: number }> {
	const text = await (await fetch(`${url}/metrics`)).text();
	const sums = [...text.matchAll(/^marsad_sensor_messages_total(?:\{[^}]*\})? (\d+)/gm)].map(([, n]) =>
		Number(n)
	);
	return { readings: sums.reduce((a, b) => a + b, 0) };
}

async function watch(server: Measured, seconds: number) {
	const seen: number[] = [];
	const everyMs = Math.min(1_000, (seconds * 1_000) / 10);
	for (let ms = 0; ms < seconds * 1_000; ms += everyMs) {
		seen.push(server.rssMb());
		await delay(everyMs);
	}
	const half = Math.floor(seen.length / 2);
	return {
		firstHalf: median(seen.slice(0, half)),
		secondHalf: median(seen.slice(half)),
		most: Math.max(...seen)
	};
}
