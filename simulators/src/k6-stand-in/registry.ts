/** What the script measured: counters, trends and rates by name. */
const counters = new Map<string, number>();
const trends = new Map<string, number[]>();
const rates = new Map<string, { passes: number; fails: number }>();

export const registry = {
	failedChecks: [] as string[],
	count(name: string, value: number): void {
		counters.set(name, (counters.get(name) ?? 0) + value);
	},
	trend(name: string, value: number): void {
		trends.set(name, [...(trends.get(name) ?? []), value]);
	},
	rate(name: string, ok: boolean): void {
		const rate = rates.get(name) ?? { passes: 0, fails: 0 };
		if (ok) rate.passes += 1;
		else rate.fails += 1;
		rates.set(name, rate);
	},
	/** The shape that k6 hands to handleSummary. */
	metrics(): Record<string, { values: Record<string, number> }> {
		const all: Record<string, { values: Record<string, number> }> = {};
		for (const [name, count] of counters) all[name] = { values: { count } };
		for (const [name, { passes, fails }] of rates)
			all[name] = { values: { rate: passes / (passes + fails), passes, fails } };
		for (const [name, values] of trends) all[name] = { values: describe(values) };
		return all;
	}
};

function describe(values: readonly number[]): Record<string, number> {
	const sorted = [...values].sort((a, b) => a - b);
	const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
	const sum = sorted.reduce((total, value) => total + value, 0);
	return {
		count: sorted.length,
		avg: sum / sorted.length,
		min: at(0),
		med: at(0.5),
		max: at(1),
		'p(95)': at(0.95),
		'p(99)': at(0.99)
	};
}

/** Whether a limit such as `count==1` or `rate==0` holds. @throws for one that the stand-in does not know */
export function holds(limit: string, values: Record<string, number>): boolean {
	const parts = /^\s*([a-z()\d]+)\s*(===?|<=|>=|<|>)\s*([\d.]+)\s*$/.exec(limit);
	if (!parts) throw new Error(`the stand-in does not know the limit ${limit}`);
	const value = values[parts[1] ?? ''] ?? 0;
	const bound = Number(parts[3]);
	if (parts[2] === '<') return value < bound;
	if (parts[2] === '<=') return value <= bound;
	if (parts[2] === '>') return value > bound;
	if (parts[2] === '>=') return value >= bound;
	return value === bound;
}
