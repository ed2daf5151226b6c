import { createHistogram } from 'node:perf_hooks';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bucketOf, latencyMsOf, percentileMs, toBuckets } from './latency-buckets.ts';

describe('latency buckets', () => {
	it('hold a latency to 2 %', () => {
		fc.assert(
			fc.property(fc.double({ min: 0.1, max: 120_000, noNaN: true }), (ms) => {
				expect(latencyMsOf(bucketOf(ms)) / ms).toBeGreaterThan(0.98);
				expect(latencyMsOf(bucketOf(ms)) / ms).toBeLessThan(1.021);
			})
		);
	});

	it('give the percentile of all seconds together, not an average of percentiles', () => {
		const seconds = fc.array(fc.array(fc.integer({ min: 1, max: 5_000 }), { maxLength: 80 }), {
			minLength: 1,
			maxLength: 12
		});
		fc.assert(
			fc.property(seconds, (parts) => {
				const merged = new Map<number, number>();
				for (const part of parts) {
					const histogram = createHistogram();
					for (const ms of part) histogram.record(ms * 1_000);
					for (const [bucket, count] of toBuckets(histogram))
						merged.set(bucket, (merged.get(bucket) ?? 0) + count);
				}
				const all = parts.flat().sort((a, b) => a - b);
				expect([...merged.values()].reduce((a, b) => a + b, 0)).toBe(all.length);
				if (all.length === 0) {
					expect(percentileMs(merged, 95)).toBeNull();
					return;
				}
				const exact = all[Math.ceil(0.95 * all.length - 1e-9) - 1]!;
				expect(percentileMs(merged, 95)! / exact).toBeGreaterThan(0.96);
				expect(percentileMs(merged, 95)! / exact).toBeLessThan(1.04);
			})
		);
	});

	it('keep the count whole when a second holds more than is looked at', () => {
		const histogram = createHistogram();
		for (let i = 0; i < 1_237; i++) histogram.record((i + 1) * 1_000);
		const buckets = new Map(toBuckets(histogram));
		expect([...buckets.values()].reduce((a, b) => a + b, 0)).toBe(1_237);
		expect(percentileMs(buckets, 95)! / 1_175).toBeGreaterThan(0.96);
		expect(percentileMs(buckets, 95)! / 1_175).toBeLessThan(1.04);
	});
});
