import type { Benchmark } from '../lib/benchmark.ts';
import { startGenerator } from '../lib/bench/generate.ts';
import { head, percentile, readOptions, say, verdict, watchMachine } from '../lib/bench/report.ts';
import { openStand } from '../lib/bench/stand.ts';

/** Everybody in the same second, without a waiting room: the door alone must do. */
export const benchmark: Benchmark = {
	measures: '2,000 people in the same second without a room; goal all booked, none twice, 0 × 500/504',
	async run(args) {
		const { people } = readOptions(args, { people: 2_000 });
		head('opening', `${people} people book at once, no waiting room, all obey Retry-After`);
		const machine = watchMachine();
		const stand = await openStand();
		const generator = startGenerator();
		try {
			const server = await stand.startServer({ LAB: '1', LAB_CHECK_MS: '20' });
			const cpuBefore = server.cpuMs();
			const result = await generator.run({ kind: 'opening', url: server.url, people, slots: 50 });
			const cpuMs = server.cpuMs() - cpuBefore;
			const stats = (await (await fetch(`${server.url}/stats`)).json()) as {
				bookings: number;
				booked: number;
			};
			const count = (status: string) => result.statuses[`book ${status}`] ?? 0;
			const faults = count('500') + count('504');
			say(`  answers: ${JSON.stringify(result.statuses)}`);
			say(
				`  booked ${result.booked} (different permits ${result.permits}, stored ${stats.bookings}), gave up ${result.gaveUp}, ` +
					`p95 ${percentile(result.bookMs, 95).toFixed(0)} ms, ${(result.ms / 1_000).toFixed(1)} s in all`
			);
			say(`  server CPU per booking ${((cpuMs / people) * 1_000).toFixed(0)} µs`);
			verdict(
				'opening',
				`${result.booked} of ${people} booked, ${faults} × 500/504`,
				'all, none twice, 0',
				result.booked === people && faults === 0
			);
			say(machine.line());
			if (
				result.permits !== result.booked ||
				stats.bookings !== result.booked ||
				stats.booked !== result.booked
			)
				throw new Error('what was answered is not what is stored');
		} finally {
			await generator.stop();
			await stand.close();
		}
	}
};
