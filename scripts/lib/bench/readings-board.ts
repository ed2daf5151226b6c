import { once } from 'node:events';
import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { io, type Socket } from 'socket.io-client';
import type { Patch, SensorState } from '../../../server/contract/index.ts';
import { median } from '../benchmark.ts';
import { perSecond, say, verdict } from './report.ts';
import type { Measured } from './stand.ts';

/** The board moves once a second: a pause of more than three is seen. */
const pauseMsMax = 3_000;
/** What the process may have grown by, from the first third of the time to the last. */
const growthMax = 0.1;
const drainMsMax = 120_000;
export const boardPassword = 'bench-password';

/** Each device sends as many as the others: a number that one of them never sent would count as lost on the way. */
export function inWholeTurns(count: number, devices: number): number {
	return Math.ceil(count / devices) * devices;
}

/** Offers readings for so many seconds and looks at a screen meanwhile: it moves, memory is flat, all are counted. */
export async function watchBoard(
	server: Measured,
	publisher: ChildProcess,
	sizes: { rate: number; seconds: number; devices: number; from: { next: number } }
): Promise<void> {
	const cookie = await signIn(server.url);
	const before = await counted(server.url, cookie);
	const screen = await openScreen(server.url, cookie);
	const count = inWholeTurns(sizes.rate * sizes.seconds, sizes.devices);
	const residentMb: number[] = [];
	const sampling = setInterval(() => residentMb.push(server.rssMb()), 1_000);
	publisher.send({ from: sizes.from.next, count, ratePerSecond: sizes.rate, qos: 0 });
	sizes.from.next += count / sizes.devices;
	const [{ ms }] = (await once(publisher, 'message')) as [{ ms: number }];
	const pauses = screen.close();
	clearInterval(sampling);
	const after = await drained(server.url, cookie, before, count);
	say(
		`  ${count.toLocaleString('en')} readings offered in ${(ms / 1_000).toFixed(1)} s (${perSecond(count, ms)})`
	);
	const longest = Math.max(...pauses, 0);
	verdict(
		'board meanwhile',
		`${pauses.length} updates, median pause ${median(pauses).toFixed(0)} ms, longest ${longest.toFixed(0)} ms`,
		`≤ ${pauseMsMax} ms`,
		pauses.length > 1 && longest <= pauseMsMax
	);
	const third = Math.max(1, Math.floor(residentMb.length / 3));
	const [early, late] = [median(residentMb.slice(0, third)), median(residentMb.slice(-third))];
	verdict(
		'resident memory',
		`${early.toFixed(0)} MB in the first third, ${late.toFixed(0)} MB in the last, at most ${Math.max(...residentMb).toFixed(0)} MB`,
		`≤ ${growthMax * 100} % more`,
		late <= early * (1 + growthMax)
	);
	const { taken, refused, missed } = after;
	verdict(
		'readings told apart',
		`${taken} taken, ${refused} refused by reason, ${missed} that never came by their numbers: ${taken + refused + missed} of ${count}`,
		'every one',
		taken + refused + missed === count
	);
}

async function signIn(url: string): Promise<string> {
	const answer = await fetch(`${url}/api/v1/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		body: JSON.stringify({ email: 'crowd@example.org', password: boardPassword })
	});
	if (!answer.ok) throw new Error(`the sign-in of the bench answered ${answer.status}`);
	return (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
}

interface Counted {
	taken: number;
	refused: number;
	missed: number;
}

/** What the server says of all devices since they were first heard. */
async function counted(url: string, cookie: string): Promise<Counted> {
	const answer = await fetch(`${url}/api/v1/sensors`, { headers: { cookie } });
	const { sensors } = (await answer.json()) as { sensors: SensorState[] };
	const sum = (pick: (sensor: SensorState) => number) => sensors.reduce((all, one) => all + pick(one), 0);
	return {
		taken: sum(({ readings }) => readings),
		refused: sum(({ rejects }) => Object.values(rejects).reduce((a, b) => a + b, 0)),
		missed: sum(({ missed }) => missed)
	};
}

/** As soon as all that was offered is accounted for, or nothing moves any more. */
async function drained(url: string, cookie: string, before: Counted, count: number): Promise<Counted> {
	const startedMs = performance.now();
	for (let last = -1; ;) {
		const now = await counted(url, cookie);
		const fresh = {
			taken: now.taken - before.taken,
			refused: now.refused - before.refused,
			missed: now.missed - before.missed
		};
		const all = fresh.taken + fresh.refused;
		if (all + fresh.missed >= count || all === last || performance.now() - startedMs > drainMsMax)
			return fresh;
		last = all;
		await delay(1_500);
	}
}

/** A screen of the crowd. `close` gives the pauses between its updates, ms. */
async function openScreen(url: string, cookie: string): Promise<{ close(): number[] }> {
	const socket: Socket = io(`${url}/live`, {
		...{ transports: ['websocket'], extraHeaders: { cookie }, reconnection: false, forceNew: true }
	});
	const pauses: number[] = [];
	let lastMs: number | null = null;
	socket.on('patch', ({ changes }: Patch) => {
		if (!Object.keys(changes).some((key) => key === 'total' || key.startsWith('zone:'))) return;
		const now = performance.now();
		if (lastMs !== null) pauses.push(now - lastMs);
		lastMs = now;
	});
	await new Promise<void>((resolve, reject) => {
		socket.once('snapshot', () => resolve());
		socket.once('connect_error', reject);
		socket.emit('subscribe', 'crowd', () => undefined);
	});
	return {
		close() {
			if (lastMs !== null) pauses.push(performance.now() - lastMs);
			socket.close();
			return pauses;
		}
	};
}
