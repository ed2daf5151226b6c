import { cpus, loadavg } from 'node:os';
import { describeMachine } from '../benchmark.ts';

/** Writes a line of the report. */
export function say(line = ''): void {
	process.stdout.write(`${line}\n`);
}

/** How busy this machine was from now until `line` is asked for: load average, and the share of its CPU in use. */
export function watchMachine(): { line(): string } {
	const before = times();
	return {
		line() {
			const now = times();
			const total = now.total - before.total;
			const share = total > 0 ? 1 - (now.idle - before.idle) / total : 0;
			const [one = 0] = loadavg();
			return `machine: CPU ${(share * 100).toFixed(0)} % in use, load average ${one.toFixed(2)}`;
		}
	};
}

function times(): { idle: number; total: number } {
	let idle = 0;
	let total = 0;
	for (const { times: one } of cpus()) {
		idle += one.idle;
		total += one.user + one.nice + one.sys + one.idle + one.irq;
	}
	return { idle, total };
}

export function head(name: string, what: string): void {
	say(`${name}: ${what}`);
	say(describeMachine());
}

/** One figure against its goal, in one line; a goal that is missed is said plainly and is no error. */
export function verdict(title: string, figure: string, goal: string, isMet: boolean): void {
	say(`${title}: ${figure}; goal ${goal}: ${isMet ? 'met' : 'MISSED'}`);
}

/** `2.34 ×` */
export function times2(ratio: number): string {
	return `${ratio.toFixed(2)} ×`;
}

export function perSecond(count: number, ms: number): string {
	return `${Math.round(count / (ms / 1_000)).toLocaleString('en')}/s`;
}

/** Latency under which so many percent lie; NaN without any. */
export function percentile(values: readonly number[], percent: number): number {
	const sorted = values.toSorted((a, b) => a - b);
	return sorted[Math.max(0, Math.ceil((percent / 100) * sorted.length) - 1)] ?? NaN;
}

/** Options of the form `--name 5`. @throws Error for one that is not known, or no number above 0 */
export function readOptions<Name extends string>(
	args: readonly string[],
	defaults: Readonly<Record<Name, number>>
): Record<Name, number> {
	const options: Record<Name, number> = { ...defaults };
	for (let i = 0; i < args.length; i += 2) {
		const name = args[i]!.replace(/^--/, '') as Name;
		const value = Number(args[i + 1]);
		if (!(name in defaults))
			throw new Error(`there is no option ${args[i]}: ${Object.keys(defaults).join(', ')}`);
		if (!(value > 0)) throw new Error(`--${name} needs a number above 0`);
		options[name] = value;
	}
	return options;
}
