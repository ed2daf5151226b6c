import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Benchmark } from '../lib/benchmark.ts';
import { compareCpu, type Side } from '../lib/bench/compare.ts';
import { startGenerator } from '../lib/bench/generate.ts';
import { head, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand } from '../lib/bench/stand.ts';

const goals = { progress: 0.75, status: 0.5 };
const baselineScript = join(import.meta.dirname, '../lib/bench/baseline-server.ts');

/** What the origin pays for one answer, against the cheapest answer that Node can give. */
export const benchmark: Benchmark = {
	measures: 'CPU an answer against bare node:http of equal size; goal progress ≥ 0.75 ×, status ≥ 0.5 ×',
	async run(args) {
		const sizes = readOptions(args, { rounds: 5, count: 10_000, connections: 32, people: 500 });
		head(
			'progress',
			`${sizes.rounds} rounds of ${sizes.count} answers a side, ${sizes.connections} connections`
		);
		const machine = watchMachine();
		const stand = await openStand();
		const generator = startGenerator();
		try {
			const server = await stand.startServer({ LAB: '1', ADMIT_PER_SECOND: '0.1' });
			const status: string[] = [];
			for (let n = 0; n < sizes.people; n++) {
				const ticket = await joinRoom(server.url, `p${n}`);
				status.push(`/queue/status?user=p${n}&ticket=${encodeURIComponent(ticket)}`);
			}
			for (const [name, paths] of [
				['progress', ['/queue/progress']],
				['status', status.slice(1)]
			] as const) {
				const size = (await (await fetch(server.url + paths.at(-1)!)).arrayBuffer()).byteLength;
				const bare = await stand.startScript(baselineScript, ['answer', String(size)]);
				const job: Side['job'] = { method: 'GET', paths };
				const figures = await compareCpu(generator, { server, job }, { server: bare, job }, sizes);
				await bare.stop();
				say(
					`  ${name}, ${Math.round(figures.bytes)} bytes: ${figures.oursUs.toFixed(1)} µs CPU an answer; bare node:http ${figures.baselineUs.toFixed(1)} µs; ${Math.round(figures.oursPerSecond)} answers/s`
				);
				verdict(name, times2(figures.ratio), `≥ ${goals[name]} ×`, figures.ratio >= goals[name]);
				if (Object.keys(figures.statuses).some((one) => one !== '200'))
					throw new Error(`answers were not all 200: ${JSON.stringify(figures.statuses)}`);
			}
			say(machine.line());
		} finally {
			await generator.stop();
			await stand.close();
		}
	}
};

const joinTriesMax = 20;

/** Joins as a person does: a server that has just begun on a busy machine may ask to come again. */
async function joinRoom(url: string, user: string): Promise<string> {
	for (let tries = 0; tries < joinTriesMax; tries++) {
		const answer = await fetch(`${url}/queue/join?user=${user}`, { method: 'POST' });
		const body = (await answer.json()) as { ticket?: string };
		if (answer.status === 200 && body.ticket !== undefined) return body.ticket;
		const retryAfterSeconds = Number(answer.headers.get('retry-after') ?? NaN);
		if (!(retryAfterSeconds >= 0)) throw new Error(`nobody can join: ${answer.status}`);
		await setTimeout(retryAfterSeconds * 1_000);
	}
	throw new Error('the room stays too busy to be joined');
}
