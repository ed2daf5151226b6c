import { setTimeout as delay } from 'node:timers/promises';
import type { SpikeHistory } from '../../server/contract/index.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { fillSeconds } from '../lib/bench/fill-day.ts';
import { head, percentile, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { withDatabase } from '../lib/bench/screen-tokens.ts';
import { openStand, type Measured, type Stand } from '../lib/bench/stand.ts';

const password = 'bench-password';
const goalMs = 200;
/** Around the minute that is opened, at one second a point. */
const aroundMs = 150_000;
const rollPatienceMs = 600_000;

/** What somebody waits for who opens a day of seconds, and any minute in it. */
export const benchmark: Benchmark = {
	measures: 'one day of one-second samples opened at any minute; goal p95 ≤ 200 ms (abs)',
	async run(args) {
		const sizes = readOptions(args, { hours: 24, minutes: 200, days: 20 });
		head(
			'history',
			`${sizes.hours} h of seconds, opened at ${sizes.minutes} minutes, and ${sizes.days} times whole`
		);
		const machine = watchMachine();
		const stand = await openStand();
		try {
			const to = Math.floor(Date.now() / 60_000) * 60_000;
			const from = to - sizes.hours * 3_600_000;
			const server = await startFilled(stand, { from, to });
			const read = await openReader(server, from, to);
			const at = (turn: number) =>
				from + aroundMs + ((turn * 7_919_000) % Math.max(1, to - from - 2 * aroundMs));
			const minutes: number[] = [];
			const rows: number[] = [];
			for (let turn = 0; turn < sizes.minutes; turn++) {
				const span = { from: at(turn) - aroundMs, to: at(turn) + aroundMs };
				minutes.push(await timed(() => read(span, 1)));
				rows.push(await timed(() => readRows(stand, span)));
			}
			const whole: number[] = [];
			for (let turn = 0; turn < sizes.days; turn++) whole.push(await timed(() => read({ from, to })));
			const told = (values: readonly number[]) =>
				`p50 ${percentile(values, 50).toFixed(0)} ms, p95 ${percentile(values, 95).toFixed(0)} ms, most ${Math.max(...values).toFixed(0)} ms`;
			say(`  the day as a whole: ${told(whole)}`);
			say(`  a minute and what is around it, second by second: ${told(minutes)}`);
			say(
				`  the bare rows of it from the database, with a connection of their own: ${told(rows)} (${times2(percentile(minutes, 50) / percentile(rows, 50))})`
			);
			const p95 = percentile(minutes, 95);
			verdict('history, any minute', `p95 ${p95.toFixed(0)} ms`, `≤ ${goalMs} ms`, p95 <= goalMs);
			say(machine.line());
		} finally {
			await stand.close();
		}
	}
};

interface Span {
	from: number;
	to: number;
}

/** A server whose store holds the day; it is started twice, for the first one makes the tables and says the shape. */
async function startFilled(stand: Stand, { from, to }: Span): Promise<Measured> {
	const env = { LAB: '1', DEMO_PASSWORD: password };
	const first = await stand.startServer(env);
	const hasSeconds = () =>
		withDatabase(stand.databaseUrl, (client) =>
			client.query('select 1 from spike_samples where step = 1 limit 1').then(({ rowCount }) => rowCount)
		);
	for (let tries = 0; !(await hasSeconds()); tries++) {
		if (tries > 60) throw new Error('the server keeps no seconds');
		await delay(1_000);
	}
	await first.stop();
	await withDatabase(stand.databaseUrl, (client) => fillSeconds(client, (to - from) / 1_000, to));
	return stand.startServer(env);
}

/** Signed in; waits until the roll-ups reach the end, so that what is measured is a day long over. */
async function openReader({ url }: Measured, from: number, to: number) {
	const session = await fetch(`${url}/api/v1/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ email: 'viewer@example.org', password })
	});
	const cookie = session.headers.get('set-cookie')?.split(';')[0];
	if (!session.ok || !cookie) throw new Error(`signing in is refused (${session.status})`);
	const read = async (span: Span, resolution?: 1 | 60): Promise<SpikeHistory> => {
		const query = new URLSearchParams({
			...{ from: String(span.from), to: String(span.to) },
			...(resolution ? { resolution: String(resolution) } : {})
		});
		const answer = await fetch(`${url}/api/v1/spike/history?${query}`, { headers: { cookie } });
		if (!answer.ok) throw new Error(`the history is refused (${answer.status})`);
		return (await answer.json()) as SpikeHistory;
	};
	const until = Date.now() + rollPatienceMs;
	const isWhole = async () => {
		const { series } = await read({ from: from + 120_000, to: to - 120_000 }, 60);
		return series.joinedPerSecond.every((value) => value !== null);
	};
	while (!(await isWhole())) {
		if (Date.now() > until) throw new Error('the seconds are not rolled up');
		await delay(2_000);
	}
	return read;
}

const readRows = ({ databaseUrl }: Stand, { from, to }: Span) =>
	withDatabase(databaseUrl, (client) =>
		client.query('select sample from spike_samples where step = 1 and at > $1 and at <= $2 order by at', [
			new Date(from),
			new Date(to)
		])
	);

async function timed(work: () => Promise<unknown>): Promise<number> {
	const startedMs = performance.now();
	await work();
	return performance.now() - startedMs;
}
