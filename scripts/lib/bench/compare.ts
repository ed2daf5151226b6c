import { median } from '../benchmark.ts';
import type { Generator } from './generate.ts';
import type { AnswersJob } from './generator-jobs.ts';
import type { Measured } from './stand.ts';

/** One side of a comparison by CPU: who answers, and what it is asked. */
export type Side = {
	server: Measured;
	job: Omit<AnswersJob, 'kind' | 'url' | 'from' | 'count' | 'connections'>;
};

export type CpuFigures = {
	/** Server CPU an answer, µs, of the middle round. */
	oursUs: number;
	baselineUs: number;
	/** Baseline ÷ ours, the middle of all rounds: 1 is as cheap, below 1 is dearer. */
	ratio: number;
	oursPerSecond: number;
	statuses: Record<string, number>;
	bytes: number;
};

/** CPU time is told in hundredths of a second: a round must be long enough for that not to matter. */
const cpuMsMin = 100;

/**
 * CPU of the server process an answer, side by side: the sides take turns, round by round, so that whatever else
 * this machine does meets both.
 */
export async function compareCpu(
	generator: Generator,
	ours: Side,
	baseline: Side,
	sizes: { rounds: number; count: number; connections: number; warm?: number }
): Promise<CpuFigures> {
	const statuses: Record<string, number> = {};
	const next = new Map<Side, number>();
	let bytes = 0;
	const round = async (side: Side, count: number) => {
		const from = next.get(side) ?? 0;
		next.set(side, from + count);
		const before = side.server.cpuMs();
		const { url } = side.server;
		const { connections } = sizes;
		const result = await generator.run({ kind: 'answers', url, from, count, connections, ...side.job });
		if (side === ours) {
			bytes = result.bytes / result.count;
			for (const [status, n] of Object.entries(result.statuses))
				statuses[status] = (statuses[status] ?? 0) + n;
		}
		return { cpuMs: side.server.cpuMs() - before, ms: result.ms, count };
	};
	const warm = sizes.warm ?? Math.ceil(sizes.count / 4);
	for (const side of [ours, baseline]) await round(side, warm);
	const rounds: { ours: number; baseline: number; perSecond: number }[] = [];
	for (let i = 0; i < sizes.rounds; i++) {
		const a = await round(ours, sizes.count);
		const b = await round(baseline, sizes.count);
		if (sizes.count >= 1_000 && Math.min(a.cpuMs, b.cpuMs) < cpuMsMin)
			throw new Error('a round used too little CPU to be measured: use a larger --count');
		rounds.push({
			ours: (a.cpuMs / a.count) * 1_000,
			baseline: (b.cpuMs / b.count) * 1_000,
			perSecond: a.count / (a.ms / 1_000)
		});
	}
	return {
		oursUs: median(rounds.map((one) => one.ours)),
		baselineUs: median(rounds.map((one) => one.baseline)),
		ratio: median(rounds.map((one) => (one.ours > 0 ? one.baseline / one.ours : NaN))),
		oursPerSecond: median(rounds.map(({ perSecond }) => perSecond)),
		...{ statuses, bytes }
	};
}
