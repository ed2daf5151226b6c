import { Agent, request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createTestValkey } from '../../server/test/kit/test-valkey.ts';
import { onServer, withDatabase } from '../../server/test/kit/template.ts';
import { startGate, startUnleash } from '../../server/src/platform/flags/unleash-stand.fixture.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { head, percentile, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand, type Measured } from '../lib/bench/stand.ts';

const goalMs = 500;
const instances = 3;
const password = 'a password of the bench';

/** From the press to the moment when the public document of every instance says that the flag is off, or on again. */
export const benchmark: Benchmark = {
	measures: `level pressed to effective on each of ${instances} instances, Unleash up, slow, away, answering 401; goal p99 ≤ ${goalMs} ms (reported)`,
	async run(args) {
		const sizes = readOptions(args, { presses: 100 });
		head(
			'switch',
			`${sizes.presses} presses for each state of Unleash, ${instances} instances, pressed in turn`
		);
		const machine = watchMachine();
		const stand = await openStand();
		const stops: (() => unknown)[] = [];
		try {
			const valkey = await createTestValkey();
			stops.push(() => valkey.close());
			await onServer(stand.databaseUrl, 'create database unleash');
			const unleash = await startUnleash(withDatabase(stand.databaseUrl, 'unleash'));
			stops.push(() => unleash.stop());
			const gate = await startGate(() => unleash.url);
			stops.push(() => gate.stop());
			const env = {
				...{ LAB: '1', DEMO_PASSWORD: password, ADMIT_PER_SECOND: '10', DATABASE_POOL_MAX: '6' },
				...{ VALKEY_URL: valkey.url, MARSAD_SECRET: 'a secret of the bench, long enough to be one' },
				...{ UNLEASH_URL: gate.url, UNLEASH_TOKEN: unleash.clientToken },
				...{ UNLEASH_ADMIN_TOKEN: unleash.adminToken, UNLEASH_ENVIRONMENT: 'development' }
			};
			const servers: Measured[] = [];
			// The first one brings the schema up to date.
			for (let n = 0; n < instances; n++) servers.push(await stand.startServer(env));
			const cookie = await signIn(servers[0]!.url);
			const press = createPress(servers, cookie);
			await press.untilMirrored();
			const ways: [string, () => unknown][] = [
				['Unleash up', () => undefined],
				['Unleash slow (4 s an answer)', () => (gate.delayMs = 4_000)],
				['Unleash answering 401', () => ((gate.delayMs = 0), (gate.status = 401))],
				['Unleash away', () => ((gate.status = 200), unleash.stop())]
			];
			for (const [name, begin] of ways) {
				await begin();
				await delay(1_000);
				const times = await press.many(sizes.presses);
				const [p50, p95, p99] = [50, 95, 99].map((percent) => percentile(times, percent));
				verdict(
					name,
					`p50 ${p50!.toFixed(0)} ms, p95 ${p95!.toFixed(0)} ms, p99 ${p99!.toFixed(0)} ms, most ${Math.max(...times).toFixed(0)} ms`,
					`p99 ≤ ${goalMs} ms`,
					p99! <= goalMs
				);
			}
			if (press.refused() > 0) say(`  ${press.refused()} looks were refused and asked again`);
			say(machine.line());
		} finally {
			for (const stop of stops.toReversed()) await stop();
			await stand.close();
		}
	}
};

async function signIn(url: string): Promise<string> {
	const answer = await fetch(`${url}/api/v1/session`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
		body: JSON.stringify({ email: 'duty@example.org', password })
	});
	if (!answer.ok) throw new Error(`the sign-in answered ${answer.status}`);
	return (answer.headers.get('set-cookie') ?? '').split(';')[0]!;
}

function createPress(servers: readonly Measured[], cookie: string) {
	const lanes = servers.map(({ url }) => ({ url, agent: new Agent({ keepAlive: true, maxSockets: 1 }) }));
	const levels = async (url: string) => {
		const answer = await fetch(`${url}/api/v1/levels`, { headers: { cookie } });
		return (await answer.json()) as {
			current: { level: number; version: number };
			unleash: { state: string; pending?: number };
		};
	};
	let refused = 0;
	/** The document as anybody reads it, on a connection that stays open; null: no answer just now. */
	const isOff = (lane: (typeof lanes)[number]) =>
		new Promise<boolean | null>((resolve, reject) => {
			request(`${lane.url}/queue/progress`, { agent: lane.agent }, (response) => {
				let text = '';
				response.setEncoding('utf8');
				response.on('data', (chunk: string) => (text += chunk));
				response.on('end', () => {
					if (response.statusCode === 200)
						return resolve((JSON.parse(text) as { off: string[] }).off.includes('images'));
					refused += 1;
					resolve(null);
				});
			})
				.on('error', reject)
				.end();
		});
	const untilEffective = async (lane: (typeof lanes)[number], off: boolean) => {
		const startedMs = performance.now();
		while ((await isOff(lane)) !== off) {
			if (performance.now() - startedMs > 30_000) throw new Error('a switch did not come through in 30 s');
			await delay(2);
		}
		return performance.now();
	};
	let { version, level } = { version: 0, level: 0 };
	const once = async (url: string): Promise<number> => {
		const next = level === 0 ? 1 : 0;
		const startedMs = performance.now();
		const seen = lanes.map((lane) => untilEffective(lane, next === 1));
		const answer = await fetch(`${url}/api/v1/levels/current`, {
			method: 'POST',
			headers: { cookie, 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
			body: JSON.stringify({ level: next, reason: 'measured', expectedVersion: version })
		});
		if (!answer.ok) throw new Error(`a press answered ${answer.status}: ${await answer.text()}`);
		await answer.arrayBuffer();
		const last = Math.max(...(await Promise.all(seen)));
		version += 1;
		level = next;
		return last - startedMs;
	};
	return {
		/** Looks that were refused since the start. */
		refused: () => refused,
		/** Everything that the first start makes there is made. */
		async untilMirrored() {
			({ version, level } = (await levels(servers[0]!.url)).current);
			for (const startedMs = performance.now(); performance.now() - startedMs < 120_000; await delay(200)) {
				const { unleash } = await levels(servers[0]!.url);
				if (unleash.state === 'in-step' && unleash.pending === 0) return;
			}
			throw new Error('Unleash never came in step');
		},
		/** Milliseconds of each press; as many up as down, with a pause in which screens and mirror settle. */
		async many(presses: number): Promise<number[]> {
			const times: number[] = [];
			for (let n = 0; n < presses; n++) {
				times.push(await once(servers[n % servers.length]!.url));
				await delay(150);
			}
			return times;
		}
	};
}
