import type { Benchmark } from '../lib/benchmark.ts';
import { head, percentile, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { playRoom } from '../lib/bench/virtual-room.ts';

const goalPerSecond = 600;
/** What a page asks because it waits; joining, claiming and booking are what it waits for. */
const whileWaiting = ['settings', 'progress', 'status', 'slots'] as const;

/** The load of the pages that wait, with their own code, in virtual time behind a one-second shared cache. */
export const benchmark: Benchmark = {
	measures: 'origin requests/s beyond join, claim and book for 600,000 waiting pages; goal ≤ 600',
	async run(args) {
		const sizes = readOptions(args, {
			...{ people: 600_000, arrive: 600, rate: 250, press: 15, window: 600, seed: 1 }
		});
		head(
			'waiting',
			`${sizes.people} pages arrive in ${sizes.arrive} s, ${sizes.rate}/s are let in, people press after ${sizes.press} s on average, seed ${sizes.seed}`
		);
		const machine = watchMachine();
		const { perSecond, asked, booked, seconds } = playRoom({
			people: sizes.people,
			arriveSeconds: sizes.arrive,
			ratePerSecond: sizes.rate,
			pressSeconds: sizes.press,
			claimWindowSeconds: sizes.window,
			seed: sizes.seed
		});
		const sums = Array.from({ length: seconds }, (_, second) =>
			whileWaiting.reduce((sum, action) => sum + (perSecond.get(action)?.[second] ?? 0), 0)
		);
		const most = Math.max(...sums);
		say(`  ${seconds} s of virtual time, ${asked} requests by pages, ${booked} people booked`);
		for (const [action, counts] of perSecond) {
			const values = [...counts];
			say(
				`  ${action}: ${(values.reduce((a, b) => a + b, 0) / seconds).toFixed(1)}/s on average, ${Math.max(...values)}/s at most`
			);
		}
		say(
			`  baseline, every page asking the origin itself: ${Math.round(asked / seconds)}/s on average; ratio ${(
				asked /
				Math.max(
					1,
					sums.reduce((a, b) => a + b, 0)
				)
			).toFixed(0)} ×`
		);
		verdict(
			'waiting',
			`${most} requests/s in the worst second, ${percentile(sums, 50).toFixed(0)} in the middle one`,
			`≤ ${goalPerSecond}`,
			most <= goalPerSecond
		);
		say(machine.line());
		if (booked < sizes.people * 0.9) throw new Error(`only ${booked} of ${sizes.people} people came to book`);
	}
};
