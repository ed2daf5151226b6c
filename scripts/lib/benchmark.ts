import { availableParallelism, cpus, loadavg, totalmem } from 'node:os';

/** One file of scripts/bench exports one as `benchmark`. */
export type Benchmark = {
	/** One line: what is measured, and the goal. */
	measures: string;
	run(args: readonly string[]): Promise<void>;
};

/** What the figures were made on and how busy it was, for the head of a report. */
export function describeMachine(): string {
	const [one = 0, five = 0] = loadavg();
	return [
		`${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'unknown processor'}`,
		`${Math.round(totalmem() / 2 ** 30)} GiB`,
		`Node ${process.version}`,
		`load ${one.toFixed(2)} (1 min), ${five.toFixed(2)} (5 min)`
	].join(' · ');
}

/** The middle value. */
export function median(values: readonly number[]): number {
	const sorted = values.toSorted((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	const upper = sorted[middle] ?? NaN;
	return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
