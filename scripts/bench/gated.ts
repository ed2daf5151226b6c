import { join } from 'node:path';
import type { Benchmark } from '../lib/benchmark.ts';
import { startGenerator, type Generator } from '../lib/bench/generate.ts';
import type { GatedJob, PeopleResult } from '../lib/bench/generator-jobs.ts';
import { createLaboratoryTables } from '../lib/bench/laboratory.ts';
import { head, percentile, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand, type Stand } from '../lib/bench/stand.ts';

const ratePerSecond = 250;
const slots = 50;
const goals = { 'in-step': 0.3, jitter: 0.8 };
const baselineScript = join(import.meta.dirname, '../lib/bench/baseline-server.ts');

/** The opening second through a waiting room, ours and the laboratory's way, on one PostgreSQL in one run. */
export const benchmark: Benchmark = {
	measures: 'booking p95 through the room at 250/s; goal ≤ 0.3 × of polling in step, ≤ 0.8 × with jitter',
	async run(args) {
		const { people } = readOptions(args, { people: 2_000 });
		head(
			'gated',
			`${people} people join at once and are let in at ${ratePerSecond}/s, 10 connections, 20 ms check`
		);
		const machine = watchMachine();
		const stand = await openStand();
		const generator = startGenerator();
		try {
			const ours = await throughOurRoom(stand, generator, people);
			show('ours, as the server says', ours, people);
			for (const pace of ['in-step', 'jitter'] as const) {
				const usual = await throughTheirs(stand, generator, people, pace);
				show(`the laboratory's way, ${pace}`, usual, people);
				const ratio = percentile(ours.bookMs, 95) / percentile(usual.bookMs, 95);
				verdict(`gated against ${pace}`, times2(ratio), `≤ ${goals[pace]} ×`, ratio <= goals[pace]);
			}
			say(machine.line());
		} finally {
			await generator.stop();
			await stand.close();
		}
	}
};

function show(title: string, result: PeopleResult, people: number): void {
	const ms = (percent: number) => `${percentile(result.bookMs, percent).toFixed(1)} ms`;
	say(
		`  ${title}: booked ${result.booked} of ${people}, p50 ${ms(50)}, p95 ${ms(95)}, p99 ${ms(99)}, ` +
			`${result.polls} polls, ${(result.ms / 1_000).toFixed(1)} s, ${JSON.stringify(result.statuses)}`
	);
	if (result.permits !== result.booked) throw new Error('somebody has booked twice');
	if (result.booked !== people) throw new Error(`${people - result.booked} people came away with nothing`);
}

async function throughOurRoom(stand: Stand, generator: Generator, people: number): Promise<PeopleResult> {
	const server = await stand.startServer({
		...{ LAB: '1', LAB_CHECK_MS: '20', ADMIT_PER_SECOND: String(ratePerSecond) }
	});
	const result = await generator.run(job(server.url, people, 'told'));
	await server.stop();
	return result;
}

async function throughTheirs(
	stand: Stand,
	generator: Generator,
	people: number,
	pace: 'in-step' | 'jitter'
): Promise<PeopleResult> {
	await createLaboratoryTables(stand.databaseUrl, slots, Math.ceil(people / slots) + 10);
	const room = [stand.databaseUrl, 10, 20, ratePerSecond].map(String);
	const server = await stand.startScript(baselineScript, ['laboratory', ...room]);
	const result = await generator.run(job(server.url, people, pace));
	await server.stop();
	return result;
}

function job(url: string, people: number, pace: GatedJob['pace']): GatedJob {
	return { kind: 'gated', url, people, slots, pace };
}
