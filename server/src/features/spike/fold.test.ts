import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cellEnd, foldCell, foldCells, type InstanceSample } from './fold.ts';
import { bucketOf, latencyMsOf, mergeBuckets } from './latency-buckets.ts';
import { createMemory } from './memory.ts';
import { outcomeNames, sumSamples, type OutcomeCounts, type SpikeSample } from './samples.ts';

const start = 1_772_000_000_000;
const none = Object.fromEntries(outcomeNames.map((name) => [name, 0])) as OutcomeCounts;

function sampleOf(at: number, latencies: readonly number[], joined = 0): SpikeSample {
	const counts = new Map<number, number>();
	for (const ms of latencies) counts.set(bucketOf(ms), (counts.get(bucketOf(ms)) ?? 0) + 1);
	return {
		at,
		room: { seconds: 1, joined, admitted: 0, depth: joined, called: 0, active: 0, pending: 0, noShow: 0 },
		work: {
			seconds: 1,
			offered: latencies.length,
			served: latencies.length,
			outcomes: { ...none, booked: latencies.length },
			latency: [...counts],
			checks: [],
			inHand: 1,
			oldestMs: null,
			breaker: 'closed'
		},
		storm: null,
		machine: {
			poolInUse: 2,
			poolSize: 10,
			poolWaiting: 0,
			poolWaitP95Ms: latencies.length,
			loopP99Ms: latencies.length,
			sockets: 5,
			handshakes: 1,
			polls: 3,
			memoryMb: 100
		},
		decision: { limitedBy: 'manager', health: 1, worst: null, blind: false, mode: 'open' },
		rate: 100,
		level: 0
	};
}

/** Seconds of several instances: each has its own moment in the second, and its own bookings. */
const instances = fc.array(
	fc.record({
		offsetMs: fc.integer({ min: 0, max: 999 }),
		seconds: fc.array(fc.array(fc.integer({ min: 1, max: 8_000 }), { maxLength: 30 }), {
			minLength: 1,
			maxLength: 25
		})
	}),
	{ minLength: 1, maxLength: 4 }
);
type Seconds = { offsetMs: number; seconds: number[][] }[];
const rowsOf = (all: Seconds): InstanceSample[] =>
	all
		.flatMap(({ offsetMs, seconds }, index) =>
			seconds.map((latencies, second) => ({
				instance: `i${index}`,
				sample: sampleOf(start + second * 1_000 + offsetMs, latencies, latencies.length)
			}))
		)
		.sort((a, b) => a.sample.at - b.sample.at);

describe('seconds of several instances', () => {
	it('give the percentiles of all bookings together, within a bucket, at every resolution', () => {
		fc.assert(
			fc.property(instances, fc.constantFrom(1, 10, 60), (all, step) => {
				const everybody = all.flatMap(({ seconds }) => seconds.flat()).sort((a, b) => a - b);
				const window = sumSamples(foldCells(rowsOf(all), step));
				expect(window.count).toBe(everybody.length);
				expect(window.offered).toBe(everybody.length);
				expect(window.joined).toBe(everybody.length);
				for (const [percent, told] of [
					[50, window.p50Ms],
					[95, window.p95Ms],
					[99, window.p99Ms]
				] as const) {
					if (everybody.length === 0) {
						expect(told).toBeNull();
						continue;
					}
					const exact = everybody[Math.max(0, Math.ceil((percent / 100) * everybody.length - 1e-9) - 1)]!;
					expect(told).toBe(Math.round(latencyMsOf(bucketOf(exact)) * 10) / 10);
				}
			})
		);
	});

	it('are the same however they are folded: seconds to a minute, or over tens', () => {
		fc.assert(
			fc.property(instances, (all) => {
				const rows = rowsOf(all);
				const tens = foldCells(rows, 10).map((sample) => ({ instance: '', sample }));
				const once = foldCells(rows, 60);
				const twice = foldCells(tens, 60);
				// How many seconds were covered depends on where the cells part; what happened does not.
				const parted = { roomSeconds: expect.any(Number), workSeconds: expect.any(Number) };
				expect(sumSamples(twice)).toMatchObject({ ...sumSamples(once), ...parted });
				expect(twice.map(({ at }) => at)).toEqual(once.map(({ at }) => at));
			})
		);
	});

	it('count a second once, however many tell of it, and the room once', () => {
		const rows = ['a', 'b', 'c'].map((instance) => ({
			instance,
			sample: sampleOf(start + 1_000, [20, 30], 4)
		}));
		const folded = foldCell(rows);
		expect(folded.room).toMatchObject({ seconds: 1, joined: 12, depth: 4 });
		expect(folded.work).toMatchObject({ seconds: 1, offered: 6, inHand: 3 });
		expect(folded.machine).toMatchObject({ poolSize: 30, sockets: 15, loopP99Ms: 2, poolWaitP95Ms: 2 });
	});

	it('keep the worst breaker and the worst second of a machine', () => {
		const calm = sampleOf(start + 1_000, [10]);
		const sick = sampleOf(start + 2_000, [10, 10, 10]);
		sick.work!.breaker = 'open';
		const later = sampleOf(start + 3_000, [10]);
		const folded = foldCell([calm, sick, later].map((sample) => ({ instance: 'a', sample })));
		expect(folded.work!.breaker).toBe('open');
		expect(folded.machine).toMatchObject({ loopP99Ms: 3, poolSize: 10 });
		expect(folded.work!.seconds).toBe(3);
	});

	it('merge buckets without loss', () => {
		const lists = fc.array(
			fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 9 })), {
				maxLength: 20,
				selector: ([bucket]) => bucket
			}),
			{ maxLength: 6 }
		);
		fc.assert(
			fc.property(lists, (all) => {
				const merged = new Map(mergeBuckets(all));
				for (let bucket = 0; bucket <= 60; bucket++) {
					const wanted = all.flat().filter(([of]) => of === bucket);
					expect(merged.get(bucket) ?? 0).toBe(wanted.reduce((sum, [, count]) => sum + count, 0));
				}
			})
		);
	});
});

describe('the seconds in memory', () => {
	it('are the same whatever order instances are heard in', () => {
		fc.assert(
			fc.property(instances, fc.infiniteStream(fc.nat()), (all, chance) => {
				const rows = rowsOf(all);
				const shuffled = rows
					.map((row) => ({ row, key: chance.next().value as number }))
					.sort((a, b) => a.key - b.key)
					.map(({ row }) => row);
				const memory = createMemory();
				// Heard twice is heard once.
				for (const row of [...shuffled, ...shuffled]) memory.add(row);
				expect(memory.samples().map(({ at }) => cellEnd(at, 1))).toEqual(
					foldCells(rows, 1).map(({ at }) => at)
				);
				expect(sumSamples(memory.samples())).toEqual(sumSamples(foldCells(rows, 1)));
			})
		);
	});
});
