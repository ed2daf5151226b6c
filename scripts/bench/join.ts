import { join } from 'node:path';
import { pageClient, startIssuer } from '../../server/test/kit/issuer.ts';
import type { Benchmark } from '../lib/benchmark.ts';
import { compareCpu } from '../lib/bench/compare.ts';
import { startGenerator } from '../lib/bench/generate.ts';
import { head, readOptions, say, times2, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand } from '../lib/bench/stand.ts';

const goal = 0.4;
const baselineScript = join(import.meta.dirname, '../lib/bench/baseline-server.ts');

/** First joins, each by another person with an identity token that is checked here, each committed before its answer. */
export const benchmark: Benchmark = {
	measures: 'joins/s with a signed identity, CPU against a bare node:http answer; goal ≥ 0.4 ×',
	async run(args) {
		const sizes = readOptions(args, { rounds: 5, count: 3_000, connections: 256, warm: 1_000 });
		const people = sizes.rounds * sizes.count + sizes.warm;
		head('join', `${people} people with an RS256 identity token each, ${sizes.connections} connections`);
		const stand = await openStand();
		const generator = startGenerator();
		const issuer = await startIssuer();
		try {
			const server = await stand.startServer({
				...{ PERSON_ISSUER: issuer.issuer, PERSON_AUDIENCE: pageClient },
				...{ ELIGIBILITY_URL: 'none', ADMIT_PER_SECOND: '0.1' }
			});
			const tokens: string[] = [];
			const now = Math.floor(Date.now() / 1_000);
			for (let n = 0; n < people; n++)
				tokens.push(await issuer.sign({ sub: `person-${n}`, exp: now + 7_200 }));
			const machine = watchMachine();
			const headers = { authorization: `Bearer ${await issuer.sign({ sub: 'the first' })}` };
			const first = await fetch(`${server.url}/queue/join`, { method: 'POST', headers });
			const size = (await first.arrayBuffer()).byteLength;
			const bare = await stand.startScript(baselineScript, ['answer', String(size)]);
			const job = { method: 'POST', paths: ['/queue/join'], bodies: ['{"party":1}'], tokens } as const;
			const figures = await compareCpu(generator, { server, job }, { server: bare, job }, sizes);
			say(
				`  ${Math.round(figures.oursPerSecond)} joins/s, ${figures.oursUs.toFixed(1)} µs CPU a join; bare node:http ${figures.baselineUs.toFixed(1)} µs`
			);
			verdict('join', times2(figures.ratio), `≥ ${goal} ×`, figures.ratio >= goal);
			say(machine.line());
			const progress = (await (await fetch(`${server.url}/queue/progress`)).json()) as { issued: number };
			if (figures.statuses['200'] !== people || progress.issued < people)
				throw new Error(
					`${JSON.stringify(figures.statuses)}, numbers given out: ${progress.issued} of ${people}`
				);
		} finally {
			await generator.stop();
			await issuer.close();
			await stand.close();
		}
	}
};
